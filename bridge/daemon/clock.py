"""Journal time: seconds that never go back, also across restarts."""

import time


class JournalClock:
    """Goes on where the journal ended: by the wall clock's word, but never backwards."""

    def __init__(self, last: tuple[float, float] | None = None) -> None:
        """Start *last* (``at``, ``wall``) of the journal's last reading, or from zero."""
        self._monotonic = time.monotonic()
        self._start = 0.0
        if last is not None:
            at, wall = last
            self._start = at + max(0.001, time.time() - wall)

    def now(self) -> float:
        """Return the journal time now."""
        return self._start + time.monotonic() - self._monotonic
