"""The recording itself: a link with a recorder, until somebody ends it."""

import argparse
import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from bridge.cli.frame import check_folder, complain, say
from bridge.cli.progress import spinner, until_stopped
from bridge.core.model import LinkChange
from bridge.links.capture_files import CaptureFiles
from bridge.links.claims import Claims
from bridge.links.discovery import Finder
from bridge.links.keeper import Keeper
from bridge.links.probing import NO_OPTIONS
from bridge.links.recorder import Recorder, Scribe
from drivers.codec import Codec, LineSettings
from drivers.events import Battery, BoardLog, Event, Noise, Notice
from drivers.transports import open_line

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


class _Questions:
    """What a board is asked for when it answers for the first time, and what it says from then."""

    def __init__(self, commands: Sequence[str]) -> None:
        self._commands = commands
        self._asked = False

    def hear(self, event: Event | LinkChange, keeper: Keeper) -> None:
        """Ask, or show what may be an answer."""
        if self._asked:
            show(event)
        elif self._commands and isinstance(event, LinkChange) and event.state == "live":
            for command in self._commands:
                keeper.ask(command)
            self._asked = True


def show(event: Event | LinkChange) -> None:
    """Say what a board tells of itself."""
    match event:
        case BoardLog():
            for entry in event.entries:
                say(entry)
            say(f"{len(event.entries)} entries" + ("" if event.complete else ", not all of them"))
        case Battery():
            say(f"battery: {event.percent} %" + (", charging" if event.charging else ""))
        case Notice():
            say(event.text)
        case _:
            pass


async def record(
    args: argparse.Namespace, driver: type[Codec], options: Mapping[str, str]
) -> Count:
    """Record with the arguments of the command until interrupted, and return what was counted."""
    for command in args.ask:
        driver(**options).command(command)  # what it has not is said before anything is opened
    count, questions = Count(), _Questions(args.ask)

    def deliver(event: Event | LinkChange) -> None:
        count.deliver(event)
        questions.hear(event, keeper)

    recorder = _recorder(args, driver, count)
    args.folder.mkdir(parents=True, exist_ok=True)
    check_folder(args.folder)
    keeper = Keeper(
        driver.info.name,
        where(args.port, driver, options=options),
        driver,
        now=time.monotonic,
        deliver=deliver,
        recorder=recorder,
        options=options,
    )
    link = asyncio.create_task(keeper.run())
    async with contextlib.aclosing(recorder):
        with spinner(count.text) as show:
            await until_stopped(lambda: show(count.text), seconds=args.seconds)
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
    files = CaptureFiles(
        args.folder,
        driver.info.name,
        {key: value for key, value in said.items() if value},
        file_bytes=_KEEP_BYTES,
        total_bytes=2 * _KEEP_BYTES,
        days=_KEEP_DAYS,
    )
    recorder = _CountingRecorder(files, Scribe(), wall=time.time)
    recorder.count = count
    return recorder


def _line(line: LineSettings | None) -> str | None:
    if line is None:
        return None
    return f"{line.baud} {line.data_bits}{line.parity}{line.stop_bits}"


def where(
    port: str,
    driver: type[Codec],
    serial: str | None = None,
    *,
    options: Mapping[str, str] = NO_OPTIONS,
) -> str | Callable[[], Awaitable[str]]:
    """Return the address of *port*, or what finds a board of the driver for ``auto``.

    Raises:
        AddressError: it is none that leads to a board of the driver.
    """
    if port != "auto":
        address = f"serial:{port}" if port.startswith("/") else port
        open_line(address, driver.info)  # a link would try again what never comes true
        return address
    given = {driver.info.name: options}
    finder = Finder([driver], now=time.monotonic, claims=Claims(), options=given)
    return lambda: finder.locate(driver, serial)
