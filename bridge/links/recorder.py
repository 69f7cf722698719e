"""Keeps what goes over a line, and holds up no board for it however slow the disk is.

Records are held for up to a second, then one thread writes those of all links.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from bridge.links.capture_files import CaptureFiles, Taken
from drivers.capture import Record

FLUSH_SECONDS = 1.0
"""Records reach the operating system at least this often: a crash of ours costs no more."""
HELD_BYTES = 65536
"""What is held of a line that says much, as text; then it is written at once."""
MOST_HELD_BYTES = 4 * HELD_BYTES
"""What is held of a line at most, while the disk takes nothing; the rest is missing."""

_RECORD_BYTES = 20
_TOO_SLOW = "the disk took too long"
_MISSING = "captures are not complete: the disk takes too long"

logger = logging.getLogger(__name__)


class Recorder:
    """Records what one link says in *files*. Call from the event loop.

    Args:
        files: where it is kept; used by the *scribe* alone.
        scribe: writes for all recorders of a hall.
        wall: Unix time.
        suspends: is told why nothing can be recorded, and an empty text when it can again.
    """

    def __init__(
        self,
        files: CaptureFiles,
        scribe: "Scribe",
        *,
        wall: Callable[[], float],
        suspends: Callable[[str], None] = lambda _why: None,
    ) -> None:
        self.files = files
        self._scribe = scribe
        self._wall = wall
        self._suspends = suspends
        self._told = ""
        self._held: list[Taken] = []
        self._held_bytes = 0
        self._missed = False
        self._latest = 0.0

    def read(self, at: float, data: bytes) -> None:
        """Record what the board sent; *at* is the time of arrival."""
        self._take(Record("<", at, data))

    def wrote(self, at: float, data: bytes) -> None:
        """Record what the board was sent."""
        self._take(Record(">", at, data))

    def note(self, at: float, text: str) -> None:
        """Record that the line was ``opened`` or ``lost``."""
        self._take(Record("!", at, text=text))

    async def aclose(self) -> None:
        """Write what is held and end the file."""
        await self._scribe.end(self)

    def _take(self, record: Record) -> None:
        # What was read late came before what was written meanwhile: records stand as they were
        # handled, and times in a capture never decrease.
        self._latest = max(self._latest, record.t)
        if self._held_bytes >= MOST_HELD_BYTES:
            self._missed = True
            self.tell()
            return
        self._held.append(Taken(record._replace(t=self._latest), self._wall()))
        self._held_bytes += 3 * len(record.data) + _RECORD_BYTES
        self._scribe.write_soon(self, at_once=self._held_bytes >= HELD_BYTES)

    def hand_over(self) -> Callable[[], None]:
        """Return what writes all that is held, which is held no longer."""
        held, missed = self._held, self._missed
        self._held, self._held_bytes, self._missed = [], 0, False

        def write() -> None:
            self.files.write(held)
            if missed:
                self.files.miss(_TOO_SLOW)

        return write

    def tell(self) -> None:
        """Say what has changed of whether it can be written."""
        trouble = _MISSING if self._missed else self.files.trouble
        if self._told != trouble:
            self._told = trouble
            self._suspends(trouble)


class Scribe:
    """Writes for many recorders in a thread of its own: it may hold up no other that writes."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="captures")
        self._due: dict[Recorder, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Future[None] | None = None

    def write_soon(self, recorder: Recorder, *, at_once: bool) -> None:
        """Write what *recorder* holds within a second, or as soon as the thread is free."""
        self._due[recorder] = None
        if self._writing is not None:
            return
        if at_once:
            self._begin()
        elif self._timer is None:
            self._set_timer()

    async def end(self, recorder: Recorder) -> None:
        """Write what *recorder* holds, close its files, and return when that is done."""
        self._due.pop(recorder, None)
        write = recorder.hand_over()

        def finish() -> None:
            write()
            recorder.files.close()

        # The thread does one thing after another: what was handed over before is written.
        await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, finish))
        recorder.tell()

    def _set_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._begin)

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due, self._due = self._due, {}
        work = [recorder.hand_over() for recorder in due]
        loop = asyncio.get_running_loop()
        self._writing = loop.run_in_executor(self._thread, _do_all, work)
        self._writing.add_done_callback(lambda _: self._wrote(due))

    def _wrote(self, recorders: dict[Recorder, None]) -> None:
        self._writing = None
        for recorder in recorders:
            recorder.tell()
        if self._due:
            self._set_timer()


def _do_all(work: list[Callable[[], None]]) -> None:
    for write in work:
        try:
            write()
        except Exception:  # a mistake of ours at one link is no reason to lose the others' records
            logger.exception("what a link said could not be recorded")
