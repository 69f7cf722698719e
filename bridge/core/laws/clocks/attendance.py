"""Late arrival and default time (6.7; classic: one hour).

Presence is not sensed: the arbiter enters it, and nothing here is a result.
"""

from typing import Literal, NamedTuple

from bridge.core.laws.clocks.times import Times

MINUTE = 60


def lost_by_absence(
    white_arrives: float, black_arrives: float, *, white_pressed: float | None = None
) -> Times:
    """Return the seconds each player's clock runs for his absence.

    White's clock runs from the start until he comes, whoever else is there; Black's only from
    White's first press on (6.7.2). Times are seconds after the scheduled start;
    ``white_pressed`` is ``None`` while White has not pressed before Black came.
    """
    waited = 0.0 if white_pressed is None else max(0.0, black_arrives - white_pressed)
    return Times(max(0.0, white_arrives), waited)


class Late(NamedTuple):
    """Who is late, and how long it is until absence loses; ``severity`` rises at default time."""

    who: Literal["white", "black", "both"]
    severity: Literal["notice", "warning"]
    left: float
    forfeit: str | None


def late(
    after_start: float, *, white_present: bool, black_present: bool, default_minutes: int
) -> Late | None:
    """Tell who is absent *after_start* seconds from the scheduled start.

    ``forfeit`` is the result to ask about once the default time is over.
    """
    if after_start < 0 or (white_present and black_present):
        return None
    who: Literal["white", "black", "both"]
    if not white_present and not black_present:
        who, forfeit = "both", "0-0"
    else:
        who, forfeit = ("black", "1-0") if white_present else ("white", "0-1")
    left = default_minutes * MINUTE - after_start
    if left > 0:
        return Late(who, "notice", left, None)
    return Late(who, "warning", 0, forfeit)
