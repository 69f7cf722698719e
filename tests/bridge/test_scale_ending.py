"""Tasks that are ended although they do not always hear it."""

import asyncio

import pytest

from bridge.scale import ending


def test_a_task_that_has_missed_that_it_was_cancelled_is_told_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ending, "AGAIN", 0.01)
    missed = 0

    async def deaf() -> None:
        nonlocal missed
        while missed < 2:
            try:
                await asyncio.sleep(60.0)
            except asyncio.CancelledError:
                missed += 1
        await asyncio.sleep(60.0)

    async def failed() -> None:
        raise ValueError("is known to who asks for it")

    async def run() -> None:
        tasks = [asyncio.create_task(each) for each in (deaf(), failed())]
        await asyncio.sleep(0)
        await ending.end(tasks)
        assert tasks[0].cancelled()
        assert isinstance(tasks[1].exception(), ValueError)
        await ending.end([])

    asyncio.run(run())
    assert missed == 2
