"""The recording itself: a link with a recorder, until somebody ends it."""

import argparse
import asyncio
import contextlib
import signal
import time
from collections.abc import Awaitable, Callable, Iterator

from bridge.cli.frame import complain
from bridge.core.model import LinkChange
from bridge.links.claims import Claims
from bridge.links.discovery import Finder
from bridge.links.keeper import Keeper
from bridge.links.recorder import Recorder
from drivers.codec import Codec, LineSettings
from drivers.events import Event, Noise

_REFRESH_SECONDS = 0.25
_KEEP_BYTES = 1 << 50
_KEEP_DAYS = 36500
"""What somebody records by hand is never deleted."""


class Count:
    """What was recorded so far."""

    def __init__(self) -> None:
        self.bytes = 0
        self.messages = 0
        self.noise = 0

    @property
    def text(self) -> str:
        """All of it in a line."""
        return f"{self.bytes} bytes, {self.messages} messages, {self.noise} pieces of noise"

    def deliver(self, event: Event | LinkChange) -> None:
        """Take what the link says."""
        if isinstance(event, Noise):
            self.noise += 1
        elif not isinstance(event, LinkChange):
            self.messages += 1
        elif event.state == "live":
            complain("the board answers; Ctrl-C ends the recording")


async def record(args: argparse.Namespace, driver: type[Codec]) -> Count:
    """Record with the arguments of the command until interrupted, and return what was counted."""
    count = Count()
    recorder = _recorder(args, driver, count)
    keeper = Keeper(
        driver.info.name,
        _where(args.port, driver),
        driver,
        now=time.monotonic,
        deliver=count.deliver,
        recorder=recorder,
    )
    link = asyncio.create_task(keeper.run())
    with _progress(count) as show, contextlib.closing(recorder):
        await _until_stopped(args.seconds, show)
        link.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await link
    return count


class _CountingRecorder(Recorder):
    """Knows how much the board has said."""

    count: Count

    def read(self, at: float, data: bytes) -> None:
        """Record what the board sent, and count it."""
        self.count.bytes += len(data)
        super().read(at, data)


def _recorder(args: argparse.Namespace, driver: type[Codec], count: Count) -> Recorder:
    said = {
        "Board": args.board,
        "Driver": driver.info.name,
        "Line": _line(driver.info.line),
        "Contributor": args.contributor,
        "Played": args.played,
        "Notes": args.notes,
    }
    recorder = _CountingRecorder(
        args.folder,
        driver.info.name,
        {key: value for key, value in said.items() if value},
        wall=time.time,
        file_bytes=_KEEP_BYTES,
        total_bytes=2 * _KEEP_BYTES,
        days=_KEEP_DAYS,
    )
    recorder.count = count
    return recorder


def _line(line: LineSettings | None) -> str | None:
    if line is None:
        return None
    return f"{line.baud} {line.data_bits}{line.parity}{line.stop_bits}"


def _where(port: str, driver: type[Codec]) -> str | Callable[[], Awaitable[str]]:
    if port != "auto":
        return f"serial:{port}" if port.startswith("/") else port
    finder = Finder([driver], now=time.monotonic, claims=Claims())
    return lambda: finder.locate(driver)


@contextlib.contextmanager
def _progress(count: Count) -> Iterator[Callable[[], None]]:
    """Yield what brings the display up to date; only a terminal has one."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    with console.status(count.text) as status:
        yield lambda: status.update(count.text)


async def _until_stopped(seconds: float | None, show: Callable[[], None]) -> None:
    """Wait for an interruption, a request to end, or the end of the time."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    end = None if seconds is None else loop.time() + seconds
    while not stopped.is_set() and (end is None or loop.time() < end):
        left = _REFRESH_SECONDS if end is None else min(_REFRESH_SECONDS, end - loop.time())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), left)
        show()
