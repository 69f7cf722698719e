"""What is known of a line since it was opened, and what its silence means by now."""

from dataclasses import dataclass, field
from typing import Literal

from drivers.codec import Codec, DriverInfo
from drivers.events import Event

GARBAGE_PATIENCE = 3.0
"""Seconds of noise after opening from which on it is said that this is no such board."""

WATCHDOG = 3
"""Silence limits after which a line that still looks open is opened anew."""


def stranger(info: DriverInfo) -> str:
    """Say that what answers is no board of this driver."""
    board = info.title.partition(",")[0]
    return f"answers, but not as a {board}: wrong baud or another device"


@dataclass
class Opening:
    """One opening of a line.

    ``heard``: when it last said something valid, or was opened. ``proven``: it ever did.
    ``noisy``: bytes came since that made no message. ``known``: it is the board that is wanted;
    what it said before that is ``held``. ``remark``: what the codec found to be said of a board
    that has proven nothing yet. ``battery``: what was told of that last, and ``by_itself``: by a
    message of the board.
    """

    codec: Codec
    opened: float
    heard: float
    known: bool
    proven: bool = False
    noisy: bool = False
    held: list[Event] = field(default_factory=list)
    remark: str = ""
    battery: int | None = None
    by_itself: bool = False

    def silence(self, now: float) -> Literal["usual", "doubtful", "over"]:
        """Return what it means that nothing valid was said until *now*."""
        quiet, limit = now - self.heard, self.codec.info.silence_limit
        if quiet >= WATCHDOG * limit:
            return "over"
        garbage = self.noisy and not self.proven and quiet >= GARBAGE_PATIENCE
        return "doubtful" if garbage or quiet >= limit else "usual"

    def means_more_at(self, now: float) -> float:
        """Return when the silence will mean something else than *now*."""
        limit = self.codec.info.silence_limit
        marks = (GARBAGE_PATIENCE, limit, WATCHDOG * limit)
        return self.heard + min(mark for mark in marks if mark > now - self.heard)

    @property
    def diagnosis(self) -> str:
        """Why nothing valid is heard, for people."""
        info = self.codec.info
        if self.remark and not self.proven:
            return self.remark
        if self.noisy:
            return stranger(info)
        if self.proven:
            return f"has said nothing valid for {info.silence_limit:g} s"
        return "the port is open, but nothing answers: is the board switched on?"
