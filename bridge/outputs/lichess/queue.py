"""Puts the games that go to Lichess into the outbox, as they change."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import chess

from bridge.config.lichess import LichessSettings
from bridge.core.model import TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.lichess.games import Game, game_of, round_games, round_name
from bridge.outputs.lichess.round_pusher import OUTPUT, content_of
from bridge.outputs.lichess.states import key_of
from bridge.store.errors import OutboxError
from bridge.store.outbox import Outbox

logger = logging.getLogger(__name__)


def empty_records(planned: Iterable[tuple[str, TableSetup]]) -> list[GameRecord]:
    """Return a record without moves for each table, by name and set-up."""
    return [
        GameRecord(
            table=table,
            game=0,
            setup=setup,
            fen=setup.start_fen or chess.STARTING_FEN,
            started=0.0,
        )
        for table, setup in planned
    ]


def with_planned(records: Iterable[GameRecord], planned: Iterable[GameRecord]) -> list[GameRecord]:
    """Return *records*, with the *planned* ones of tables that have none in that round."""
    found = list(records)
    begun = {(round_name(record.setup), record.table) for record in found}
    return found + [each for each in planned if (round_name(each.setup), each.table) not in begun]


class Queue:
    """Puts games into the outbox when they change.

    ``planned`` are empty records of the tables of the round that is played. They are pushed before
    the games have begun, so the boards are there in their order. They and ``settings`` may be
    replaced at any time; records are told from changed ones by being others. ``troubles`` say in
    words which games of that round have moves and cannot be pushed.
    """

    def __init__(
        self,
        settings: LichessSettings,
        outbox: Outbox,
        queued: Callable[[dict[str, dict[str, Game]]], None],
    ) -> None:
        """*queued* takes all games of each round, in the calling thread."""
        self.settings = settings
        self.planned: Sequence[GameRecord] = ()
        self.troubles: list[str] = []
        self._outbox = outbox
        self._queued = queued
        self._records: dict[tuple[str, int], GameRecord] = {}
        self._known: dict[str, Game] = {}
        self._made: dict[tuple[str, str, int], tuple[GameRecord, int, Game]] = {}

    def put_again(self) -> None:
        """Put all games into the outbox with the next update, whatever is known of them.

        It keeps those that Lichess has, unless somebody has let it forget them.
        """
        self._known = {}

    def update(self, records: Iterable[GameRecord]) -> None:
        """Queue what is new or changed.

        Raises:
            OSError: nothing could be queued; the next update tries again.
        """
        self._records |= {(record.table, record.game): record for record in records}
        games = round_games(with_planned(self._records.values(), self.planned), self._make)
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
        self.troubles = self._not_pushed(games)
        rounds: defaultdict[str, dict[str, Game]] = defaultdict(dict)
        for game in games:
            if not game.trouble:
                rounds[game.round][game.game_id] = game
        self._queued(rounds)
        for record in self._records.values():
            if record.ended_by is not None:
                record.pack()

    def _make(self, record: GameRecord, number: int) -> Game:
        """Return a game; most of them are as they were the last time."""
        place = record.setup.round, record.table, record.game
        made = self._made.get(place)
        if made is None or made[0] is not record or made[1] != number:
            made = self._made[place] = record, number, game_of(record, number)
        return made[2]

    def _not_pushed(self, games: Iterable[Game]) -> list[str]:
        """Return in words what cannot be pushed; a board without names may be one nobody uses."""
        played = {round_name(record.setup) for record in self.planned}
        tables: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for game in games:
            if game.trouble and game.plies and (game.round in played or not played):
                tables[game.round, game.trouble][game.table] = None
        return [
            f"round {name}, table {', '.join(those)}: {trouble}; the moves go there once the names "
            "are entered"
            for (name, trouble), those in tables.items()
        ]

    def _tell_troubles(self, games: Iterable[Game]) -> None:
        for game in games:
            before = self._known.get(key_of(self.settings, game))
            if game.trouble and (before is None or before.trouble != game.trouble):
                logger.warning(
                    "lichess: round %s, table %s: %s", game.round, game.table, game.trouble
                )
