"""What keeps the files of games up to date, whatever their form: from a bus, a few at a time."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self

from bridge.core.model import Fact
from bridge.core.scoresheet.record import GameRecord, Scorebook, ScoresheetError
from bridge.outputs.bus import Bus, Lagged
from bridge.outputs.lasting import lasting
from bridge.outputs.patience import rest
from bridge.outputs.tally import Tally

logger = logging.getLogger(__name__)

REST_AFTER_WORK = 4.0
"""Rest after writing some of many games, as a multiple of the time it took."""


BoardOrder = tuple[float, tuple[tuple[int, str], ...]]
"""What sorts tables as they stand: by board, then by name as people count."""


def board_order(table: str, board: int | None) -> BoardOrder:
    """Return the place of a table among others; those without a board number come last."""
    return (float("inf") if board is None else board, tuple(_as_people_count(table)))


def _as_people_count(name: str) -> Iterator[tuple[int, str]]:
    for digits, letters in re.findall(r"([0-9]{1,18})|([^0-9]+)", name):
        yield (int(digits), "") if digits else (-1, letters)


class Folder(Protocol):
    """The files of games in a folder."""

    def update(self, records: Iterable[GameRecord]) -> None:
        """Write the files of games that are new or changed, and what is left from failures.

        Raises:
            OSError: some could not be written; the next update, of none at all too, tries again.
        """


class GameFiles:
    """Keeps a folder up to date with the facts of a bus, from entering to leaving.

    A change is written at once, further ones after ``interval`` seconds. When files cannot be
    written, it says so once and tries again every ``retry`` seconds. Leaving writes the rest.
    """

    at_once = 16
    """How many games are written without a rest; it must not take long."""

    def __init__(
        self,
        name: str,
        folder: Folder,
        bus: Bus,
        current: Callable[[], Iterable[GameRecord]],
        *,
        interval: float,
        retry: float,
    ) -> None:
        """Follow ``bus`` from what ``current`` returns: all games, with every fact published.

        ``current`` is called on entering and again whenever facts were missed. ``name`` is what
        the log calls the files.
        """
        self._name = name
        self._folder = folder
        self._bus = bus
        self._current = current
        self._interval = interval
        self._retry = retry
        self._book = Scorebook()
        self._changed: dict[tuple[str, int], GameRecord] = {}
        self._wake = asyncio.Event()
        self._leaving = asyncio.Event()
        self._ended = asyncio.Event()
        self._failing = False
        self._unwritten: set[tuple[str, int]] = set()
        self.tally = Tally()

    @property
    def waiting(self) -> int:
        """Number of games that changed since they were written."""
        return len(self._changed.keys() | self._unwritten)

    async def __aenter__(self) -> Self:
        self._subscription = self._bus.subscribe()
        self._rebuild()
        self._tasks = [
            asyncio.create_task(self._follow()),
            asyncio.create_task(self._keep_writing()),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._leaving.set()
        self._subscription.close()
        await asyncio.gather(*self._tasks)

    def _rebuild(self) -> None:
        self._book = Scorebook(self._current())
        self._changed = {(record.table, record.game): record for record in self._book.records()}
        self._wake.set()

    async def _follow(self) -> None:
        try:
            await lasting(self._name, self._take_facts, self.tally, ended=self._leaving)
        finally:
            self._ended.set()
            self._wake.set()

    async def _take_facts(self) -> None:
        try:
            async for fact in self._subscription:
                if isinstance(fact, Lagged):
                    self._rebuild()
                    continue
                try:
                    record = self._changed_by(fact)
                except ScoresheetError:
                    # A mistake of ours at one table is no reason to leave the others behind.
                    logger.exception("%s: a fact was passed over", self._name)
                    continue
                if record is not None:
                    self._changed[record.table, record.game] = record
                    self._wake.set()
        except Exception:
            self._subscription.lose()
            raise

    def _changed_by(self, fact: Fact) -> GameRecord | None:
        """Enter a fact; return the game whose files it changes."""
        return self._book.apply(fact)

    async def _keep_writing(self) -> None:
        await lasting(self._name, self._write_until_ended, self.tally, ended=self._ended)

    async def _write_until_ended(self) -> None:
        ended = False
        while not ended:
            await self._wake.wait()
            ended = self._ended.is_set()
            self._wake.clear()
            await rest(await self._write(all_at_once=ended), self._ended)

    async def _write(self, *, all_at_once: bool) -> float:
        """Write games that changed and return how long to rest; never many without a rest.

        Writing is work for the interpreter, which the boards need more.
        """
        waiting = list(self._changed)
        keys = waiting if all_at_once else waiting[: self.at_once]
        taken = {key: self._changed.pop(key) for key in keys}
        records = [record.copy() for record in taken.values()]
        self._unwritten.update(keys)
        began = time.monotonic()
        try:
            await asyncio.to_thread(self._folder.update, records)
        except OSError as error:
            if not self._failing:
                logger.warning("%s cannot be written: %s", self._name, error)
            self._failing = True
            self.tally.fails(error)
            self._wake.set()
            return self._retry
        except Exception:
            self._changed = {**self._changed, **taken}  # behind those that may do better
            self._wake.set()
            raise
        if self._failing:
            logger.info("%s are written again", self._name)
        self._failing = False
        self.tally.works(len(self._unwritten))
        self._unwritten.clear()
        if not self._changed:
            return self._interval
        self._wake.set()
        return REST_AFTER_WORK * (time.monotonic() - began)
