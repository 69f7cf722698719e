"""What the engine finds: moves standing, settled and withdrawn, and what it cannot explain."""

from typing import Literal, NamedTuple

import chess

from bridge.core.model import Basis, Result

SeenPress = Literal["seen", "unseen", "later", "kept", "other", "standing"]


class Provisional(NamedTuple):
    """A legal move from ``before`` stands on the board; ``None``: the one shown before is gone."""

    before: chess.Board
    move: chess.Move | None


class Settled(NamedTuple):
    """A move was played from ``before``; ``after`` is the position it led to.

    ``stood_from``: when its last man came to rest, as far as that was seen.

    ``press``: whether its player's press has been seen; ``later``: one was seen, but it is that
    of a later move of the same player; ``kept``: the ply it replaces had its time already;
    ``other``: so it had, but that may be a later ply's, for more are published than were withdrawn;
    ``standing``: the clock runs for the opponent, so its player's clock stands.

    ``following``: how many more plies are told together with it.
    """

    before: chess.Board
    move: chess.Move
    after: chess.Board
    basis: Basis
    because: str
    press: SeenPress
    stood_from: float
    following: int = 0


class Withdrawn(NamedTuple):
    """The last ``plies`` settled moves are not what was played.

    ``unsure``: later play alone showed it, and what is read instead is the likeliest.
    """

    plies: int
    reason: str
    unsure: bool = False


class Unexplained(NamedTuple):
    """The mover completed his move and no legal line explains the board.

    ``cells`` are the men that stand there, in several ways of reading what is disturbed. ``sure``:
    the record from which it is judged is beyond doubt. ``taken``: the move by which a man took one
    of his own kind, which no men that stand there can tell.
    """

    cells: tuple[str, ...]
    sure: bool = True
    taken: chess.Move | None = None


class Explained(NamedTuple):
    """The board agrees with the record again, after something unexplained or undone."""


class Gap(NamedTuple):
    """Moves were made unseen from ``before``; the first of ``lines`` is believed, all would fit."""

    before: chess.Board
    lines: tuple[tuple[chess.Move, ...], ...]


class Ambiguous(NamedTuple):
    """A man was put down unseen after ``before``; the first of ``moves`` is believed."""

    before: chess.Board
    moves: tuple[chess.Move, ...]


class Adopted(NamedTuple):
    """Moves are missing: the game goes on from ``board``, which was found standing."""

    board: chess.Board


class ArrayFound(NamedTuple):
    """The same moves were made from the start position ``board``, as play or the board shows."""

    board: chess.Board


class ResultShown(NamedTuple):
    """The kings showed a result for long enough."""

    result: Result


Finding = (
    Provisional
    | Settled
    | Withdrawn
    | Unexplained
    | Explained
    | Gap
    | Ambiguous
    | Adopted
    | ArrayFound
    | ResultShown
)
