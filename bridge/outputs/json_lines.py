"""Facts as JSON Lines for other programs: one line a fact, written as soon as it is told.

Who begins to read late, or too slowly, is told the games that are on from their beginning.
"""

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterable
from functools import partial
from queue import SimpleQueue
from typing import Self

import msgspec

from bridge.core.audience import Audience
from bridge.core.model import Fact
from bridge.outputs.bus import Bus, Lagged, Subscription
from bridge.outputs.lasting import lasting
from bridge.outputs.tally import Tally

LAST_WRITE_SECONDS = 5.0
"""How long the end waits for a reader that takes nothing."""

logger = logging.getLogger(__name__)


def as_line(fact: Fact) -> bytes:
    """Return *fact* as a line of JSON in UTF-8; the names are those of ``docs/names.md``."""
    return msgspec.json.encode(fact) + b"\n"


class JsonLines:
    """Writes the facts of a bus to a file descriptor, from entering to leaving.

    A reader that is slow slows nobody, one that is gone is written to no more; both are logged.
    ``current`` returns the facts that matter still of everything published until then.
    """

    def __init__(
        self, fd: int, bus: Bus, current: Callable[[], Iterable[Fact]], *, audience: Audience
    ) -> None:
        self._fd = fd
        self._bus = bus
        self._current = current
        self._audience = audience
        self._waiting: SimpleQueue[_Piece | None] = SimpleQueue()
        self._before: list[Fact] = []
        self.tally = Tally()

    async def __aenter__(self) -> Self:
        subscription = self._subscription = self._bus.subscribe(audience=self._audience)
        # A thread of its own, and none that the end of the program waits for: a reader may take
        # nothing for ever.
        threading.Thread(target=self._write_all, name="json lines", daemon=True).start()
        self._before = list(self._current())
        work = partial(self._tell, subscription)
        self._task = asyncio.create_task(lasting("standard output", work, self.tally))
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._subscription.close()
        done, _ = await asyncio.wait([self._task], timeout=LAST_WRITE_SECONDS)
        if not done:
            logger.warning("standard output: nobody takes the last facts")
            self._task.cancel()
        self._waiting.put(None)

    async def _tell(self, facts: Subscription) -> None:
        before, self._before = self._before, []
        try:
            await self._write(before)
            async for fact in facts:
                if isinstance(fact, Lagged):
                    logger.warning(
                        "standard output: read too slowly, %d facts left out", fact.missed
                    )
                    await self._write(self._current())
                else:
                    await self._write([fact])
        except OSError as error:
            logger.warning("standard output: %s; no facts are written any more", error.strerror)
            facts.close()
        except Exception:
            facts.lose()
            raise

    async def _write(self, facts: Iterable[Fact]) -> None:
        piece = _Piece(b"".join(map(as_line, facts)))
        self._waiting.put(piece)
        await piece.written

    def _write_all(self) -> None:
        """Write what waits until there is no more; runs in its own thread."""
        while (piece := self._waiting.get()) is not None:
            try:
                left = piece.data
                while left:
                    left = left[os.write(self._fd, left) :]
            except OSError as error:
                piece.done(error)
            else:
                piece.done(None)


class _Piece:
    """Whole lines to write; made on the loop that waits for it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._loop = asyncio.get_running_loop()
        self.written: asyncio.Future[None] = self._loop.create_future()

    def done(self, error: OSError | None) -> None:
        """Say from the writing thread that it is written, or why it is not."""
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(self._done, error)

    def _done(self, error: OSError | None) -> None:
        if self.written.cancelled():
            return
        if error is None:
            self.written.set_result(None)
        else:
            self.written.set_exception(error)
