"""What to send to a ChessLink board, and when.

A board may report every scan, every change, or nothing: its registers say so, and it keeps them
without power. They are left as they are, and what does not come by itself is asked for. Lamps
are never lit.
"""

import math
from collections import deque

from drivers.boards.millennium.protocol import (
    READ_CHECKING,
    READ_REPORTS,
    READ_SCAN,
    STATUS,
    VERSION,
)

PACE = 0.1
"""Seconds between two commands, over Bluetooth (one host); by cable it does not hurt."""

CONFIRM_AFTER = 0.06
"""Seconds after a changed position in which its repetition may come by itself: one scan and a
half at the usual 41 ms. Then it is asked for."""

ASK_EVERY = 0.2
"""Seconds after a position until the next one is asked for. A board that reports every scan is
never asked."""

LOST_AFTER = 2.0
"""Seconds without a word after which the board is asked less often: it is off, or restarts,
which takes 3 s."""

ASK_LOST_EVERY = 1.0

VERSION_EVERY = 0.5
"""Seconds until the version is asked for again, as long as it is not known."""

_GREETING = (VERSION, STATUS, READ_CHECKING, READ_SCAN, READ_REPORTS)


class Requests:
    """One line's outgoing side: a queue, and what falls due by itself once it was greeted.

    A command that was damaged on its way is not answered, so nothing waits for an answer.
    """

    def __init__(self) -> None:
        self._queue: deque[str] = deque()
        self._send_at = -math.inf
        self._heard_at = -math.inf
        self._status_due = math.inf
        self._version_due = math.inf

    def greet(self, at: float) -> None:
        """Queue the start-up sequence."""
        self._queue = deque(_GREETING)
        self._heard_at = at
        self._status_due = at + ASK_EVERY
        self._version_due = at + VERSION_EVERY

    def ask(self, command: str) -> None:
        """Queue *command* unless it is waiting to be sent already."""
        if command not in self._queue:
            self._queue.append(command)

    def heard(self, at: float) -> None:
        """Note that a message came."""
        self._heard_at = at

    def identified(self) -> None:
        """Note that the version is known."""
        self._version_due = math.inf

    def seen(self, at: float, *, confirmed: bool) -> None:
        """Note a position, and whether it was the second equal one."""
        if self._status_due < math.inf:  # the board was greeted
            self._status_due = at + (ASK_EVERY if confirmed else CONFIRM_AFTER)

    def next(self, at: float) -> tuple[str, float]:
        """Return the command that is due at time *at*, often none, and when the next one may be."""
        due, command = self._first()
        due = max(due, self._send_at)
        if due > at:
            return "", due
        if command in self._queue:
            self._queue.remove(command)
        self._send_at = at + PACE
        if command == STATUS:
            lost = at - self._heard_at >= LOST_AFTER
            self._status_due = at + (ASK_LOST_EVERY if lost else ASK_EVERY)
        elif command == VERSION:
            self._version_due = min(self._version_due, at + VERSION_EVERY)
        return command, max(self._send_at, self._first()[0])

    def _first(self) -> tuple[float, str]:
        if self._queue:
            return -math.inf, self._queue[0]
        return min((self._status_due, STATUS), (self._version_due, VERSION))
