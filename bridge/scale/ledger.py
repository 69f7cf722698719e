"""Which messages of the stream become readings: the same on every hub that reads it.

Pure. What was journaled is known by its link and number, and dropped. What this hub cannot or must
not take is parked: told, and read again when the hub is started the next time, as by then it may
be a later version or have another configuration. What a hub says whose lease was over is dropped.
"""

import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from bridge.core.model import Payload, Reading
from bridge.scale.messages import Began, BoardsGiven, Change, MessageError, Sent, said
from bridge.scale.names import HUB, parts_of, token

FUTURE = 86400.0
"""Seconds by which a reading may be ahead of when it was kept: no clock of an event is so wrong."""
MOST_PARKED = 20
"""Reasons that are kept to be shown."""
TRIES = 8
"""How often the stream is read again for readings of a node that are missing, each time by another
broker perhaps: one that was cut off may lack what the others have."""
PEACE = 600.0
"""Seconds in which what a node has left out is not looked for once more: nobody waits for a node
that makes up numbers."""

logger = logging.getLogger(__name__)


class Message(NamedTuple):
    """A message of the stream; ``kept_at`` is the broker's wall time."""

    subject: str
    data: bytes
    position: int
    kept_at: float


@dataclass
class _Missing:
    """Something of a link is looked for, since a message that was kept at that time."""

    link: str
    kept_at: float
    tries: int = 0


class GapError(Exception):
    """Readings before this one are missing, and the stream is to be read again from before them."""


class Ledger:
    """Decides on messages, in their order.

    ``epoch`` is that of the latest hub that leads, ``first_parked`` the position of the first
    message that was parked, ``troubles`` are reasons in words by node. ``repeated`` counts what
    was known already.

    At which node a table is can change in the middle of the stream: what stands before that is its
    former node's, whenever it is read.

    Args:
        last_seq: the last number that was journaled of a link.
        latest: the last time that was journaled, by table.
        nodes: which node brings each table, kept right here.
        changed: is told what was changed at the hub that leads, and where that stands.
        epoch: that of the latest lease that was heard of before.
    """

    def __init__(
        self,
        last_seq: Callable[[str], int],
        latest: Mapping[str, float],
        nodes: dict[str, str | None],
        *,
        changed: Callable[[Change, int], None] = lambda _change, _position: None,
        epoch: int = 0,
    ) -> None:
        self._last_seq = last_seq
        self._latest = dict(latest)
        self._nodes = nodes
        self._changed = changed
        self._moves: dict[str, dict[int, str | None]] = {}
        self._own: dict[tuple[str, int], Payload] = {}
        self._missing: dict[str, _Missing] = {}
        self._parked: dict[str, int] = {}
        self.epoch = epoch
        self.first_parked: int | None = None
        self.troubles: dict[str, str] = {}
        self.repeated = 0

    def expect(self, reading: Reading, link: str) -> None:
        """Know a reading of this hub itself: it comes back as the very object that was given."""
        self._own[link, reading.seq] = reading.payload

    def take(self, message: Message) -> Reading | None:
        """Return the reading to be journaled next, if *message* is one.

        Raises:
            GapError: readings before it are missing, and may still be found.
        """
        node, place = parts_of(message.subject)
        try:
            told = said(message.data)
        except MessageError as error:
            self._park(message, node, str(error))
            return None
        if not isinstance(told, Sent):
            if node == HUB:
                self._take_change(told, message.position)
            return None
        if reason := self._refused(message, told, node, place):
            self._park(message, node, reason)
            link = link_of(told.reading.link, node, told)
            if self._last_seq(link):
                self._parked[link] = told.reading.seq
            return None
        if node == HUB and told.epoch < self.epoch:
            logger.warning("what a hub said is dropped: another one led by then")
            return None
        return self._numbered(told, node, message.kept_at)

    def recall(self, change: Change, position: int) -> None:
        """Know of a change that stands at *position*, and that the configuration has by now."""
        if isinstance(change, BoardsGiven):
            for table, (before, _) in change.moved.items():
                self._moves.setdefault(table, {})[position] = before

    def _take_change(self, told: Began | Change, position: int) -> None:
        if isinstance(told, Began):
            self.epoch = max(self.epoch, told.epoch)
        elif told.epoch >= self.epoch:
            self.recall(told, position)
            if isinstance(told, BoardsGiven):
                self._nodes |= {
                    table: after
                    for table, (_, after) in told.moved.items()
                    if table in self._nodes and max(self._moves[table]) == position
                }
            self._changed(told, position)

    def _node_of(self, table: str, position: int) -> str | None:
        """Return the node of a table at a place in the stream."""
        later = [place for place in self._moves.get(table, ()) if place > position]
        return self._moves[table][min(later)] if later else self._nodes[table]

    def _refused(self, message: Message, told: Sent, node: str, place: str) -> str:
        reading = told.reading
        if place != token(reading.table):
            return f"tells of table {reading.table} as if it were another"
        if reading.table not in self._nodes:
            return f"table {reading.table} is in no configuration here"
        if node not in (HUB, self._node_of(reading.table, message.position)):
            return f"tells of table {reading.table}, which is not its own"
        if not (math.isfinite(reading.at) and math.isfinite(reading.wall)):
            return f"tells of table {reading.table} without a time"
        if reading.wall > message.kept_at + FUTURE:
            return f"tells of table {reading.table} from the future"
        return ""

    def _numbered(self, told: Sent, node: str, kept_at: float) -> Reading | None:
        reading = told.reading
        link = link_of(reading.link, node, told)
        last = self._last_seq(link)
        if reading.seq <= last:
            self.repeated += 1
            return None
        known = max(last, self._parked.get(link, 0))
        if last and reading.seq > known + 1:
            missing = f"readings {known + 1} to {reading.seq - 1} of {reading.link}"
            self._miss(node, link, missing, kept_at)
        elif self._is_looked_for(node, link):
            del self._missing[node]
        at = max(reading.at, self._latest.get(reading.table, reading.at))
        self._latest[reading.table] = at
        payload = self._own.pop((link, reading.seq), reading.payload)
        return msgspec.structs.replace(reading, link=link, at=at, payload=payload)

    def _miss(self, node: str, link: str, readings: str, kept_at: float) -> None:
        """Have *readings* looked for, or tell that they never came."""
        missing = self._missing.get(node)
        if missing is None or kept_at > missing.kept_at + PEACE:
            missing = self._missing[node] = _Missing(link, kept_at)
        missing.tries += 1
        if missing.tries <= TRIES:
            raise GapError(f"node {node}: {readings} are missing")
        self._trouble(node, f"{readings} never came")

    def _is_looked_for(self, node: str, link: str) -> bool:
        missing = self._missing.get(node)
        return missing is not None and missing.link == link and missing.tries <= TRIES

    def _park(self, message: Message, node: str, reason: str) -> None:
        if self.first_parked is None:
            self.first_parked = message.position
        self._trouble(node, f"a message is parked: {reason}")

    def _trouble(self, node: str, text: str) -> None:
        if self.troubles.get(node) != text:
            logger.error("node %s: %s", node, text)
        if node in self.troubles or len(self.troubles) < MOST_PARKED:
            self.troubles[node] = text


def link_of(link: str, node: str, told: Sent) -> str:
    """Return what a link is called in the journal of a hub: another journal is another link."""
    return f"{link} @{node}-{told.log}" if node != HUB else f"{link} @hub-{told.epoch}"
