"""Logging in and out, in spite of those who would like to."""

import asyncio
import logging
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from bridge.web import accounts, entrance, messages, passwords, sessions, streams
from bridge.web.accounts import Account, Role
from bridge.web.entrance import COOKIE, CSRF_HEADER
from tests.livechess import Play
from tests.web import Stage, Visitor, config_of, staged, visiting

PASSWORD = "four words in a row"  # noqa: S105 - of nobody
SESSION = "/api/v1/session"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))


def stage_of(folder: Path, web: str = "", **roles: Role) -> Stage:
    config = config_of(folder, web)
    for name, role in (roles or {"Anna": "arbiter"}).items():
        kept = passwords.hashed(PASSWORD)
        accounts.add(config.accounts, Account(name=name, role=role, password=kept))
    return Stage(config)


async def log_in(
    visitor: Visitor, name: str = "Anna", password: str = PASSWORD, **more: Any
) -> aiohttp.ClientResponse:
    body = {"name": name, "password": password}
    return await visitor.session.post(SESSION, json=body, **more)


def test_in_and_out_again(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        assert await visitor.json(SESSION, 401) == {"error": "log in first"}
        answer = await log_in(visitor)
        said = await answer.json()
        assert (answer.status, said["name"], said["role"]) == (200, "Anna", "arbiter")
        cookie = answer.cookies[COOKIE]
        assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", "")
        assert await visitor.json(SESSION) == said
        async with visitor.session.delete(SESSION) as refused:
            assert (refused.status, CSRF_HEADER in (await refused.json())["error"]) == (403, True)
        async with visitor.session.delete(SESSION, headers={CSRF_HEADER: "forged"}) as refused:
            assert refused.status == 403
        async with visitor.session.delete(SESSION, headers={CSRF_HEADER: said["csrf"]}) as left:
            assert left.status == 200
        await visitor.json(SESSION, 401)

    staged(act, stage_of(tmp_path))


def test_names_and_passwords_that_are_wrong_look_the_same(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        for name, password in (("Anna", "wrong"), ("Nobody", PASSWORD), ("", "")):
            answer = await log_in(visitor, name, password)
            assert answer.status == 401
            assert await answer.json() == {"error": "name or password is wrong"}
            assert COOKIE not in answer.cookies

    staged(act, stage_of(tmp_path))


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"name": "Anna"}', "application/json", 400),
        (b'{"name": "Anna", "password": "x", "role": "arbiter"}', "application/json", 400),
        (b'{"name": "\\ud800", "password": "x"}', "application/json", 400),
        (b'{"name": ["Anna"], "password": {}}', "application/json", 400),
        (b'{"name": "\xff", "password": "x"}', "application/json", 400),
        (b"name=Anna&password=x", "application/x-www-form-urlencoded", 415),
        (b'{"name": "Anna", "password": "x"}', "text/plain", 415),
        (b" " * 70000, "application/json", 413),
    ],
)
def test_what_is_no_login(tmp_path: Path, body: bytes, kind: str, status: int) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        headers = {"Content-Type": kind}
        async with visitor.session.post(SESSION, data=body, headers=headers) as answer:
            assert answer.status == status
            assert (await answer.json()).keys() == {"error"}

    staged(act, stage_of(tmp_path))


def test_a_login_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "READ_PATIENCE", 0.1)

    async def act(stage: Stage, _: Visitor) -> None:
        host, port = stage.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(
            b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
        )
        assert b" 408 " in await reader.readline()
        writer.close()

    staged(act, stage_of(tmp_path))


def test_other_sites_cannot_log_anybody_in(tmp_path: Path) -> None:
    club = "https://club.example.org"

    async def act(_: Stage, visitor: Visitor) -> None:
        for origin in (club, "null"):
            assert (await log_in(visitor, headers={"Origin": origin})).status == 403
        await log_in(visitor)
        await visitor.json(SESSION)
        assert await visitor.json(SESSION, 401, Origin=club), "its pages see what the public sees"

    staged(act, stage_of(tmp_path, f"origins: ['{club}']"))


@pytest.mark.parametrize("forged", ["", "x", "a" * 43, "%00", '"', "../accounts.json"])
def test_forged_cookies_and_tokens_let_nobody_in(tmp_path: Path, forged: str) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        await visitor.json(SESSION, 401, Cookie=f"{COOKIE}={forged}")
        await visitor.json(SESSION, 401, Authorization=f"Bearer {forged}")
        await visitor.json(SESSION, 401, Authorization=f"Basic {forged}")

    staged(act, stage_of(tmp_path))


def test_a_program_shows_its_token(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, scoreboard="operator")
    token = accounts.add_token(stage.config.accounts, "scoreboard")

    async def act(_: Stage, visitor: Visitor) -> None:
        shown = {"Authorization": f"Bearer {token}"}
        said = await visitor.json(SESSION, Authorization=f"Bearer {token}")
        assert said == {"name": "scoreboard", "role": "operator", "csrf": None}
        async with visitor.session.delete(SESSION, headers=shown) as answer:
            assert answer.status == 200, "no page of another site can show it"

    staged(act, stage)


def test_a_session_ends_with_the_password_the_account_and_the_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        path = stage.config.accounts
        await log_in(visitor)
        changed = Account(name="Anna", role="arbiter", password=passwords.hashed("another one"))
        accounts.add(path, changed)
        await visitor.json(SESSION, 401)
        await log_in(visitor, password="another one")
        accounts.remove(path, "Anna")
        await visitor.json(SESSION, 401)
        accounts.add(path, changed)
        monkeypatch.setattr(sessions, "LIFETIME", 0.0)
        assert (await log_in(visitor, password="another one")).status == 200
        await visitor.json(SESSION, 401)

    staged(act, stage_of(tmp_path))


