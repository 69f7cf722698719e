"""The hall: boards of all families, and the daemon that follows them in the same process."""

import asyncio
import io
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from benchmarks.boards.families import CONTROL, Family
from benchmarks.boards.playing import Boards
from benchmarks.boards.seats import Losses, Radio, Seat, Wire
from benchmarks.boards.usage import Usage, usage
from bridge.config import load
from bridge.core.model import Fact, LinkChanged
from bridge.daemon.service import Service
from bridge.outputs.overview import Overview
from testbed.private_dbus import private_dbus
from testbed.virtual_usb import virtual_usb

CONFIG = "hall.yaml"


@dataclass(frozen=True, kw_only=True)
class Evening:
    """What happened in the hall.

    ``idle`` is before there were links. ``lives`` are the times at which each table was told live
    (monotonic seconds).
    """

    seats: Sequence[Seat]
    wires: Sequence[Wire]
    lives: dict[str, list[float]]
    idle: Usage
    begun: Usage
    ended: Usage


class NotingOverview(Overview):
    """An overview that notes when a link is told live; other threads may ask it."""

    def __init__(self, shown: Overview) -> None:
        super().__init__(shown.tables.values())
        self.lives: dict[str, list[float]] = {table: [] for table in shown.tables}
        self._live_since: dict[str, float] = {}

    def live_since(self, table: str) -> float:
        """Return when *table* was told live, infinity if it is not live now."""
        return self._live_since.get(table, math.inf)

    def apply(self, fact: Fact) -> None:
        """Take a fact of any table."""
        if isinstance(fact, LinkChanged):
            if fact.state == "live":
                now = self._live_since[fact.table] = time.monotonic()
                self.lives[fact.table].append(now)
            else:
                self._live_since.pop(fact.table, None)
        super().apply(fact)


def spend(
    folder: Path,
    families: Sequence[Family],
    games: Sequence[Sequence[chess.Move]],
    *,
    losses: Losses,
    seed: int,
    radio: Radio,
) -> Evening:
    """Play *games*, one on a board of each of *families*; everything is kept in *folder*.

    Raises:
        TimeoutError: a board was never followed.
    """
    seats = [
        Seat(
            number=number,
            family=family,
            board=family.make(number),
            moves=moves,
            seed=seed * 1000 + number,
            ports=folder.resolve() / "dev",
        )
        for number, (family, moves) in enumerate(zip(families, games, strict=True), 1)
    ]
    _write_config(folder, seats)
    with virtual_usb() as usb:
        service = Service(load(folder / CONFIG))
        overview = service.overview = NotingOverview(service.overview)
        boards = Boards(
            seats,
            usb,
            live_since=overview.live_since,
            written=lambda seat: moves_in(folder, seat) == list(seat.moves),
            losses=losses,
            seed=seed,
            radio=radio,
        )
        idle, begun, ended = asyncio.run(_follow(service, boards))
    return Evening(
        seats=seats, wires=boards.wires, lives=overview.lives, idle=idle, begun=begun, ended=ended
    )


async def _follow(service: Service, boards: Boards) -> tuple[Usage, Usage, Usage]:
    """Return what was used before there were links, before the games and after."""
    stop = asyncio.Event()
    async with private_dbus():
        idle = usage()
        serving = asyncio.create_task(service.run(stop))
        try:
            begun, ended = await asyncio.to_thread(boards.run)
        finally:
            stop.set()
            await serving
    return idle, begun, ended


def moves_in(folder: Path, seat: Seat) -> list[chess.Move]:
    """Return the moves of a table's first game, as far as they are written."""
    path = folder / "games" / "1" / f"{seat.table}-1.pgn"
    if not path.exists():
        return []
    game = chess.pgn.read_game(io.StringIO(path.read_text("utf-8")))
    return [] if game is None else list(game.mainline_moves())


def _write_config(folder: Path, seats: Sequence[Seat]) -> None:
    lines = [
        "event: {name: all families, round: 1}",
        "data: {folder: data}",
        "pgn: {folder: games}",
        "tables:",
    ]
    for seat in seats:
        lines += [
            f'  - table: "{seat.table}"',
            f"    number: {seat.table}",
            f"    board: {{driver: {seat.family.driver}, {seat.place}}}",
            f'    time_control: "{CONTROL}"',
        ]
        if seat.family.stands:
            lines.append(f"    {seat.family.stands}")
    (folder / CONFIG).write_text("\n".join(lines) + "\n", encoding="utf-8")
