"""Whom to ask in a row of boards, for what and when: rounds, repeats, absences, the search.

The line is half duplex: one command is under way on the whole line. Only commands that read
are ever sent, and never a byte of single-board mode, which would throw every board out of bus
mode; a board outside it comes back with any bus command, and does not answer that one.
Times: vendor header "dgtbrd13" (2015); the patience with an answer: G. Michon's host driver.
"""

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from drivers.boards.dgt.bus_board import BusBoard
from drivers.boards.dgt.bus_framing import EVERYBODY, Reply, bus_command
from drivers.boards.dgt.protocol import BusCommand, BusMessage
from drivers.codec import NOTHING, Outgoing
from drivers.events import Event, Noise, Presence

ANSWER = 0.1
"""Seconds until an answer begins, and between its bytes: up to 20 ms are the board's, when it
writes its memory, and an adapter may sit on them for 16 ms."""

REST = 0.03
"""Seconds without a byte after which damage is over and the line is free again."""
LONGEST_DAMAGE = 0.5

TRIES = 2
TRIES_DAMAGED = 4
"""How often the same is asked: of a board that does not answer, of one whose answer is damaged."""

MISSES = 3
"""Visits without an answer after which a board is absent."""
FIRST_WAIT = 2.0
LONGEST_WAIT = 10.0
"""Seconds between two pings of an absent board, which cost the others 0.1 s each."""

POLL_EVERY = 0.2
"""Seconds between two visits to a board at least: boards read their squares no faster."""
TOLD_EVERY = 0.03
"""The same where a board has something to be told, which happens when bytes come, and the line is
free."""

SILENCE = 1.0
"""Seconds without any valid answer after which it is the line that fails, not one board."""

WINDOW = 1.2
"""Seconds for the answers to a ping of everybody: each comes at random within 1.1 s."""
FEWEST_LOOPS = 2
MOST_LOOPS = 8
LOOP_EVERY = 0.5
SEARCH_EVERY = 5.0
"""Seconds between two searches of a line on which nobody is expected and nobody answers."""

_REPLIES: dict[BusCommand, BusMessage] = {
    BusCommand.SEND_CLK: BusMessage.BWTIME,
    BusCommand.SEND_BRD: BusMessage.BRD_DUMP,
    BusCommand.SEND_CHANGES: BusMessage.UPDATE,
    BusCommand.REPEAT_CHANGES: BusMessage.UPDATE,
    BusCommand.PING: BusMessage.PING,
    BusCommand.IGNORE_NEXT_BUS_PING: BusMessage.PING,
    BusCommand.SEND_VERSION: BusMessage.VERSION,
}
_CHANGES = (BusCommand.SEND_CHANGES, BusCommand.REPEAT_CHANGES)


@dataclass
class _Place:
    """A board of the row as the rounds see it.

    ``present`` is unknown until it has answered or has not. ``unsure``: the last packet of
    changes may have been lost on the way.
    """

    board: BusBoard
    followed: bool
    due: float
    present: bool | None = None
    misses: int = 0
    wait: float = FIRST_WAIT
    unsure: bool = False
    visited: float = -math.inf

    @property
    def next_due(self) -> float:
        """When it may be asked on a line that is free."""
        return min(self.due, self.visited + TOLD_EVERY) if self.board.waits else self.due


@dataclass
class _Awaited:
    """The command that is under way."""

    command: BusCommand
    address: int
    since: float
    deadline: float
    tries: int
    damaged: bool = False


@dataclass
class _Search:
    """The search for boards that nobody has named: loops of a ping that known ones ignore."""

    due: float = math.inf
    loops: int = 0
    found: bool = False
    noisy: bool = False