def test_an_account_with_a_hash_of_another_kind_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stage = stage_of(tmp_path)
    odd = Account(name="Anna", role="arbiter", password="argon2$1$1$1$AA==$AA==")
    accounts.add(stage.config.accounts, odd)

    async def act(_: Stage, visitor: Visitor) -> None:
        assert (await log_in(visitor)).status == 401

    caplog.set_level(logging.ERROR)
    staged(act, stage)
    assert "hashed with argon2" in caplog.text


def test_a_thousand_wrong_passwords(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    looked: list[str] = []

    async def act(stage: Stage, visitor: Visitor) -> None:
        guesser = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0), limit=20)
        async with aiohttp.ClientSession(stage.url, connector=guesser) as session:

            async def guess(number: int) -> int:
                body = {"name": "Anna", "password": f"guess {number}"}
                async with session.post(SESSION, json=body) as answer:
                    if answer.status == 429:
                        assert int(answer.headers["Retry-After"]) >= 1
                    return answer.status

            statuses = await asyncio.gather(*(guess(number) for number in range(1000)))
            looked.extend("x" for status in statuses if status == 401)
            assert set(statuses) == {401, 429}
            body = {"name": "Ben", "password": PASSWORD}
            async with session.post(SESSION, json=body) as neighbour:
                assert neighbour.status == 200, "who sits behind the same address is still in"
        assert (await log_in(visitor)).status == 200, "and so is the one who is attacked"

    caplog.set_level(logging.WARNING)
    began = time.monotonic()
    staged(act, stage_of(tmp_path, Anna="arbiter", Ben="operator"))
    # One more is looked at after each wait of 1, 2, 4 … s.
    assert len(looked) <= 8 + (time.monotonic() - began)
    said = [message for message in caplog.messages if "wrong password" in message]
    assert said[0].endswith("wrong password number 1 for 'Anna' from 127.0.0.2")
    assert len(said) <= 5


def test_names_in_the_log_cannot_feign_lines(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        await log_in(visitor, "x\u2028\u0085\x1b[31m\r\n2026 ERROR", "wrong")

    caplog.set_level(logging.WARNING)
    staged(act, stage_of(tmp_path))
    assert all(message.isprintable() for message in caplog.messages if "wrong" in message)


def test_only_so_many_of_an_address_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entrance, "MOST_AT_ONCE", 0)

    async def act(_: Stage, visitor: Visitor) -> None:
        answer = await log_in(visitor)
        assert (answer.status, answer.headers["Retry-After"]) == (429, "1")

    staged(act, stage_of(tmp_path))


def test_one_password_at_a_time_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches, looking, most = passwords.matches, list[str](), list[int]()

    def slowly(password: str, kept: str) -> bool:
        looking.append(password)
        most.append(len(looking))
        time.sleep(0.05)  # long enough for another thread
        looking.pop()
        return matches(password, kept)

    monkeypatch.setattr(passwords, "matches", slowly)

    async def act(_: Stage, visitor: Visitor) -> None:
        logins = (log_in(visitor, name) for name in ("Anna", "Anna", "Ben", "nobody"))
        answers = await asyncio.gather(*logins)
        assert [answer.status for answer in answers] == [200, 200, 200, 401]

    staged(act, stage_of(tmp_path, Anna="arbiter", Ben="operator"))
    assert most == [1, 1, 1, 1]


def test_games_can_be_for_accounts_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "REVIEW_EVERY", 0.05)

    async def act(stage: Stage, visitor: Visitor) -> None:
        stage.tell(*Play().start())
        for path in ("event", "games", "games/1", "games/1/1", "events"):
            await visitor.json(f"/api/v1/{path}", 401)
        for path in ("/pgn/games.pgn", "/pgn/1.pgn", "/pgn/1/1.pgn", "/pgn/round-1.pgn"):
            await visitor.get(path, 401)
        await visitor.get("/")
        await visitor.get("/login")
        with pytest.raises(aiohttp.WSServerHandshakeError):
            async with visitor.stream():
                pass
        await log_in(visitor, "Vera")
        await visitor.get("/pgn/games.pgn")
        async with visitor.stream() as stream:
            assert (await stream.next())["type"] == "hello"
            accounts.remove(stage.config.accounts, "Vera")
            assert (await stream.socket.receive()).type is WSMsgType.CLOSE

    staged(act, stage_of(tmp_path, "public: false", Vera="viewer"))


def test_logging_out_ends_what_is_followed(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        csrf = (await (await log_in(visitor, "Vera")).json())["csrf"]
        async with visitor.stream() as stream:
            await stream.next()
            await visitor.session.delete(SESSION, headers={CSRF_HEADER: csrf})
            assert (await stream.socket.receive()).type is WSMsgType.CLOSE

    staged(act, stage_of(tmp_path, "public: false", Vera="viewer"))


def test_passwords_in_a_network_without_tls_are_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stage = stage_of(tmp_path, "host: 0.0.0.0")

    async def main() -> None:
        async with stage.web, visiting(stage.url) as visitor:
            assert (await log_in(visitor)).status == 200

    caplog.set_level(logging.WARNING)
    asyncio.run(main())
    (said,) = caplog.messages
    assert "unprotected" in said
