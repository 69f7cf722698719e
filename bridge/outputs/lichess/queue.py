"""Puts the games that go to Lichess into the outbox, as they change."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import chess

from bridge.config.lichess import LichessSettings
from bridge.core.model import TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.lichess.games import Game, round_games
from bridge.outputs.lichess.pusher import OUTPUT, content_of, key_of
from bridge.store.errors import OutboxError
from bridge.store.outbox import Outbox

logger = logging.getLogger(__name__)


def with_planned(
    records: Iterable[GameRecord], planned: Iterable[tuple[str, TableSetup]]
) -> list[GameRecord]:
    """Return *records*, with an empty one for each planned table that has none in its round."""
    found = list(records)
    begun = {(record.setup.round, record.table) for record in found}
    return found + [
        GameRecord(
            table=table,
            game=0,
            setup=setup,
            fen=setup.start_fen or chess.STARTING_FEN,
            started=0.0,
        )
        for table, setup in planned
        if (setup.round, table) not in begun
    ]


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
        games = round_games(with_planned(self._records.values(), self.planned))
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

    def _tell_troubles(self, games: Iterable[Game]) -> None:
        for game in games:
            before = self._known.get(key_of(self.settings, game))
            if game.trouble and (before is None or before.trouble != game.trouble):
                logger.warning(
                    "lichess: round %s, table %s: %s", game.round, game.table, game.trouble
                )
