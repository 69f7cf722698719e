"""A table whose board and clock have a link each: what of either is for the table."""

from bridge.core.model import LinkChange
from bridge.links.keeper import Deliver
from drivers.events import Button, ClockAck, ClockFault, ClockReading, Event, Notice
from drivers.transports import Clock as Now

OF_A_CLOCK = ClockReading | ClockFault | ClockAck | Button


class OfBoard:
    """Passes on what is not of a clock: a board may tell of one that is not the table's."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def __call__(self, thing: Event | LinkChange) -> None:
        """Take the next event, or a change of the link."""
        if not isinstance(thing, OF_A_CLOCK):
            self._deliver(thing)


class OfClock:
    """Passes on what is of a clock, and the loss of its link as the loss of the clock.

    A link that is only silent is lost for the table as well: its times cannot be relied on. To
    the table a change of a link is one of its board, so none is passed on.
    """

    def __init__(self, deliver: Deliver, *, now: Now) -> None:
        self._deliver = deliver
        self._now = now

    def __call__(self, thing: Event | LinkChange) -> None:
        """Take the next event, or a change of the link."""
        match thing:
            case LinkChange(state="live"):
                pass
            case LinkChange(detail=detail):
                lost = f"the link to the clock is lost: {detail}"
                self._deliver(ClockFault(at=self._now(), fault="absent", detail=lost))
            case ClockReading() | ClockFault() | ClockAck() | Button() | Notice():
                self._deliver(thing)
            case _:
                pass
