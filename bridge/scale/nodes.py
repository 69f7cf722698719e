"""The nodes of an event as a hub hears them: how far each is, and how its links do."""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from bridge.links.pulse import LinkHealth
from bridge.scale.messages import LinkState, Mark
from bridge.scale.names import HUB

AWAY_SECONDS = 3.0
"""A node that has told nothing for so long is away."""
SKEW_SECONDS = 2.0
"""From which difference on a machine's own clock is called wrong."""
MANY_WAITING = 200
"""Readings on their way that are worth a word."""
MOST_MARKS = 64

_Link = TypeVar("_Link", LinkState, LinkHealth)


@dataclass(eq=False)
class _Node:
    """``known`` is up to when all that came there is here; ``marks`` are not reached yet."""

    session: str = ""
    started: float = math.inf
    heard: float = -math.inf
    known: float = -math.inf
    skew: float = 0.0
    waiting: int = 0
    trouble: str = ""
    twin: str = ""
    twin_heard: float = -math.inf
    marks: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=MOST_MARKS))
    links: list[LinkState] = field(default_factory=list)
    health: list[LinkHealth] = field(default_factory=list)


class Nodes:
    """All nodes, and the hub that leads among them.

    Args:
        tables: the node of each table, None where only the hub speaks of it.
        wall: the event's wall time now.
        came: is called with a node that is there for the first time, or again.
    """

    def __init__(
        self,
        tables: Mapping[str, str | None],
        *,
        wall: Callable[[], float],
        came: Callable[[str], None],
    ) -> None:
        self._tables = tables
        self._wall = wall
        self._came = came
        self._position = 0
        self._epoch = 0
        names = {name for name in tables.values() if name is not None}
        self._nodes = {name: _Node() for name in sorted(names)}
        self._hub = _Node()

    @property
    def names(self) -> list[str]:
        """The names of all nodes, also of those that have no table any more."""
        return list(self._nodes)

    def hear(self, name: str, mark: Mark) -> None:
        """Take a mark."""
        node = self._hub if name == HUB else self._nodes.get(name)
        if node is None or (name == HUB and mark.epoch < self._epoch):
            return
        now = _now()
        if name == HUB:
            self._epoch = mark.epoch
        elif self._is_twin(node, mark, now):
            return
        if mark.session != node.session:
            node.session, node.started = mark.session, mark.started
            self._came(name)
        node.heard, node.waiting, node.trouble = now, mark.waiting, mark.trouble
        node.skew = mark.wall - self._wall()
        if mark.links is not None:
            node.links = list(mark.links)
        if mark.health is not None:
            node.health = list(mark.health)
        node.marks.append((mark.position, mark.at))
        self._reach(node)

    def _is_twin(self, node: _Node, mark: Mark, now: float) -> bool:
        """Whether it is another machine of that name that came later, while the first is there."""
        here = now < node.heard + AWAY_SECONDS and mark.session != node.session
        if here and mark.started > node.started:
            node.twin, node.twin_heard = mark.host, now
            return True
        return False

    def read_to(self, position: int) -> None:
        """Know that the stream was read up to *position*."""
        self._position = position
        for node in (self._hub, *self._nodes.values()):
            self._reach(node)

    def _reach(self, node: _Node) -> None:
        while node.marks and node.marks[0][0] <= self._position:
            node.known = max(node.known, node.marks.popleft()[1])

    def known(self, table: str) -> float:
        """Return up to when all that came of a table is here."""
        node = self._tables.get(table)
        return self._hub.known if node is None else min(self._hub.known, self._nodes[node].known)

    @property
    def hub_known(self) -> float:
        """Return up to when all is here that hubs have ordered."""
        return self._hub.known

    # --- what is told of them -------------------------------------------------------------------

    def troubles(self) -> Iterator[str]:
        """Yield in words what is wrong with a node."""
        now = _now()
        for name, node in self._nodes.items():
            for trouble in _troubles(node, now):
                yield f"node {name}: {trouble}"

    def links(self) -> list[LinkState]:
        """Return the links of all nodes; those of a node that is away are lost."""
        return self._told(lambda node: node.links)

    def health(self) -> list[LinkHealth]:
        """Return how each link of a table does, in the same way."""
        return self._told(lambda node: node.health)

    def _told(self, of: Callable[[_Node], list[_Link]]) -> list[_Link]:
        now = _now()
        return [
            link
            if _is_here(node, now)
            else msgspec.structs.replace(link, state="lost", detail=f"node {name} is away")
            for name, node in self._nodes.items()
            for link in of(node)
        ]


def _troubles(node: _Node, now: float) -> Iterator[str]:
    if not node.session:
        yield "has not been heard of yet"
    elif not _is_here(node, now):
        yield f"is away, since {now - node.heard:.0f} s; its boards go on, and catch up"
    if node.trouble:
        yield node.trouble
    if now < node.twin_heard + AWAY_SECONDS:
        yield f"{node.twin} calls itself so too, and is not listened to: stop one of the two"
    if node.waiting > MANY_WAITING:
        yield f"{node.waiting} readings are on their way"
    if node.session and abs(node.skew) > SKEW_SECONDS:
        way = "ahead" if node.skew > 0 else "behind"
        yield f"its clock is {abs(node.skew):.1f} s {way}; games are timed right all the same"


def _is_here(node: _Node, now: float) -> bool:
    return now < node.heard + AWAY_SECONDS


def _now() -> float:
    return asyncio.get_running_loop().time()
