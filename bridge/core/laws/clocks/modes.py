"""How a clock counts one player's time: with an increment, with a delay, or plainly (6.3)."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

Mode = Literal["plain", "increment", "bronstein", "delay"]
"""``increment``: the extra time is added with each move and adds up (Fischer). ``bronstein``: what
was used of it is given back with the move. ``delay``: the main time waits for it (US). The last
two never save any of the extra time; they differ in when the flag falls."""


class Course(NamedTuple):
    """Seconds left; ``flag_at``: the move, counted from 1, in which the time ran out."""

    remaining: float
    flag_at: int | None


def play(start: float, used: Iterable[float], mode: Mode, extra: float = 0) -> Course:
    """Follow one player's time over moves that took *used* seconds each.

    A clock that reaches zero has run out; what comes after that is not counted.

    >>> play(3600, [20, 30, 50, 5], "delay", 30)
    Course(remaining=3580, flag_at=None)
    """
    remaining = start
    for number, seconds in enumerate(used, 1):
        counted = max(0, seconds - extra) if mode == "delay" else seconds
        if counted >= remaining:
            return Course(0, number)
        remaining += added_by_press(mode, extra, seconds) - counted
    return Course(remaining, None)


def added_by_press(mode: Mode, extra: float, used: float) -> float:
    """Return by how much the display must rise when a move that took *used* seconds is pressed."""
    if mode == "increment":
        return extra
    return min(extra, used) if mode == "bronstein" else 0
