"""What the engine finds: moves standing, settled and withdrawn, and what it cannot explain."""

from typing import Literal, NamedTuple

import chess

from bridge.core.inference.lines import Line
from bridge.core.model import Result

Basis = Literal["press", "reply", "rest", "end", "gap"]
SeenPress = Literal["seen", "unseen", "later"]


class Provisional(NamedTuple):
    """A legal move stands on the board; ``None``: the one shown before is gone."""

    move: chess.Move | None


class Settled(NamedTuple):
    """A move was played from ``before``.

    ``press``: whether its player's press has been seen; ``later``: one was seen, but it is that
    of a later move of the same player.
    """

    before: chess.Board
    move: chess.Move
    basis: Basis
    because: str
    press: SeenPress


class Withdrawn(NamedTuple):
    """The last settled move was not what was played.

    ``pressed``: its press was real, though. ``unsure``: later play alone showed it, and what is
    read instead is the likeliest.
    """

    reason: str
    pressed: bool = True
    unsure: bool = False


class Unexplained(NamedTuple):
    """The mover completed his move and no legal line explains the board."""

    cells: str


class Explained(NamedTuple):
    """The board agrees with the record again after something unexplained."""


class Gap(NamedTuple):
    """Moves were made unseen from ``before``; the first of ``lines`` is believed, all would fit."""

    before: chess.Board
    lines: tuple[Line, ...]


class ResultShown(NamedTuple):
    """The kings showed a result for long enough."""

    result: Result


Finding = Provisional | Settled | Withdrawn | Unexplained | Explained | Gap | ResultShown
