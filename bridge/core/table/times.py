"""Which time belongs to which ply.

A ply's time is what its player had left when he pressed. The press may come before the move is
settled (the rule), after it (the clock reports up to a second late), or never be seen.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import chess

from bridge.core.inference.findings import SeenPress
from bridge.core.timekeeping import Press


class Timed(NamedTuple):
    """Ply ``ply`` (counted from 1) left its player ``ms``."""

    ply: int
    ms: int
    estimated: bool


LATE = 1.5
"""A press may be reported this long after it: boards ask their clock up to once a second (s)."""
FORGOTTEN = 3.0
"""A press that is not made so long after its ply is rather forgotten (s)."""
EARLY = 0.3
"""A press may be reported this long before the last square of its move, which is scanned (s)."""
MOST_AHEAD = 4
"""So many presses of a player wait for their plies; who presses more plays no chess with them."""


class Waiting(NamedTuple):
    """A press that waits for its ply, when it was reported, and when the opponent's next was."""

    press: Press
    at: float
    until: float = math.inf

    def fits(self, at: float) -> bool:
        """Whether it may be that of a ply whose last man came to rest at *at*."""
        return self.at >= at - EARLY and self.until >= at


class TimedPly:
    """A ply, and the time its player had after it as soon as that is known.

    ``unsure``: a press that is seen later may be another ply's.
    """

    __slots__ = ("at", "awaits_press", "colour", "estimated", "shown_ms", "timed", "unsure")

    def __init__(
        self, colour: chess.Color, shown_ms: int | None, at: float, *, unsure: bool = False
    ) -> None:
        self.colour = colour
        self.shown_ms = shown_ms
        self.at = at
        self.unsure = unsure
        self.timed = self.estimated = False
        self.awaits_press = True

    @classmethod
    def unseen(cls, colour: chess.Color) -> Self:
        """Return a ply of which no time is known, and no press to come."""
        ply = cls(colour, None, -math.inf)
        ply.awaits_press = False
        return ply


