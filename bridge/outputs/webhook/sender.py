"""One receiver: facts are queued in the outbox, and sent from there until they have arrived.

Facts of a table are sent one after the other, those of a few tables at once. Nothing here makes a
table wait: what is told is taken at once, and all else happens in tasks of its own.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from bridge.config.webhooks import WebhookSettings
from bridge.core.model import Fact
from bridge.outputs.lasting import lasting
from bridge.outputs.patience import Patience
from bridge.outputs.tally import Tally
from bridge.outputs.webhook.messages import body_of, is_wanted, message_id
from bridge.outputs.webhook.posting import FailedError, Poster, RefusedError
from bridge.outputs.webhook.progress import Place, Progress, note_of
from bridge.store.errors import OutboxError
from bridge.store.outbox import Entry, Outbox

AT_ONCE = 16
"""Tables whose facts are sent at the same time."""
MOST_READ = 100
ALL_SENT = ""
"""What follows the keys of messages that arrived when nothing is sent any more."""
MOST_WAITING = 20_000
"""Facts that may wait for a disk that does not write. What is more is not lost: it is in the
journal, and told again after a restart."""
MOST_KEPT = 100_000
"""Facts that are kept for a receiver that takes none, some 50 MB; beyond that the oldest go."""

MARK = "webhook "
"""How the names of these outputs begin, in the outbox and in the log."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class PostingPatience(Patience):
    """The same, and seconds for an answer."""

    answer: float = 15.0
    at_end: float = 3.0


def output_of(settings: WebhookSettings) -> str:
    """Return the name of a receiver in the outbox and in the log."""
    return f"{MARK}{settings.name}"


class _Waiting(NamedTuple):
    """A fact that is not in the outbox yet."""

    table: str
    place: Place
    key: str
    content: bytes


