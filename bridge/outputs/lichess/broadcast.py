"""The broadcast of a hall's games on Lichess: from the bus into the outbox, and from there out."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Self

from bridge.config.lichess import LichessSettings
from bridge.core.model import ClockUpdated, Fact, TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.bus import Bus
from bridge.outputs.game_files import GameFiles
from bridge.outputs.lichess.api import LichessApi, token_of
from bridge.outputs.lichess.games import Game
from bridge.outputs.lichess.pusher import Pauses, Pusher
from bridge.outputs.lichess.queue import Queue, empty_records
from bridge.outputs.lichess.round_pusher import OUTPUT
from bridge.outputs.tally import Report, report
from bridge.store.outbox import Outbox


class Broadcast(GameFiles):
    """Pushes the games of a bus to Lichess, from entering to leaving.

    Leaving pushes the rest if that can be done in a few seconds. What remains waits in the outbox.
    """

    at_once = 1_000_000  # which games of a table count is decided in view of all of them

    def __init__(
        self,
        settings: LichessSettings,
        outbox: Outbox,
        bus: Bus,
        current: Callable[[], Iterable[GameRecord]],
        *,
        pauses: Pauses | None = None,
    ) -> None:
        """Follow ``bus`` from what ``current`` returns: all games, with every fact published."""
        self._pauses = pauses or Pauses()
        self._outbox = outbox
        self._api = LichessApi(settings.server, partial(token_of, settings), outbox.may_send)
        self.pusher = Pusher(settings, outbox, self._api, self._pauses)
        self._queue = Queue(settings, outbox, self._push_later)
        super().__init__(
            "what goes to Lichess",
            self._queue,
            bus,
            current,
            interval=settings.interval,
            retry=1.0,
        )

    def seat(self, planned: Sequence[tuple[str, TableSetup]], settings: LichessSettings) -> None:
        """Take the tables of the round that is played, and settings with other rounds.

        What was made to be forgotten in the outbox is pushed anew.
        """
        self._queue.put_again()
        self._queue.planned, self._queue.settings = empty_records(planned), settings
        self.pusher.take(settings)
        self._wake.set()

    async def report(self) -> Report:
        """Return how pushing goes.

        Raises:
            OutboxError: the outbox cannot be read.
        """
        count = await asyncio.to_thread(self._outbox.count, OUTPUT)
        pushing = report("lichess", self.pusher.tally, waiting=self.waiting + count)
        return pushing._replace(trouble=pushing.trouble or self.tally.trouble)

    def troubles(self) -> list[str]:
        """Return in words what cannot be pushed, or is not on Lichess as it should be."""
        return [*self.pusher.in_words(), *(f"lichess: {text}" for text in self._queue.troubles)]

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        await self._api.__aenter__()
        self._pushing = asyncio.create_task(self.pusher.run())
        return await super().__aenter__()

    async def __aexit__(self, *error: object) -> None:
        await super().__aexit__(*error)
        self.pusher.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pushing, self._pauses.patience_at_end)
        await self._api.__aexit__(*error)

    def _changed_by(self, fact: Fact) -> GameRecord | None:
        """Enter a fact; clocks are told with the moves alone."""
        record = super()._changed_by(fact)
        return None if isinstance(fact, ClockUpdated) else record

    def _push_later(self, games: dict[str, dict[str, Game]]) -> None:
        """Let the pusher have the games that were queued; called from the writing thread."""
        self._loop.call_soon_threadsafe(self._push, games)

    def _push(self, games: dict[str, dict[str, Game]]) -> None:
        self.pusher.games = games
        self.pusher.wake()
