"""What the outputs with the same delay are told: a bus and scoresheets behind one gate.

Only what their audience may see goes in. It belongs to one event loop.
"""

import asyncio
import logging
import math
from collections.abc import Callable, Iterable
from typing import Self

from bridge.config.delays import Delay
from bridge.core.audience import Audience, for_audience
from bridge.core.model import Fact
from bridge.core.scoresheet.record import Scorebook, ScoresheetError
from bridge.outputs.bus import Bus
from bridge.outputs.delay import Gate
from bridge.outputs.overview import Overview, TableView

logger = logging.getLogger(__name__)


class Feed:
    """Publishes facts on ``bus`` when the delay has passed; all are in ``book`` then.

    ``overview`` has the latest of the *tables* that were named. Whoever *hears* is told too,
    at once.

    What is still held back on leaving is let through by the next run, which folds the same facts.
    """

    def __init__(
        self,
        delay: Delay,
        now: Callable[[], float],
        *,
        audience: Audience = "public",
        tables: Iterable[str] = (),
        hears: Iterable[Callable[[Fact], None]] = (),
    ) -> None:
        """Delay by journal time, which *now* tells."""
        self.bus, self.book = Bus(), Scorebook()
        self.overview = Overview(TableView(table) for table in tables)
        self._hears = tuple(hears)
        self._audience = audience
        self._gate = Gate(delay)
        self._now = now
        self._timer: asyncio.TimerHandle | None = None
        self._wake_at = math.inf

    async def __aenter__(self) -> Self:
        self._let_through()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._wake_at = math.inf
        self._set_timer()

    def tell(self, fact: Fact) -> None:
        """Take a fact of the hall, in order, or of the journal; never waits, never fails."""
        shown = for_audience(fact, self._audience)
        if shown is None:
            return
        for each in self._gate.put(shown):
            self._publish(each)
        self._wait_until(self._gate.wake_of(fact.table))

    def _let_through(self) -> None:
        for fact in self._gate.due(self._now()):
            self._publish(fact)
        self._wake_at = math.inf
        self._wait_until(self._gate.wake_at)

    def _publish(self, fact: Fact) -> None:
        try:
            self.book.apply(fact)
        except ScoresheetError:
            # A mistake of ours at one table is no reason to leave the others behind.
            logger.exception("a fact was passed over")
        self.overview.apply(fact)
        for hear in self._hears:
            hear(fact)
        self.bus.publish(fact)

    def _wait_until(self, wake_at: float) -> None:
        if wake_at < self._wake_at:
            self._wake_at = wake_at
            self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._wake_at < math.inf:
            delay = max(0.0, self._wake_at - self._now())
            self._timer = asyncio.get_running_loop().call_later(delay, self._let_through)
