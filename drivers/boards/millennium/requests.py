"""What to send to a ChessLink board, and when.

A board may report every scan, every change, or nothing: its registers say so, and it keeps them
without power. They are left as they are, and what does not come by itself is asked for.
"""

import math

from drivers.boards.millennium.protocol import (
    READ_CHECKING,
    READ_REPORTS,
    READ_SCAN,
    STATUS,
    VERSION,
    message,
)
from drivers.codec import Outgoing
from drivers.pacing import Pacer

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

_STATUS, _VERSION = message(STATUS), message(VERSION)


class Requests:
    """One line's outgoing side: what is queued, and what falls due by itself once it was greeted.

    A command that was damaged on its way is not answered, so nothing waits for an answer.
    """

    def __init__(self) -> None:
        self._pacer = Pacer(PACE)
        self._greeted = False
        self._heard_at = -math.inf

    def greet(self, at: float) -> None:
        """Queue the start-up sequence."""
        self._greeted = True
        self._heard_at = at
        for command in (VERSION, STATUS, READ_CHECKING, READ_SCAN, READ_REPORTS):
            self.ask(command)
        self._pacer.every(ASK_EVERY, _STATUS, at=at + ASK_EVERY)
        self._pacer.every(VERSION_EVERY, _VERSION, at=at + VERSION_EVERY)

    def ask(self, command: str) -> None:
        """Queue *command* unless it is waiting to be sent already."""
        self._pacer.say(message(command))

    def show(self, command: str) -> None:
        """Have lamps lit."""
        self._pacer.show(message(command))

    def heard(self, at: float) -> None:
        """Note that a message came."""
        self._heard_at = at

    def identified(self) -> None:
        """Note that the version is known."""
        self._pacer.no_more(_VERSION)

    def seen(self, at: float, *, confirmed: bool) -> None:
        """Note a position, and whether it was the second equal one."""
        if self._greeted:
            wait = ASK_EVERY if confirmed else CONFIRM_AFTER
            self._pacer.every(ASK_EVERY, _STATUS, at=at + wait)

    def next(self, at: float) -> Outgoing:
        """Return the command that is due at time *at*, and when the next one may be."""
        outgoing = self._pacer.next(at)
        if outgoing.data == _STATUS:
            wait = ASK_LOST_EVERY if at - self._heard_at >= LOST_AFTER else ASK_EVERY
            self._pacer.every(wait, _STATUS, at=at + wait)
        return outgoing
