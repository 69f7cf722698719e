"""Results and the points they give each side (FIDE Laws 10.1, 11.6-11.8)."""

from typing import Literal

import chess

Outcome = Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"]
"""A result for the table. In the last three an arbiter has taken points from one side or both."""

_WORTH = {"1": 1.0, "1/2": 0.5, "0": 0.0}


def points(outcome: Outcome) -> tuple[float, float]:
    """Return White's and Black's points.

    >>> points("1/2-0")
    (0.5, 0.0)
    """
    white, black = outcome.split("-")
    return _WORTH[white], _WORTH[black]


def win_for(colour: chess.Color) -> Outcome:
    """Return the result of a game that *colour* has won."""
    return "1-0" if colour else "0-1"
