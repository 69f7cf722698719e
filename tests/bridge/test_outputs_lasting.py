"""Work that a mistake of ours ends is begun again, and that is told."""

import asyncio
import logging
import re

import pytest

from bridge.outputs.bus import Bus, Lagged
from bridge.outputs.lasting import lasting
from bridge.outputs.patience import Patience
from bridge.outputs.tally import Tally
from tests.bridge.scoresheets import line

SOON = Patience(first=0.001, longest=0.002)


class Work:
    """Fails so many times, and says what was told of it each time it began."""

    def __init__(self, tally: Tally, failures: int) -> None:
        self.begun: list[str] = []
        self._tally = tally
        self._failures = failures

    async def __call__(self) -> None:
        self.begun.append(self._tally.trouble)
        if len(self.begun) <= self._failures:
            raise ZeroDivisionError


def test_it_begins_again_until_it_is_done(caplog: pytest.LogCaptureFixture) -> None:
    tally = Tally()
    work = Work(tally, 3)
    asyncio.run(lasting("pgn", work, tally, patience=SOON))
    assert work.begun == ["", "", "", ""]
    assert (tally.failed, tally.trouble) == (3, "")
    assert caplog.text.count("pgn: a mistake of ours; it begins again") == 3
    assert "ZeroDivisionError" in caplog.text


def test_its_pauses_are_told_and_grow(caplog: pytest.LogCaptureFixture) -> None:
    tally = Tally()
    patience = Patience(first=0.1, longest=50.0)

    async def main() -> None:
        task = asyncio.create_task(lasting("web", Work(tally, 9), tally, patience=patience))
        async with asyncio.timeout(60):
            while tally.failed < 4:  # noqa: ASYNC110 - it calls nobody
                await asyncio.sleep(0.01)
        assert tally.trouble.startswith("stopped by a mistake of ours")
        task.cancel()

    asyncio.run(main())
    waits = re.findall(r"begins again in (\d+) s", caplog.text)
    assert [*map(int, waits)] == sorted(map(int, waits))
    assert {record.levelno for record in caplog.records} == {logging.ERROR}


def test_what_is_over_is_tried_once_more() -> None:
    async def main() -> None:
        tally, ended = Tally(), asyncio.Event()
        work = Work(tally, 9)
        task = asyncio.create_task(lasting("pgn", work, tally, ended=ended))
        while not tally.failed:  # noqa: ASYNC110 - it calls nobody
            await asyncio.sleep(0)
        ended.set()
        await task
        assert (len(work.begun), tally.failed) == (2, 2)

    asyncio.run(main())


def test_who_could_not_take_a_fact_begins_with_what_is_current() -> None:
    async def main() -> None:
        bus = Bus()
        facts = bus.subscribe()
        first, *others = line("e4 e5")
        bus.publish(first)
        assert await anext(facts) == first
        for fact in others:
            bus.publish(fact)
        facts.lose()
        assert await anext(facts) == Lagged(1 + len(others))
        bus.publish(first)
        assert await anext(facts) == first

    asyncio.run(main())
