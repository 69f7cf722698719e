"""What a clock does wrong: times not added, counters, settings, and against our own stopwatch."""

from typing import Literal, NamedTuple

from bridge.core.laws.clocks.modes import Mode, added_by_press
from bridge.core.laws.clocks.times import shown

Fault = Literal["not_added", "added_twice"]
Addition = Literal["right", "other"] | Fault

LONG_PERIOD = 300
"""Seconds of a missing period that are an alert at once (alert catalogue, 3.3)."""

_CONTROL_IS_NEAR = 5
"""Moves before the control within which a wrong counter is a warning (alert catalogue, 3.3)."""


def addition(before: float, after: float, expected: float, *, tolerance: float) -> Addition:
    """Compare a player's readings just before and after his press with the time to be added.

    ``tolerance`` in seconds: one and the age of the readings. A time to be added that is not
    larger than that cannot be told from none, so it counts as right.
    """
    risen = after - before
    if abs(risen - expected) <= tolerance or expected <= tolerance:
        return "right"
    if abs(risen) <= tolerance:
        return "not_added"
    return "added_twice" if abs(risen - 2 * expected) <= tolerance else "other"


class AdditionWatch(NamedTuple):
    """Believes a fault after two presses in a row that show it, or one missing period of 5 minutes.

    One watch for each player; a value, so that it can be part of a fold.
    """

    last: Addition = "right"

    def press(
        self, before: float, after: float, mode: Mode, extra: float, used: float, tolerance: float
    ) -> tuple["AdditionWatch", Fault | None]:
        """Return the watch after a press, and the fault if there is one to report."""
        found = addition(before, after, added_by_press(mode, extra, used), tolerance=tolerance)
        repeated = found == self.last
        return AdditionWatch(found), _fault(found) if repeated else None

    def period(
        self, before: float, after: float, seconds: float, tolerance: float
    ) -> tuple["AdditionWatch", Fault | None]:
        """Return the watch after a period of *seconds* should have been added, and the fault."""
        found = addition(before, after, seconds, tolerance=tolerance)
        certain = seconds >= LONG_PERIOD or found == self.last
        return AdditionWatch(found), _fault(found) if certain else None


def _fault(found: Addition) -> Fault | None:
    return None if found == "right" or found == "other" else found


class CounterMismatch(NamedTuple):
    """A move counter that disagrees with the completed moves; nothing of it may reach players.

    ``added_period``: the counter has reached the control and the record has not, so the clock
    has added the next period too early.
    """

    severity: Literal["notice", "warning"]
    added_period: bool
    text: str


def counter_mismatch(
    completed: int, counter: int, control_move: int | None
) -> CounterMismatch | None:
    """Compare the clock's move counter with the completed moves of the record (6.10.2, 7.1)."""
    if completed == counter:
        return None
    near = control_move is not None and control_move - max(completed, counter) <= _CONTROL_IS_NEAR
    added = control_move is not None and completed < control_move <= counter
    text = f"clock counts {counter} moves, completed are {completed}"
    return CounterMismatch("warning" if near else "notice", added, text)


class Setting(NamedTuple):
    """What a clock is set to: seconds at the start, mode, seconds for each move."""

    white: float
    black: float
    mode: Mode
    extra: float


def setting_mismatch(clock: Setting, event: Setting, *, tolerance: float = 1) -> list[str]:
    """Return what differs between the clock's setting and the event's, in words."""
    found = [
        f"{name} starts with {shown(has)}, should be {shown(should)}"
        for name, has, should in (
            ("White", clock.white, event.white),
            ("Black", clock.black, event.black),
        )
        if abs(has - should) > tolerance
    ]
    if clock.mode != event.mode:
        found.append(f"mode is {clock.mode}, should be {event.mode}")
    if clock.extra != event.extra:
        found.append(f"{clock.extra:g} s a move, should be {event.extra:g} s")
    return found


def drift(consumed: float, passed: float, *, tolerance: float) -> float | None:
    """Return the seconds by which the clock went ahead of our own stopwatch, if beyond tolerance.

    Args:
        consumed: what the running side's reading fell between two readings, increments taken out.
        passed: the time between these readings by our own stopwatch.
        tolerance: what polling may explain.
    """
    ahead = consumed - passed
    return ahead if abs(ahead) > tolerance else None
