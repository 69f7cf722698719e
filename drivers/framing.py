"""Cuts a stream into messages where only the family knows what a message looks like."""

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

from drivers.codec import Codec
from drivers.events import Event, Noise

Measure = Callable[[bytes], tuple[int, str]]
"""Looks at bytes, of which there is at least one, and says what stands at their beginning.

``(n, "")``: a message of n bytes. ``(n, why)``: n bytes that make none, and why.
``(0, "")``: more bytes are needed to know.
"""

MORE = (0, "")


class Framer:
    """Holds the bytes of the one message that is not complete yet.

    Args:
        measure: knows the messages.
        longest: length of the longest message; what is longer is none.
        patience: seconds in which a message has to be complete.
        pause: seconds without a byte after which the rest is not expected any more.
    """

    def __init__(
        self,
        measure: Measure,
        *,
        longest: int,
        patience: float = math.inf,
        pause: float = math.inf,
    ) -> None:
        self._measure = measure
        self._longest = longest
        self._patience = patience
        self._pause = pause
        self._buffer = b""
        self._since = 0.0
        self._heard_at = 0.0

    def __len__(self) -> int:
        return len(self._buffer)

    def feed(self, data: bytes, at: float) -> list[bytes | Noise]:
        """Return the messages that *data*, come at time *at*, completes, and what was dropped.

        Dropped bytes that follow each other make one :class:`Noise` with the first reason.
        """
        pieces: list[bytes | Noise] = []
        dropped, reason = b"", ""
        late = at - self._since > self._patience or at - self._heard_at > self._pause
        self._heard_at = at
        if self._buffer and late:
            dropped, reason, self._buffer = self._buffer, "not completed in time", b""
        fresh = not self._buffer
        buffer = self._buffer + data
        while buffer:
            length, why = self._piece(buffer)
            if not length:
                break
            piece, buffer, fresh = buffer[:length], buffer[length:], True
            if why:
                dropped, reason = dropped + piece, reason or why
                continue
            if dropped:
                pieces.append(Noise(at=at, data=dropped.hex(" "), why=reason))
                dropped, reason = b"", ""
            pieces.append(piece)
        if dropped:
            pieces.append(Noise(at=at, data=dropped.hex(" "), why=reason))
        self._buffer = buffer
        if fresh:
            self._since = at
        return pieces

    def _piece(self, buffer: bytes) -> tuple[int, str]:
        length, why = self._measure(buffer[: self._longest])
        if not length and len(buffer) >= self._longest:
            return 1, "longer than any message"
        return length, why


class Cutter(Protocol):
    """Cuts a stream into messages and holds what is not complete, as :class:`Framer` does."""

    def __len__(self) -> int:
        """Bytes of the message that is not complete yet."""

    def feed(self, data: bytes, at: float) -> list[bytes | Noise]:
        """Return the messages that *data* completes, and what was dropped."""


class FramedCodec(Codec):
    """A codec of a board whose messages a framer can cut out of what it says."""

    def __init__(self, framer: Cutter) -> None:
        self._framer = framer

    @property
    def buffered(self) -> int:
        """Bytes held back because their message is not complete."""
        return len(self._framer)

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        """Take *data* that came at time *at* and return what it completes. Never raises."""
        events: list[Event] = []
        for piece in self._framer.feed(data, at):
            if isinstance(piece, Noise):
                self._damaged(at)
                events.append(piece)
            else:
                events += self._decode(piece, at)
        return events

    @abstractmethod
    def _decode(self, message: bytes, at: float) -> list[Event]:
        """Return what a whole message says."""

    def _damaged(self, at: float) -> None:
        """Take note that something was said that cannot be understood."""
