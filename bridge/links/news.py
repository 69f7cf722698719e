"""What of a board's talk is news: worth a place in the journal."""

import msgspec

from bridge.core.table.senses import LEARN_AFTER, SCANS
from drivers.events import (
    Battery,
    ClockFault,
    ClockReading,
    Event,
    Identity,
    Noise,
    RawTags,
    Snapshot,
    SquareChange,
)

CONFIRMATIONS = 1
"""How often the same clock reading may be repeated: a jump of times wants to be confirmed."""

SAME_SCANS = SCANS + LEARN_AFTER
"""How often the same tags may be repeated: so many scans vote, and as many more teach."""

SCAN_EVERY = 10.0
"""Seconds after which tags that still stand are news again: by then a game may be over, and who
they are is wanted."""


class News:
    """Passes over what says nothing new; one for each opening of a link.

    Boards answer keep-alives and repeat positions and clock times for hours. Repetitions, and
    bytes that made no message, are kept by the capture files; the journal would only grow.
    """

    def __init__(self) -> None:
        self._cells = ""
        self._clock: ClockReading | ClockFault | None = None
        self._repeated = 0
        self._tags: RawTags | None = None
        self._scans = 0
        self._said: dict[str, Event] = {}

    def is_new(self, event: Event) -> bool:
        """Say whether *event* tells anything that the events before it did not."""
        match event:
            case Noise():
                return False
            case Snapshot(cells=cells) | SquareChange(cells=cells):
                new, self._cells = cells != self._cells, cells
                return new
            case ClockReading() | ClockFault():
                return self._is_new_time(event)
            case RawTags():
                return self._is_new_scan(event)
            case Identity(field=field):
                return self._differs(field, event)
            case Battery():
                return self._differs("battery", event)
            case _:
                return True

    def _is_new_time(self, event: ClockReading | ClockFault) -> bool:
        if self._clock is not None and _same(event, self._clock):
            self._repeated += 1
            return self._repeated <= CONFIRMATIONS
        self._clock, self._repeated = event, 0
        return True

    def _is_new_scan(self, scan: RawTags) -> bool:
        told = self._tags
        if told is None or told.tags != scan.tags:
            self._scans = 0
        elif self._scans >= SAME_SCANS and scan.at < told.at + SCAN_EVERY:
            return False
        self._tags = scan
        self._scans += 1
        return True

    def _differs(self, key: str, event: Event) -> bool:
        before, self._said[key] = self._said.get(key), event
        return before is None or not _same(event, before)


def _same(event: Event, other: Event) -> bool:
    """Whether two events of whatever kinds say the same, at whatever times."""
    return msgspec.structs.replace(event, at=other.at) == other
