"""A second reading of the whole game.

The engine decides early and looks back a few plies. What was read wrongly may show only much
later, when those plies are out of its reach: a wrong victim where men have no names, or a man who
stands where the board sees nothing. So the game is read a second time beside the record, some
placements behind, with many readings kept and nothing decided. Once one of them explains what was
seen clearly better than the record does, it may take its place.
"""

import math
from collections import deque
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import chess

from bridge.core.inference.branch import Reading
from bridge.core.inference.hypotheses import Node
from bridge.core.inference.placement import difference, occupied
from bridge.core.inference.retracing import AT_ONCE, LATE_STAND
from bridge.core.inference.whole import Whole

MOST_WAITING = 12
"""Placements and presses by which the second reading may be behind without need."""
MOST_WAITING_NAMED = 36
"""The same where men have names, and it is needed only where the thread is lost."""
MOST_WAITING_SURE = 108
"""The same while all of the last plies were pressed. Then it begins with a later position, ..."""
KEPT_WAITING = 54
"""... after which no more than so many of them are left."""
MOST_AT_ONCE = 4
"""How many of them are gone through on one reading when more are waiting."""
EVENTS_KEPT = 4000
"""Placements, presses and turns kept to be gone through again."""
MOST_TOGETHER = 4
"""Squares that one move changes at most. What a link tells late comes together, but in the order in
which it was done: where men have names, no more changes are put together."""

PASSED = 0.15
"""The share of a stand that a man has, of what is told late, where he only passed."""
READ_OUT = 0.1
"""What is told so soon (s) after each other when a link is back is one look at the board."""


class _Event(NamedTuple):
    """Cells that were shown from a time on, a press, or for whom the clock ran from then on.

    ``following``: how many more presses were heard together with that.
    """

    at: float
    cells: str | None = None
    press: chess.Color | None = None
    following: int = 0
    turn: chess.Color | None = None
    lost: bool = False


def is_late(told: Sequence[_Event], shown: str) -> bool:
    """Whether the link *told* late what was done over some time: a square changed twice.

    *shown*: what the board had shown before. What one move changes may be a contact that bounces.
    """
    changed = twice = lines = 0
    for event in told:
        if event.cells is not None:
            news = difference(event.cells, shown)
            twice |= changed & news
            changed, shown, lines = changed | news, event.cells, lines + 1
    return bool(twice) and lines > MOST_TOGETHER


def spread(told: Sequence[_Event], since: float) -> list[_Event]:
    """Return what was *told* late in the order in which it was done, over the time *since* then.

    A man who is shown on a square that he leaves with the next line only passed there.
    """
    shares, shown = [0.0] * len(told), deque[str](maxlen=2)
    for number, event in enumerate(told):
        if event.cells is not None:
            shares[number] = _share(event.cells, shown)
            shown.append(event.cells)
    until = told[-1].at
    step = min(LATE_STAND, (until - since) / sum(shares))
    at, spaced = until - step * sum(shares), []
    for event, share in zip(told, shares, strict=True):
        at += step * share
        spaced.append(event._replace(at=at))
    return spaced


def _share(cells: str, shown: Sequence[str]) -> float:
    """Return the share of time after which *cells* followed the last two placements *shown*."""
    passed = ~occupied(cells)
    for earlier, later in pairwise((*shown, cells)):
        passed &= difference(earlier, later)
    return PASSED if passed and len(shown) > 1 else 1.0


def merged(told: Sequence[_Event], most: int) -> list[_Event]:
    """Return what was *told* together, with no more than *most* changes of one time in one."""
    together, lines = [told[0]], 1
    for event in told[1:]:
        last = together[-1]
        if event.cells and last.cells and (last.at < event.at or lines < most):
            together[-1] = event
            lines += 1
        else:
            together.append(event)
            lines = 1
    return together


def _leads_to(node: Node, head: Node) -> bool:
    """Whether *node* is a ply of the record up to *head*."""
    return head.at_ply(node.ply) is node


class _Noted(NamedTuple):
    """Where it may begin: the record there, for whom the clock ran, and what had happened before.

    ``number``: of the events since the beginning.
    """

    nodes: list[Node]
    running: chess.Color | None
    number: int


