"""Orders on their way through the journal, until the table says what came of them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from bridge.core.model import Fact, Ruling, RulingMade, RulingRefused

PATIENCE = 10.0
"""Seconds after which it is said that the journal does not write."""
LINK = "arbiter"
"""The link under which orders stand in the journal."""


@dataclass(eq=False)
class Outcome:
    """What a table said of an order; ``facts`` are those that follow from it."""

    verdict: RulingMade | RulingRefused
    facts: list[Fact] = field(default_factory=list)


class Orders:
    """Delivers orders and waits for what comes of them.

    *deliver* takes a table, a link and the order into the journal.
    """

    def __init__(self, deliver: Callable[[str, str, Ruling], None]) -> None:
        self._deliver = deliver
        self._waiting: list[tuple[Ruling, asyncio.Future[Outcome]]] = []
        self._told: Outcome | None = None

    async def give(self, table: str, ruling: Ruling) -> Outcome:
        """Deliver an order and return what came of it.

        Raises:
            TimeoutError: nothing did yet, as the disk does not write; it is not forgotten.
        """
        told: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        entry = ruling, told
        self._waiting.append(entry)
        try:
            self._deliver(table, LINK, ruling)
            async with asyncio.timeout(PATIENCE):
                return await told
        finally:
            self._waiting.remove(entry)

    def tell(self, fact: Fact) -> None:
        """Take the next fact of the hall; what an order leads to is told together with it."""
        if isinstance(fact, RulingMade | RulingRefused):
            self._begin(fact)
        elif self._told is not None and fact.table == self._told.verdict.table:
            self._told.facts.append(fact)

    def _begin(self, fact: RulingMade | RulingRefused) -> None:
        for ruling, told in self._waiting:
            if ruling is fact.ruling and not told.done():
                outcome = self._told = Outcome(fact)
                asyncio.get_running_loop().call_soon(self._end, outcome, told)
                return

    def _end(self, outcome: Outcome, told: "asyncio.Future[Outcome]") -> None:
        if self._told is outcome:
            self._told = None
        if not told.done():
            told.set_result(outcome)
