"""Whose turn it is with Bluetooth adapters: at once where possible, in order, and filled alike."""

import asyncio
import contextlib
from collections.abc import Collection

import pytest

from drivers.transports.turns import Adapter, ScanNotWantedError, Turns

BOTH = ("hci0", "hci1")


async def settled() -> None:
    """Let all tasks go as far as they can."""
    for _ in range(5):
        await asyncio.sleep(0)


class Scan:
    """Scans with an adapter whenever nobody wants to connect with it."""

    def __init__(self, turns: Turns, name: str) -> None:
        self.begun = 0
        self._turns = turns
        self._name = name
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        with contextlib.suppress(ScanNotWantedError):
            while True:
                adapter = await self._turns.take({self._name}, scans=True)
                self.begun += 1
                await adapter.give_way.wait()
                self._turns.give_back(adapter)


async def taken(turns: Turns, *names: str) -> Adapter:
    async with asyncio.timeout(5):
        return await turns.take(names)


def waiting(turns: Turns, names: Collection[str]) -> "asyncio.Task[Adapter]":
    return asyncio.create_task(turns.take(names))


def test_two_adapters_serve_two_at_once_and_the_third_the_first_that_is_free() -> None:
    async def test() -> None:
        turns = Turns()
        one, two = await taken(turns, *BOTH), await taken(turns, *BOTH)
        assert {one.name, two.name} == set(BOTH)
        third, fourth = waiting(turns, BOTH), waiting(turns, {one.name})
        await settled()
        assert not third.done()
        turns.give_back(two)
        assert (await third) is two
        turns.give_back(one)
        assert (await fourth) is one

    asyncio.run(test())


def test_first_come_first_served() -> None:
    async def test() -> None:
        turns = Turns()
        has = await taken(turns, "hci0")
        order: list[int] = []

        async def wait(number: int) -> None:
            adapter = await turns.take({"hci0"})
            order.append(number)
            turns.give_back(adapter)

        tasks = [asyncio.create_task(wait(number)) for number in range(4)]
        await settled()
        turns.give_back(has)
        await asyncio.gather(*tasks)
        assert order == [0, 1, 2, 3]

    asyncio.run(test())


def test_scans_give_way_to_as_many_as_want_to_connect() -> None:
    async def test() -> None:
        turns = Turns()
        scans = {name: Scan(turns, name) for name in BOTH}
        await settled()
        one = await taken(turns, *BOTH)
        other = next(name for name in BOTH if name != one.name)
        await settled()
        assert (scans[one.name].begun, scans[other].begun) == (1, 1), "the other one goes on"
        two = await taken(turns, *BOTH)
        assert two.name == other
        turns.give_back(one)
        await settled()
        assert (scans[one.name].begun, scans[other].begun) == (2, 1)
        for scan in scans.values():
            scan.task.cancel()

    asyncio.run(test())


def test_a_scan_waits_behind_those_who_were_there_before() -> None:
    async def test() -> None:
        turns = Turns()
        has = await taken(turns, "hci0")
        before = waiting(turns, {"hci0"})
        await settled()
        scan = Scan(turns, "hci0")
        await settled()
        after = waiting(turns, {"hci0"})
        await settled()
        assert turns.is_wanted("hci0")
        turns.give_back(has)
        turns.give_back(await before)
        await settled()
        assert scan.begun == 1, "and is asked to end at once"
        turns.give_back(await after)
        scan.task.cancel()
        assert not turns.is_wanted("hci0")

    asyncio.run(test())


def test_the_adapter_with_fewer_boards_is_taken() -> None:
    async def test() -> None:
        turns = Turns()
        turns.adapter("hci0").links = 2
        turns.adapter("hci1").links = 1
        adapter = await taken(turns, *BOTH)
        assert adapter.name == "hci1"
        turns.give_back(adapter)
        scans = [Scan(turns, name) for name in BOTH]
        await settled()
        assert (await taken(turns, *BOTH)).name == "hci1"
        for scan in scans:
            scan.task.cancel()

    asyncio.run(test())


@pytest.mark.parametrize(
    ("links", "scans", "heard", "easier"),
    [
        ((1, 0), True, {"hci0"}, True),
        ((1, 1), True, {"hci0"}, False),
        ((1, 0), False, {"hci0"}, False),
        ((1, 0), True, {"hci0", "hci1"}, False),
        ((0, 1), True, {"hci0"}, False),
    ],
    ids=["fewer boards", "as many", "connects now", "hears it already", "more boards"],
)
def test_whether_to_wait_for_another_adapter(
    links: tuple[int, int], scans: bool, heard: set[str], easier: bool
) -> None:
    turns = Turns()
    for name, number in zip(BOTH, links, strict=True):
        turns.adapter(name).links = number
        turns.adapter(name).scans = scans
    assert turns.is_easier(heard) is easier


def test_an_adapter_that_hears_a_board_later_may_serve_it() -> None:
    async def test() -> None:
        turns = Turns()
        await taken(turns, "hci0")
        heard = {"hci0": 1}
        task = waiting(turns, heard.keys())
        await settled()
        assert not task.done()
        heard["hci1"] = 2
        turns.hand_out()
        assert (await task).name == "hci1"

    asyncio.run(test())


def test_whoever_gives_up_holds_nobody_up() -> None:
    async def test() -> None:
        turns = Turns()
        has = await taken(turns, "hci0")
        gives_up, granted, last = (waiting(turns, {"hci0"}) for _ in range(3))
        await settled()
        gives_up.cancel()
        turns.give_back(has)  # before the one that was cancelled could leave the queue
        granted.cancel()  # and before the one that was granted it could begin
        await asyncio.wait({gives_up, granted})
        assert gives_up.cancelled()
        assert granted.cancelled()
        assert (await last) is has

    asyncio.run(test())


def test_a_scan_that_waits_is_sent_away_when_nobody_listens_any_more() -> None:
    async def test() -> None:
        turns = Turns()
        has = await taken(turns, "hci0")
        scan = Scan(turns, "hci0")
        given_up = asyncio.create_task(turns.take({"hci0"}, scans=True))
        await settled()
        turns.end_scans()
        given_up.cancel()  # before it could hear that it is sent away
        await asyncio.wait({given_up})
        await scan.task
        assert scan.begun == 0
        turns.give_back(has)
        assert await taken(turns, "hci0") is has

    asyncio.run(test())


def test_a_scan_that_nobody_waits_for_any_more_is_let_go_on() -> None:
    async def test() -> None:
        turns = Turns()
        scan = Scan(turns, "hci0")
        await settled()
        task = waiting(turns, {"hci0"})
        await asyncio.sleep(0)
        task.cancel()
        await settled()
        assert turns.adapter("hci0").scans
        assert scan.begun in {1, 2}
        turns.end_scans()
        scan.task.cancel()
        await asyncio.wait({scan.task})

    asyncio.run(test())
