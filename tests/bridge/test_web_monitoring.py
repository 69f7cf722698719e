"""Who is told how the program is."""

from pathlib import Path

import pytest

from bridge.outputs.health import Health
from bridge.web import accounts, passwords
from bridge.web.accounts import Account, Role
from tests.court import PASSWORD, Court, Person, heard
from tests.web import Stage, Visitor, config_of, staged

FIGURES = "eboard_here 1\n"


def with_token(folder: Path, role: Role, web: str = "") -> tuple[Stage, dict[str, str]]:
    stage = Stage(config_of(folder, web))
    path = stage.config.accounts
    accounts.add(path, Account(name="Mona", role=role, password=passwords.hashed(PASSWORD)))
    return stage, {"Authorization": f"Bearer {accounts.add_token(path, 'Mona')}"}


@pytest.mark.parametrize(
    ("role", "status"), [("monitor", 200), ("operator", 200), ("arbiter", 200), ("viewer", 403)]
)
def test_figures_are_for_monitors_and_staff(tmp_path: Path, role: Role, status: int) -> None:
    stage, shown = with_token(tmp_path, role)

    async def act(_: Stage, visitor: Visitor) -> None:
        assert FIGURES not in await (await visitor.get("/metrics", 401)).text()
        answer = await visitor.get("/metrics", status, **shown)
        assert (await answer.text() == FIGURES) == (status == 200)
        other = {"Origin": "https://elsewhere.example", **shown}
        await visitor.get("/metrics", 403, **other)
        await visitor.get("/metrics", 403, **{**shown, "Host": "elsewhere.example"})

    staged(act, stage)


def test_figures_are_public_where_somebody_wants_it(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        answer = await visitor.get("/metrics")
        assert await answer.text() == FIGURES
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"

    staged(act, Stage(config_of(tmp_path, "public_metrics: true")))


@pytest.mark.parametrize(("status", "code"), [("ok", 200), ("degraded", 200), ("failing", 503)])
def test_everybody_hears_how_it_is_and_monitors_hear_why(
    tmp_path: Path, status: str, code: int
) -> None:
    stage, shown = with_token(tmp_path, "monitor")
    viewer = accounts.Account(name="Vera", role="viewer", password="")
    accounts.add(stage.config.accounts, viewer)
    vera = f"Bearer {accounts.add_token(stage.config.accounts, 'Vera')}"
    found = {"ok": Health("ok"), "degraded": Health("degraded", ("table 1: lost",))}
    stage.health = found.get(status, Health("failing", ("the disk is full",)))

    async def act(stage: Stage, visitor: Visitor) -> None:
        assert await visitor.json("/healthz", code) == {"status": status}
        assert await visitor.json("/healthz", code, Authorization=vera) == {"status": status}
        told = await visitor.json("/healthz", code, **shown)
        assert told == {"status": status, "reasons": list(stage.health.reasons)}

    staged(act, stage)


def test_a_monitor_sees_nothing_else(tmp_path: Path) -> None:
    stage, shown = with_token(tmp_path, "monitor", "public: false")

    async def act(_: Stage, visitor: Visitor) -> None:
        for path in ("/api/v1/games", "/api/v1/events", "/pgn/games.pgn", "/api/v1/alerts"):
            await visitor.get(path, 403, **shown)

    staged(act, stage)


def test_a_monitor_logs_in_and_sees_what_the_public_sees(tmp_path: Path) -> None:
    court = Court(tmp_path)
    kept = passwords.hashed(PASSWORD)
    accounts.add(court.config.accounts, Account(name="Mona", role="monitor", password=kept))

    async def act(_: Court, mona: Person) -> None:
        assert (await mona.json("/api/v1/session"))["role"] == "monitor"
        games = (await mona.json("/api/v1/games"))["games"]
        assert not any("cells" in game or "link" in game for game in games)
        await mona.get("/metrics")

    heard(act, court, "Mona")
