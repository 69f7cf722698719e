"""``python -m benchmarks.boards``: play, follow, and print what came of it."""

import argparse
import logging
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import chess

from benchmarks.boards.families import WIRINGS, drawn
from benchmarks.boards.hall import spend
from benchmarks.boards.seats import Losses, Radio
from benchmarks.boards.verdict import records, reports
from benchmarks.wire import wandering_game
from bridge.cli.frame import complain, say
from drivers.simulated.streams.__main__ import read_games

PLIES = 60
CONNECT_SECONDS = 2.0
"""What connecting to a board took with a real bluetoothd."""


def main(arguments: list[str] | None = None) -> int:
    """Spend one evening; 0 if every game was written as it was played."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.boards", description=(__doc__ or "").partition(": ")[2]
    )
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument(
        "--by", nargs="+", choices=WIRINGS, default=WIRINGS, help="how boards are connected"
    )
    parser.add_argument("--plies", type=int, default=PLIES, help="how much is played of each game")
    parser.add_argument("--seed", type=int, default=1, help="of games, hands and losses of links")
    parser.add_argument("--games", type=Path, help="a PGN file to play from; random moves, if none")
    parser.add_argument("--adapters", type=int, default=1, help="for boards on the radio")
    options = parser.parse_args(arguments)
    games = _games(options.games, options.boards, options.plies, Random(options.seed))
    complain(f"{options.boards} boards play {options.plies} plies, this takes minutes ...")
    folder = Path(tempfile.mkdtemp(prefix="boards-"))
    logging.basicConfig(
        filename=folder / "log",
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    evening = spend(
        folder,
        list(drawn(options.boards, options.by)),
        games,
        losses=Losses(),
        seed=options.seed,
        radio=Radio(connect_seconds=CONNECT_SECONDS, adapters=options.adapters),
    )
    say(
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"Python {platform.python_version()}"
    )
    judged = records(folder, evening)
    for report in reports(evening, judged):
        report.show()
    different = [record for record in judged if not record.exact]
    for record in different:
        seat = record.seat
        text = f"{record.wrong} wrong, {record.missing} missing"
        say(f"table {seat.table}, {seat.family.driver}: {text}")
        say("  played: " + " ".join(move.uci() for move in seat.moves))
    if different:
        say(f"Everything is kept in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


def _games(
    path: Path | None, boards: int, plies: int, rng: Random
) -> Sequence[Sequence[chess.Move]]:
    """Return another game for each board: long ones of a file, or random moves."""
    if path is None:
        return [list(wandering_game(plies, rng).mainline_moves()) for _ in range(boards)]
    usual = [game for game in read_games(path) if game.board() == chess.Board()]
    whole = [list(game.mainline_moves()) for game in usual]
    return [moves[:plies] for moves in rng.sample([m for m in whole if len(m) >= plies], boards)]


if __name__ == "__main__":
    sys.exit(main())