class PlyTimes:
    """The plies of a game in order, each waiting for its time until it has one."""

    def __init__(self) -> None:
        self._plies: list[TimedPly] = []
        self._ahead: dict[chess.Color, list[Waiting]] = {chess.WHITE: [], chess.BLACK: []}
        self._replaced: list[TimedPly] = []

    def __len__(self) -> int:
        return len(self._plies)

    def settle(
        self,
        colour: chess.Color,
        shown_ms: int | None,
        *,
        press: SeenPress,
        at: float,
        unsure: bool = False,
    ) -> list[Timed]:
        """Add a ply whose last man came to rest at time *at*.

        ``shown_ms`` is what its player's clock shows now, if known; ``press`` tells whether
        the press kept for its player is this ply's. ``unsure``: nobody saw the ply, and a press
        of it may have been passed over with it.
        """
        replaced = self._replaced.pop(0) if self._replaced else None
        if replaced is not None and replaced.colour == colour and replaced.timed:
            replaced.estimated |= press == "other"  # it may be a later ply's that was given to it
            self._plies.append(replaced)
            return [Timed(len(self._plies), replaced.shown_ms or 0, replaced.estimated)]
        self._plies.append(TimedPly(colour, shown_ms, at, unsure=unsure))
        kept = self._taken(colour, at) if press == "seen" else None
        if press not in ("seen", "later"):
            self._ahead[colour].clear()
        timed = []
        if press == "standing" and shown_ms is not None:
            timed.append(self._time(len(self._plies), shown_ms, estimated=False))
        elif kept is not None:
            timed.append(self._time(len(self._plies), kept.ms, kept.estimated))
            for ply in self._plies[-3:-1]:
                ply.awaits_press = False  # the clock has run for its opponent since
        return timed + self.estimate(len(self._plies) - 2)

    def _taken(self, colour: chess.Color, at: float) -> Press | None:
        """Take the press of the last ply, whose last man came to rest at *at*, and those before it.

        The first that was made then: more may have come before the ply was settled. One that was
        made sooner may be that of an earlier ply which is not timed either.
        """
        waiting = self._ahead[colour]
        if not waiting:
            return None
        fits = [number for number, each in enumerate(waiting) if each.fits(at)]
        number = fits[0] if fits else len(waiting) - 1
        taken = waiting[number]
        del waiting[: number + 1]
        before = self._plies[-3] if len(self._plies) > 2 else None
        unsure = not fits and before is not None and not before.timed
        return taken.press._replace(estimated=True) if unsure else taken.press

    def withdraw(self, count: int) -> None:
        """Take back the last *count* plies; their times go to the plies that replace them."""
        self._replaced = self._plies[-count:]
        del self._plies[-count:]

    @property
    def plies(self) -> tuple[TimedPly, ...]:
        """The plies in order, each with its time, also of one that is still to be known."""
        return tuple(self._plies)

    def rewrite(self, keep: int, following: Sequence[TimedPly]) -> list[Timed]:
        """Let *following* come after the first *keep* plies; return the times they have."""
        self._plies[keep:] = following
        self._replaced = []
        return [
            Timed(number, ply.shown_ms or 0, ply.estimated)
            for number, ply in enumerate(following, keep + 1)
            if ply.timed
        ]

    def press(self, press: Press, *, mine: bool, at: float) -> Timed | None:
        """Take a press; None if it completes the coming move.

        ``mine``: the board shows that the presser has done something since the last ply. Even
        then the press is an earlier ply's if that one was just settled and the answer to it
        was not pressed yet: players press in turn.
        """
        answered = self._ahead[not press.colour]
        if answered and answered[-1].until == math.inf:
            answered[-1] = answered[-1]._replace(until=at)
        last = self._last_of(press.colour)
        if self._awaits_press(last) and (not mine or self._is_due(last, press, at)):
            unsure = self._plies[last - 1].unsure
            return self._time(last, press.ms, press.estimated or unsure)
        waiting = self._ahead[press.colour]
        waiting.append(Waiting(press, at))
        del waiting[:-MOST_AHEAD]
        return None

    def press_late(self, number: int, press: Press) -> Timed | None:
        """Take a press of ply *number*; None if that is none, or needs none."""
        if not 0 < number <= len(self._plies) or not self._awaits_press(number):
            return None
        ply = self._plies[number - 1]
        if ply.colour != press.colour:
            return None
        return self._time(number, press.ms, press.estimated or ply.unsure)

    def may_be_late(self, colour: chess.Color, at: float) -> bool:
        """Whether the last ply of *colour* was made so lately that its press may be told now."""
        last = self._last_of(colour)
        return last > 0 and at <= self._plies[last - 1].at + LATE

    def _awaits_press(self, number: int) -> bool:
        if not number:
            return False
        ply = self._plies[number - 1]
        return ply.awaits_press and not ply.timed

    def _is_due(self, number: int, press: Press, at: float) -> bool:
        """Whether *press* is that of ply *number*, though its player has done something since.

        He pressed for no later one if the ply before was pressed and the times tell that no press
        was missed since, unless several were forgotten.
        """
        rested = self._plies[number - 1].at
        if press.counted and number == len(self._plies) > 1:
            before = self._plies[-2]
            if before.timed and not before.estimated:
                return at <= rested + FORGOTTEN
        return at <= rested + LATE and not self._plies[-1].timed

    def forget_presses(self) -> None:
        """Keep no press for a ply to come."""
        for waiting in self._ahead.values():
            waiting.clear()

    def lose_clock(self) -> None:
        """No clock is connected: a press that it tells when it is back is a later ply's."""
        self.forget_presses()
        for ply in self._plies[-2:]:
            ply.awaits_press = False

    def standing_clock(
        self, turn: chess.Color, remaining: Callable[[chess.Color], int | None]
    ) -> Timed | None:
        """While *turn*'s time runs, the other clock stands at what the last mover had left."""
        if not self._plies:
            return None
        last = self._plies[-1]
        ms = remaining(last.colour)
        if last.colour == turn or last.timed or ms is None:
            return None
        return self._time(len(self._plies), ms, estimated=False)

    def estimate(self, plies: int) -> list[Timed]:
        """Time those of the first *plies* plies that no press timed by what was shown then."""
        timed = []
        for number in range(max(1, plies - 2), plies + 1):
            ply = self._plies[number - 1]
            if not ply.timed and ply.shown_ms is not None:
                timed.append(self._time(number, ply.shown_ms, estimated=True))
        return timed

    def _last_of(self, colour: chess.Color) -> int:
        """Return the number of the last ply of *colour*, 0 if there is none."""
        count = len(self._plies)
        if count and self._plies[-1].colour == colour:
            return count
        return count - 1 if count > 1 else 0

    def _time(self, number: int, ms: int, estimated: bool) -> Timed:
        ply = self._plies[number - 1]
        ply.timed, ply.shown_ms, ply.estimated = True, ms, estimated
        return Timed(number, ms, estimated)
