"""A real daemon is watched while a game is played, the folder of games breaks and a board goes."""

import asyncio
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from bridge.config import load
from bridge.web import accounts
from bridge.web.accounts import Account
from tests.halls import PATIENCE, Daemon, Seat, at, seated, write_config
from tests.livechess import free_port
from tests.test_end_to_end_web import listening, person
from tests.web import Visitor

PLIES = 4


def test_the_figures_of_a_daemon_are_true(tmp_path: Path) -> None:
    asyncio.run(_watched(tmp_path))


class Monitor:
    """Asks with the token of a monitor."""

    def __init__(self, visitor: Visitor, token: str) -> None:
        self._visitor = visitor
        self._shown = f"Bearer {token}"

    async def figures(self) -> dict[str, float]:
        text = await (await self._visitor.get("/metrics", Authorization=self._shown)).text()
        assert "Kramer" not in text
        return {
            f"{sample.name} {' '.join(map(str, sample.labels.values()))}".rstrip(): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    async def figure(self, name: str, at_least: float) -> dict[str, float]:
        async with asyncio.timeout(PATIENCE):
            while True:
                found = await self.figures()
                if found.get(name, 0.0) >= at_least:
                    return found
                await asyncio.sleep(0.1)

    async def agree(self, one: str, other: str) -> None:
        """Wait until two figures are the same, as they are while nothing is on its way."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = await self.figures()
                if found[one] == found[other]:
                    return
                await asyncio.sleep(0.1)

    async def health(self, status: str, *words: str) -> None:
        """Wait until it is so, for a reason with all *words*."""
        shown = {"Authorization": self._shown}
        async with asyncio.timeout(PATIENCE):
            while True:
                async with self._visitor.session.get("/healthz", headers=shown) as answer:
                    said: dict[str, Any] = await answer.json()
                    assert answer.status == (503 if said["status"] == "failing" else 200)
                reasons = " ".join(said["reasons"])
                if said["status"] == status and all(word in reasons for word in words):
                    return
                await asyncio.sleep(0.1)


async def _watched(folder: Path) -> None:
    seat, port = Seat(folder / "board", pace=0.1), free_port()
    board = at(seat.port.path)
    path = write_config(folder, [f"{board}}}, white: {{name: Kramer"], f"web: {{port: {port}}}")
    file = load(path).accounts
    accounts.add(file, Account(name="Mona", role="monitor", password=""))
    async with seated([seat]), Daemon(path) as daemon, person(port) as looker:
        monitor = Monitor(looker, accounts.add_token(file, "Mona"))
        await listening(looker)
        await daemon.live()
        await monitor.health("ok")
        await seat.plays(PLIES)
        found = await monitor.figure("eboard_moves_settled_total 1", PLIES - 1)
        assert found["eboard_link_state table 1 live"] == 1
        assert found["eboard_link_received_bytes_total table 1"] > 67
        assert found["eboard_output_up pgn"] == 1
        await monitor.agree("eboard_stage_seconds_count fold", "eboard_readings_total 1")
        assert found["eboard_stage_seconds_sum fold"] > 0
        await monitor.figure("eboard_output_delivered_total pgn", 1)
        await monitor.figure("eboard_event_loop_lag_seconds_count", 2)
        (folder / "games").rename(folder / "games-away")
        (folder / "games").write_text("a file where the folder should be")
        await seat.plays(PLIES)
        await monitor.health("failing", "pgn", "games")
        (folder / "games").unlink()
        await monitor.health("ok")
        seat.port.unplug()
        await monitor.health("failing", "table 1: lost")
        assert (await monitor.figures())["eboard_link_state table 1 lost"] == 1
        assert await daemon.end() == 0
