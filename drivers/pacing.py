"""What a codec wants to send: one message at a time, not too fast, some of it again and again."""

import math
from collections import deque

from drivers.codec import Outgoing

SHOW_EVERY = 0.6
"""Seconds between two messages about lamps: boards of Certabo miss what comes sooner (hosts)."""

SHOWN_TIMES = 2
"""No board says what its lamps show, and some miss a message now and then."""

MOST_WAITING = 64
"""Messages that wait at most; no board gives cause for more in the time in which they are sent."""


class Pacer:
    """A queue of messages, and questions that fall due by themselves.

    ``pace``: seconds between two messages.
    """

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self._queue: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._questions: dict[bytes, tuple[float, float]] = {}
        self._free_at = self._show_at = -math.inf
        self._show = b""
        self._shows = 0

    def say(self, message: bytes, *, first: bool = False) -> None:
        """Queue *message* unless it waits already; *first*: in any case, before all that waits.

        Of more than :data:`MOST_WAITING` those are given up that would have waited longest.
        """
        if first:
            self._queue.appendleft(message)
        elif message not in self._queue and len(self._queue) < MOST_WAITING:
            self._queue.append(message)

    def show(self, message: bytes) -> None:
        """Say *message*, which tells all that the board is to show, twice and in its own time.

        It takes the place of one that waits, and is said anew only where another one came between.
        """
        if message != self._show:
            self._show, self._shows = message, SHOWN_TIMES

    def every(self, seconds: float, message: bytes, *, at: float) -> None:
        """Ask *message* at time *at*, and every so many *seconds* from then on."""
        self._questions[message] = at, seconds

    def no_more(self, message: bytes) -> None:
        """Ask *message* no more by itself."""
        self._questions.pop(message, None)

    def next(self, at: float) -> Outgoing:
        """Return the message that is due at time *at*, and when the next one may be."""
        if at < self._free_at:
            return Outgoing(b"", self._free_at)
        message = self._due(at)
        if message:
            self._free_at = at + self._pace
            return Outgoing(message, self._free_at)
        wakes = [due for due, _ in self._questions.values()]
        if self._shows:
            wakes.append(self._show_at)
        return Outgoing(b"", min(wakes, default=math.inf))

    def _due(self, at: float) -> bytes:
        """Take what is to be sent now; what waits goes before what is asked again."""
        if self._queue:
            message = self._queue.popleft()
        elif self._shows and at >= self._show_at:
            self._shows -= 1
            self._show_at = at + SHOW_EVERY
            return self._show
        else:
            message = min(self._questions, key=lambda each: self._questions[each][0], default=b"")
            if not message or self._questions[message][0] > at:
                return b""
        if message in self._questions:
            seconds = self._questions[message][1]
            self._questions[message] = at + seconds, seconds
        return message
