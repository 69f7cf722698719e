"""The lines of a configuration: who looks for a board keeps off the ports of others."""

import asyncio
import math
from collections.abc import Collection
from pathlib import Path

from bridge.config import parse
from bridge.core.model import LinkChange, Payload
from bridge.daemon.clock import JournalClock
from bridge.daemon.lines import Lines
from drivers.codec import Outgoing
from drivers.simulated.pty import PtyPort

HALL = """\
data: {{folder: data}}
pgn: {{folder: games}}
ports: ["{folder}/dev/*"]
tables:
  - {{table: "1", board: {{driver: dgt, port: auto}}, clock: {{driver: dgt, port: auto}}}}
  - {{table: "2", board: {{driver: millennium, port: {folder}/dev/board}}}}
  - {{table: "3", board: {{driver: dgt_bus, port: {folder}/dev/row, unit: "1025"}}}}
  - table: "4"
    board: {{driver: millennium, port: auto}}
    clock: {{driver: dgt, port: {folder}/dev/clock}}
"""
NAMED = ("board", "row", "clock")


class Listener:
    """A device that says nothing, and remembers what it heard."""

    def __init__(self) -> None:
        self.heard = b""

    def receive(self, data: bytes, *, at: float) -> None:
        self.heard += data

    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"", math.inf)


class Desk:
    """Waits until a link has said that it found nothing."""

    def __init__(self) -> None:
        self.nothing_found = asyncio.Event()

    def deliver(self, table: str, link: str, payload: Payload) -> None:
        if isinstance(payload, LinkChange) and "no free dgt board" in payload.detail:
            self.nothing_found.set()

    def lit(self, name: str) -> Collection[int]:
        return ()


def test_a_board_is_not_looked_for_at_ports_that_other_tables_name(tmp_path: Path) -> None:
    async def run() -> None:
        devices = {name: Listener() for name in (*NAMED, "free")}
        ports = [PtyPort(tmp_path / "dev" / name, device) for name, device in devices.items()]
        for port in ports:
            port.plug()
        desk = Desk()
        text = HALL.format(folder=tmp_path)
        lines = Lines(parse(text, tmp_path / "hall.yaml"), desk, JournalClock())
        first, *others = lines.runs()
        looking = asyncio.create_task(first)
        try:
            async with asyncio.timeout(60):
                await desk.nothing_found.wait()
        finally:
            looking.cancel()
            await asyncio.wait([looking])
            for other in others:
                other.close()
            for port in ports:
                port.close()
        assert devices.pop("free").heard, "there it is looked for"
        assert not any(device.heard for device in devices.values())

    asyncio.run(run())
