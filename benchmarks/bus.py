"""How long a round takes on a row of DGT boards: ``python -m benchmarks.bus``.

Row, wire and codec talk in simulated time, so the figures are those of the protocol and of the
order in which boards are asked, on any machine.
"""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise

from benchmarks.report import Report
from drivers.boards.dgt import DgtBus
from drivers.boards.dgt.bus_framing import bus_command
from drivers.boards.dgt.protocol import BusCommand
from drivers.simulated import games
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Passport
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.hands import BLITZ
from drivers.simulated.performance import Performance, stage

BOARDS = 20
SECONDS = 60.0
FIRST_ADDRESS = 1025
SETTLED = 30.0
"""By then all boards are known and the search for others is over (s)."""

DEAD = 0.1
DAMAGED = 0.02


def measure(*, boards: int = BOARDS, seconds: float = SECONDS, baud: int = 9600) -> Report:
    """Return the table of round times of a row of so many boards, over so many seconds each."""
    situations: tuple[tuple[str, Callable[[DgtRow, float], None]], ...] = (
        ("nobody plays", lambda *_: None),
        ("all play blitz", _begin),
        (f"all play, {DEAD:.0%} of the boards dead", _begin_with_dead),
        (f"all play, {DAMAGED:.0%} of the answers damaged", _begin_with_damage),
    )
    rows = []
    for name, change in situations:
        visits, asked = rounds(boards, seconds, baud, change)
        rows.append(
            (
                name,
                str(len(visits)),
                *(f"{percentile(visits, part):.2f} s" for part in (50, 95, 100)),
                f"{asked / seconds:.0f}",
            )
        )
    return Report(
        f"Rounds: {boards} boards on one line of {baud} baud, {seconds:g} s each, simulated time",
        ("situation", "visits", "p50", "p95", "longest", "commands/s"),
        rows,
        ("From one request for changes to the next at the same board.",),
    )


def rounds(
    boards: int, seconds: float, baud: int, change: Callable[[DgtRow, float], None]
) -> tuple[list[float], int]:
    """Return the times between two visits to each board that answers, and commands sent."""
    row = DgtRow([_performance(number) for number in range(boards)], baud=baud)
    codec = DgtBus(" ".join(str(FIRST_ADDRESS + number) for number in range(boards)))
    codec.greet(at=0.0)
    _talk(codec, row, 0.0, SETTLED)
    change(row, SETTLED)
    row.wake()
    sent = _talk(codec, row, SETTLED, SETTLED + seconds)
    times: list[float] = []
    for row_board in row.boards:
        if not row_board.dead:
            request = bus_command(BusCommand.SEND_CHANGES, row_board.address)
            visits = [at for at, data in sent if data == request]
            times += [later - sooner for sooner, later in pairwise(visits)]
    return times, len(sent)


def percentile(samples: Sequence[float], part: int) -> float:
    """Return the sample below which *part* percent of them lie, or which it is.

    Raises:
        ValueError: there are none.
    """
    if not samples:
        raise ValueError("a benchmark measured nothing")
    return sorted(samples)[max(0, math.ceil(part / 100 * len(samples)) - 1)]


def _performance(number: int) -> Performance:
    names = games.names()
    return stage(
        games.load(names[number % len(names)]),
        passport=Passport(bus_address=FIRST_ADDRESS + number),
        control=TimeControl(base=300, increment=3),
        style=BLITZ,
        seed=number,
    )


def _begin(row: DgtRow, at: float) -> None:
    for row_board in row.boards:
        if isinstance(row_board.player, Performance):
            row_board.player.begin(at=at)


def _begin_with_dead(row: DgtRow, at: float) -> None:
    _begin(row, at)
    for row_board in row.boards[: round(DEAD * len(row.boards))]:
        row_board.dead = True


def _begin_with_damage(row: DgtRow, at: float) -> None:
    _begin(row, at)
    for row_board in row.boards:
        row_board.board.faults.lose = DAMAGED


def _talk(codec: DgtBus, row: DgtRow, at: float, until: float) -> list[tuple[float, bytes]]:
    """Let both talk; return what the codec sent, and when."""
    sent: list[tuple[float, bytes]] = []
    while at < until:
        said, row_at = row.poll(at=at)
        if said:
            codec.receive(said, at=at)
        asked, codec_at = codec.poll(at=at)
        if asked:
            sent.append((at, asked))
            row.receive(asked, at=at)
            continue  # the row says when it is heard
        at = min(row_at, codec_at)
    return sent


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bus", description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of play, simulated")
    parser.add_argument("--baud", type=int, default=9600)
    options = parser.parse_args(arguments)
    measure(boards=options.boards, seconds=options.seconds, baud=options.baud).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
