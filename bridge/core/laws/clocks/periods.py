"""Periods of play: which one a number of moves belongs to, and what time it has brought (6.3)."""

from typing import NamedTuple

from bridge.core.timecontrol import Period


class Control(NamedTuple):
    """The period of a move, counted from 0, and the move number at which it is met.

    ``move`` is ``None`` where all remaining moves belong to the period.
    """

    period: int
    move: int | None

    def met(self, completed: int) -> bool:
        """Whether so many completed moves fulfil the period."""
        return self.move is not None and completed >= self.move


def control_at(periods: tuple[Period, ...], index: int) -> Control:
    """Return the control of the period with this index; the last period repeats."""
    if index >= len(periods) and periods[-1].moves is None:
        index = len(periods) - 1
    moves = 0
    for i in range(index + 1):
        in_period = _at(periods, i).moves
        if in_period is None:
            return Control(i, None)
        moves += in_period
    return Control(index, moves)


def control_after(periods: tuple[Period, ...], completed: int) -> Control:
    """Return the control a player is playing towards who has completed so many moves."""
    control = control_at(periods, 0)
    while control.met(completed):
        control = control_at(periods, control.period + 1)
    return control


def is_last(periods: tuple[Period, ...], control: Control) -> bool:
    """Whether no other period follows."""
    return control.move is None or (
        control.period >= len(periods) - 1 and periods[-1].moves is None
    )


def carried_over(saved: float, following: Period) -> float:
    """Return the time at the start of a period: what was saved is kept (6.3.2)."""
    return saved + following.seconds


def _at(periods: tuple[Period, ...], index: int) -> Period:
    return periods[min(index, len(periods) - 1)]
