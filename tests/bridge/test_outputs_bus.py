"""Every subscriber gets every fact in order, or is told that it did not."""

import asyncio

import pytest

from bridge.core.model import Fact
from bridge.outputs.bus import Bus, Lagged, Subscription
from tests.bridge.scoresheets import timed


def facts(first: int, last: int) -> list[Fact]:
    return [timed(ply, 1000) for ply in range(first, last + 1)]


async def rest(subscription: Subscription) -> list[Fact | Lagged]:
    subscription.close()
    return [item async for item in subscription]


def test_facts_come_in_order_to_all() -> None:
    async def main() -> None:
        bus = Bus()
        subscriptions = [bus.subscribe() for _ in range(3)]
        for fact in facts(1, 5):
            bus.publish(fact)
        for subscription in subscriptions:
            assert await rest(subscription) == facts(1, 5)

    asyncio.run(main())


def test_nobody_gets_what_came_before_or_after() -> None:
    async def main() -> None:
        bus = Bus()
        bus.publish(facts(1, 1)[0])
        subscription = bus.subscribe()
        bus.publish(facts(2, 2)[0])
        subscription.close()
        subscription.close()
        bus.publish(facts(3, 3)[0])
        assert [item async for item in subscription] == facts(2, 2)

    asyncio.run(main())


def test_one_who_waits_is_woken_by_a_fact_and_by_the_end() -> None:
    async def main() -> None:
        bus = Bus()
        subscription = bus.subscribe()

        async def collect() -> list[Fact | Lagged]:
            return [item async for item in subscription]

        task = asyncio.create_task(collect())
        for fact in facts(1, 3):
            await asyncio.sleep(0)
            bus.publish(fact)
        await asyncio.sleep(0)
        subscription.close()
        assert await task == facts(1, 3)

    asyncio.run(main())


def test_a_slow_one_is_told_and_goes_on_from_there() -> None:
    async def main() -> None:
        bus = Bus()
        slow, quick = bus.subscribe(3), bus.subscribe()
        for fact in facts(1, 3):
            bus.publish(fact)
        assert not slow.lagging
        for fact in facts(4, 6):
            bus.publish(fact)
        assert slow.lagging
        assert await anext(slow) == Lagged(6)
        assert not slow.lagging
        for fact in facts(7, 8):
            bus.publish(fact)
        assert await rest(slow) == facts(7, 8)
        assert await rest(quick) == facts(1, 8)

    asyncio.run(main())


def test_memory_of_one_who_never_reads_is_bounded() -> None:
    async def main() -> None:
        bus = Bus()
        subscription = bus.subscribe(10)
        for fact in facts(1, 1000):
            bus.publish(fact)
            assert len(subscription._queue) <= 10
        assert await rest(subscription) == [Lagged(1000)]

    asyncio.run(main())


def test_the_current_state_at_the_mark_and_what_follows_are_everything() -> None:
    """What a subscriber rebuilds misses nothing and repeats nothing, whenever it is woken."""

    async def main() -> None:
        bus = Bus()
        published: list[Fact] = []
        subscription = bus.subscribe(2)
        known: list[Fact] = []

        async def follow() -> None:
            async for item in subscription:
                if isinstance(item, Lagged):
                    known[:] = published
                else:
                    known.append(item)
                    await asyncio.sleep(0)

        task = asyncio.create_task(follow())
        for number, fact in enumerate(facts(1, 200)):
            published.append(fact)
            bus.publish(fact)
            if number % 7 in (0, 3):
                await asyncio.sleep(0)
        subscription.close()
        await task
        assert known == published

    asyncio.run(main())


def test_waiting_can_be_given_up() -> None:
    async def main() -> None:
        bus = Bus()
        subscription = bus.subscribe()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await anext(subscription)
        bus.publish(facts(1, 1)[0])
        assert await rest(subscription) == facts(1, 1)

    asyncio.run(main())
