"""Who follows which board: facts come in, frames go out to all feeds that see a board alike."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.config import TableSettings
from bridge.core.model import Fact, GameStarted, LinkChanged
from bridge.core.scoresheet.record import Scorebook, ScoresheetError
from bridge.core.table import Table
from bridge.outputs.bus import Lagged, Subscription
from bridge.outputs.feed import Feed as Source
from bridge.outputs.lasting import lasting
from bridge.outputs.line import framed
from bridge.outputs.livechess.protocol import Board, RequestError, event, fed
from bridge.outputs.livechess.seat import Seat
from bridge.outputs.livechess.view import Start, View
from bridge.outputs.tally import Tally

logger = logging.getLogger(__name__)


def now_ms() -> int:
    """Return the time as LiveChess tells it."""
    return round(time.time() * 1000)


class Feed:
    """One board that one client follows; ``put`` takes frames and never waits."""

    def __init__(self, name: bytes, put: Callable[[bytes], None], view: View) -> None:
        self.name = name
        self.view = view
        self.put = put

    def frame(self, body: bytes) -> bytes:
        """Return the frame that carries an event to this feed and all of its name."""
        return framed(fed(self.name, body))


@dataclass(frozen=True, slots=True)
class _Untold:
    """That a seat has news of journal time ``at``; ``is_back``: its board answers again."""

    at: float
    is_back: bool

    def is_one_with(self, fact: Fact) -> bool:
        """Whether what *fact* says may be told together with what was before it."""
        return fact.at == self.at and not isinstance(fact, GameStarted | LinkChanged)


class Hub:
    """The boards of a hall and the feeds that follow them.

    Args:
        tables: those that are listed, in their order; *first* is put before the others.
        feed: tells of them what an operator may see.
        table: tells what a board says of itself; ``None`` where the feed is delayed.
    """

    def __init__(
        self,
        tables: Sequence[TableSettings],
        feed: Source,
        table: Callable[[str], Table] | None,
        *,
        first: str | None = None,
    ) -> None:
        self._first = first
        self._seats = {
            each.table: Seat(each, table(each.table) if table else None) for each in tables
        }
        self._source = feed
        self._book = Scorebook()
        self._views: dict[Seat, dict[View, list[Feed]]] = {
            seat: {} for seat in self._seats.values()
        }
        self.tally = Tally()
        self._rebuild()

    # -- what clients ask --------------------------------------------------------------------------

    def boards(self) -> list[Board]:
        """Return all boards as they are now, those that answer before the others."""
        boards = [(seat.name, seat.board()) for seat in self._seats.values()]
        boards.sort(key=lambda each: (each[0] != self._first, each[1].state != "ACTIVE"))
        return [board for _, board in boards]

    def open(self, name: bytes, put: Callable[[bytes], None], serialnr: str) -> Feed:
        """Return a new feed of a board, which has been told nothing yet.

        Raises:
            RequestError: there is no such board.
        """
        seats = self._seats.values()
        found = [seat for seat in seats if seat.serialnr == serialnr]
        found += [seat for seat in seats if seat.name == serialnr]
        if not found:
            raise RequestError(f"there is no board {serialnr}")
        return Feed(name, put, View(found[0]))

    def begin(self, feed: Feed) -> None:
        """Tell a new feed everything, and from then on what changes."""
        self._go_on(feed, feed.view, feed.view.snapshot())

    def close(self, feed: Feed) -> None:
        """Tell a feed no more; one that is closed may be closed again."""
        views = self._views[feed.view.seat]
        feeds = views.get(feed.view, [])
        if feed in feeds:
            feeds.remove(feed)
        if not feeds:
            views.pop(feed.view, None)

    def set_up(self, feed: Feed, start: Start) -> None:
        """Let a feed tell moves from *start* on."""
        self.close(feed)
        self._go_on(feed, *feed.view.set_up(start))

    def turn(self, feed: Feed, flip: bool) -> None:
        """Let a feed tell the board with White at the near side, or at the far one."""
        self.close(feed)
        self._go_on(feed, *feed.view.turned(flip))

    def _go_on(self, feed: Feed, view: View, told: dict[str, Any]) -> None:
        views = self._views[view.seat]
        feed.view = next((other for other in views if other.told == view.told), view)
        views.setdefault(feed.view, []).append(feed)
        feed.put(feed.frame(event(told, now=now_ms())))

    # -- what happens ------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Follow the boards until it is cancelled."""
        await lasting("livechess", self._follow, self.tally)

    async def _follow(self) -> None:
        facts = self._source.bus.subscribe(audience="operator")
        self._rebuild()
        try:
            await self._take(facts)
        finally:
            facts.close()

    async def _take(self, facts: Subscription) -> None:
        """Tell in one frame what happened at once: a press, the move that it settled, the times."""
        untold = dict[Seat, _Untold]()
        async for fact in facts:
            if isinstance(fact, Lagged):
                self._rebuild()
            elif fact.table in self._seats:
                seat = self._seats[fact.table]
                before = untold.get(seat)
                if before is not None and not before.is_one_with(fact):
                    self._tell_of(seat, is_back=before.is_back)
                    before = None
                is_back = self._apply(seat, fact)
                untold[seat] = _Untold(fact.at, is_back or (before is not None and before.is_back))
            if not facts.waiting:
                for seat, each in untold.items():
                    self._tell_of(seat, is_back=each.is_back)
                untold.clear()

    def _rebuild(self) -> None:
        """Begin with the state as it is now; who follows is told what changed meanwhile."""
        self._book = Scorebook(self._source.book.records())
        games = self._book.records()
        for name, seat in self._seats.items():
            latest = self._source.overview.tables[name]
            seat.begin(latest, (record for record in games if record.table == name))
        for seat in self._views:
            self._tell_of(seat, is_back=False)

    def _apply(self, seat: Seat, fact: Fact) -> bool:
        """Enter a fact; return whether the board is back by it."""
        was_away = seat.state != "ACTIVE"
        seat.apply(fact)
        self._enter(seat, fact)
        for view in self._views[seat]:
            view.look()
        return was_away and isinstance(fact, LinkChanged) and seat.state == "ACTIVE"

    def _tell_of(self, seat: Seat, *, is_back: bool) -> None:
        for view, feeds in self._views[seat].items():
            for each in view.resume() if is_back else view.changes():
                body = event(each, now=now_ms())
                frames: dict[bytes, bytes] = {}
                for feed in feeds:
                    frame = frames.get(feed.name)
                    if frame is None:
                        frame = frames[feed.name] = feed.frame(body)
                    feed.put(frame)

    def _enter(self, seat: Seat, fact: Fact) -> None:
        try:
            record = self._book.apply(fact)
        except ScoresheetError:
            # A mistake of ours at one table is no reason to leave the others behind.
            logger.exception("livechess: a fact was passed over")
            return
        if record is not None and (seat.record is None or record.game >= seat.record.game):
            seat.record = record
