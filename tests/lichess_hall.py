"""An event of three rounds on thirty boards that is broadcast, in a process that may be killed.

``python -m tests.lichess_hall FOLDER URL SEED``: what happened at the tables is the same for the
same seed. How far it was told is kept in ``FOLDER/told``, as a journal would keep it, and all of it
is told again when the process begins anew.
"""

import asyncio
import logging
import os
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chess

from bridge.core.model import Fact, Result
from tests.lichess import Table, broadcast, feed_of, settings, setup

ROUNDS = {"1": "Round001", "2": "Round002", "3": "Round003"}
BOARDS = 30
PLIES = 11
OPENINGS = (("e4", "d4"), ("e5", "d5", "c5"), ("Nf3", "Nc3"), ("Nc6", "Nf6"))
BATCH = 40
BETWEEN = 0.02
ILLEGAL = "20"
"""The table at which an illegal move stands in the last round."""


@dataclass
class Truth:
    """A game as it was in the end; ``plies`` are those that Lichess can show."""

    white: str
    board: int
    moves: list[str]
    result: Result
    corrected: bool = False


@dataclass
class Event:
    """All facts in order, and what Lichess has to show of each round, by board."""

    facts: list[Fact] = field(default_factory=list)
    truth: dict[str, list[Truth]] = field(default_factory=dict)


def event(seed: int) -> Event:
    rng = random.Random(seed)
    found = Event()
    tables = [Table(found.facts.append, number) for number in range(1, BOARDS + 1)]
    for name in ROUNDS:
        found.truth[name] = _play(rng, tables, name)
        # A result that was entered wrongly is put right while the next round is on.
        wrong = found.truth[name][4]
        wrong.result = "1/2-1/2"
        tables[4].ends("1/2-1/2")
    return found


def _play(rng: random.Random, tables: list[Table], name: str) -> list[Truth]:
    for table in rng.sample(tables, len(tables)):
        table.starts(name)
    turns = [table for table in tables for _ in range(PLIES)]
    rng.shuffle(turns)
    incidents = dict(_incidents(rng, tables, name))
    corrected: set[str] = set()
    for number, table in enumerate(turns):
        if number in incidents:
            incidents[number]()
        # Not in the last moves: Lichess keeps showing what is withdrawn and not replaced.
        if table.board.ply() in (3, 6) and rng.random() < 0.1:
            corrected.add(table.name)
            _replay(rng, table)
        _plays_one(rng, table)
    shown = {table.name: table.moves for table in tables}
    if name == "3":
        _stands(tables[int(ILLEGAL) - 1])
    results: dict[str, Result] = {
        table.name: rng.choice(["1-0", "0-1", "1/2-1/2"]) for table in tables
    }
    for table in rng.sample(tables, len(tables)):
        table.ends(results[table.name])
    truth = [
        Truth(
            white=table.setup.white,
            board=table.setup.board or 0,
            moves=shown[table.name],
            result=results[table.name],
            corrected=table.name in corrected,
        )
        for table in tables
    ]
    return sorted(truth, key=lambda game: game.board)


def _plays_one(rng: random.Random, table: Table, *, but_not: chess.Move | None = None) -> None:
    """Play a move of an opening, or any that does not end the game."""
    moves = list(table.board.legal_moves)
    rng.shuffle(moves)
    ply = table.board.ply()
    if ply < len(OPENINGS):
        moves.sort(key=lambda move: table.board.san(move) not in OPENINGS[ply])
    chosen = next(move for move in moves if move != but_not and _goes_on(table, move))
    table.plays(table.board.san(chosen))


def _goes_on(table: Table, move: chess.Move) -> bool:
    """Whether the game is not over with this move."""
    after = table.board.copy(stack=False)
    after.push(move)
    return any(after.legal_moves)


def _replay(rng: random.Random, table: Table) -> None:
    """Withdraw a move, and play another one in its place."""
    move = table.board.move_stack[-1]
    table.withdraws(1)
    _plays_one(rng, table, but_not=move)


def _incidents(
    rng: random.Random, tables: list[Table], name: str
) -> Iterator[tuple[int, Callable[[], None]]]:
    """Yield names that are put right, and boards that were swapped, with when that is noticed."""
    moments = rng.sample(range(BOARDS * PLIES), 6)
    for moment, table in zip(moments, rng.sample(tables[:10], 3), strict=False):
        fixed = setup(table.number, name, white=f"Right, Name {table.number}")
        yield moment, lambda table=table, fixed=fixed: table.is_that_of(fixed)  # type: ignore[misc]
    for moment, first in zip(moments[3:], rng.sample(range(10, BOARDS - 1, 2), 3), strict=False):
        yield moment, lambda pair=tables[first : first + 2]: _swap(pair, name)  # type: ignore[misc]


def _swap(pair: list[Table], name: str) -> None:
    """The players of two boards sat down at each other's."""
    one, other = pair
    numbers = other.number, one.number
    for table, number in zip(pair, numbers, strict=True):
        table.is_that_of(setup(number, name))


def _stands(table: Table) -> None:
    """Let the king go where no king can go; one more move is played."""
    king = table.board.king(table.board.turn)
    assert king is not None
    free = next(
        square
        for square in chess.SQUARES
        if table.board.piece_at(square) is None and chess.square_distance(king, square) > 2
    )
    uci = f"{chess.square_name(king)}{chess.square_name(free)}"
    table.plays_illegally(uci, f"K{chess.square_name(free)}")


async def tell(folder: Path, url: str, seed: int) -> None:
    facts = event(seed).facts
    told_file = folder / "told"
    told = int(told_file.read_text() or 0) if told_file.exists() else 0
    wanted = settings(url, folder, rounds=ROUNDS, interval=0.03)
    planned = [(str(number), setup(number)) for number in range(1, BOARDS + 1)]
    feed = feed_of(facts[:told])
    async with broadcast(feed, wanted, folder, planned=planned):
        while told < len(facts):
            batch = facts[told : told + BATCH]
            told += len(batch)
            draft = folder / "told.new"
            draft.write_text(str(told))
            draft.replace(told_file)
            for fact in batch:
                feed.tell(fact)
            await asyncio.sleep(BETWEEN)
    os.write(1, b"done\n")


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.DEBUG)
    asyncio.run(tell(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
