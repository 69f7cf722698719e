"""Nothing that is not for everybody reaches a spectator, on any path that the server describes."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml

from bridge.config import parse
from bridge.core.model import AlertRaised, MoveProvisional
from bridge.outputs.health import Health
from bridge.web import passwords
from bridge.web.server import DESCRIPTION
from tests.court import Court, Person, heard
from tests.livechess import Play
from tests.web import Stage, Visitor

CLUB = "https://club.example.org"
DELAYED = f"delay: {{minutes: 15}}, origins: ['{CLUB}']"
VALUES = {"table": "7", "game": "1", "round": "1", "id": "7:1"}
SHOWN = (
    *("Nf3", "KING_LEFT_IN_CHECK", "ARBITER_NEEDED", "rumour of a link", "provisional", "cells"),
    *("reason of the disk", "eboard_here", "outbox that waits"),
)
"""What is known of the table and is not for spectators; the moves are younger than the delay."""


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))


def paths(method: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every path of the description that knows *method*, with values put in."""
    for path, methods in yaml.safe_load(DESCRIPTION.read_text("utf-8"))["paths"].items():
        if method in methods:
            yield path.format_map(VALUES), methods[method]


QUERIES = ("", "?history=yes", "?since=0", "?plies=no", "?table=7", "?wait=0", "?role=arbiter")


def happens(stage: Stage) -> Play:
    """Let something happen at a table that spectators may not know yet, or ever."""
    stage.health = Health("failing", ("reason of the disk",))
    stage.equipment["troubles"] = ["outbox that waits"]
    play = Play("7")
    lost = play.link("lost")
    stage.tell(
        type(lost)(**{**_fields(lost), "detail": "rumour of a link"}),
        *play.start(),
        *play.plays("Nf3"),
        play.fact(MoveProvisional, ply=2, uci="g8f6", san="Nf6"),
        play.fact(
            AlertRaised,
            code="KING_LEFT_IN_CHECK",
            severity="critical",
            text="KING_LEFT_IN_CHECK",
            illegal=True,
        ),
    )
    return play


def _fields(fact: Any) -> dict[str, Any]:
    return {name: getattr(fact, name) for name in fact.__struct_fields__}


async def first_words(visitor: Visitor, path: str, headers: dict[str, str]) -> str:
    """Return the answer, of a stream only what comes at first."""
    text = ""
    async with visitor.session.get(path, headers=headers) as response:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.05 if "events" in path else 20):
                async for line in response.content:
                    text += line.decode()
    return text


async def everything(visitor: Visitor, headers: dict[str, str]) -> dict[str, str]:
    """Ask for every path in every way; return what was answered."""
    found = {}
    for path, described in paths("get"):
        for query in QUERIES:
            if path == "/api/v1/stream":
                async with visitor.stream(query, **headers) as stream:
                    found[f"stream{query}"] = json.dumps(await stream.next())
            elif path != "/api/v1/openapi.yaml":
                found[path + query] = await first_words(visitor, path + query, headers)
        assert described["responses"], path
    return found


WHO: dict[str, tuple[str, dict[str, str]]] = {
    "nobody": ("", {}),
    "a viewer": ("Vera", {}),
    "another site where an arbiter sits": ("Anna", {"Origin": CLUB}),
    "a forged token": ("", {"Authorization": "Bearer arbiter"}),
    "a forged cookie": ("", {"Cookie": "eboard_session=arbiter; role=arbiter"}),
}


@pytest.mark.parametrize("who", WHO)
def test_spectators_see_nothing_that_is_not_for_them(tmp_path: Path, who: str) -> None:
    name, headers = WHO[who]

    async def act(court: Court, *people: Person) -> None:
        happens(court)
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(court.url, cookie_jar=jar) as session:
            answers = await everything(people[0] if people else Visitor(session), headers)
        assert len(answers) >= 14 * len(QUERIES)
        assert "Kramer" not in answers["/api/v1/games"], "the game has not begun for them"
        for path, text in answers.items():
            assert not any(secret in text for secret in SHOWN), (path, text)

    heard(act, Court(tmp_path, DELAYED), *([name] if name else []))


def test_spectators_cannot_count_what_they_may_not_know_yet(tmp_path: Path) -> None:
    async def act(court: Court, vera: Person, anna: Person) -> None:
        async with vera.stream() as late, anna.stream() as now:
            before = (await late.next())["seq"]
            assert (await now.next())["seq"] != before
            happens(court)
            await now.until(lambda each: each["type"] == "alert")
            changed = 'tables: [{table: "7", white: "Kramer, Anna"}]'
            court.web.take(parse(changed, tmp_path / "hall.yaml"))
            first = (await late.next())["seq"]
            court.web.take(parse(changed.replace("Anna", "Eva"), tmp_path / "hall.yaml"))
            assert (await late.next())["seq"] - first == first - before

    heard(act, Court(tmp_path, DELAYED), "Vera", "Anna")


@pytest.mark.parametrize("who", ["", "Vera"])
def test_who_follows_is_told_only_what_is_for_everybody(tmp_path: Path, who: str) -> None:
    """Without a delay, on the socket and on the stream of events, from before it happens."""

    async def act(court: Court, *people: Person) -> None:
        async with aiohttp.ClientSession(court.url) as stranger:
            visitor = people[0] if people else Visitor(stranger)
            async with visitor.stream() as socket, visitor.session.get("/api/v1/events") as events:
                await socket.next()
                await events.content.readline()
                court.tell(*happens(court).plays("d5"))
                told = [json.dumps(each) for each in await socket.until(is_last)]
                async for line in events.content:
                    told.append(line.decode())
                    if '"d5"' in told[-1]:
                        break
        assert sum("Nf3" in each for each in told) >= 2, "both have told the move"
        for secret in set(SHOWN) - {"Nf3"}:
            assert not any(secret in each for each in told), secret

    def is_last(message: dict[str, Any]) -> bool:
        return '"d5"' in json.dumps(message)

    heard(act, Court(tmp_path), *([who] if who else []))


def test_an_arbiter_sees_all_of_it(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        happens(court)
        told = "".join((await everything(anna, {})).values())
        for secret in SHOWN:
            assert secret in told or secret in ("ARBITER_NEEDED", "provisional"), secret

    heard(act, Court(tmp_path, DELAYED), "Anna")


def test_an_operator_sees_no_alert_of_the_arbiters(tmp_path: Path) -> None:
    async def act(court: Court, olga: Person) -> None:
        happens(court)
        told = "".join((await everything(olga, {})).values())
        assert "KING_LEFT_IN_CHECK" not in told
        assert "ARBITER_NEEDED" in told
        assert "rumour of a link" in told

    heard(act, Court(tmp_path, DELAYED), "Olga")


OPERATORS_TOO = ("/api/v1/round", "/api/v1/boards", "/api/v1/discovery")


@pytest.mark.parametrize("name", ["", "Vera", "Olga"])
def test_only_arbiters_and_operators_change_anything(tmp_path: Path, name: str) -> None:
    async def act(court: Court, *people: Person) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(court.url, cookie_jar=jar) as session:
            person = people[0] if people else Person(session)
            for path, described in [*paths("post"), *paths("put"), *paths("delete")]:
                if path == "/api/v1/session" or (name == "Olga" and path in OPERATORS_TOO):
                    continue
                assert described["security"]
                async with person.session.post(
                    path, json={}, headers={"X-CSRF-Token": person.csrf}
                ) as answer:
                    assert answer.status in (401, 403), path
        assert not court.asked.is_set()

    heard(act, Court(tmp_path), *([name] if name else []))
