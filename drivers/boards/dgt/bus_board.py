"""What one board of a row has said, and what its answers mean.

A board keeps what happened on it until it is asked: a stream of tags that each request for
changes empties. A position or a clock time that is asked for before the changes is understood
together with them, when they have come. So it is known which moves were made before a press,
although all of it comes at once. It is told one thing after another, as it may have happened, and
never with a time that has passed: who hears of it may have drawn conclusions since.

A board writes a press down at once, and what stands on a square when it comes to it, up to a scan
(0.2 s) later. So a press may stand before changes that were made before it. See :class:`LatePress`.
"""

import math
from collections import deque
from itertools import chain, repeat, zip_longest

from msgspec.structs import replace

from drivers.boards.dgt.bus_framing import Reply
from drivers.boards.dgt.bus_presses import LatePress
from drivers.boards.dgt.clock import Clock
from drivers.boards.dgt.log import SquareTag, TimeTag, read_changes, read_log
from drivers.boards.dgt.protocol import LOG_LENGTH, BusMessage, Message, Tag
from drivers.boards.dgt.squares import Squares, missed
from drivers.events import BoardLog, ClockReading, Event, Identity, Notice

KEEP_ALIVE = 2.0
"""Seconds after which an answer that tells nothing new is told all the same."""

DUMP_EVERY = 30.0
"""Seconds between two positions on average: each keeps the line busy for 77 ms, so boards with
different addresses are asked after different times and not all at once."""

CLOCK_EVERY = 3.0

CLOCK_LAG = 1.5
"""Seconds for which clock times may still be those from before a press: the vendor header says
that they lag the display by up to one."""

QUICK_GAP = 0.03
GAP = 0.15
PRESS_GAP = 0.05
"""Seconds that lie at least between what comes together: before a change that the board marks as
quick, before any other, before a press of the clock."""

MOST_UNTOLD = 4000
"""Events that wait to be told, at most: a whole ring has not as many changes."""

_Tag = SquareTag | TimeTag | Tag

_RESTARTS = (Tag.POWERUP, Tag.WATCHDOG_ACTION)


