"""The two times that a Novag Citrine tells when asked, White's first.

Nothing says whether they are time left or time used: that depends on the level that is set. What
they do shows it. Which side runs is not said either: it is the one whose time changes.
"""

from drivers.events import ClockReading, Event, Notice, Side

STANDS_AFTER = 2.5
"""Seconds without a change after which no time runs; they are asked for every second."""


class Clock:
    """Makes readings of the times; White's is called the left one."""

    def __init__(self) -> None:
        self._times: tuple[int, int] | None = None
        self._changed_at = 0.0
        self._turn: Side | None = None
        self._counts_down = False
        self._used_told = False

    def take(self, white: int, black: int, *, at: float) -> list[Event]:
        """Return what the times in seconds say; nothing while it is unknown what they mean."""
        before, self._times = self._times, (white, black)
        if before is None:
            self._changed_at = at
            return []
        if before != self._times:
            self._changed_at = at
            if white < before[0] or black < before[1]:
                self._counts_down = True
                self._turn = "left" if white < before[0] else "right"
            elif not self._counts_down:
                return self._used(at)
        if not self._counts_down:
            return []
        return [
            ClockReading(
                at=at,
                left_ms=white * 1000,
                right_ms=black * 1000,
                running=at - self._changed_at < STANDS_AFTER,
                turn=self._turn,
            )
        ]

    def _used(self, at: float) -> list[Event]:
        if self._used_told:
            return []
        self._used_told = True
        text = "the board tells the time used, not the time left: set a level with a time limit"
        return [Notice(at=at, text=text)]