class Rounds:
    """The outgoing side of one row, and what is known of who is there.

    *wanted* are the addresses to look for; only they are followed. Where none is wanted, every
    board that is found is.
    """

    def __init__(self, wanted: Iterable[int]) -> None:
        self._places = {
            address: _Place(BusBoard(address), followed=True, due=0.0) for address in wanted
        }
        self._choosy = bool(self._places)
        self._greeted = False
        self._queue: deque[tuple[BusCommand, int]] = deque()
        self._awaited: _Awaited | None = None
        self._search = _Search()
        self._heard_at = -math.inf
        self._told: list[Event] = []

    def greet(self, at: float) -> None:
        """Begin: who is known is asked at once, then who else is there."""
        self._greeted = True
        self._queue.clear()
        if self._awaited is not None and self._awaited.command in _CHANGES:
            self._places[self._awaited.address].unsure = True
        self._awaited = None
        self._told.clear()
        self._heard_at = at
        self._search = _Search(due=at + LOOP_EVERY if self._places else at)
        for place in self._places.values():
            place.present, place.misses, place.due = None, 0, at
            place.board.doubt()

    # -- what comes --------------------------------------------------------------------------------

    def news(self) -> list[Event]:
        """Return, once, what was concluded while nothing came."""
        told, self._told = self._told, []
        return told

    def answered(self, reply: Reply, at: float) -> list[Event]:
        """Return what follows for the rounds from a reply; what it tells is told by its board."""
        place = self._places.get(reply.address)
        if place is None and reply.kind not in (BusMessage.PING, BusMessage.BRD_DUMP):
            why = f"a reply of board {reply.address}, which was not asked"
            return [Noise(at=at, data=reply.data.hex(" "), why=why)]
        if at - self._heard_at > SILENCE:
            self._line_is_back(at)
        self._heard_at = at
        if place is None:
            board = BusBoard(reply.address)
            place = _Place(board, followed=not self._choosy, due=math.inf)
            self._places[reply.address] = place
            self._search.found = True
        events = [] if place.present else self._appears(place, at)
        place.misses = 0
        self._settle(reply, place)
        if place.followed:
            place.board.take(reply, at)
        return events

    def told(self, at: float) -> list[Event]:
        """Return what the boards have to tell by time *at*."""
        return [event for place in self._places.values() for event in place.board.told(at)]

    def damaged(self, at: float) -> None:
        """Note bytes that made no reply."""
        awaited = self._awaited
        if awaited is None:
            return
        awaited.damaged = True
        if awaited.address == EVERYBODY:
            self._search.noisy = True
        else:
            awaited.deadline = min(at + REST, awaited.since + LONGEST_DAMAGE)

    def arriving(self, at: float) -> None:
        """Note that a reply has begun and is not complete."""
        if self._awaited is not None and self._awaited.address != EVERYBODY:
            self._awaited.deadline = at + ANSWER

    def _appears(self, place: _Place, at: float) -> list[Event]:
        place.present, place.wait = True, FIRST_WAIT
        if place.followed:
            place.due = at
            place.board.doubt()
        return [Presence(at=at, unit=place.board.unit, present=True)]

    def _line_is_back(self, at: float) -> None:
        """Ask those soon that were given up only because nobody could be heard."""
        for place in self._places.values():
            if place.present is False:
                place.due = min(place.due, at)

    def _settle(self, reply: Reply, place: _Place) -> None:
        """Strike off the command that this answers; one that comes late answers nothing."""
        awaited = self._awaited
        if awaited is None or (awaited.address, _REPLIES[awaited.command]) != (
            reply.address,
            reply.kind,
        ):
            return
        if awaited.command in _CHANGES:
            place.unsure = False
        self._awaited = None

    # -- what goes ---------------------------------------------------------------------------------

    def next(self, at: float) -> Outgoing:
        """Return the command that is due at time *at*, or when the next one may be."""
        if not self._greeted:
            return NOTHING
        tries = 0
        if self._awaited is not None:
            if at < self._awaited.deadline:
                return Outgoing(b"", self._awaited.deadline)
            tries = self._give_up(self._awaited, at)
        if not self._queue:
            self._plan(at)
        if not self._queue:
            waiting = (place.next_due for place in self._places.values())
            return Outgoing(b"", min([self._search_due(), *waiting]))
        command, address = self._queue.popleft()
        patience = WINDOW if address == EVERYBODY else ANSWER
        self._awaited = _Awaited(command, address, at, at + patience, tries + 1)
        return Outgoing(bus_command(command, address), at + patience)

    def _search_due(self) -> float:
        """Not while something waits to be told: a loop is 1.2 s in which no bytes may come."""
        waits = any(place.board.waits for place in self._places.values())
        return math.inf if waits else self._search.due

    def _plan(self, at: float) -> None:
        """Queue what is due first: a visit to a board, or a loop of the search."""
        places = [place for place in self._places.values() if place.next_due <= at]
        place = min(places, key=lambda place: place.due, default=None)
        search_due = self._search_due()
        if search_due <= at and (place is None or search_due < place.due):
            known = [address for address, place in self._places.items() if place.present]
            self._queue += [(BusCommand.IGNORE_NEXT_BUS_PING, address) for address in known]
            self._queue.append((BusCommand.PING, EVERYBODY))
        elif place is not None:
            self._queue += [(command, place.board.address) for command in _visit(place, at)]
            place.due, place.visited = at + POLL_EVERY, at

    def _give_up(self, awaited: _Awaited, at: float) -> int:
        """Decide what follows from a missing answer; return how often it was asked, if again."""
        self._awaited = None
        if awaited.address == EVERYBODY:
            self._end_loop(at)
            return 0
        if awaited.command == BusCommand.IGNORE_NEXT_BUS_PING:
            return 0
        place = self._places[awaited.address]
        changes = awaited.command in _CHANGES
        place.unsure = place.unsure or changes
        if awaited.tries < self._most_tries(awaited, place, at):
            again = BusCommand.REPEAT_CHANGES if changes else awaited.command
            self._queue.appendleft((again, awaited.address))
            return awaited.tries
        if awaited.command == BusCommand.SEND_VERSION:
            place.board.wants_version = False  # nothing depends on it
        self._queue.clear()
        self._miss(place, at)
        return 0

    def _most_tries(self, awaited: _Awaited, place: _Place, at: float) -> int:
        if at - self._heard_at > SILENCE or place.present is False:
            return 1
        return TRIES_DAMAGED if awaited.damaged else TRIES

    def _miss(self, place: _Place, at: float) -> None:
        """A visit has failed: the board is asked again with the others, or is absent."""
        place.misses += 1
        place.board.doubt()
        if place.present and place.misses < MISSES:
            return
        if place.present is not False:
            place.wait = FIRST_WAIT
            self._told.append(
                Presence(at=at, unit=place.board.unit, present=False, detail="does not answer")
            )
        else:
            place.wait = min(2 * place.wait, LONGEST_WAIT)
        place.present = False
        place.due = at + place.wait

    def _end_loop(self, at: float) -> None:
        search = self._search
        again = search.found or search.noisy or search.loops + 1 < FEWEST_LOOPS
        if again and search.loops + 1 < MOST_LOOPS:
            self._search = _Search(due=at + LOOP_EVERY, loops=search.loops + 1)
        else:
            self._search = _Search(due=math.inf if self._places else at + SEARCH_EVERY)


def _visit(place: _Place, at: float) -> Iterable[BusCommand]:
    """Yield what to ask a board in one go; its changes close what was asked before them."""
    if not place.present:
        yield BusCommand.PING
        return
    if place.unsure:
        yield BusCommand.REPEAT_CHANGES
    if place.board.clock_due <= at:
        yield BusCommand.SEND_CLK
    if place.board.dump_due <= at:
        yield BusCommand.SEND_BRD
    yield BusCommand.SEND_CHANGES
    if place.board.wants_version:
        yield BusCommand.SEND_VERSION
