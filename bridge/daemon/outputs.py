"""What the configuration asks to be written, each with its delay."""

import contextlib
from collections.abc import AsyncIterator, Callable

from bridge.config import Config, Delay, TableSettings
from bridge.core.model import Fact
from bridge.outputs.cloud.files import CloudFiles, Seat
from bridge.outputs.feed import Feed
from bridge.outputs.pgn_files import PgnFiles


class Outputs:
    """Takes all facts and keeps the files; those with the same delay share a feed."""

    def __init__(self, config: Config, now: Callable[[], float], *, today: str) -> None:
        """Delay by journal time, which *now* tells; *today* is the date of games without one."""
        self._config = config
        self._now = now
        self._today = today
        self._feeds: dict[Delay, Feed] = {}
        self._pgn = self._feed(config.pgn.delay)
        self._cloud: CloudFiles | None = None
        if config.cloud is not None:
            feed = self._feed(config.cloud.delay)
            self._cloud = CloudFiles(
                config.cloud.folder, self._seats(), feed.bus, feed.book.records
            )

    def _feed(self, delay: Delay) -> Feed:
        return self._feeds.setdefault(delay, Feed(delay, self._now))

    def tell(self, fact: Fact) -> None:
        """Take the next fact, of the hall or of the journal."""
        for feed in self._feeds.values():
            feed.tell(fact)

    def take(self, config: Config) -> None:
        """Take the players and the round of a changed configuration."""
        self._config = config
        if self._cloud is not None:
            self._cloud.seat(self._seats())

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the files up to date until left, beginning with what was told before."""
        async with contextlib.AsyncExitStack() as stack:
            for feed in self._feeds.values():
                await stack.enter_async_context(feed)
            pgn = self._config.pgn
            files = PgnFiles(pgn.folder, self._pgn.bus, self._pgn.book.records)
            await stack.enter_async_context(files)
            if self._cloud is not None:
                await stack.enter_async_context(self._cloud)
            yield

    def _seats(self) -> list[Seat]:
        return [
            Seat(table.table, self._config.setup(table, today=self._today), _serial(table))
            for table in self._config.tables
        ]


def _serial(table: TableSettings) -> str:
    """Return what names a table's board to the public: its own number where it is configured."""
    return table.board.serial or table.board.unit or table.table
