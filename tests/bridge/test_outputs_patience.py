"""How long outputs wait."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from bridge.outputs.patience import Patience, rest


@given(st.integers(1, 10_000))
def test_waits_double_up_to_the_longest(failures: int) -> None:
    wait = Patience(first=60.0, longest=300.0).after(failures)
    assert 45.0 <= wait <= 300.0
    if failures > 3:
        assert wait >= 225.0
    if failures == 1:
        assert wait <= 60.0


def test_a_rest_ends_by_itself_or_when_it_is_ended() -> None:
    async def run() -> None:
        ended = asyncio.Event()
        for seconds in (-1.0, 0.0, 0.01):
            await rest(seconds, ended)
        resting = asyncio.create_task(rest(3600.0, ended))
        await asyncio.sleep(0)
        assert not resting.done()
        ended.set()
        async with asyncio.timeout(60):
            await resting
            await rest(3600.0, ended)

    asyncio.run(run())
