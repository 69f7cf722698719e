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

    def moves_left(self, completed: int) -> int | None:
        """Return how many moves are still to be completed. No player may be told (12.6)."""
        return None if self.move is None else max(0, self.move - completed)


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


def time_given(periods: tuple[Period, ...], index: int, completed: int) -> float:
    """Return the seconds a player has got in all, in period *index* after *completed* moves.

    Increments count for completed moves only; a clock that adds one before the first move has
    given one more.
    """
    seconds = float(sum(_at(periods, i).seconds for i in range(index + 1)))
    done = 0
    for i in range(index + 1):
        period = _at(periods, i)
        last = i == index or period.moves is None
        moves = completed - done if last else min(completed - done, period.moves or 0)
        seconds += moves * period.increment
        done += moves
    return seconds


def _at(periods: tuple[Period, ...], index: int) -> Period:
    return periods[min(index, len(periods) - 1)]