class Webhook:
    """Takes facts at any time, and sends them from entering to leaving.

    A receiver that is told for the first time is told what happens from then on.
    """

    def __init__(
        self, settings: WebhookSettings, outbox: Outbox, *, patience: PostingPatience | None = None
    ) -> None:
        """Go on where *outbox* says that the last run came.

        Raises:
            OutboxError: it cannot be read.
        """
        self._settings = settings
        self._outbox = outbox
        self._patience = patience or PostingPatience()
        self._output = output_of(settings)
        notes = outbox.notes(self._output)
        self._is_new = not notes
        self._progress = Progress(notes)
        self._waiting: deque[_Waiting] = deque()
        self._full = False
        self._told = asyncio.Event()
        self._queued = asyncio.Event()
        self._idle = asyncio.Event()  # everything is sent, or the receiver takes nothing now
        self._failing = False
        self._dropped = 0
        self.tally = Tally()

    def take(self, fact: Fact) -> None:
        """Take a fact that the audience may see; never waits, never fails."""
        if not is_wanted(fact, self._settings.kind):
            return
        place = self._progress.take(fact)
        if place is None or self._is_new or self._full:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._full = True
            logger.error("%s: too much waits for the disk; restart when it writes", self._output)
            return
        name = message_id(fact, place.number)
        self._waiting.append(_Waiting(fact.table, place, f"{name} {fact.table}", body_of(fact)))
        self._idle.clear()
        self._told.set()

    async def take_up(self) -> None:
        """Forget what was taken and is noted in the outbox by now: somebody else has queued it.

        What he has queued and could not note any more he has not sent; it is queued from here,
        and is not left there beside that, to be sent twice.

        Raises:
            OutboxError: it cannot be read.
        """
        notes = await asyncio.to_thread(self._outbox.notes, self._output)
        self._is_new = not notes
        noted = Progress(notes)
        self._waiting = deque(
            each for each in self._waiting if noted.is_new(each.table, each.place)
        )
        keys = [each.key for each in self._waiting]
        await asyncio.to_thread(self._outbox.take_back, self._output, keys)

    @property
    def name(self) -> str:
        """The name of the receiver."""
        return self._output

    def troubles(self) -> list[str]:
        """Return in words what will not be sent, at least not by this run."""
        troubles = []
        if self._full:
            troubles.append("too much waits for the disk; restart when it writes")
        if self._dropped:
            troubles.append(f"nothing is taken; the oldest {self._dropped} facts were dropped")
        return [f"{self._output}: {trouble}" for trouble in troubles]

    async def waiting(self) -> int:
        """Return how many facts wait to be sent.

        Raises:
            OutboxError: the outbox cannot be read.
        """
        return len(self._waiting) + await asyncio.to_thread(self._outbox.count, self._output)

    async def __aenter__(self) -> Self:
        if self._is_new:
            # Without a note the next run would take everything that happens now for old.
            notes = {"": note_of(Place(0.0, 0, time.time())), **self._progress.notes()}
            with contextlib.suppress(OutboxError):
                await asyncio.to_thread(self._outbox.put, self._output, {}, notes=notes)
            self._is_new = False
        self._poster = Poster(
            self._settings, seconds=self._patience.answer, may_send=self._outbox.may_send
        )
        self._tasks = [
            asyncio.create_task(lasting(self._output, work, self.tally))
            for work in (self._queue, self._send)
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience.at_end):
                await self._idle.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._poster.close()

    # --- into the outbox --------------------------------------------------------------------------

    async def _queue(self) -> None:
        while True:
            while self._waiting:
                await self._queue_some()
                self._queued.set()
            self._told.clear()
            await self._told.wait()

    async def _queue_some(self) -> None:
        some = [self._waiting[n] for n in range(min(MOST_READ, len(self._waiting)))]
        contents = {each.key: each.content for each in some}
        notes = {each.table: note_of(each.place) for each in some}

        def put() -> int:
            self._outbox.put(self._output, contents, notes=notes)
            return len(self._outbox.trim(self._output, MOST_KEPT))

        try:
            dropped = await asyncio.to_thread(put)
        except OutboxError as error:
            logger.warning("%s: %s", self._output, error)
            await asyncio.sleep(self._patience.first)
            return
        for _ in some:
            self._waiting.popleft()
        if dropped and not self._dropped:
            text = "%s: more than %d facts wait; from now on the oldest are dropped"
            logger.error(text, self._output, MOST_KEPT)
        self._dropped += dropped

    # --- out of the outbox ------------------------------------------------------------------------

    async def _read(self) -> list[Entry]:
        return await asyncio.to_thread(self._outbox.waiting, self._output, MOST_READ)

    async def _send(self) -> None:
        while True:
            try:
                await self._send_until_trouble()
            except OutboxError as error:
                logger.warning("%s: %s", self._output, error)
                await asyncio.sleep(self._patience.first)

    async def _send_until_trouble(self) -> None:
        """Send what waits for as long as the outbox can be read and written."""
        await self._sit_out()
        while True:
            self._queued.clear()
            entries = await self._read()
            if not entries:
                if not self._waiting and not self._queued.is_set():
                    self._idle.set()
                await self._queued.wait()
                continue
            failure = await self._send_all(entries)
            await (self._has_failed(failure) if failure else self._has_worked())

    async def _send_all(self, entries: Sequence[Entry]) -> FailedError | None:
        """Send facts of all tables; return what went wrong first.

        Raises:
            OutboxError: it could not be noted what has arrived; nothing is under way any more.
        """
        tables: dict[str, list[Entry]] = {}
        for entry in entries:
            tables.setdefault(entry.key.partition(" ")[2], []).append(entry)
        room, arrived = asyncio.Semaphore(AT_ONCE), asyncio.Queue[str]()
        sending = asyncio.gather(
            *(self._send_table(of_table, room, arrived) for of_table in tables.values())
        )
        sending.add_done_callback(lambda _: arrived.put_nowait(ALL_SENT))
        try:
            while await self._forget([await arrived.get(), *_taken_from(arrived)]):
                pass
        finally:
            sending.cancel()
            with contextlib.suppress(OutboxError):  # they are sent again, under their names
                await self._forget(_taken_from(arrived))
        failures = [failure for failure in sending.result() if failure is not None]
        for failure in failures:
            if isinstance(failure, OutboxError):
                raise failure
        return next((each for each in failures if isinstance(each, FailedError)), None)

    async def _send_table(
        self, entries: Sequence[Entry], room: asyncio.Semaphore, arrived: asyncio.Queue[str]
    ) -> FailedError | OutboxError | None:
        """Send facts of one table in their order, and let the keys of those follow that arrive.

        What went wrong is returned: raised, it would leave those of other tables to themselves.
        """
        async with room:
            try:
                for entry in entries:
                    await self._send_one(entry)
                    if self._outbox.notes_each:
                        await self._forget([entry.key])
                    else:
                        arrived.put_nowait(entry.key)
            except (FailedError, OutboxError) as failure:
                return failure
        return None

    async def _forget(self, arrived: Sequence[str]) -> bool:
        """Have the outbox forget what has arrived meanwhile, and say whether more is to come.

        All of it in one go: each time waits for the disk, and sending need not.
        """
        keys = [key for key in arrived if key != ALL_SENT]
        if keys:
            await asyncio.to_thread(self._outbox.forget, self._output, keys)
        return ALL_SENT not in arrived

    async def _send_one(self, entry: Entry) -> None:
        try:
            await self._poster.send(entry)
            self._idle.clear()  # it is taken again; the outbox is still to forget it
            self.tally.works()
        except RefusedError as refusal:
            self.tally.failed += 1
            name, _, table = entry.key.partition(" ")
            logger.error("%s: table %s: %s %s", self._output, table, name, refusal)  # noqa: TRY400 - it says all

    # --- trouble ----------------------------------------------------------------------------------

    async def _sit_out(self) -> None:
        """Wait as long as the last run would have."""
        pause = await asyncio.to_thread(self._outbox.pause, self._output)
        self._failing = pause.failures > 0
        await asyncio.sleep(min(self._patience.longest, pause.retry_at - time.time()))

    async def _has_failed(self, failure: FailedError) -> None:
        level = logging.DEBUG if self._failing else logging.WARNING
        self._failing = True
        self.tally.fails(failure)
        self._idle.set()
        pause = await asyncio.to_thread(self._outbox.pause, self._output)
        wait = self._patience.after(pause.failures + 1)
        wait = min(max(wait, failure.after), self._patience.longest)
        text = "%s: %s: %s; next try in %.0f s"
        logger.log(level, text, self._output, self._poster.host, failure, wait)
        retry_at = time.time() + wait
        await asyncio.to_thread(self._outbox.failed, self._output, retry_at=retry_at)
        await asyncio.sleep(wait)

    async def _has_worked(self) -> None:
        if not self._failing:
            return
        self._failing = False
        self.tally.works(0)
        lost = f"; {self._dropped} were dropped" if self._dropped else ""
        logger.info("%s: facts are taken again%s", self._output, lost)
        self._dropped = 0
        await asyncio.to_thread(self._outbox.delivered, self._output, ())


def _taken_from(queue: "asyncio.Queue[str]") -> list[str]:
    """Return what is in a queue by now, and leave nothing there."""
    return [queue.get_nowait() for _ in range(queue.qsize())]
