"""Where the readings of a daemon come from: the boards of this machine, or machines elsewhere."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from bridge.config import Config
from bridge.core.model import Fact
from bridge.daemon.clock import JournalClock
from bridge.daemon.hall import Hall, Stage
from bridge.daemon.lines import Lines
from bridge.links.probing import Found, NotABoard
from bridge.links.pulse import Link, LinkHealth
from bridge.outputs.controls import Controls
from bridge.outputs.feed import Feed
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox

Publish = Callable[[Fact], None]
Measured = Callable[[Stage, float], None]
TakeUp = Callable[[], Coroutine[None, None, None]]


class Boards(Protocol):
    """The boards of a hall, wherever they are."""

    @property
    def links(self) -> Sequence[Link]:
        """The links that run."""

    def runs(self) -> Iterable[Coroutine[None, None, None]]:
        """Return what is to run while the daemon serves."""

    def health(self) -> list[LinkHealth]:
        """Return how each link of a table does."""

    async def discover(self) -> list[Found | NotABoard]:
        """Ask at all ports which boards are there; those that links hold are only named.

        Raises:
            NotPossibleError: the ports are not here.
        """

    def light(self, table: str) -> None:
        """Let the board of *table* light the squares that are marked there now, and no others."""


class Source(Protocol):
    """Where readings come from.

    ``leaves_gaps``: what happens while the daemon does not run is seen by nobody.
    """

    leaves_gaps: bool

    def now(self) -> float:
        """Return the journal time now."""

    def open_outbox(self, path: Path) -> Outbox:
        """Open what outputs must not forget."""

    @property
    def feeds(self) -> Sequence[Feed]:
        """What is told facts beside the outputs of the configuration."""

    def running(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Be there until left."""

    async def prepared(self, stop: asyncio.Event) -> None:
        """Return when a hall can be had, or *stop* is set; until then :meth:`troubles` say why."""

    def hall(self, publish: Publish, measured: Measured) -> tuple[Hall, Boards]:
        """Return the hall, in which nothing has happened yet, and its boards."""

    def controls(self, own: Controls) -> Controls:
        """Return what people may do, of which *own* is done on this machine alone."""

    async def ready(self, stop: asyncio.Event, take_up: TakeUp) -> bool:
        """Return whether this daemon is to serve, as soon as it is; not, if *stop* comes first.

        *take_up* is awaited when somebody else has changed the outbox meanwhile.
        """

    def troubles(self) -> list[str]:
        """Return in words what keeps readings from coming, beside what links say themselves."""


class OwnBoards:
    """The boards of this machine."""

    leaves_gaps = True
    feeds: Sequence[Feed] = ()

    def __init__(self, config: Config, journal: Journal) -> None:
        self._config = config
        self._journal = journal
        self._clock = JournalClock(journal.last_at())
        self.now = self._clock.now

    def open_outbox(self, path: Path) -> Outbox:
        """Open the one outbox there is."""
        return Outbox(path)

    def running(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Be there: boards are looked for when the daemon serves."""
        return contextlib.nullcontext()

    async def prepared(self, stop: asyncio.Event) -> None:
        """Return at once."""
        del stop

    def hall(self, publish: Publish, measured: Measured) -> tuple[Hall, Boards]:
        """Return the hall to which the links deliver, and the links."""
        hall = Hall(self._journal, now=self.now, publish=publish, measured=measured)
        return hall, Lines(self._config, hall, self._clock)

    def controls(self, own: Controls) -> Controls:
        """Return *own*: there is no other machine."""
        return own

    async def ready(self, stop: asyncio.Event, take_up: TakeUp) -> bool:
        """Return that the daemon is to serve."""
        del stop, take_up
        return True

    def troubles(self) -> list[str]:
        """Return nothing: links say it themselves."""
        return []
