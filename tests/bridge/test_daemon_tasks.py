import asyncio
import threading

import pytest

from bridge.daemon.tasks import aside


class SlowFile:
    """Is closed when it is ``free``."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.closed = False

    def close(self) -> None:
        self.free.wait()
        self.closed = True


def test_the_loop_goes_on_while_something_is_closed() -> None:
    async def run() -> None:
        file = SlowFile()
        closing = asyncio.create_task(aside(file.close))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not closing.done()
        file.free.set()
        await closing
        assert file.closed

    asyncio.run(run())


def test_who_is_cancelled_leaves_nothing_open() -> None:
    async def run() -> None:
        file = SlowFile()
        closing = asyncio.create_task(aside(file.close))
        await asyncio.sleep(0)
        closing.cancel()
        await asyncio.sleep(0)
        assert not closing.done()
        file.free.set()
        with pytest.raises(asyncio.CancelledError):
            await closing
        assert file.closed

    asyncio.run(run())


def test_what_cannot_be_closed_is_told() -> None:
    def close() -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        asyncio.run(aside(close))
