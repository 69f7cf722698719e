"""Operators look at the log, begin a round, find boards and give them tables."""

from pathlib import Path

import aiohttp
import pytest

from bridge.web import passwords
from tests.court import TABLE, Court, Person, heard


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))


async def change(person: Person, path: str, body: object, csrf: str) -> aiohttp.ClientResponse:
    headers = {"X-CSRF-Token": csrf}
    async with person.session.post(f"/api/v1/{path}", json=body, headers=headers) as answer:
        await answer.read()
        return answer


def test_what_operators_are_shown(tmp_path: Path) -> None:
    async def act(_: Court, olga: Person, vera: Person) -> None:
        (line,) = (await olga.json("/api/v1/log"))["lines"]
        assert line == {"at": 1.0, "level": "info", "text": "rumour of a link"}
        rounds = await olga.json("/api/v1/round")
        assert rounds == {"rounds": {"": "1"}, "files": ["round-2.pgn"]}
        boards = (await olga.json("/api/v1/boards"))["boards"]
        assert boards == {TABLE: {"driver": "dgt"}, "8": {"driver": "dgt"}}
        archive = await olga.get(f"/api/v1/tables/{TABLE}/captures.zip")
        assert (archive.content_type, await archive.read()) == ("application/zip", b"PK")
        assert "attachment" in archive.headers["Content-Disposition"]
        await olga.json("/api/v1/tables/9/captures.zip", 404)
        for path in ("log", "round", "boards", f"tables/{TABLE}/captures.zip"):
            await vera.json(f"/api/v1/{path}", 403)

    heard(act, Court(tmp_path), "Olga", "Vera")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("discovery", {}, 200),
        ("round", {"round": "2"}, 409),
        ("round", {"round": "2", "pairings": "round-2.pgn"}, 409),
        ("round", {"round": ""}, 400),
        ("round", {"round": 2}, 400),
        ("round", {"round": "2", "by": "Olga"}, 400),
        ("boards", {"boards": {TABLE: {"driver": "dgt", "serial": "7"}}}, 409),
        ("boards", {"boards": {}}, 400),
        ("boards", {"boards": {TABLE: {"driver": "dgt", "options": {}}}}, 400),
    ],
)
def test_what_operators_change(tmp_path: Path, path: str, body: object, status: int) -> None:
    async def act(_: Court, olga: Person) -> None:
        assert (await change(olga, path, body, "forged")).status == 403
        answer = await change(olga, path, body, olga.csrf)
        assert answer.status == status
        said = await answer.json()
        if status == 409:
            assert said["error"] == "nothing is changed here"
        if status == 200:
            assert said["found"][0]["address"] == "serial:/dev/x"

    heard(act, Court(tmp_path), "Olga")
