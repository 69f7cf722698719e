"""Watching whether the clock adds what it should with each move (6.3.2, 6.10).

Only what is larger than the uncertainty of polled readings can be judged, and only two moves in
a row that show the same fault are told.
"""

import chess

from bridge.core.laws.clocks.checks import Addition, addition
from bridge.core.laws.clocks.times import shown
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.display import Display
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press
from drivers.events import ClockReading

TOLERANCE = 1.0
"""Seconds that whole seconds on the display may hide."""
_CODES: dict[Addition, str] = {"not_added": "TIME_NOT_ADDED", "added_twice": "TIME_ADDED_TWICE"}
_SAID = {"not_added": "was not added", "added_twice": "was added twice"}


class Additions(Watcher):
    """Tells an increment that is missing, or comes twice, in two moves in a row."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._begin()
        self._at = desk.told.at
        self._faulty: dict[str, chess.Color] = {}

    def _begin(self) -> None:
        self._displays = {colour: Display() for colour in chess.COLORS}
        self._found: dict[chess.Color, Addition] = dict.fromkeys(chess.COLORS, "right")

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether something is to be added."""
        control = desk.control
        return control is not None and any(period.increment for period in control.periods)

    def clock(self, reading: ClockReading) -> None:
        """Follow both displays; when the clock stands, somebody may set it or press it back."""
        if not reading.running:
            self._begin()
        at = self.desk.told.at
        passed, self._at = at - self._at, at
        white_left = self.desk.clock.white_side == "left"
        self._displays[white_left].read(reading.left_ms / 1000, passed)
        self._displays[not white_left].read(reading.right_ms / 1000, passed)

    def pressed(self, press: Press, *, late: bool) -> None:  # noqa: ARG002 - a press is a press
        """Judge what was added since the press before."""
        desk, by = self.desk, name_of(press.colour)
        if press.estimated:  # nobody knows what else was pressed meanwhile
            self._displays[press.colour].forget()
            self._found[press.colour] = "right"
            return
        expected = desk.increment(press.colour)
        rise = self._displays[press.colour].press()
        if rise is None or not expected:
            return
        found = addition(0, rise.seconds, expected, tolerance=TOLERANCE + rise.age)
        before, self._found[press.colour] = self._found[press.colour], found
        if found != before:
            return
        for fault, code in _CODES.items():
            if fault != found and self._faulty.get(code) == press.colour:
                del self._faulty[code]
                desk.alerts.clear(code, "the time is added rightly")
        if found not in _CODES or _CODES[found] in desk.alerts:
            return
        self._faulty[_CODES[found]] = press.colour
        white, black = desk.clock.remaining(chess.WHITE), desk.clock.remaining(chess.BLACK)
        times = f"White {shown((white or 0) / 1000)}, Black {shown((black or 0) / 1000)}"
        desk.alerts.raise_(
            _CODES[found],
            None,
            f"{expected} s {_SAID[found]} in two moves of {by} in a row",
            remedy=f"look at the setting of the clock; it shows {times}, of which two increments "
            f"of {expected} s are wrong",
            by=by,
            confidence="medium",
        )
