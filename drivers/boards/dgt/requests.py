"""What to send to a DGT board, and when: greeting, keep-alive, repairs.

Only commands that read are ever sent from here. Clock commands change what players see,
LED commands hang plain boards for seconds, draughts commands are kept by the board for ever.
"""

import math
from collections import deque

from drivers.boards.dgt.framing import LOG_PATIENCE
from drivers.boards.dgt.protocol import Command, Message
from drivers.codec import Outgoing

PACE = 0.1
"""Seconds between two commands: the board's buffer holds ten bytes (H15)."""

REPLY_LIMIT = 3.0
"""Seconds after which an answer is not expected any more."""

KEEP_ALIVE = 2.0
"""Seconds without a word after which the board is asked for its serial number."""

SILENCE = KEEP_ALIVE + REPLY_LIMIT
"""Seconds without a word after which the board may have forgotten that it should report."""

DUMP_AFTER_CHANGE = 0.3
"""Seconds after the last change of a burst until it is checked: one scan and its report."""

DUMP_EVERY = 30.0
CLOCK_EVERY = 4.0
"""Seconds without a clock message until it is asked for; some boards never tell of a loss."""

_REPORTS = (Command.SEND_UPDATE_NICE, Command.SEND_BRD, Command.SEND_CLK)
_GREETING = (
    *_REPORTS[:2],
    Command.RETURN_SERIALNR,
    Command.SEND_CLK,
    Command.SEND_VERSION,
    Command.RETURN_LONG_SERIALNR,
    Command.RETURN_BUSADRES,
    Command.SEND_TRADEMARK,
    Command.SEND_UPDATE_NICE,
)
"""What stands on the board comes first, because play may be going on; then who it is.

No reset goes before: it would cost time in which moves are made, and the mode is set anyway. The
mode is set once more at the end, since a board on its way out of bus mode may hear only that.
"""

_REPLIES: dict[int, Message] = {
    Command.SEND_CLK: Message.BWTIME,
    Command.SEND_BRD: Message.BOARD_DUMP,
    Command.RETURN_SERIALNR: Message.SERIALNR,
    Command.RETURN_LONG_SERIALNR: Message.LONG_SERIALNR,
    Command.RETURN_BUSADRES: Message.BUSADRES,
    Command.SEND_TRADEMARK: Message.TRADEMARK,
    Command.SEND_VERSION: Message.VERSION,
    Command.SEND_EE_MOVES: Message.EE_MOVES,
    Command.SEND_BATTERY_STATUS: Message.BATTERY_STATUS,
    Command.CLOCK_MESSAGE: Message.BWTIME,
}
_DUMP = bytes([Command.SEND_BRD])
_CLOCK = bytes([Command.SEND_CLK])
_SERIAL = bytes([Command.RETURN_SERIALNR])


class Requests:
    """One line's outgoing side: a queue, and what falls due by itself once it was greeted.

    At most one request of each reply type is under way, because replies name no request.
    """

    def __init__(self) -> None:
        self.heard_at = -math.inf
        """When the board last said something that made sense."""
        self._queue: deque[bytes] = deque()
        self._awaited: dict[int, float] = {}
        self._send_at = -math.inf
        self._greeted = False
        self._changed_at = -math.inf
        self._dump_due = math.inf
        self._dump_latest = math.inf
        self._clock_due = math.inf

    def greet(self, at: float) -> None:
        """Queue the start-up sequence."""
        self._queue = deque(bytes([command]) for command in _GREETING)
        self._awaited = {}
        self._greeted = True
        self.heard_at = at
        self._dump_due = self._dump_latest = at + DUMP_EVERY
        self._clock_due = at + CLOCK_EVERY

    def ask(self, command: bytes) -> None:
        """Queue *command* unless it is waiting to be sent already."""
        if command not in self._queue:
            self._queue.append(command)

    def missed(self, at: float) -> None:
        """Note that a dump showed what was not reported: the board may have restarted.

        While pieces are moving a dump may run ahead of the reports, and proves nothing.
        """
        if at - self._changed_at > DUMP_AFTER_CHANGE:
            self._restart_reports()

    def heard(self, message_id: int, at: float) -> None:
        """Note that a whole message came; after a silence, have reports started again."""
        if self._greeted and at - self.heard_at > SILENCE:
            self._awaited.clear()
            self._restart_reports()
        self.heard_at = at
        if message_id in self._awaited:
            del self._awaited[message_id]
        if message_id == Message.BWTIME:
            self._clock_due = at + CLOCK_EVERY

    def changed(self, at: float) -> None:
        """Note a square change: the burst it belongs to is checked when it has ended."""
        self._changed_at = at
        self._dump_due = min(at + DUMP_AFTER_CHANGE, self._dump_latest)

    def doubt(self, at: float) -> None:
        """Note that something was lost, so that the board is asked what stands on it."""
        self._dump_due = min(at + DUMP_AFTER_CHANGE, self._dump_due)

    def dumped(self, at: float) -> None:
        """Note a dump; changes that came just before it are still to be checked."""
        self._dump_latest = at + DUMP_EVERY
        after_change = self._changed_at + DUMP_AFTER_CHANGE
        self._dump_due = after_change if after_change > at else self._dump_latest

    def next(self, at: float, busy_until: float) -> Outgoing:
        """Return the command that is due at time *at*, or when the next one may be.

        While a log arrives, until *busy_until*, the board hears nothing.
        """
        held = max(self._send_at, busy_until, self._awaited.get(Message.EE_MOVES, -math.inf))
        due, command = self._first()
        due = max(due, held)
        if due > at:
            return Outgoing(b"", due)
        if command in self._queue:
            self._queue.remove(command)
        self._sent(command, at)
        return Outgoing(command, self._send_at)

    def _restart_reports(self) -> None:
        for command in _REPORTS:
            self.ask(bytes([command]))

    def _first(self) -> tuple[float, bytes]:
        """Return what may be sent first, and when; earlier in the queue goes first."""
        wishes = [(-math.inf, command) for command in self._queue]
        if self._greeted:
            wishes += (
                (self._dump_due, _DUMP),
                (self._clock_due, _CLOCK),
                (self.heard_at + KEEP_ALIVE, _SERIAL),
            )
        free = [(max(due, self._free_at(command)), command) for due, command in wishes]
        return min(free, key=lambda wish: wish[0], default=(math.inf, b""))

    def _free_at(self, command: bytes) -> float:
        reply = _REPLIES.get(command[0])
        return -math.inf if reply is None else self._awaited.get(reply, -math.inf)

    def _sent(self, command: bytes, at: float) -> None:
        self._send_at = at + PACE
        reply = _REPLIES.get(command[0])
        if reply is not None:
            patience = LOG_PATIENCE if reply == Message.EE_MOVES else REPLY_LIMIT
            self._awaited[reply] = at + patience
