"""What became of what an output was given."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_BROKEN = "stopped by a mistake of ours, see the log; it begins again soon"


@dataclass
class Tally:
    """Counts since the start, and what is wrong now.

    ``delivered``: files written, messages or pushes taken. ``failed``: attempts that did not work.
    ``last`` is when something was delivered (Unix time).
    """

    delivered: int = 0
    failed: int = 0
    last: float | None = None
    _trouble: str = ""
    _broken: int = 0

    @property
    def trouble(self) -> str:
        """Why nothing can be delivered now, in words; empty while all is well."""
        return _BROKEN if self._broken else self._trouble

    def works(self, count: int = 1) -> None:
        """Count what was delivered; whatever was wrong is over, but a mistake of ours."""
        self.delivered += count
        if count:
            self.last = time.time()
        self._trouble = ""

    def fails(self, why: object) -> None:
        """Count an attempt that did not work."""
        self.failed += 1
        self._trouble = str(why)

    @contextlib.contextmanager
    def broken(self) -> Iterator[None]:
        """Tell until left that a mistake of ours has ended a part of the output."""
        self.failed += 1
        self._broken += 1
        try:
            yield
        finally:
            self._broken -= 1


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


def mistakes(name: str, tally: Tally) -> list[Report]:
    """Return how an output does of which nothing is counted but mistakes of ours."""
    return [report(name, tally, waiting=0)] if tally.failed else []
