"""A node: the machine of a hall, which keeps its boards and tells the stream what they say.

Nothing that happens on the network stops it: what the boards say is in its own journal first, and
goes to the stream from there, now or hours later.
"""

import asyncio
import contextlib
import os
from collections.abc import Collection
from dataclasses import replace

from bridge.config import Config, ScaleSettings
from bridge.core.model import LinkChange, Payload
from bridge.daemon.clock import JournalClock
from bridge.daemon.intake import Intake
from bridge.daemon.interpreter import suit_interpreter
from bridge.daemon.limits import raise_file_limit
from bridge.daemon.lines import Lines, link_name
from bridge.daemon.supervision import Supervision
from bridge.scale.clock import EventClock
from bridge.scale.connection import ScaleError
from bridge.scale.membership import Membership
from bridge.scale.names import Names
from bridge.scale.uplink import Uplink
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
    """Runs the tables of *config* that are those of the node *name*."""

    def __init__(self, config: Config, scale: ScaleSettings, name: str) -> None:
        tables = tuple(table for table in config.tables if table.node == name)
        if not tables:
            raise ScaleError(f"no table has 'node: {name}': name it so, or the node otherwise")
        folder = config.data.folder / f"node-{name}"
        self.config = replace(config, tables=tables, data=replace(config.data, folder=folder))
        self.name = name
        self._scale = scale
        self._names = Names(scale.event)

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until *stop* is set; what was recorded is durable when it returns.

        Raises:
            JournalError: the journal cannot be opened, or not everything could be written.
            OutboxError: where it is noted what was published cannot be opened.
        """
        raise_file_limit(len(self.config.tables))
        suit_interpreter()
        supervision = Supervision(os.environ)
        journal = Journal.open(self.config.data.journal)
        try:
            with Outbox(self.config.data.outbox) as notes:
                await self._serve(journal, notes, supervision, stop)
        finally:
            await asyncio.to_thread(journal.close)

    async def _serve(
        self, journal: Journal, notes: Outbox, supervision: Supervision, stop: asyncio.Event
    ) -> None:
        clock = JournalClock(journal.last_at())
        event_clock = EventClock(clock.now)
        uplink = Uplink(self.name, self._names, journal, notes, event_clock)
        desk = Desk(journal, clock, uplink)
        lines = Lines(self.config, desk, clock)
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
            lines=lines,
            lamps=desk.lamps,
        )
        tasks = [asyncio.create_task(link) for link in lines.runs()]
        tasks.append(asyncio.create_task(supervision.watch()))
        tasks.append(asyncio.create_task(membership.run()))
        supervision.ready(f"keeps {len(self.config.tables)} tables")
        await stop.wait()
        supervision.stopping()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(TimeoutError):  # the disk may be full
            await asyncio.wait_for(journal.append(()), LAST_WRITE_SECONDS)
