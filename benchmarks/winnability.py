"""``python -m benchmarks.winnability GAMES.pgn``: how soon it is known whether a side can mate."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import chess
import chess.pgn

from benchmarks.report import Report, spread
from bridge.cli.frame import complain
from bridge.core.laws.winnability import Winnability, winnability

MOST_MS = 50.0
"""What an arbiter who asks may wait."""
POSITIONS = 2000
TIMES = 2
"""How often each is asked for, so that what else the machine did is seldom in the figure."""
UNUSABLE = 2

_MEN = ((32, 17), (16, 8), (7, 2))
"""Most and fewest men of a row: openings, middlegames with pawns, endings."""


class Answer(NamedTuple):
    """What was found for one side of a position, and the processor time it took at best."""

    fen: str
    side: chess.Color
    found: Winnability
    took_ms: float


def positions(games: Path) -> Iterator[chess.Board]:
    """Yield every position of the main lines in a PGN file, without its history."""
    with games.open(encoding="utf-8") as text:
        while (game := chess.pgn.read_game(text)) is not None:
            board = game.board()
            for move in game.mainline_moves():
                board.push(move)
                yield board.copy(stack=False)


def ask(boards: Sequence[chess.Board]) -> Iterator[Answer]:
    """Ask for both sides of each position."""
    for board in boards:
        for side in chess.COLORS:
            took = []
            for _ in range(TIMES):
                start = time.thread_time_ns()
                found = winnability(board, side)
                took.append((time.thread_time_ns() - start) / 1e6)
            yield Answer(board.fen(), side, found, min(took))


def measure(games: Path, *, count: int, seed: int = 1) -> Report:
    """Ask for *count* positions of a PGN file, drawn by *seed* from all of them.

    Raises:
        ValueError: the file has no positions.
    """
    known = list(positions(games))
    answers = list(ask(Random(seed).sample(known, min(count, len(known)))))
    rows = [_row("all", answers)]
    for most, fewest in _MEN:
        held = [each for each in answers if fewest <= _men(each) <= most]
        if held:
            rows.append(_row(f"{fewest} to {most} men", held))
    slowest = max(answers, key=lambda each: each.took_ms)
    late = sum(each.took_ms > MOST_MS for each in answers)
    return Report(
        f"Winnability: {len(answers) // 2} positions of {games.name}, both sides of each, "
        "milliseconds of processor time an answer, "
        f"the better of {TIMES}",
        ("men", "answers", "can", "cannot", "undetermined", "median", "p99", "worst"),
        rows,
        (
            f"{late} of {len(answers)} answers took more than {MOST_MS:g} ms",
            f"slowest: {chess.COLOR_NAMES[slowest.side]} in {slowest.fen}",
        ),
    )


def _men(answer: Answer) -> int:
    return chess.popcount(chess.Board(answer.fen).occupied)


def _row(name: str, answers: Sequence[Answer]) -> tuple[str, ...]:
    verdicts = Counter(answer.found.verdict for answer in answers)
    took = spread(answer.took_ms for answer in answers)
    numbers = (f"{value:.2f}" for value in (took.median, took.p99, took.worst))
    counts = (f"{verdicts[verdict]}" for verdict in ("can", "cannot", "undetermined"))
    return (name, f"{took.count}", *counts, *numbers)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the positions of the games that were named and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.winnability",
        description="How soon it is known whether a side can mate, for positions of real games.",
    )
    parser.add_argument("games", type=Path, metavar="GAMES.pgn")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="how many are asked for")
    options = parser.parse_args(arguments)
    try:
        report = measure(options.games, count=options.positions)
    except (OSError, ValueError) as error:
        complain(f"{options.games}: {error}")
        return UNUSABLE
    report.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
