"""What stands behind the gate: a bus and scoresheets that know no more than the public."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from bridge.config import NO_DELAY, Delay
from bridge.core.model import AlertRaised, DrawOffered, Fact, LinkChanged
from bridge.outputs.bus import Lagged
from bridge.outputs.feed import Feed
from tests.bridge.scoresheets import WALL, line, timed

PATIENCE = 20
SHORT = Delay(minutes=0.002)
WHERE: dict[str, Any] = {"table": "1", "game": 1, "at": 1.0, "wall": WALL, "evidence": (1, 1)}


def sans(feed: Feed) -> list[str]:
    return [ply.san for record in feed.book.records() for ply in record.plies]


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - a timer makes it true
            await asyncio.sleep(0.005)


def test_facts_come_out_when_the_time_has_passed() -> None:
    async def main() -> None:
        began = time.monotonic()
        feed = Feed(SHORT, lambda: time.monotonic() - began)
        async with feed:
            heard = feed.bus.subscribe()
            facts = [msgspec.structs.replace(fact, at=0.0) for fact in line("e4 e5")]
            for fact in facts:
                feed.tell(fact)
            assert sans(feed) == []
            await until(lambda: sans(feed) == ["e4", "e5"])
            assert time.monotonic() - began >= SHORT.seconds
            heard.close()
            assert [fact async for fact in heard] == facts

    asyncio.run(main())


def test_what_was_due_while_nobody_ran_is_there_from_the_start() -> None:
    async def main() -> None:
        feed = Feed(Delay(minutes=1), lambda: 61.5)
        for fact in line("e4 e5"):
            feed.tell(fact)
        async with feed:
            assert sans(feed) == ["e4"]
        assert feed._timer is None, "nothing comes out after leaving"

    asyncio.run(main())


def test_only_what_the_public_may_see_goes_in() -> None:
    kept: list[Fact] = [
        AlertRaised(**WHERE, code="FLAG_FALL", severity="critical", text="flag", visibility="A"),
        DrawOffered(**WHERE, ply=1, colour="white"),
        LinkChanged(**WHERE, state="live"),
    ]

    async def main() -> list[Fact | Lagged]:
        feed = Feed(NO_DELAY, lambda: 0.0)
        async with feed:
            heard = feed.bus.subscribe(audience="arbiter")
            for fact in [*line("e4"), *kept]:
                feed.tell(fact)
            heard.close()
            assert [r.offers for r in feed.book.records()] == [[]]
            return [fact async for fact in heard]

    assert asyncio.run(main()) == list(line("e4"))


def test_a_fact_that_cannot_be_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with Feed(NO_DELAY, lambda: 0.0) as feed:
            feed.tell(timed(3, 1000, "2"))
            for fact in line("d4"):
                feed.tell(fact)
            assert sans(feed) == ["d4"]

    caplog.set_level(logging.ERROR)
    asyncio.run(main())
    assert "a fact was passed over" in caplog.text
