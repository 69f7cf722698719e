"""What clock readings mean: whose time is whose, and when somebody pressed.

The clock reports two physical sides. Which of them is White's is latched per game: from the
configuration, else from the side that runs before the first move, else from the board's
orientation (DGT sheet, section 9.2).

A press is seen as a change of the running side. The time shown for the side that stopped is
then exactly what that player had left, increment included. Where a press adds an increment, the
times also tell how often the players pressed between two readings.
"""

import math
from collections import deque
from statistics import median_low
from typing import NamedTuple

import chess

from drivers.events import ClockReading, Side

UNLIKELY_JUMP_MS = 60_000
"""A time that changes by more between two readings waits for a second reading that agrees."""

A_MINUTE_MS = 60_000
MOST_GRANTED_MS = 5 * A_MINUTE_MS
"""More is not given to a player for an illegal move of his opponent's."""
UNREAD = 1.5
"""A running clock is read at least so often (s); in more time plies may be made that nobody saw."""
LEAST_INCREMENT_MS = 2000
"""Less cannot be told from what the clocks round off, which show whole seconds."""
MOST_PRESSES = 8
"""Time that rises by more presses between two readings was set, not played for."""
ENOUGH_SEEN = 2
"""Presses seen one by one that tell the increment, ..."""
LAST_SEEN = 16
"""... of the last ones that are asked."""
LATE_AFTER = 0.5
"""A clock that tells of a press at once, besides its readings, tells an older one as late (s)."""
SHOWN_MS = 1000
"""Clocks show whole seconds."""
BOTH = 2
"""Presses after which both players have gone on though a flag fell."""
ROUNDED_MS = 2000
"""Two times together differ by less than this from what clocks show, which round off seconds."""

OTHER: dict[Side, Side] = {"left": "right", "right": "left"}


class Press(NamedTuple):
    """*colour* stopped his own clock with ``ms`` left.

    ``first``: it was missed between two readings, and his time ran again in the second; ``ms`` is
    an upper bound. ``estimated``: so it is, or other presses were missed before it, so that nobody
    knows for sure of which ply it is. ``counted``: the times tell how many presses there were since
    the reading before. ``following``: how many more the same reading shows.
    """

    colour: chess.Color
    ms: int
    estimated: bool = False
    first: bool = False
    counted: bool = False
    following: int = 0


class Increment:
    """What a press adds to a player's time, as far as presses seen one by one have shown it.

    Only the last ones count: another period, or game, may have another increment. ``is_known``:
    enough presses have shown it, and it is no less than what clocks round off.
    """

    def __init__(self) -> None:
        self._shown: deque[int] = deque(maxlen=LAST_SEEN)
        self._together: deque[int] = deque(maxlen=LAST_SEEN)
        self._ms = 0
        self.is_known = False

    def learn(self, shown_ms: int, together_ms: int) -> None:
        """Take note of how much the time of a player rose who pressed once.

        The time that ran before a press makes what is *shown* less, never more. Both times
        *together*, with the time that ran added, rose by the increment but for what is rounded.
        """
        self._shown.append(shown_ms)
        self._together.append(together_ms)
        most_ms = max(self._shown)
        self._ms = max(most_ms, SHOWN_MS * round(median_low(self._together) / SHOWN_MS))
        self.is_known = len(self._shown) >= ENOUGH_SEEN and most_ms >= LEAST_INCREMENT_MS

    def presses(self, rise_ms: int, *, at_least: int) -> int:
        """Return after how many presses the two times have risen by *rise_ms* together.

        *at_least* so many, or two, four, ... more; time that ran meanwhile is added already.
        """
        if not self.is_known:
            return at_least
        count = at_least + 2 * max(0, round((rise_ms / self._ms - at_least) / 2))
        return count if count <= MOST_PRESSES else at_least

    def tells(self, rise_ms: int, presses: int) -> bool:
        """Whether the two times have risen by *rise_ms* together as after so many *presses*."""
        return self.is_known and abs(rise_ms - presses * self._ms) < ROUNDED_MS


