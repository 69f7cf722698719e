"""The codec of a row of DGT boards on one serial line, in bus mode."""

import math

from drivers.boards.dgt.bus_framing import (
    HIGHEST_ADDRESS,
    LONGEST_REPLY,
    BusFramer,
    Stray,
)
from drivers.boards.dgt.bus_rounds import Rounds
from drivers.codec import Codec, DriverInfo, Fingerprint, LineSettings, Outgoing
from drivers.errors import OptionError
from drivers.events import Event, Noise, Notice

STRAY_EVERY = 60.0
"""Seconds after which it is told once more that a board is not in bus mode."""


class DgtBus(Codec):
    """A row of DGT boards that share one serial line; ``unit`` is a board's bus address.

    Boards keep what happens on them until they are asked, so nothing is lost while others
    are asked or a board cannot be reached. *units* are the addresses to look for, apart by
    spaces; without any, every board that is found is followed. What is known of the boards
    outlives an opening of the line: it is greeted anew.

    Protocol facts: the vendor header of 2015, a working host driver, and what LiveChess was
    seen to send.
    """

    info = DriverInfo(
        name="dgt_bus",
        title="DGT boards in a row (serial bus)",
        transports=("serial", "tcp"),
        line=LineSettings(baud=9600),
        fingerprint=Fingerprint(usb_ids=((0x0403, 0x6001),)),
        sensing="identity",
        has_clock=True,
        longest_message=LONGEST_REPLY,
        silence_limit=6.0,
        evidence="two sources",
        tested=("games in a row",),
        sources="vendor header dgtbrd13 (2015); a host driver for rows by G. Michon (2011)",
        shared=True,
    )

    def __init__(self, units: str = "") -> None:
        """Look for the boards *units*.

        Raises:
            OptionError: an address that no board can have; the message says what to write.
        """
        self._framer = BusFramer()
        self._rounds = Rounds(map(_address, units.split()))
        self._stray_told_at = -math.inf

    @property
    def buffered(self) -> int:
        """Bytes held back because their reply is not complete."""
        return len(self._framer)

    def greet(self, *, at: float) -> None:
        """Begin anew: ask the boards that are known at once, and look for others after them."""
        self._framer = BusFramer()
        self._rounds.greet(at)

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        """Take *data* that came at time *at* and return what it completes. Never raises.

        That a board does not answer is told as soon as another one says something.
        """
        events = self._rounds.news() + self._rounds.told(at)
        for piece in self._framer.feed(data, at):
            match piece:
                case Noise():
                    events.append(piece)
                    self._rounds.damaged(at)
                case Stray(frame):
                    events += self._stray(frame, at)
                    self._rounds.damaged(at)
                case reply:
                    events += self._rounds.answered(reply, at) + self._rounds.told(at)
        if len(self._framer):
            self._rounds.arriving(at)
        return events

    def poll(self, *, at: float) -> Outgoing:
        """Return what is due to be sent at time *at*, and when to ask again. Poll after input."""
        return self._rounds.next(at)

    def _stray(self, frame: bytes, at: float) -> list[Event]:
        why = "a message of a board that is not in bus mode"
        events: list[Event] = [Noise(at=at, data=frame.hex(" "), why=why)]
        if at - self._stray_told_at >= STRAY_EVERY:
            self._stray_told_at = at
            text = "a board on this line had left bus mode: does another program send to it?"
            events.append(Notice(at=at, text=text))
        return events


def _address(unit: str) -> int:
    """Return the bus address that *unit* names; one board has one spelling."""
    if not unit.isascii() or not unit.isdecimal() or str(int(unit)) != unit:
        digits = unit.lstrip("0")
        hint = f", such as {digits}" if digits.isascii() and digits.isdecimal() else ""
        raise OptionError(f"a bus address is a number without zeros in front{hint}")
    if not 0 < int(unit) <= HIGHEST_ADDRESS:
        raise OptionError(f"bus addresses go from 1 to {HIGHEST_ADDRESS}")
    return int(unit)
