"""The webhooks of a configuration: audiences, delays, and those that are gone."""

import asyncio
from pathlib import Path

import pytest

from bridge.config import Config, parse
from bridge.config.webhooks import SECRET_VARIABLE
from bridge.core.table import Table
from bridge.daemon.outputs import Outputs
from bridge.store.outbox import Outbox
from tests.livechess import Play
from tests.receiver import SECRET, Receiver, receiving

TABLES = "tables: [{table: '1', board: {port: /dev/absent}}]\n"


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, SECRET)


def config(folder: Path, *hooks: str) -> Config:
    listed = "".join(f"  - {{{hook}}}\n" for hook in hooks)
    return parse(f"{TABLES}webhooks:\n{listed}", folder / "hall.yaml")


def kinds(receiver: Receiver) -> list[str]:
    return [fact["fact"] for fact in receiver.facts]


def test_each_receiver_is_told_what_it_may_see_and_when(tmp_path: Path) -> None:
    async def main() -> None:
        play = Play()
        async with receiving() as public, receiving() as operator:
            settings = config(
                tmp_path,
                f"name: public, url: '{public.url}', delay: {{moves: 1}}",
                f"name: operator, url: '{operator.url}', audience: operator",
            )
            outputs = Outputs(settings, lambda: 0.0, today="2026.11.20")
            async with outputs.running(Table):
                for fact in (play.link("live"), *play.start(), *play.plays("e4", "e5", "Nf3")):
                    outputs.tell(fact)
            assert kinds(public) == ["GameStarted", "MoveSettled"]
            moves = ["MoveSettled"] * 3
            assert kinds(operator) == ["LinkChanged", "GameStarted", *moves]

    asyncio.run(main())


def test_who_is_configured_no_longer_is_forgotten(tmp_path: Path) -> None:
    with Outbox(tmp_path / "data" / "outbox.sqlite3") as outbox:
        outbox.put("webhook gone", {"msg_1 1": b"{}"})
        outbox.put("lichess", {"game": b"1. e4"})
        outbox.put("webhook here", {}, notes={})

    async def main() -> None:
        settings = config(tmp_path, "name: here, url: 'http://localhost:9/'")
        async with Outputs(settings, lambda: 0.0, today="2026.11.20").running(Table):
            pass

    asyncio.run(main())
    with Outbox(tmp_path / "data" / "outbox.sqlite3") as outbox:
        assert outbox.outputs() == ["lichess", "webhook here"]


def test_without_an_outbox_all_else_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "data").write_text("no folder")

    async def main() -> None:
        play = Play()
        settings = config(tmp_path, "name: a, url: 'http://localhost:9/'")
        outputs = Outputs(settings, lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table):
            for fact in (*play.start(), *play.plays("e4")):
                outputs.tell(fact)

    asyncio.run(main())
    assert "webhooks: nothing is sent: outbox" in caplog.text
    assert (tmp_path / "games/unknown/1-1.pgn").exists()
