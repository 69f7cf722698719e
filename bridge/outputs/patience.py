"""How long outputs wait: for a receiver that takes nothing, and for their own end."""

import asyncio
import contextlib
import random
from dataclasses import dataclass

LOOK = 0.05
"""How soon who may not send asks again."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """Seconds: between tries, doubling from the first to the longest, and for what is left."""

    first: float = 2.0
    longest: float = 300.0
    at_end: float = 10.0

    def after(self, failures: int) -> float:
        """Return how long to wait after so many failures in a row."""
        return seconds_to_wait(failures, first=self.first, longest=self.longest)


def seconds_to_wait(failures: int, *, first: float, longest: float) -> float:
    """Return how long to wait after so many failures in a row, at least one.

    Doubles from *first* to *longest*, then up to a quarter is taken off at random: many senders
    that lost the same server do not come back in the same second.
    """
    wait = min(longest, first * 2.0 ** min(failures - 1, 30))
    return wait * random.uniform(0.75, 1.0)  # noqa: S311 - no secret


async def rest(seconds: float, ended: asyncio.Event) -> None:
    """Return after so many *seconds*, or as soon as somebody *ended* it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await ended.wait()
