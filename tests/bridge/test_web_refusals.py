"""What is refused is said in the log, and a flood of it does not fill that."""

import logging
from pathlib import Path

import pytest
from aiohttp import web

from bridge.web import refusals
from bridge.web.entrance import COOKIE
from bridge.web.refusals import FORGOTTEN_AFTER, Refusals
from tests.web import Stage, Visitor, config_of, staged

SESSION = "/api/v1/session"


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record.getMessage() for record in caplog.records if record.name == refusals.__name__]
    caplog.clear()
    return found


def test_attempts_are_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def act(_: Stage, visitor: Visitor) -> None:
        await visitor.json("/api/v1/alerts", 401)
        await visitor.json("/api/v1/games/none", 404)
        assert said(caplog) == [], "who is only asked to log in"
        none = "web: refused to 127.0.0.1, number 1: no such session or token"
        await visitor.json("/api/v1/alerts", 401, Cookie=f"{COOKIE}=forged")
        assert said(caplog) == [none]
        await visitor.json("/api/v1/alerts", 401, Authorization="Bearer replayed")
        assert said(caplog) == [none.replace("1:", "2:")]
        await visitor.get("/", 403, Host="elsewhere.example.org")
        assert "another name" in said(caplog)[0]
        await visitor.json("/api/v1/games", 403, Origin="https://club.example.org")
        assert "club.example.org" in said(caplog)[0]
        headers = {"Content-Type": "application/json"}
        async with visitor.session.post(SESSION, data=b" " * 70000, headers=headers) as answer:
            assert answer.status == 413
        assert len(said(caplog)) == 1

    staged(act, Stage(config_of(tmp_path)))


def test_a_flood_is_told_ever_more_rarely(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        for _attempt in range(40):
            await visitor.json("/api/v1/alerts", 401, Authorization="Bearer replayed")
        numbers = [line.partition("number ")[2].partition(":")[0] for line in said(caplog)]
        assert numbers == ["1", "2", "4", "8", "16", "32"]

    staged(act, Stage(config_of(tmp_path)))


def test_they_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "MOST_KEPT", 2)
    counted = Refusals()
    unknown = web.HTTPUnauthorized.status_code
    assert [counted.count("a", unknown, at) for at in (0.0, 1.0, 1.0 + FORGOTTEN_AFTER)] == [
        1,
        2,
        3,
    ]
    assert counted.count("a", unknown, 2.0 + 2 * FORGOTTEN_AFTER) == 1
    assert counted.count("a", 403, 2000.0) == 1
    assert counted.count("b", 403, 2000.0) == 1
    assert counted.count("a", unknown, 2000.0) == 1, "only so many addresses are kept"
