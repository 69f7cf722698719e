"""One player's display as it was read: what it rises by from one press to the next (6.3.2).

A maker may add the time at the start of a turn instead of its end: all that a display rose from
one press to the next counts.
"""

from typing import NamedTuple


class Rise(NamedTuple):
    """Seconds that a display rose by for a move; ``age`` is what polling may hide of them (s)."""

    seconds: float
    age: float


class Display:
    """What one player's display shows, and how much it rose since his last press (s)."""

    __slots__ = ("_age", "_blurred", "_left", "_pressed", "_rise", "_risen")

    def __init__(self) -> None:
        self._left: float | None = None
        self._rise = self._risen = self._age = 0.0
        self._pressed = self._blurred = False

    def forget(self) -> None:
        """Let the rise count for no press: nobody knows how many there were until this reading."""
        self._rise = self._risen = self._age = 0.0
        self._pressed, self._blurred = False, True

    def read(self, left: float, passed: float) -> None:
        """Take a reading, *passed* seconds after the last; a display that runs falls meanwhile."""
        before, self._left, self._rise = self._left, left, 0.0
        self._blurred = False
        if before is not None and left > before:
            self._rise, self._age = left - before, max(self._age, passed)
            self._risen += self._rise

    def press(self) -> Rise | None:
        """Return what it rose by from the last press to this one, and begin anew with this one's.

        None: no press was seen before, or this one's reading hides others.
        """
        if self._blurred:
            return None
        found = Rise(self._risen - self._rise, self._age) if self._pressed else None
        self._risen, self._age, self._pressed = self._rise, 0.0, True
        return found