class SecondReading:
    """What happened since it began, as far as it was not gone through yet, and the readings.

    ``scan``: squares that change within this time change together (s); ``named``: men have names.
    ``keeps``: what was gone through is kept, to be gone through again as other men's play.
    """

    def __init__(self, scan: float, *, named: bool) -> None:
        self._scan = scan
        self._named = named
        self._most_waiting = MOST_WAITING_NAMED if named else MOST_WAITING
        self._events: deque[_Event] = deque()
        self._burst: deque[_Event] = deque()
        self._told_until = -math.inf
        self.keeps = False
        self._kept: deque[_Event] = deque(maxlen=EVENTS_KEPT)
        self._nodes: list[Node] = []
        self._noted: deque[_Noted] = deque(maxlen=KEPT_WAITING)
        self._number = 0
        self._head: Node | None = None
        self._whole: Whole | None = None
        self._turn: chess.Color | None = None
        self._running: chess.Color | None = None
        self._lost = self._jumps = False
        self._reads_at = -math.inf
        self._spent = 0

    # -- what happens ------------------------------------------------------------------------------

    @property
    def reads(self) -> bool:
        """Whether the game is being read."""
        return bool(self._nodes)

    def begins_at(self, node: Node) -> bool:
        """Whether it begins with *node*."""
        return bool(self._nodes) and self._nodes[0] is node

    def begin(self, nodes: list[Node]) -> None:
        """Read on from *nodes*, the first of which is the last ply of the record."""
        self._nodes = [*nodes]
        self._noted.clear()
        self._number = 0
        self._head = nodes[0]
        self._whole = None
        self._told_until = -math.inf
        self._events.clear()
        self._burst.clear()
        self._kept.clear()
        self._lost = self._jumps = False
        self._running = self._turn

    def note(self, nodes: list[Node]) -> None:
        """Take note of *nodes*, the first of which is shown as the last ply of the record."""
        if not self._noted or self._noted[-1].nodes[0] is not nodes[0]:
            self._noted.append(_Noted([*nodes], self._turn, self._number))

    def moves_on(self) -> bool:
        """Begin with a noted position, if too much waits, instead of going through all of that.

        It is in the record, and does not come before what was gone through already. False if there
        is none.
        """
        if len(self._events) <= MOST_WAITING_SURE:
            return True
        head, first = self._head, self._number - len(self._events)
        while self._noted and self._number - self._noted[0].number > KEPT_WAITING:
            self._noted.popleft()
        for noted in self._noted:
            if noted.number >= first and head is not None and _leads_to(noted.nodes[0], head):
                self._begin_with(noted, head)
                return True
        return False

    def _begin_with(self, noted: _Noted, head: Node) -> None:
        later = [each for each in self._noted if each.number > noted.number]
        first = self._number - len(self._events)
        events = [*self._events][noted.number - first :]
        self.begin(noted.nodes)
        self._running = noted.running
        for event in events:
            self._happened(event)
        self._head = head
        self._noted.extend(each._replace(number=each.number - noted.number) for each in later)

    def begin_again(self, plies: Sequence[Node]) -> None:
        """Begin anew where it began: its record are *plies* now, by other men.

        If too much has happened since, or it was not kept, it begins where the record is agreed on
        next.
        """
        since = self._nodes[0].ply if self._nodes else math.inf
        start, kept = next((node for node in plies if node.ply == since), None), [*self._kept]
        if start is None or not self.keeps or len(kept) == EVENTS_KEPT:
            self.end()
            return
        self.begin([start])
        self._head = plies[-1]
        self._events.extend(kept)
        self._kept.extend(kept)
        self._running = None

    def end(self) -> None:
        """The game goes on from another position: it is to begin again."""
        self._nodes = []
        self._noted.clear()
        self._whole = None
        self._events.clear()
        self._burst.clear()
        self._kept.clear()

    def lose(self, at: float) -> None:
        """The board is not watched any more."""
        self._happened(_Event(at, lost=True))

    def shows(self, cells: str, at: float) -> None:
        """Take what the board shows from time *at* on."""
        self._happened(_Event(at, cells=cells))

    def hears(self, colour: chess.Color, at: float, following: int = 0) -> None:
        """Take a press of *colour*, and that as many more *following* it were heard together."""
        self._happened(_Event(at, press=colour, following=following))

    def runs_for(self, turn: chess.Color | None, at: float) -> None:
        """Take note for whom the clock runs."""
        if turn != self._turn:
            self._happened(_Event(at, turn=turn))
            self._turn = turn

    def _happened(self, event: _Event) -> None:
        if self._nodes:
            self._events.append(event)
            self._number += 1
            if self.keeps:
                self._kept.append(event)

    # -- reading -----------------------------------------------------------------------------------

    def is_idle(self, start: Node, head: Node) -> bool:
        """Whether it follows *head*, need not go on yet, nor begin anew with *start*."""
        if not self._nodes or self._head is not head or self.has_much_waiting:
            return False
        return not self._named or self._nodes[0] is start

    def follows(self, head: Node) -> None:
        """Take the plies up to *head* for the record."""
        self._head = head
        if self._whole is not None:
            self._whole.follows(head)

    @property
    def has_much_waiting(self) -> bool:
        """Whether more waits than is good, if any of the last plies is in doubt."""
        return len(self._events) > self._most_waiting

    def advance(self, at: float) -> None:
        """Go through some of what waits at time *at*, if that is much and was told before."""
        for _ in range(MOST_AT_ONCE if self.has_much_waiting else 0):
            told = self._burst or (self._events and self._events[0].at < at - self._scan)
            if told and self._may_go_on(at):
                self._go_through()

    def catch_up(self, at: float) -> bool:
        """Go through what happened until *at*; return whether that was not too much at a time."""
        while self.waits or self._jumps:
            if not self._may_go_on(at):
                return False
            self._go_through()
        if self._whole is not None:
            self._whole.looks_ahead(at, self._running)
        return True

    def _may_go_on(self, at: float) -> bool:
        """Whether not too much has been gone through at time *at* yet."""
        if at != self._reads_at:
            self._reads_at, self._spent = at, 0
        width = 0 if self._whole is None else self._whole.width
        return not self._spent or self._spent + width <= AT_ONCE

    def has_worked(self, at: float) -> bool:
        """Whether so much has been gone through at time *at* that nothing else should be."""
        return at == self._reads_at and not self._may_go_on(at)

    @property
    def waits(self) -> bool:
        """Whether something that happened was not gone through yet."""
        return bool(self._events or self._burst)

    @property
    def lead(self) -> float:
        """By how much a reading is better than the record, as far as it was gone through."""
        return 0.0 if self._whole is None else self._whole.lead

    @property
    def lead_beyond(self) -> float:
        """The same, where the record goes on by no more plies than it has."""
        return 0.0 if self._whole is None else self._whole.lead_beyond

    @property
    def margin(self) -> float:
        """By how much the record is better than the best reading that parts with it."""
        return -math.inf if self._whole is None else self._whole.margin

    def margin_of(self, told: Node) -> float:
        """By how much the move of *told*, a ply of the record, is better than others in its place.

        Infinite: no other one is known, or it is not among the readings.
        """
        return math.inf if self._whole is None else self._whole.margin_of(told)

    @property
    def accuses(self) -> float:
        """By how much a reading with an illegal move after the record is better than others."""
        return -math.inf if self._whole is None else self._whole.accuses

    @property
    def explains(self) -> bool:
        """Whether a reading explains what was gone through last, with men who stand unseen."""
        return self._whole is not None and self._whole.explains

    def readmit(self, head: Node, limit: float) -> bool:
        """Let the record be a reading again, which was lost and explains what is shown.

        It is taken to be worse than the best; return whether by less than *limit*.
        """
        return self._whole is not None and self._whole.readmit(head, limit)

    @property
    def shown(self) -> str:
        """What the board showed last of what was gone through."""
        return "" if self._whole is None else self._whole.shown

    def readings(self) -> list[Reading]:
        """Return the readings, the cheapest first."""
        return [] if self._whole is None else self._whole.ended()

    def _next(self) -> _Event:
        """Return what happened next."""
        if not self._burst:
            self._burst.extend(self._told_together())
        return self._burst.popleft()

    def _told_together(self) -> list[_Event]:
        """Take what was told together next, as it is to be gone through."""
        told = [self._events.popleft()]
        while self._events and self._events[0].at <= told[-1].at + self._scan:
            if told[-1].lost:
                break
            told.append(self._events.popleft())
        since = told[0].at if self._told_until == -math.inf else self._told_until
        self._told_until = told[-1].at
        if self._lost:  # the board is read out when its link is back
            return told
        shown = self._nodes[0].position.shown if self._whole is None else self._whole.shown
        if is_late(told, shown):
            return spread(told, since)
        return merged(told, MOST_TOGETHER if self._named else len(told))

    def _is_read_out_until(self, at: float) -> bool:
        """Whether more is told about the board right after *at*, as when a link is back."""
        following = chain(self._burst, self._events)
        return next((e.at <= at + READ_OUT for e in following if e.cells is not None), False)

    def _go_through(self) -> None:
        if self._whole is not None and self._jumps:
            self._jumps = self._whole.jumps()
            self._spent += AT_ONCE
            return
        event = self._next()
        if self._lost and event.cells is not None and self._is_read_out_until(event.at):
            return
        if self._whole is None:
            self._whole = Whole(self._nodes)
            if self._head is not None:
                self._whole.follows(self._head)
        if not self._lost:
            self._whole.passes(event.at, self._running)
        if event.lost:
            self._lost = True
        elif event.cells is not None:
            self._whole.shows(event.cells, event.at, unwatched=self._lost)
            self._spent += self._whole.width
            self._jumps, self._lost = self._lost, False
        elif event.press is not None:
            self._spent += self._whole.width
            self._whole.hear(event.press, event.following)
        else:
            self._running = event.turn
            if event.turn is None:
                self._whole.stop_clock()
