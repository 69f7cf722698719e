"""A digital chess clock: two times, a lever, periods, increments and flags.

Pure: time is an argument. The sides are physical, left and right; who sits there is not the
clock's business. Whole seconds are shown rounded up: a recorded clock went from 0:01 straight to
0:00 with the flag, so a side that shows 0:00 has no time left. The increment is added when the
lever is pressed, and is already in the times of a clock that has not started.
"""

import math
from dataclasses import dataclass, replace

from drivers.events import Side

SIDES: tuple[Side, Side] = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """Seconds for the first period, the increment per move, seconds of further periods.

    A further period begins when the time of the one before has run out.
    """

    base: int
    increment: int = 0
    further: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Write it as people do: ``300+3``, ``5400:1800+30``."""
        periods = ":".join(str(seconds) for seconds in (self.base, *self.further))
        return f"{periods}+{self.increment}" if self.increment else periods


@dataclass(frozen=True, kw_only=True)
class Face:
    """What the clock shows.

    ``turn`` is the side whose lever end is up. ``*_flag``: fallen, the clock is blocked.
    ``*_mark``: a flag is shown because a further period has begun. ``bonus``: the increment sign.
    """

    left_s: int
    right_s: int
    running: bool
    turn: Side
    left_flag: bool = False
    right_flag: bool = False
    left_mark: bool = False
    right_mark: bool = False
    bonus: bool = False

    def seconds(self, side: Side) -> int:
        """Return the seconds shown on *side*."""
        return self.left_s if side == "left" else self.right_s


@dataclass(frozen=True)
class _Budget:
    """Time of one side: what is left of the present period, and how many periods began."""

    left_ms: int
    periods_begun: int = 0

    def after(self, spent_ms: int, further: tuple[int, ...]) -> "_Budget":
        left_ms, begun = self.left_ms - spent_ms, self.periods_begun
        while left_ms <= 0 and begun < len(further):
            left_ms += further[begun] * 1000
            begun += 1
        return _Budget(max(left_ms, 0), begun)


class Clock:
    """A clock with one time control for both sides, stopped, with *turn* to start."""

    def __init__(self, control: TimeControl, *, turn: Side = "left") -> None:
        self.control = control
        self.turn = turn
        start = _Budget((control.base + control.increment) * 1000)
        self._budgets: dict[Side, _Budget] = {"left": start, "right": start}
        self._running_since: float | None = None

    def start(self, *, at: float) -> None:
        """Let the time of the side to move run; a fallen clock stays blocked."""
        if self._running_since is None and self._budgets[self.turn].left_ms > 0:
            self._running_since = at

    def stop(self, *, at: float) -> None:
        """Stop both times."""
        self._budgets = self._budgets_at(at)
        self._running_since = None

    def press(self, side: Side, *, at: float) -> bool:
        """Press the lever on *side*; return whether it had an effect.

        Nothing happens on a clock that does not run, on the side that is up already, and when
        the flag of *side* has fallen.
        """
        if side != self.turn or not self.reading(at=at).running:
            return False
        self.stop(at=at)
        budget = self._budgets[side]
        increment_ms = self.control.increment * 1000
        self._budgets[side] = replace(budget, left_ms=budget.left_ms + increment_ms)
        self.turn = other(side)
        self._running_since = at
        return True

    def reading(self, *, at: float) -> Face:
        """Return what the clock shows at time *at*."""
        budgets = self._budgets_at(at)
        fallen = {side: budgets[side].left_ms == 0 for side in SIDES}
        return Face(
            left_s=math.ceil(budgets["left"].left_ms / 1000),
            right_s=math.ceil(budgets["right"].left_ms / 1000),
            running=self._running_since is not None and not any(fallen.values()),
            turn=self.turn,
            left_flag=fallen["left"],
            right_flag=fallen["right"],
            left_mark=budgets["left"].periods_begun > 0,
            right_mark=budgets["right"].periods_begun > 0,
            bonus=self.control.increment > 0,
        )

    def next_change(self, *, at: float) -> float:
        """Return when the shown seconds change next by themselves; ``inf`` while nothing runs."""
        if self._running_since is None:
            return math.inf
        left_ms = self._budgets_at(at)[self.turn].left_ms
        if left_ms == 0:
            return math.inf
        return at + ((left_ms - 1) % 1000 + 1) / 1000

    def _budgets_at(self, at: float) -> dict[Side, _Budget]:
        if self._running_since is None:
            return self._budgets
        spent_ms = max(0, round((at - self._running_since) * 1000))
        spent = self._budgets[self.turn].after(spent_ms, self.control.further)
        return {**self._budgets, self.turn: spent}


def other(side: Side) -> Side:
    """Return the opposite side."""
    return "right" if side == "left" else "left"
