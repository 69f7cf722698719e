"""The broadcast of a hall's games on Lichess: from the bus into the outbox, and from there out."""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import TracebackType
from typing import Self

import chess

from bridge.config.lichess import LichessSettings
from bridge.core.model import ClockUpdated, Fact, TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.bus import Bus
from bridge.outputs.game_files import GameFiles
from bridge.outputs.lichess.api import LichessApi, token_of
from bridge.outputs.lichess.games import Game, round_games
from bridge.outputs.lichess.pusher import OUTPUT, Pauses, Pusher, content_of, key_of
from bridge.store.errors import OutboxError
from bridge.store.outbox import Outbox

logger = logging.getLogger(__name__)


class Queue:
    """Puts games into the outbox when they change.

    ``planned`` are the tables of the round that is played, by name. Their games are pushed before
    they have begun, so the boards are there in their order. They and ``settings`` may be replaced
    at any time.
    """

    def __init__(
        self,
        settings: LichessSettings,
        outbox: Outbox,
        queued: Callable[[dict[str, dict[str, Game]]], None],
    ) -> None:
        """*queued* takes all games of each round, in the calling thread."""
        self.settings = settings
        self.planned: Sequence[tuple[str, TableSetup]] = ()
        self._outbox = outbox
        self._queued = queued
        self._records: dict[tuple[str, int], GameRecord] = {}
        self._known: dict[str, Game] = {}

    def update(self, records: Iterable[GameRecord]) -> None:
        """Queue what is new or changed.

        Raises:
            OSError: nothing could be queued; the next update tries again.
        """
        self._records |= {(record.table, record.game): record for record in records}
        games = round_games([*self._records.values(), *self._to_come()])
        self._tell_troubles(games)
        known = {key_of(self.settings, game): game for game in games}
        changed = {
            key: content_of(game)
            for key, game in known.items()
            if not game.trouble and self._known.get(key) != game
        }
        if changed:
            try:
                self._outbox.put(OUTPUT, changed)
            except OutboxError as error:
                raise OSError(str(error)) from error
        self._known = known
        rounds: defaultdict[str, dict[str, Game]] = defaultdict(dict)
        for game in games:
            if not game.trouble:
                rounds[game.round][game.game_id] = game
        self._queued(rounds)

    def _to_come(self) -> list[GameRecord]:
        """Return an empty record for each table of the round that has none."""
        begun = {(record.setup.round, record.table) for record in self._records.values()}
        return [
            GameRecord(
                table=table,
                game=0,
                setup=setup,
                fen=setup.start_fen or chess.STARTING_FEN,
                started=0.0,
            )
            for table, setup in self.planned
            if (setup.round, table) not in begun
        ]

    def _tell_troubles(self, games: Iterable[Game]) -> None:
        for game in games:
            before = self._known.get(key_of(self.settings, game))
            if game.trouble and (before is None or before.trouble != game.trouble):
                logger.warning(
                    "lichess: round %s, table %s: %s", game.round, game.table, game.trouble
                )


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
        self._api = LichessApi(settings.server, partial(token_of, settings))
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
        """Take the tables of the round that is played, and settings with other rounds."""
        self._queue.planned, self._queue.settings = planned, settings
        self.pusher.take(settings)
        self._wake.set()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        await self._api.__aenter__()
        self._pushing = asyncio.create_task(self.pusher.run())
        return await super().__aenter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await super().__aexit__(kind, error, traceback)
        self.pusher.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pushing, self._pauses.patience_at_end)
        await self._api.__aexit__(kind, error, traceback)

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
