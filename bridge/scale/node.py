"""A node: the machine of a hall, which keeps its boards and tells the stream what they say.

Nothing that happens on the network stops it: what the boards say is in its own journal first, and
goes to the stream from there, now or hours later.
"""

import asyncio
import contextlib
import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from bridge.config import Config, ScaleSettings
from bridge.core.model import LinkChange, Payload
from bridge.daemon.clock import JournalClock
from bridge.daemon.intake import Intake
from bridge.daemon.interpreter import suit_interpreter
from bridge.daemon.limits import raise_file_limit
from bridge.daemon.lines import link_name
from bridge.daemon.supervision import Supervision
from bridge.daemon.tasks import aside, begin
from bridge.scale.clock import EventClock
from bridge.scale.connection import ScaleError
from bridge.scale.ending import end
from bridge.scale.membership import Membership
from bridge.scale.names import Names
from bridge.scale.uplink import Uplink
from bridge.scale.wiring import Wiring
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox

LAST_WRITE_SECONDS = 5.0
"""How long the end waits for the journal."""


class Desk:
    """Where it goes what the boards of a node say: into its journal, and up from there."""

    def __init__(self, journal: Journal, clock: JournalClock, uplink: Uplink) -> None:
        self._intake = Intake(journal, clock.now)
        self._uplink = uplink
        self.lamps: dict[str, Collection[int]] = {}

    def deliver(self, table: str, link: str, payload: Payload) -> None:
        """Journal what came from *link* for *table*. Never blocks."""
        reading = self._intake.reading(table, link, payload)
        self._uplink.came(reading)
        self._intake.after_write((reading,), self._uplink.durable)

    def lit(self, name: str) -> Collection[int]:
        """Return the squares that the hub wants to be lit."""
        return self.lamps.get(name, ())


class Node:
    """Runs the tables of *config* that are those of the node *name*.

    *file* is the configuration's, in which a hub may give boards to other tables.
    """

    def __init__(
        self, config: Config, scale: ScaleSettings, name: str, *, file: Path | None = None
    ) -> None:
        self.name = name
        self.config = self._own(config)
        if not self.config.tables:
            raise ScaleError(f"no table has 'node: {name}': name it so, or the node otherwise")
        self._file = file
        self._scale = scale
        self._names = Names(scale.event)

    def _own(self, config: Config) -> Config:
        """Return the part of a configuration that is this node's."""
        tables = tuple(table for table in config.tables if table.node == self.name)
        folder = config.data.folder / f"node-{self.name}"
        return replace(config, tables=tables, data=replace(config.data, folder=folder))

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until *stop* is set; what was recorded is durable when it returns.

        Raises:
            JournalError: the journal cannot be opened, or not everything could be written.
            OutboxError: where it is noted what was published cannot be opened.
        """
        raise_file_limit(len(self.config.tables))
        suit_interpreter()
        supervision = Supervision(os.environ)
        journal = await asyncio.to_thread(Journal.open, self.config.data.journal)
        try:
            notes = await asyncio.to_thread(Outbox, self.config.data.outbox)
            try:
                await self._serve(journal, notes, supervision, stop)
            finally:
                await aside(notes.close)
        finally:
            await aside(journal.close)

    async def _serve(
        self, journal: Journal, notes: Outbox, supervision: Supervision, stop: asyncio.Event
    ) -> None:
        clock = JournalClock(journal.last_at())
        event_clock = EventClock(clock.now)
        uplink = Uplink(self.name, self._names, journal, notes, event_clock)
        desk = Desk(journal, clock, uplink)
        wiring = Wiring(self.config, self._file, self._own, desk, clock)
        for table in self.config.tables:
            if journal.last_seq(link_name(table)):
                away = LinkChange(state="lost", detail="the node was not running")
                desk.deliver(table.table, link_name(table), away)
        membership = Membership(
            self._scale,
            self.name,
            uplink=uplink,
            own=clock.now,
            clock=event_clock,
            wiring=wiring,
            lamps=desk.lamps,
        )
        tasks = await begin([supervision.watch(), membership.run()])
        await wiring.start()
        supervision.ready(f"keeps {len(self.config.tables)} tables")
        await stop.wait()
        supervision.stopping()
        await end(tasks)
        await wiring.stop()
        with contextlib.suppress(TimeoutError):  # the disk may be full
            await asyncio.wait_for(journal.append(()), LAST_WRITE_SECONDS)
