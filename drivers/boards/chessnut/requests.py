"""What to send to a Chessnut board, and when. Nothing lights lamps, beeps, or moves men."""

import math
from collections import deque

from drivers.boards.chessnut.protocol import (
    GET_GAME,
    MCU_VERSION,
    PACE,
    RADIO_VERSION,
    REAL_TIME,
    STORED_GAMES,
    UPLOAD,
)
from drivers.codec import Outgoing

BATTERY_EVERY = 60.0


class Requests:
    """One line's outgoing side: a queue, and what falls due by itself once it was greeted.

    ``uploading``: positions are those of a stored game, from before the board is told to send it
    until it has said that this was its end.
    """

    def __init__(self, battery: bytes, restart_after: float) -> None:
        """Describe the board.

        Args:
            battery: asks for the battery.
            restart_after: seconds without a report after which reports are asked for again.
        """
        self.uploading = False
        self._battery = battery
        self._restart_after = restart_after
        self._queue: deque[bytes] = deque()
        self._send_at = -math.inf
        self._reports_due = math.inf
        self._battery_due = math.inf
        self._counting = False

    def greet(self, at: float) -> None:
        """Queue the start-up sequence: reports first, because play may be going on."""
        self._queue = deque((REAL_TIME, self._battery, MCU_VERSION, RADIO_VERSION))
        self._reports_due = at + self._restart_after
        self._battery_due = at + BATTERY_EVERY

    def ask(self, command: bytes) -> None:
        """Queue *command* unless it is waiting to be sent already."""
        if command not in self._queue:
            self._queue.append(command)

    def ask_battery(self) -> None:
        """Queue the question for the battery."""
        self.ask(self._battery)

    def ask_stored_game(self) -> None:
        """Ask how many games are stored; the answer decides whether one is uploaded."""
        self._counting = True
        self.ask(STORED_GAMES)

    def counted(self, games: int) -> bool:
        """Note how many games are stored; return whether that was asked for.

        Nothing is uploaded of a number that nobody wanted to know.
        """
        wanted, self._counting = self._counting, False
        if wanted and games:
            for command in (UPLOAD, *GET_GAME):
                self.ask(command)
        return wanted

    def reported(self, at: float) -> None:
        """Note a report of what stands on the board."""
        if self._reports_due < math.inf:
            self._reports_due = at + self._restart_after

    def transferred(self) -> None:
        """Note that a stored game begins; one that was not asked for shall end."""
        if not self.uploading:
            self.ask(REAL_TIME)
        self.uploading = True

    def uploaded(self, at: float) -> None:
        """Note that the stored game has ended: the board is to report again."""
        self.uploading = False
        self.ask(REAL_TIME)
        self.reported(at)

    def next(self, at: float) -> Outgoing:
        """Return the command that is due at time *at*, and when the next one may be."""
        due, command = self._first()
        due = max(due, self._send_at)
        if due > at:
            return Outgoing(b"", due)
        if command in self._queue:
            self._queue.remove(command)
        self._send_at = at + PACE
        if command == REAL_TIME:
            self._reports_due = at + self._restart_after
        elif command == self._battery:
            self._battery_due = at + BATTERY_EVERY
        elif command == UPLOAD:
            self.uploading = True
        return Outgoing(command, max(self._send_at, self._first()[0]))

    def _first(self) -> tuple[float, bytes]:
        if self._queue:
            return -math.inf, self._queue[0]
        if self.uploading:  # a question in between might disturb it; silence ends the link
            return math.inf, b""
        return min((self._reports_due, REAL_TIME), (self._battery_due, self._battery))
