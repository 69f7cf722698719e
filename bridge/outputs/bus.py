"""The bus between the tables and the outputs: a slow output never slows a table.

All of it belongs to one event loop; nothing here may be called from another thread.
"""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Self

from bridge.core.audience import Audience, for_audience
from bridge.core.model import Fact

QUEUE_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Lagged:
    """The subscriber was too slow and missed ``missed`` facts: what it knows is out of date.

    It has to take the current state at once, before it awaits anything; facts that follow are
    what happened after that.
    """

    missed: int


class Subscription:
    """The facts published since it was made; iterate over it.

    The iteration ends after :meth:`close`, when what was queued has been taken.
    """

    def __init__(self, bus: "Bus", maxsize: int, audience: Audience) -> None:
        self._bus = bus
        self._audience = audience
        self._maxsize = maxsize
        self._queue: deque[Fact] = deque()
        self._missed = 0
        self._ready = asyncio.Event()
        self._closed = False

    @property
    def lagging(self) -> bool:
        """Whether facts were lost and the subscriber does not know it yet."""
        return self._missed > 0

    @property
    def waiting(self) -> bool:
        """Whether the next fact comes at once, so that what follows from this one may wait."""
        return bool(self._queue)

    def close(self) -> None:
        """Take no more facts from the bus."""
        self._bus.leave(self)
        self._closed = True
        self._ready.set()

    def lose(self) -> None:
        """Forget what waits and what was taken last: the subscriber could not take it.

        It begins with the current state, as if it had been too slow.
        """
        self._missed += len(self._queue) + 1
        self._queue.clear()
        self._ready.set()

    def put(self, fact: Fact) -> None:
        """Queue what its audience may see; without room, forget all and say so instead."""
        shown = for_audience(fact, self._audience)
        if shown is None:
            return
        if self._missed:
            self._missed += 1
            return
        if len(self._queue) >= self._maxsize:
            self._missed = len(self._queue) + 1
            self._queue.clear()
        else:
            self._queue.append(shown)
        self._ready.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Fact | Lagged:
        # Whoever is woken takes from the queue itself: nothing can be published between taking
        # the mark and the subscriber's next step, so the current state misses and repeats nothing.
        while True:
            if self._missed:
                lagged, self._missed = Lagged(self._missed), 0
                return lagged
            if self._queue:
                return self._queue.popleft()
            if self._closed:
                raise StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()


class Bus:
    """Hands facts to all subscribers who may see them, in the order of publication."""

    def __init__(self) -> None:
        self._subscriptions: list[Subscription] = []

    def subscribe(
        self, maxsize: int = QUEUE_SIZE, *, audience: Audience = "public"
    ) -> Subscription:
        """Return the facts from now on that *audience* may see; at most ``maxsize`` wait."""
        subscription = Subscription(self, maxsize, audience)
        self._subscriptions.append(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Hand a subscription no more facts; one that has left may leave again."""
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)

    def publish(self, fact: Fact) -> None:
        """Hand out a fact; never waits, never fails."""
        for subscription in self._subscriptions:
            subscription.put(fact)
