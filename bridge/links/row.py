"""One line, many tables: hands what comes over a shared line to the tables of its boards."""

import logging
from collections.abc import Mapping

from bridge.core.model import LinkChange
from bridge.links.keeper import Deliver
from drivers.events import Event, Notice, Presence

logger = logging.getLogger(__name__)


class Row:
    """Takes what the keeper of a shared line delivers; each unit has its table.

    A table's link is live while the line is and its board answers. :class:`Presence` goes no
    further than here and the log. A board that no table has is told of once.
    """

    def __init__(self, name: str, tables: Mapping[str, Deliver]) -> None:
        """Name the line in the log, and say who takes what comes from each unit."""
        self._name = name
        self._tables = tables
        self._line: LinkChange | None = None
        self._boards: dict[str, LinkChange] = {}
        self._told: dict[str, LinkChange] = {}
        self._strangers: set[str] = set()

    def __call__(self, thing: Event | LinkChange) -> None:
        """Take the next event, or a change of the line itself."""
        match thing:
            case LinkChange():
                self._change(thing)
            case Presence(unit=str(unit)):
                self._notice(unit, thing)
            case Notice(unit=None):
                logger.warning("%s: %s", self._name, thing.text)
            case _:
                table = self._tables.get(thing.unit or "")
                if table is not None:
                    table(thing)

    def _change(self, line: LinkChange) -> None:
        self._line = line
        if line.state == "lost":
            self._boards.clear()  # after the next opening all are told of anew
        for unit in self._tables:
            self._tell(unit)

    def _notice(self, unit: str, presence: Presence) -> None:
        if unit in self._tables:
            self._log(unit, presence)
            state = LinkChange(state="live" if presence.present else "lost", detail=presence.detail)
            self._boards[unit] = state
            self._tell(unit)
        elif presence.present and unit not in self._strangers:
            self._strangers.add(unit)
            logger.warning("%s: board %s answers, and no table has it", self._name, unit)

    def _log(self, unit: str, presence: Presence) -> None:
        if presence.present:
            logger.info("%s: board %s answers", self._name, unit)
        else:
            logger.warning("%s: board %s %s", self._name, unit, presence.detail)

    def _tell(self, unit: str) -> None:
        """Tell a table the state of its link where that is known and is another one now."""
        if self._line is None:
            return
        state = self._boards.get(unit) if self._line.state == "live" else self._line
        if state is not None and state != self._told.get(unit):
            self._told[unit] = state
            self._tables[unit](state)