class ClockBook:
    """The clock of one table: the last believed reading, by colour.

    ``turned_at`` is when it was seen last to begin to run for a player, or to stand for one
    (journal time); ``flipped_at``: to do so after it had for the other one, as by a press;
    ``set_at``: when it was last given other times as it stood, the same for both.
    ``_began_after``: when that side did not run yet; ``_earlier``: the same of the change that
    preceded it.
    """

    def __init__(self) -> None:
        self.white_side: Side | None = None
        self.reading: ClockReading | None = None
        self.turned_at = self.flipped_at = self.set_at = -math.inf
        self._began_after = self._earlier = -math.inf
        self._doubted: ClockReading | None = None
        self._increment = Increment()
        self._is_to_start, self._start_ms = False, 0
        self._turned_since_flag = 0
        self._flag_fell = False

    @property
    def played_on(self) -> bool:
        """Whether it stands at a flag that fell, and both players went on to press it."""
        return self._turned_since_flag >= BOTH

    @property
    def runs(self) -> bool:
        """Whether the last reading showed a running clock."""
        return self.reading is not None and self.reading.running

    @property
    def is_set(self) -> bool:
        """Whether it stands and shows the same time for both, as when a game is to begin."""
        reading = self.reading
        return reading is not None and not reading.running and reading.left_ms == reading.right_ms

    @property
    def shows_presses(self) -> bool:
        """Whether two presses between two readings show too: each adds time to a player's clock."""
        return self._increment.is_known

    def colour_of(self, side: Side | None) -> chess.Color | None:
        """Return who sits at *side* of the clock, if that is known."""
        if side is None or self.white_side is None:
            return None
        return side == self.white_side

    def remaining(self, colour: chess.Color) -> int | None:
        """Return the milliseconds last shown for *colour*."""
        if self.reading is None or self.white_side is None:
            return None
        return self._ms(self.reading, colour)

    def read_since(self, at: float) -> bool:
        """Whether the last reading came after *at*."""
        return self.reading is not None and self.reading.at > at

    def forget(self) -> None:
        """The clock is gone, or a game goes on with it: nothing of it is believed any more."""
        self.reading = self._doubted = None
        self.turned_at = self.flipped_at = self.set_at = -math.inf
        self._began_after = self._earlier = -math.inf
        self._increment = Increment()
        self._forget_flag()

    def next_game(self) -> None:
        """Another game begins: it has another increment if its clock starts with another time."""
        self._is_to_start = True
        self._forget_flag()

    def _starts(self, reading: ClockReading) -> None:
        """Forget the increment of games that began with another time; one side still shows it."""
        start_ms = max(reading.left_ms, reading.right_ms)
        if start_ms != self._start_ms:
            self._increment = Increment()
        self._is_to_start, self._start_ms = False, start_ms

    def may_have_run_for(self, colour: chess.Color, at: float) -> bool:
        """Whether it may have run for *colour* at time *at*, by its last two changes of side.

        In the turn before, it began to run for him after the last reading that did not show it, and
        no longer before the first that did than his time had fallen by then.
        """
        if self.reading is None or not self.reading.running:
            return False
        if self.colour_of(self.reading.turn) == colour:
            return at > self.turned_at
        return -math.inf < self._earlier < at <= self.turned_at

    def flipped_to(self, reading: ClockReading) -> Side | None:
        """Return the side that stopped if *reading* shows a press, by physical side.

        Who starts a clock by his press shows it by the time that is added to his.
        """
        before = self.reading
        if before is None or reading.turn in (None, before.turn) or _is_set_anew(before, reading):
            return None
        if before.turn is None:
            return _started_by(before, reading)
        return before.turn if before.running or reading.running else None

    def believed(self, reading: ClockReading) -> list[ClockReading]:
        """Return what is to be used by now, in order; a jump must be confirmed by the next reading.

        Some clocks show a wrong time for a moment (DGT sheet, section 9.5), but an arbiter's
        correction and a new period jump too. What *reading* confirms was right, and comes first.
        Minutes that are given to one player while the clock stands need not be confirmed.
        One that was read before the last one is told too late, however often.
        """
        if self.reading is not None and _is_older(self.reading, reading):
            return []
        doubted, self._doubted = self._doubted, None
        before = self.reading
        if before is None or not _jumps(before, reading) or _is_granted(before, reading):
            return [reading]
        if doubted is not None and not _jumps(doubted, reading):
            return [doubted, reading]
        self._doubted = reading
        return []

    def take(self, reading: ClockReading) -> list[Press]:
        """Make *reading* the current one and return the presses it shows, in order."""
        before, self.reading = self.reading, reading
        if before is not None and self.is_set and _is_given_times(before, reading):
            self.set_at = reading.at
        if self._is_to_start and reading.running:
            self._starts(reading)
        if before is None or reading.turn != before.turn:
            self.turned_at = reading.at
            if before is not None and None not in (before.turn, reading.turn):
                self.flipped_at = reading.at
            self._earlier = self._began_after
            self._began_after = -math.inf if before is None else _began_after(before, reading)
        self._note_flag(before, reading)
        mover = self.colour_of(before.turn) if before is not None else None
        if before is None or mover is None or reading.turn is None:
            return []
        if _is_set_anew(before, reading):
            return []
        if reading.turn != before.turn:
            # Also of a clock that stood: a move may be made first and the clock started then.
            pressed = before.running or reading.running or self.played_on
            presses = self._turned(before, reading, mover) if pressed else []
        elif before.running and self._ms(before, not mover) != self._ms(reading, not mover):
            # Only a running clock changes: the other side ran and stopped again unseen.
            presses = self._returned(before, reading, mover)
        else:
            return []
        counted = self._are_all(presses, before, reading)
        return [
            press._replace(counted=counted, following=following)
            for following, press in zip(reversed(range(len(presses))), presses, strict=True)
        ]

    def _note_flag(self, before: ClockReading | None, reading: ClockReading) -> None:
        """Take note how often a clock is pressed that stands since a flag fell."""
        if before is None or reading.running or reading.turn is None:
            self._forget_flag()
        elif before.running:
            self._flag_fell = not (reading.left_ms and reading.right_ms)
        elif self._flag_fell and before.turn not in (None, reading.turn):
            self._turned_since_flag += 1

    def _forget_flag(self) -> None:
        self._flag_fell, self._turned_since_flag = False, 0

    def _are_all(self, presses: list[Press], before: ClockReading, reading: ClockReading) -> bool:
        """Whether no other *presses* can have been made between two readings."""
        if reading.at - before.at <= UNREAD:
            return True
        return self._increment.tells(_rise(before, reading), len(presses))

    def _turned(
        self, before: ClockReading, reading: ClockReading, mover: chess.Color
    ) -> list[Press]:
        """Return the presses after which the clock runs for the opponent of *mover*."""
        unsure = self._pressed_between(before, reading, not mover)
        last = Press(mover, self._ms(reading, mover), unsure)
        if not (before.running and reading.running):
            return [last]
        rose_ms = self._ms(reading, not mover) - self._ms(before, not mover)
        if rose_ms <= 0 and reading.at - before.at <= UNREAD:
            shown_ms = self._ms(reading, mover) - self._ms(before, mover)
            self._increment.learn(shown_ms, _rise(before, reading))
        if rose_ms == 0:
            return [last]
        unseen = Press(not mover, self._ms(reading, not mover), estimated=True)
        pairs = self._presses(before, reading, at_least=1) // 2
        return [last._replace(estimated=True), unseen] * pairs + [last]

    def _returned(
        self, before: ClockReading, reading: ClockReading, mover: chess.Color
    ) -> list[Press]:
        """Return the presses after which the clock runs for *mover* again."""
        pairs = self._presses(before, reading, at_least=2) // 2
        first = Press(mover, self._ms(reading, mover), estimated=True, first=pairs == 1)
        last = Press(not mover, self._ms(reading, not mover))
        return [first, last._replace(estimated=True)] * (pairs - 1) + [first, last]

    def _presses(self, before: ClockReading, reading: ClockReading, *, at_least: int) -> int:
        return self._increment.presses(_rise(before, reading), at_least=at_least)

    def _pressed_between(
        self, before: ClockReading, reading: ClockReading, colour: chess.Color
    ) -> bool:
        """Whether *colour*, whose clock runs now as it did not before, has pressed meanwhile.

        Time that stood rises by nothing but its increment; some clocks give that beforehand, and
        readings that follow on each other leave no room for two plies.
        """
        unread = reading.at - before.at > UNREAD
        return unread and self._ms(reading, colour) > self._ms(before, colour)

    def _ms(self, reading: ClockReading, colour: chess.Color) -> int:
        return reading.left_ms if (self.white_side == "left") == colour else reading.right_ms


