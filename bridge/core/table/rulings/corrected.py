"""What a correction makes of a line of moves: of a table's own, or to be looked at beforehand."""

from collections.abc import Sequence
from typing import NamedTuple

import chess

from bridge.core.model import CorrectMoves
from bridge.core.table.rulings.bench import RefusedError
from bridge.core.table.rulings.line import Line, Step, count_plies, index_of, named, relaid


class Corrected(NamedTuple):
    """A line as it is after a correction.

    ``before`` stays, ``moves`` are entered, and ``again`` is what follows, as far as that is
    possible; ``broken`` is the first step of it that is not, after which nothing is played again.
    """

    before: tuple[Step, ...]
    moves: tuple[Step, ...]
    again: tuple[Step, ...]
    broken: Step | None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The whole line."""
        return joined(self.before, (*self.moves, *self.again))


def corrected(line: Line, order: CorrectMoves) -> Corrected:
    """Return what *order* makes of *line*.

    Raises:
        RefusedError: there are no such plies, or the moves to enter are not legal.
    """
    steps, plies = tuple(line.steps), len(line.plies)
    first = order.first - 1
    if first < 0:
        raise RefusedError(f"plies are counted from 1: there is no ply {order.first}")
    check_ply(first, plies)
    if order.count < 0:
        raise RefusedError("fewer than no plies cannot be replaced")
    check_ply(first + order.count, plies)
    begin = index_of(steps, first)
    following = _behind(steps[begin:], order.count) if order.rest == "keep" else ()
    moves = _parsed(line.after(steps[:begin]), order.moves, order.first)
    again = relaid(line.after((*steps[:begin], *moves)), following)
    broken = following[len(again)] if len(again) < len(following) else None
    return Corrected(steps[:begin], moves, tuple(again), broken)


def refuse_broken(line: Line, order: CorrectMoves, done: Corrected) -> None:
    """Make sure that everything that follows can be played again.

    Raises:
        RefusedError: it cannot.
    """
    if done.broken is None:
        return
    begin = index_of(line.steps, order.first - 1)
    ply = breaks(order, done)
    raise RefusedError(
        f"ply {ply}, {done.broken.san}, is not legal any more: nothing was changed",
        breaks=ply,
        kept=tuple(map(named, line.steps[begin:])),
        corrected=tuple(map(named, (*done.moves, *done.again))),
    )


def breaks(order: CorrectMoves, done: Corrected) -> int:
    """Return the ply of the record that cannot be played again."""
    return order.first + order.count + count_plies(done.again)


def check_ply(ply: int, plies: int) -> None:
    """Make sure that a record of so many *plies* has the position after *ply*.

    Raises:
        RefusedError: it has not.
    """
    if not 0 <= ply <= plies:
        raise RefusedError(f"the record has {plies} plies: there is no ply {ply}")


def parsed(board: chess.Board, text: str) -> chess.Move:
    """Return a legal move written in SAN or UCI.

    Raises:
        ValueError: it is none, or ambiguous.
    """
    try:
        return board.parse_uci(text)
    except ValueError:
        return board.parse_san(text)


def joined(before: Sequence[Step], following: Sequence[Step]) -> tuple[Step, ...]:
    """Return one after the other; of positions adopted after the same ply the last one holds."""
    if before and following and before[-1].move is None and following[0].move is None:
        before = before[:-1]
    return (*before, *following)


def _behind(steps: Sequence[Step], plies: int) -> tuple[Step, ...]:
    """Return what follows the first *plies* plies, what was adopted after them included."""
    end = 0
    for index, step in enumerate(steps):
        if not plies:
            break
        plies -= step.move is not None
        end = index + 1
    return tuple(steps[end:])


def _parsed(board: chess.Board, moves: Sequence[str], first: int) -> tuple[Step, ...]:
    """Return *moves* as plies from *board* on."""
    steps = []
    for ply, text in enumerate(moves, first):
        try:
            move = parsed(board, text)
        except ValueError as error:
            raise RefusedError(f"ply {ply}, {text}: not legal in {board.fen()}") from error
        san = board.san_and_push(move)
        steps.append(Step(move, san, board.fen(), "arbiter", "an arbiter entered it"))
    return tuple(steps)
