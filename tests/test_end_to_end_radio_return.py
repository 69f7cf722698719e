"""A board that comes back on the radio: how soon it is heard, and what its file has then."""

import asyncio
import json
import statistics
import time
from pathlib import Path

import pytest

from bridge.core.model import Payload
from drivers.boards.ble_chess import ChessPeripheral
from drivers.events import Snapshot
from drivers.simulated.ble_chess import ChessPeripheralBoard
from tests.conversations import SPECIAL
from tests.halls import Daemon, eventually, write_config, written_moves
from tests.radio_seats import Seat, bluetooth, kept

RETURNS = 30


def test_a_link_that_returns_tells_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """How long it takes; printed, since it depends on the machine."""

    async def run() -> list[float]:
        async with bluetooth() as bluez:
            cpp = Seat(bluez, 1, ChessPeripheralBoard(), ChessPeripheral)
            seconds: list[float] = []
            async with kept(cpp):
                for _ in range(RETURNS):
                    cpp.device.leave()
                    await cpp.lost()
                    await asyncio.sleep(0.05)
                    cpp.payloads.clear()
                    returned = time.monotonic()
                    cpp.device.advertising = True
                    await eventually(lambda: _first_event(cpp.payloads), "the first event")
                    first = _first_event(cpp.payloads)
                    assert first is not None
                    seconds.append(first.at - returned)
            return seconds

    seconds = asyncio.run(run())
    marks = statistics.quantiles(seconds, n=20)
    with capsys.disabled():
        print(  # noqa: T201 - a figure for the page of benchmarks
            f"\nlink back to first event, {RETURNS} tries: "
            f"p50 {1e3 * marks[9]:.0f} ms, p95 {1e3 * marks[18]:.0f} ms"
        )


def _first_event(payloads: list[Payload]) -> Snapshot | None:
    return next((one for one in payloads if isinstance(one, Snapshot)), None)


def test_a_game_on_the_radio_reaches_its_file(tmp_path: Path) -> None:
    async def run() -> None:
        async with bluetooth() as bluez:
            cpp = Seat(bluez, 1, ChessPeripheralBoard(), ChessPeripheral)
            port = json.dumps(f"ble:{cpp.address}")
            async with Daemon(write_config(tmp_path, [f"driver: cpp, port: {port}"])) as daemon:
                await daemon.live()
                await cpp.play(0, 4)
                cpp.device.drop()
                await daemon.live()
                await cpp.play(4, 6)
                await eventually(
                    lambda: written_moves(tmp_path) == list(SPECIAL[:6]), "all in the file"
                )
                assert await daemon.end() == 0
            assert not cpp.device.connected, "a board that is left connected is heard by nobody"

    asyncio.run(run())