def _ms_of(reading: ClockReading, side: Side) -> int:
    return reading.left_ms if side == "left" else reading.right_ms


def _started_by(before: ClockReading, reading: ClockReading) -> Side | None:
    """Return the side whose press started the clock, if time was added to it and to none else.

    A clock that is set changes more.
    """
    if not reading.running or reading.turn is None:
        return None
    pressed = OTHER[reading.turn]
    added_ms = _ms_of(reading, pressed) - _ms_of(before, pressed)
    ran_ms = _ms_of(before, reading.turn) - _ms_of(reading, reading.turn)
    is_press = 0 < added_ms <= UNLIKELY_JUMP_MS and 0 <= ran_ms <= SHOWN_MS
    return pressed if is_press else None


def _began_after(before: ClockReading, reading: ClockReading) -> float:
    """Return when the clock that runs by *reading* did not run yet, as it did not *before*.

    Whole seconds are shown, so that it may have run for one more than its time fell.
    """
    if reading.turn is None:
        return before.at
    fell_ms = max(0, _ms_of(before, reading.turn) - _ms_of(reading, reading.turn))
    return max(before.at, reading.at - (fell_ms + SHOWN_MS) / 1000)


def _rise(before: ClockReading, after: ClockReading) -> int:
    """Return by how much the two times rose together, the time that ran meanwhile added."""
    rise = after.left_ms + after.right_ms - before.left_ms - before.right_ms
    return rise + round((after.at - before.at) * 1000)


