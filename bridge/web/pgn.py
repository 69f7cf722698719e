"""PGN over HTTP, as late as the public sees it: one game, a round, or all.

A program that follows a game asks again with the ``ETag`` it has; with ``wait``, it is answered
when there is something new.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from aiohttp import web

from bridge.core.model import ClockUpdated, Fact
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.bus import Lagged, Subscription
from bridge.outputs.feed import Feed
from bridge.outputs.game_files import board_order
from bridge.web.games import present
from bridge.web.texts import Text, sent, unchanged

LONGEST_WAIT = 60.0
"""Seconds a program may wait for something new."""
MOST_TEXTS = 1000

_ALL = "/pgn/games.pgn"
_TYPE = "application/x-chess-pgn; charset=utf-8"


class _Known(NamedTuple):
    """A text that was right when so many facts were known."""

    facts: int
    text: Text


class PgnPages:
    """Serves the games of *feed* as PGN; *admit* refuses who may not see them."""

    def __init__(self, feed: Feed, admit: Callable[[web.Request], None]) -> None:
        self._feed = feed
        self._admit = admit
        self._facts = 0
        self._changed = asyncio.Event()
        self._games: dict[tuple[str, int], bytes] = {}
        self._texts: dict[tuple[str, str | None], _Known] = {}

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get(_ALL, self._all),
            web.get("/pgn/round-{round:[^/]+}.pgn", self._round),
            web.get("/pgn/{table:[^/]+}.pgn", self._present),
            web.get("/pgn/{table:[^/]+}/{game:[0-9]{1,6}}.pgn", self._one),
        ]

    async def follow(self) -> None:
        """Note what changes until it is cancelled; after a mistake it may be begun again."""
        facts = self._feed.bus.subscribe()
        self._games.clear()
        self._note_change()
        try:
            await self._take_all(facts)
        finally:
            facts.close()

    async def _take_all(self, facts: Subscription) -> None:
        async for fact in facts:
            if isinstance(fact, Lagged):
                self._games.clear()
            elif not self._forget(fact):
                continue
            self._note_change()

    def _note_change(self) -> None:
        self._facts += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def _forget(self, fact: Fact) -> bool:
        """Forget what was written of a fact's game; say whether it may be another text now."""
        if isinstance(fact, ClockUpdated):
            return False
        self._games.pop((fact.table, fact.game), None)
        return True

    # -- which games -----------------------------------------------------------------------------

    async def _all(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, lambda: listed(self._of_section(request)))

    async def _round(self, request: web.Request) -> web.StreamResponse:
        wanted = request.match_info["round"]

        def games() -> list[GameRecord]:
            return listed(r for r in self._of_section(request) if r.setup.round == wanted)

        return await self._answer(request, games)

    def _of_section(self, request: web.Request) -> list[GameRecord]:
        """Return all games, or those of the group that is asked for."""
        wanted, records = request.query.get("section"), self._feed.book.records()
        return [each for each in records if wanted in (None, each.setup.section)]

    async def _present(self, request: web.Request) -> web.StreamResponse:
        table = request.match_info["table"]

        def games() -> list[GameRecord]:
            record = present([r for r in self._feed.book.records() if r.table == table])
            return [] if record is None else [record]

        return await self._answer(request, games)

    async def _one(self, request: web.Request) -> web.StreamResponse:
        key = request.match_info["table"], int(request.match_info["game"])

        def games() -> list[GameRecord]:
            record = self._feed.book.record(*key)
            return [] if record is None else [record]

        return await self._answer(request, games)

    # -- answering -------------------------------------------------------------------------------

    async def _answer(
        self, request: web.Request, games: Callable[[], list[GameRecord]]
    ) -> web.StreamResponse:
        self._admit(request)
        loop = asyncio.get_running_loop()
        ends = loop.time() + _wait(request)
        while True:
            changed = self._changed
            text = await self._text(request, games())
            if not text.is_known(request):
                return sent(request, text, _TYPE)
            try:
                async with asyncio.timeout_at(ends):
                    await changed.wait()
            except TimeoutError:
                return unchanged(text, _TYPE)

    async def _text(self, request: web.Request, records: list[GameRecord]) -> Text:
        key, facts = (request.path, request.query.get("section")), self._facts
        known = self._texts.get(key)
        if known is not None and known.facts == facts:
            return known.text
        if not records and request.path != _ALL:
            raise web.HTTPNotFound(text="there is no such game")
        body = b"".join([await self._written(record) for record in records])
        if known is not None and known.text.body == body:
            text = known.text
        else:
            text = Text.of(body, time.time())
        if len(self._texts) >= MOST_TEXTS:
            self._texts.clear()
        self._texts[key] = _Known(facts, text)
        return text

    async def _written(self, record: GameRecord) -> bytes:
        key = record.table, record.game
        text = self._games.get(key)
        if text is None:
            text = self._games[key] = to_pgn(record).encode()
            await asyncio.sleep(0)  # a whole event is much to write at once
        return text


def listed(records: Iterable[GameRecord]) -> list[GameRecord]:
    """Return the games that are published, by groups, rounds as they came, boards and games.

    A board that was set up again without a move is no game, unless it is the first of its table.
    """
    places: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    listed = []
    for record in records:
        place = places.setdefault(record.setup.round, len(places))
        first = (record.setup.round, record.table) not in seen
        seen.add((record.setup.round, record.table))
        if first or record.plies:
            order = board_order(record.table, record.setup.board)
            listed.append(((record.setup.section, place, order, record.game), record))
    return [record for _, record in sorted(listed, key=lambda each: each[0])]


def _wait(request: web.Request) -> float:
    asked = request.query.get("wait", "")
    return min(int(asked[:6]), LONGEST_WAIT) if asked.isascii() and asked.isdigit() else 0.0
