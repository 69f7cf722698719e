"""How soon after the press an illegal move is told: ``python -m benchmarks.presses``.

Simulated DGT boards on pseudo-terminals, whose clocks are read once a second, are followed by the
daemon as it is. On each a few moves are played and then an illegal one; what is measured is the
time from its press to the alert at a subscriber of the bus who is an arbiter.
"""

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import chess

from benchmarks.hall import CONFIG, UPDATING, write_config
from benchmarks.report import Report
from bridge.config import load
from bridge.core.model import AlertRaised, Fact
from bridge.core.table.alerts import ILLEGAL_CODES
from bridge.daemon.service import Service
from bridge.outputs.bus import Bus
from bridge.outputs.overview import Overview, TableView
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.hands import Action, Lift, Press, Put, Style, play
from drivers.simulated.performance import SETTLING, Performance
from drivers.simulated.pty import PtyPort

BOARDS = 20
CONTROL = TimeControl(base=5400, increment=30)
STYLE = Style(think=(0.5, 0.9), travel=(0.3, 0.6), dwell=(0.3, 1.0))
SPREAD = 1.0
"""Seconds within which all boards begin, so that presses fall anywhere between two readings."""
LASTLY = 20.0
"""How long alerts are waited for after the last press (s)."""


@dataclass(frozen=True)
class Offence:
    """An illegal move after legal *moves*: what is lifted, and what is put where."""

    code: str
    moves: str
    lifted: str
    put: str


OFFENCES = (
    Offence("ILLEGAL_MOVE", "e4 e5", "b1", "b3"),
    Offence("KING_LEFT_IN_CHECK", "e4 e5 f4 Qh4+", "g1", "f3"),
    Offence("CASTLING_ILLEGAL", "e4 e5 Nf3 Nc6 Be2 Nf6", "e1", "g1"),
    Offence("EN_PASSANT_INCOMPLETE", "e4 a6 e5 d5", "e5", "d6"),
    Offence("PROMOTION_NOT_REPLACED", "h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8", "h7", "h8"),
)


class Told(Overview):
    """An overview that hands all facts to a bus: it hears of them first."""

    def __init__(self, tables: Iterable[TableView]) -> None:
        super().__init__(tables)
        self.bus = Bus()

    def apply(self, fact: Fact) -> None:
        """Take a fact of any table."""
        super().apply(fact)
        self.bus.publish(fact)


def prepare(offence: Offence, seed: int) -> Performance:
    """Set up a board on which *offence* will be committed."""
    rng, board = Random(seed), chess.Board()
    moves = [board.push_san(san) for san in offence.moves.split()]
    actions: list[Action] = list(play(chess.Board(), moves, STYLE, rng))
    at = actions[-1].at + rng.uniform(*STYLE.think)
    origin = chess.parse_square(offence.lifted)
    actions.append(Lift(at, origin))
    at += rng.uniform(*STYLE.travel)
    actions.append(Put(at, chess.parse_square(offence.put), board.piece_map()[origin]))
    actions.append(Press(at + rng.uniform(*STYLE.dwell), board.turn))
    clock = Clock(CONTROL, turn="left")
    shown = DgtBoard(Passport(serial=f"{10_000 + seed}"), clock=clock, seed=seed)
    shown.set_up(chess.Board().piece_map(), at=0.0)
    return Performance(
        shown,
        clock,
        moves=moves,
        actions=actions,
        white_side="left",
        result="*",
        lasts=actions[-1].at + SETTLING,
    )


async def measure(folder: Path, boards: int) -> dict[str, list[float]]:
    """Return the seconds from each press to its alert, by code; infinity where none came.

    Raises:
        TimeoutError: the boards were not followed within a minute.
    """
    write_config(folder, boards)
    service = Service(load(folder / CONFIG))
    told = Told(service.overview.tables.values())
    service.overview = told
    alerts: dict[str, float] = {}
    hearing = asyncio.create_task(_hear(told.bus, alerts))
    offences = [OFFENCES[number % len(OFFENCES)] for number in range(boards)]
    performances = [prepare(offence, seed) for seed, offence in enumerate(offences, 1)]
    ports = [
        PtyPort(folder / "dev" / f"{number}", device)
        for number, device in enumerate(performances, 1)
    ]
    for port in ports:
        port.plug()
    stop = asyncio.Event()
    serving = asyncio.create_task(service.run(stop))
    try:
        presses = await _play(performances, ports)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LASTLY):
                await _until(lambda: len(alerts) == boards)
    finally:
        stop.set()
        await serving
        hearing.cancel()
        for port in ports:
            port.close()
    found: dict[str, list[float]] = {offence.code: [] for offence in OFFENCES}
    for number, (offence, pressed) in enumerate(zip(offences, presses, strict=True), 1):
        found[offence.code].append(alerts.get(f"{number}", float("inf")) - pressed)
    return found


async def _play(performances: Sequence[Performance], ports: Sequence[PtyPort]) -> list[float]:
    """Play on all boards once they are followed; return when each offence was pressed."""
    async with asyncio.timeout(60):
        await _until(lambda: all(each.board.mode in UPDATING for each in performances))
    rng = Random(len(ports))
    for performance, port in zip(performances, ports, strict=True):
        performance.begin(at=time.monotonic())
        port.wake()
        await asyncio.sleep(rng.uniform(0.0, 2 * SPREAD / len(ports)))
    begun = [each.begun_at or 0.0 for each in performances]
    presses = [at + each.lasts - SETTLING for at, each in zip(begun, performances, strict=True)]
    await asyncio.sleep(max(presses) - time.monotonic())
    return presses


async def _until(come: Callable[[], bool]) -> None:
    while not come():  # noqa: ASYNC110 - boards raise no event
        await asyncio.sleep(0.1)


async def _hear(bus: Bus, alerts: dict[str, float]) -> None:
    """Note when the first alert of an illegal move came from each table."""
    async for fact in bus.subscribe(audience="arbiter"):
        if isinstance(fact, AlertRaised) and fact.code in ILLEGAL_CODES:
            alerts.setdefault(fact.table, time.monotonic())


def report(found: dict[str, list[float]]) -> Report:
    """Return the table of what was measured."""
    every = [delay for delays in found.values() for delay in delays]
    rows = [(code, *_row(delays)) for code, delays in (*found.items(), ("all", every)) if delays]
    return Report(
        "From the press of an illegal move to its alert on the bus (s)",
        ("code", "moves", "median", "p95", "worst"),
        rows,
        ("inf: no alert came.",),
    )


def _row(delays: Sequence[float]) -> tuple[str, str, str, str]:
    ordered = sorted(delays)
    at = (len(ordered) // 2, int(0.95 * (len(ordered) - 1)), -1)
    median, late, worst = (f"{ordered[index]:.2f}" for index in at)
    return str(len(ordered)), median, late, worst


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.presses", description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS, help=f"default: {BOARDS}")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        report(asyncio.run(measure(Path(folder), options.boards))).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