def _is_set_anew(before: ClockReading, reading: ClockReading) -> bool:
    """Whether a clock was given other times as it stood, for the next game: nobody pressed it."""
    return not (before.running and reading.running) and _jumps(before, reading)


def _is_given_times(before: ClockReading, reading: ClockReading) -> bool:
    """Whether a clock that stands was given other times since *before*: by itself it shows none."""
    if before.running:
        return _jumps(before, reading)
    return (before.left_ms, before.right_ms) != (reading.left_ms, reading.right_ms)


def _is_granted(before: ClockReading, after: ClockReading) -> bool:
    """Whether one player was given a few whole minutes as the clock stood, and no more was done.

    So an arbiter does after an illegal move (Laws, 7.5.5).
    """
    least, most = sorted((after.left_ms - before.left_ms, after.right_ms - before.right_ms))
    given = 0 < most <= MOST_GRANTED_MS and most % A_MINUTE_MS == 0
    return not before.running and -SHOWN_MS <= least <= 0 and given


def _jumps(before: ClockReading, after: ClockReading) -> bool:
    """Whether a time changes by more than play explains; falling with the time passed is play."""
    left_ms, right_ms = after.left_ms - before.left_ms, after.right_ms - before.right_ms
    if max(left_ms, right_ms) > UNLIKELY_JUMP_MS:
        return True
    passed_ms = max(0.0, after.at - before.at) * 1000
    return min(left_ms, right_ms) < -UNLIKELY_JUMP_MS - passed_ms


def _is_older(before: ClockReading, after: ClockReading) -> bool:
    """Whether *after* was read before *before*, where a press added time, and is told after it.

    The side that had pressed runs again and its time has fallen, but none has passed.
    """
    if not (before.running and after.running) or after.at - before.at > LATE_AFTER:
        return False
    side = after.turn
    if side is None or before.turn in (None, side):
        return False
    fell_ms = _ms_of(before, side) - _ms_of(after, side)
    return fell_ms >= LEAST_INCREMENT_MS