class BusBoard:
    """One board of the row: its squares, its clock, and when it is to be asked for what.

    ``wants_version`` until it has told, ``dump_due`` and ``clock_due`` are times.
    """

    def __init__(self, address: int) -> None:
        self.address = address
        self.unit = str(address)
        self.wants_version = True
        self.dump_due = -math.inf
        self.clock_due = -math.inf
        self._squares = Squares(checked=True)
        self._known = False
        self._clock = Clock()
        self._reading: ClockReading | None = None
        self._pressed_at = -math.inf
        self._packet = b""
        self._unread = bytearray()
        self._dump = b""
        self._times = b""
        self._said_at = -math.inf
        self._untold: deque[tuple[float, Event]] = deque()
        self._told_at = -math.inf
        self._press = LatePress()

    def doubt(self) -> None:
        """Note that something may have been lost, so that the board is asked what it shows."""
        self.dump_due = -math.inf

    @property
    def waits(self) -> bool:
        """Whether something is to be told as soon as possible: a press may wait for a visit."""
        return bool(self._untold) and not self._press.is_held(self._untold[0][1])

    def told(self, at: float) -> list[Event]:
        """Return what is to be told by time *at*, in order; earlier where too much waits."""
        events: list[Event] = []
        while self._untold and (self._is_due(at) or len(self._untold) > MOST_UNTOLD):
            events.append(replace(self._untold.popleft()[1], at=at, unit=self.unit))
            self._told_at = at
        return events

    def _is_due(self, at: float) -> bool:
        gap, event = self._untold[0]
        return self._told_at + gap <= at and not self._press.holds(event, at)

    def take(self, reply: Reply, at: float) -> None:
        """Take a reply of this board; what follows from it is to be told."""
        match reply.kind:
            case BusMessage.UPDATE:
                events = self._changes(reply.data, at)
            case BusMessage.BRD_DUMP:
                self._dump, events = reply.data, []
            case BusMessage.BWTIME:
                self._times, events = reply.data, []
            case BusMessage.VERSION:
                events = self._version(reply.data, at)
            case BusMessage.FROM_START:
                events = _log(reply.data, at)
            case BusMessage.BRD_DUMP_50B:
                text = "a draughts position came: is the board set to draughts?"
                events = [Notice(at=at, text=text)]
            case _:
                events = []
        if not events and not self._untold and at - self._said_at >= KEEP_ALIVE:
            events = [Identity(at=at, field="bus_address", value=self.unit)]
        if events:
            self._said_at = at
        self._untold += [(0.0, event) for event in events]

    def _version(self, data: bytes, at: float) -> list[Event]:
        """Boards up to version 1.2 answer without a number."""
        self.wants_version = False
        value = f"{data[0]}.{data[1]}" if data else "1.2 or older"
        return [Identity(at=at, field="version", value=value)]

    # -- changes -----------------------------------------------------------------------------------

    def _changes(self, data: bytes, at: float) -> list[Event]:
        """Take a packet of changes, which closes what was asked before it.

        A packet is asked for again when its answer was lost. Where the request was what got
        lost, the packet before comes once more: an equal one is never news, since no two moves
        are the same without a third between them.
        """
        touched: dict[int, int] = {}
        self._press.visited(at)
        if data != self._packet:
            self._packet = data
            touched = self._read(data, at)
        events: list[Event] = []
        if self._dump:
            events += self._position(touched, at)
        if self._times:
            events += self._clock_times(at)
        return events

    def _read(self, data: bytes, at: float) -> dict[int, int]:
        """Have the tags of *data* told; return the last code of each square in them."""
        touched: dict[int, int] = {}
        tags = [*read_changes(data)]
        for tag, following in zip_longest(tags, tags[1:]):
            events: list[Event] = []
            match tag:
                case SquareTag(index, code):
                    touched[index] = code
                    if self._known:
                        before = self._squares.cells
                        events = self._squares.change(index, code, at, said=data)
                        behind = following if isinstance(following, SquareTag) else None
                        if self._press.is_before(tag, before, self._squares.cells, behind):
                            self._tell_before_press(tag, events)
                            continue
                case TimeTag():
                    events = self._pressed(tag, at)
                    self._press.pressed(events, at)
                case Tag.START_TAG:
                    self.doubt()
                case word if word in _RESTARTS:
                    events = self._restarted(at)
                case _:
                    pass
            gaps = chain([_gap(tag)], repeat(0.0))
            self._untold += zip(gaps, events, strict=False)
        if not self._known:
            self._keep(data)
        return touched

    def _tell_before_press(self, tag: SquareTag, events: list[Event]) -> None:
        """Tell of a square that was read late where it belongs, unless the press is told."""
        entries = list(zip(chain([_gap(tag)], repeat(0.0)), events, strict=False))
        places = [n for n, (_, event) in enumerate(self._untold) if self._press.is_press(event)]
        where = places[-1] if places else len(self._untold)
        for place, entry in enumerate(entries, where):
            self._untold.insert(place, entry)

    def _keep(self, data: bytes) -> None:
        """Keep what was changed before it was known what stands on the board."""
        self._unread += data
        del self._unread[: max(0, len(self._unread) - LOG_LENGTH)]
        self.doubt()

    def _restarted(self, at: float) -> list[Event]:
        """After a start the board reports every man it finds, but no square that is empty."""
        before, self._known = self._known, False
        return [Notice(at=at, text=f"board {self.unit} was started anew")] if before else []

    # -- position ----------------------------------------------------------------------------------

    def _position(self, touched: dict[int, int], at: float) -> list[Event]:
        """Compare a dump with what was told; squares *touched* since may differ from it."""
        codes = bytearray(self._dump)
        for index, code in touched.items():
            codes[index] = code
        events, contradicted = self._squares.dump(bytes(codes), at, said=self._dump)
        if not self._known:
            events[:0] = _log(self._unread, at)
        elif contradicted:
            events.append(missed(contradicted, at))
        self._known = True
        self._dump = b""
        self._unread.clear()
        self.dump_due = at + DUMP_EVERY * (0.5 + self.address % 16 / 16)
        return events

    # -- clock -------------------------------------------------------------------------------------

    def _pressed(self, tag: TimeTag, at: float) -> list[Event]:
        """Make a reading of the time of the side that has just stopped.

        What the other side shows has not changed since it stopped itself.
        """
        self._pressed_at = at
        self.clock_due = at + CLOCK_LAG
        if self._reading is None:
            return []
        shown = {f"{tag.side}_ms": tag.left_ms}
        turn = "right" if tag.side == "left" else "left"
        self._reading = replace(self._reading, at=at, running=True, turn=turn, **shown)
        return [self._reading]

    def _clock_times(self, at: float) -> list[Event]:
        frame, self._times = self._times, b""
        events = self._clock.decode(bytes([Message.BWTIME, 0, 10]) + frame, at)
        self.clock_due = at + CLOCK_EVERY
        for event in events:
            if isinstance(event, ClockReading):
                if self._is_late(event, at):
                    return []
                self._reading = event
        return events

    def _is_late(self, reading: ClockReading, at: float) -> bool:
        """Whether these may be times from before the last press."""
        last = self._reading
        soon = at - self._pressed_at < CLOCK_LAG
        return soon and last is not None and reading.turn != last.turn


def _gap(tag: _Tag) -> float:
    match tag:
        case SquareTag(quick=quick):
            return QUICK_GAP if quick else GAP
        case _:
            return PRESS_GAP


def _log(payload: bytes | bytearray, at: float) -> list[Event]:
    """Return what a board has kept, where it is anything; the checksum says that it is whole."""
    entries, _ = read_log(bytes(payload))
    return [BoardLog(at=at, entries=entries, complete=True)] if entries else []
