"""Who gets games in messages: pages, programs that read facts, and Lichess."""

import io
import itertools
import json
from pathlib import Path

import chess.pgn
import msgspec

from bridge.config.lichess import LichessSettings
from bridge.core.model import Fact, TableSetup
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.outputs.feed import Feed
from bridge.outputs.json_lines import as_line
from bridge.outputs.lichess.games import Game
from bridge.outputs.lichess.queue import Queue
from bridge.outputs.lichess.round_pusher import OUTPUT
from bridge.outputs.webhook.messages import body_of, fact_in, is_wanted
from bridge.store.outbox import Outbox
from bridge.web import games
from bridge.web.showing import Showing
from tests.bridge.simple_page import Page


class FactReaders:
    """Programs that keep scoresheets of what they are told, by JSON lines and by webhook."""

    def __init__(self) -> None:
        self.lines, self.hooks = Scorebook(), Scorebook()

    def hear(self, fact: Fact) -> None:
        """Take a fact as it is sent."""
        self.lines.apply(msgspec.json.decode(as_line(fact), type=Fact))
        if is_wanted(fact, "json"):
            self.hooks.apply(fact_in(body_of(fact)))

    def check(self, record: GameRecord) -> None:
        """Make sure that all know the game."""
        for book in (self.lines, self.hooks):
            read = book.record(record.table, record.game)
            assert read is not None
            assert (read.setup, read.result) == (record.setup, record.result)
            assert (read.plies, read.adoptions) == (record.plies, record.adoptions)


class PageReader:
    """A page that follows a table."""

    def __init__(self, table: str, feed: Feed) -> None:
        self._table = table
        self.showing = Showing(
            "public", feed, [table], lambda _: TableSetup(), itertools.count(1, 3)
        )

    def open(self) -> None:
        """Take the game as it is now."""
        self._seq = self.showing.channel.seq
        self._page = Page(self._game())

    def _game(self) -> games.Game:
        game = self.showing.game(self._table)
        assert game is not None
        return game

    def check(self, record: GameRecord) -> None:
        """Take what was told, and make sure that the page shows the game."""
        messages = self.showing.since(self._seq)
        assert messages is not None
        for message in messages:
            self._page.take(json.loads(message.body))
            self._seq = message.seq
        assert self._page.differs_from(self._game()) == []
        shown = [ply["san"] for ply in self._page.game["plies"]]
        assert shown == [ply.san for ply in record.plies]
        assert self._page.game["result"] == record.result


class LichessReader:
    """Lichess as it would be if it took at once what waits for it."""

    def __init__(self, folder: Path) -> None:
        self.outbox = Outbox(folder / "outbox.sqlite3")
        settings = LichessSettings(rounds={"3": "Round003"})
        self._queue = Queue(settings, self.outbox, lambda _: None)

    def check(self, record: GameRecord, legal: list[str]) -> None:
        """Queue the game, and make sure that it waits as it is, up to what is not *legal*."""
        self._queue.update([record.copy()])
        waiting = self.outbox.waiting(OUTPUT)
        if not waiting:
            assert "?" in (record.setup.white, record.setup.black)
            return
        (entry,) = waiting
        pgn = msgspec.json.decode(entry.content, type=Game).pgn
        game = chess.pgn.read_game(io.StringIO(pgn))
        assert game is not None
        assert game.errors == []
        assert game.headers["Result"] == record.result
        assert game.headers["White"] == record.setup.white
        assert [node.san() for node in game.mainline()] == legal
