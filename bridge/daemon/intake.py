"""What comes in becomes readings: numbered, timed, and durable before anything is made of it."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count

from bridge.core.model import Payload, Reading, Said
from bridge.store.journal import Journal

TURN = 0.02
"""Seconds for which readings are acted on without a pause."""


class Intake:
    """Numbers what comes and makes it durable. All of it belongs to one event loop.

    Args:
        journal: where readings are made durable.
        now: journal time.
    """

    def __init__(self, journal: Journal, now: Callable[[], float]) -> None:
        self._journal = journal
        self._now = now
        self._seqs: dict[str, count[int]] = {}
        self._latest: dict[str, float] = {}
        self._durable: deque[Callable[[], None]] = deque()

    def reading(self, table: str, link: str, payload: Payload) -> Reading:
        """Return *payload* as the next reading of its link."""
        numbers = self._seqs.get(link)
        if numbers is None:
            numbers = self._seqs[link] = count(self._journal.last_seq(link) + 1)
        return Reading(
            table=table,
            link=link,
            seq=next(numbers),
            at=self._came(table, payload),
            wall=time.time(),
            payload=payload,
        )

    def _came(self, table: str, payload: Payload) -> float:
        """Return when *payload* came: what a line brought may have waited for its turn since."""
        now = self._now()
        came = now if isinstance(payload, Said) else min(now, payload.at)
        came = self._latest[table] = max(came, self._latest.get(table, came))
        return came

    def after_write(self, readings: Sequence[Reading], act: Callable[[], None]) -> None:
        """Have *act* called on the loop when *readings*, and all before them, are durable."""
        loop = asyncio.get_running_loop()
        self._journal.submit(readings, partial(self._is_durable, loop, act))

    def _is_durable(self, loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
        """Have *act* called on the loop; called from the writing thread.

        Many become durable together, and each waking of the loop costs both threads dearly: only
        the first wakes it.
        """
        self._durable.append(act)
        if len(self._durable) == 1:
            loop.call_soon_threadsafe(self._act)

    def _act(self) -> None:
        """Act for a while, and let all others have their turn before going on.

        After a slow write there may be hundreds, each with a search for moves. Half of what waits
        is acted on in any case: else it would become ever more where the others take long. What
        is being acted on stays in the queue, so that what comes meanwhile does not wake the loop
        for a turn before that of the others.
        """
        least, ends = len(self._durable) // 2, time.perf_counter() + TURN
        try:
            while self._durable:
                try:
                    self._durable[0]()
                finally:
                    self._durable.popleft()
                least -= 1
                if least <= 0 and time.perf_counter() >= ends:
                    break
        finally:  # what came meanwhile found others waiting, and has woken nobody
            if self._durable:
                asyncio.get_running_loop().call_soon(self._act)
