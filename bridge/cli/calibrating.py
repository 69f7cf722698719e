"""The calibration itself: a link to a board, until the start position has stood on it."""

import asyncio
import contextlib
import time
from collections.abc import Mapping

from bridge.cli.frame import complain
from bridge.cli.progress import spinner, until_stopped
from bridge.cli.recording import where
from bridge.core.model import LinkChange
from bridge.core.table.calibration import faults, letters_of
from bridge.core.table.senses import Senses
from bridge.links.keeper import Keeper
from drivers.codec import Codec
from drivers.events import Event, RawTags

_NO_BOARD = "no board answers"
_NOT_STILL = "the men do not stand still"


class Lesson:
    """What the board has shown: ``letters`` once the start position stood, ``trouble`` before."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.letters: dict[str, str] = {}
        self.trouble = _NO_BOARD
        self._known = known
        self._senses = Senses("identity")

    def deliver(self, event: Event | LinkChange) -> None:
        """Take what the link says."""
        if isinstance(event, LinkChange) and event.state != "live":
            self.trouble = event.detail or _NO_BOARD
        elif isinstance(event, RawTags) and not self.letters:
            self._take(event)

    def _take(self, scan: RawTags) -> None:
        self._senses.take(scan)
        standing = self._senses.standing
        found = faults(standing, self._known) if standing else [_NOT_STILL]
        self.trouble = "; ".join(found)
        if not found:
            self.letters = letters_of(standing)


async def calibrate(
    port: str, driver: type[Codec], known: Mapping[str, str], *, seconds: float
) -> dict[str, str] | str:
    """Return the letters of the men's tags, or why they were not learned within *seconds*."""
    lesson = Lesson(known)
    keeper = Keeper(
        driver.info.name,
        where(port, driver),
        driver,
        now=time.monotonic,
        deliver=lesson.deliver,
    )
    link = asyncio.create_task(keeper.run())
    told = ""

    def show() -> None:
        nonlocal told
        show_line(lesson.trouble)
        if lesson.letters:
            link.cancel()
        elif lesson.trouble != told:
            told = lesson.trouble
            complain(told)

    with spinner(lesson.trouble) as show_line:
        await until_stopped(show, seconds=seconds, task=link)
    link.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await link
    return lesson.letters or f"nothing was learned: {lesson.trouble}"
