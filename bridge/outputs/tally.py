"""What became of what an output was given."""

import time
from dataclasses import dataclass
from typing import NamedTuple

_BROKEN = "ended by a mistake of ours, see the log"


@dataclass
class Tally:
    """Counts since the start, and what is wrong now.

    ``delivered``: files written, messages or pushes taken. ``failed``: attempts that did not work.
    ``trouble`` says in words why nothing can be delivered now; it is empty while all is well.
    ``last`` is when something was delivered (Unix time).
    """

    delivered: int = 0
    failed: int = 0
    trouble: str = ""
    last: float | None = None

    def works(self, count: int = 1) -> None:
        """Count what was delivered; whatever was wrong is over, unless it was the end."""
        self.delivered += count
        if count:
            self.last = time.time()
        if self.trouble != _BROKEN:
            self.trouble = ""

    def fails(self, why: object) -> None:
        """Count an attempt that did not work."""
        self.failed += 1
        self.trouble = str(why)

    def breaks(self) -> None:
        """Note that a mistake of ours ended the output."""
        self.trouble = _BROKEN


class Report(NamedTuple):
    """How one output does; ``waiting`` counts what is not delivered yet, ``last`` is Unix time."""

    name: str
    delivered: int
    failed: int
    waiting: int
    trouble: str
    last: float | None = None


def report(name: str, tally: Tally, *, waiting: int) -> Report:
    """Return how the output *name* does now."""
    return Report(name, tally.delivered, tally.failed, waiting, tally.trouble, tally.last)
