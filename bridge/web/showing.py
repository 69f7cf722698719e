"""What one audience is shown of a hall: the games as they are, and message by message."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from bridge.core.audience import Audience
from bridge.core.model import (
    ClockUpdated,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    StartFound,
    TableSetup,
)
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.bus import Lagged, Subscription
from bridge.outputs.feed import Feed
from bridge.outputs.game_files import board_order
from bridge.web.channel import Channel, Message
from bridge.web.games import Game, awaited, brief, changes, clocks_of, game_of, present

OF_GAMES = (
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    StartFound,
)
"""Facts by which a game is another one, beside those of its clock."""


class Showing:
    """The games of *tables* as *audience* sees them.

    Args:
        feed: tells of them, as late as the audience may know.
        setup: what the configuration says of a table.
        numbers: those of messages.
    """

    def __init__(
        self,
        audience: Audience,
        feed: Feed,
        tables: Sequence[str],
        setup: Callable[[str], TableSetup],
        numbers: Iterator[int],
    ) -> None:
        self.channel = Channel(numbers)
        self._audience = audience
        self._feed = feed
        self._setup = setup
        self._records: dict[str, dict[int, GameRecord]] = {table: {} for table in tables}
        self._told: dict[str, Game] = {}
        self._changed: set[str] = set()
        self._ticked: set[str] = set()
        self._hellos: dict[bool, tuple[int, bytes]] = {}

    # -- as it is --------------------------------------------------------------------------------

    def tables(self) -> list[str]:
        """Return the names of the tables in the order of their boards."""
        return [game.table for game in self.games()]

    def games(self) -> list[Game]:
        """Return the present game of every table, in the order of the boards."""
        self._tell_changes()
        return sorted(self._told.values(), key=lambda game: board_order(game.table, game.board))

    def game(self, table: str, number: int | None = None) -> Game | None:
        """Return a game of a table, the present one without *number*; ``None`` if there is none."""
        if number is None:
            self._tell_changes()
            return self._told.get(table)
        record = self._records.get(table, {}).get(number)
        return None if record is None else game_of(record)

    def hello(self, *, plies: bool = True, table: str | None = None) -> bytes:
        """Return the message that tells everything there is; its number is the channel's."""
        self._tell_changes()
        if table is not None:
            return self._hello(self._games_at(table), plies=plies)
        seq, body = self._hellos.get(plies, (0, b""))
        if seq != self.channel.seq:
            body = self._hello(self.games(), plies=plies)
            self._hellos[plies] = self.channel.seq, body
        return body

    def since(self, seq: int) -> list[Message] | None:
        """Return what was told after message *seq*, ``None`` where nobody knows any more."""
        self._tell_changes()
        return self.channel.since(seq)

    def _games_at(self, table: str) -> list[Game]:
        game = self._told.get(table)
        return [] if game is None else [game]

    def _hello(self, games: list[Game], *, plies: bool) -> bytes:
        shown = games if plies else list(map(brief, games))
        return msgspec.json.encode(self._greeting(games, shown))

    def _greeting(self, games: list[Game], shown: list[Any]) -> dict[str, Any]:
        """Return the message that tells everything of *games*, of which so much is *shown*."""
        del games
        return {"type": "hello", "seq": self.channel.seq, "games": shown}

    # -- as it goes on ---------------------------------------------------------------------------

    async def follow(self) -> None:
        """Follow the games until it is cancelled; it may be begun again after a mistake of ours."""
        facts = self._feed.bus.subscribe(audience=self._audience)
        self.begin()
        try:
            await self._take_all(facts)
        finally:
            facts.close()

    def begin(self) -> None:
        """Take everything as it is now; who follows begins anew."""
        for record in self._feed.book.records():
            self._enter(record)
        for table in self._records:
            self._told[table] = self._as_it_is(table)
        self._changed.clear()
        self._ticked.clear()
        self.channel.begin_anew()

    async def _take_all(self, facts: Subscription) -> None:
        async for fact in facts:
            if isinstance(fact, Lagged):
                self.begin()
            elif fact.table in self._records:
                self._take(fact)

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, ClockUpdated):
            self._note(fact.table, self._ticked)
        elif isinstance(fact, OF_GAMES):
            record = self._feed.book.record(fact.table, fact.game)
            if record is not None:
                self._enter(record)
            self.change(fact.table)

    def _enter(self, record: GameRecord) -> None:
        if record.table in self._records:
            self._records[record.table][record.game] = record

    def change(self, table: str) -> None:
        """Tell what has changed at a table, together with what changes in the same moment."""
        self._note(table, self._changed)

    def _note(self, table: str, where: set[str]) -> None:
        if not (self._changed or self._ticked):
            asyncio.get_running_loop().call_soon(self._tell_changes)
        where.add(table)

    def _tell_changes(self) -> None:
        ticked, changed = self._ticked - self._changed, self._changed
        self._ticked, self._changed = set(), set()
        for table in ticked:
            self._tell_change(table, self._with_its_clock(self._told[table]))
        for table in changed:
            self._tell_change(table, self._as_it_is(table))

    def _tell_change(self, table: str, game: Game) -> None:
        for message in changes(self._told[table], game):
            self.tell(table, message)
            self._told[table] = game

    def _with_its_clock(self, game: Game) -> Game:
        """Return *game* with the times that its clock shows now; nothing else has changed."""
        record = self._records[game.table].get(game.game)
        return game if record is None else msgspec.structs.replace(game, clocks=clocks_of(record))

    def tell(self, table: str, message: dict[str, Any]) -> None:
        """Tell a message of a table, which is given its number."""
        numbered = {"type": message["type"], "seq": self.channel.next_seq(), "table": table}
        body = msgspec.json.encode(numbered | message)
        self.channel.tell(Message.of(self.channel.seq, table, body))

    def _as_it_is(self, table: str) -> Game:
        record = present([*self._records[table].values()])
        return awaited(table, self._setup(table)) if record is None else game_of(record)
