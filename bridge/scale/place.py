"""How far a hub has journaled the stream, kept on its own disk.

It may lag behind the journal: what is read twice is known by its link and number. It must never be
ahead of it, so it counts only with the journal that it was noted with.
"""

import asyncio
import logging
import math
import uuid

from bridge.store.errors import JournalClosedError, OutboxError
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from bridge.store.rows import read_before

OUTPUT = "follower"
"""The name under which it is noted."""
HOME = "home"
"""The name under which it is noted what the data folder is called."""

logger = logging.getLogger(__name__)


class Place:
    """The place of *journal* in the stream, in *notes*."""

    def __init__(self, notes: Outbox, journal: Journal) -> None:
        self._notes = notes
        self._journal = journal

    def read(self) -> tuple[int, int]:
        """Return from behind which position to go on, and the latest lease that was heard of.

        Raises:
            OutboxError: it cannot be read.
        """
        notes = self._notes.notes(OUTPUT)
        if int(notes.get("journal", "0")) > self._journal.last_position() or not notes:
            return 0, 0
        position, parked = int(notes["position"]), int(notes["parked"])
        return min(position, parked - 1) if parked else position, int(notes["epoch"])

    def latest(self) -> dict[str, float]:
        """Return by table when its last reading in the journal came."""
        return {
            reading.table: reading.at
            for name in self._journal.tables()
            for reading in read_before(self._journal.path, name, math.inf, 1)
        }

    def home(self) -> str:
        """Return what tells this data folder from every other one.

        Raises:
            OutboxError: it cannot be noted.
        """
        if known := self._notes.notes(HOME).get(HOME):
            return known
        name = uuid.uuid4().hex
        self._notes.put(HOME, {}, notes={HOME: name})
        return name

    async def note(self, position: int, epoch: int, parked: int | None) -> None:
        """Note a position when all readings before it are durable."""
        try:
            journal = self._journal.last_position()
            await self._journal.append(())
            notes = {
                "position": str(position),
                "journal": str(journal),
                "epoch": str(epoch),
                "parked": str(parked or 0),
            }
            await asyncio.to_thread(self._notes.put, OUTPUT, {}, notes=notes)
        except (JournalClosedError, OutboxError) as error:  # then more is read again
            logger.debug("hub: %s", error)

    def close(self) -> None:
        """Close what it is noted in."""
        self._notes.close()
