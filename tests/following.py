"""Tables that follow what links deliver, in simulated time."""

from collections.abc import Iterable, Sequence
from typing import get_args

import chess

from bridge.core.model import (
    Fact,
    LinkChange,
    MovesCorrected,
    MoveSettled,
    Payload,
    Reading,
    TableSetup,
)
from bridge.core.table import Table
from bridge.links.news import News
from drivers.codec import Codec
from drivers.events import Event
from drivers.simulated.hands import Action
from tests.conversations import Conversation, DeviceT, do

SETTLED = 20.0
"""Seconds after which all has settled without a clock."""


class Follower:
    """A table that hears what the codec says, as the journal would keep it."""

    def __init__(self, setup: TableSetup) -> None:
        self.table = Table("1")
        self.facts: list[Fact] = []
        self.readings: list[Reading] = []
        self._news = News()
        self.take(0.0, setup)

    def take(self, at: float, payload: Payload) -> None:
        if isinstance(payload, LinkChange):
            self._news = News()
        elif isinstance(payload, get_args(Event)) and not self._news.is_new(payload):
            return
        seq = len(self.readings) + 1
        self.readings.append(Reading(table="1", link="1", seq=seq, at=at, wall=at, payload=payload))
        self.facts += self.table.apply(self.readings[-1])

    def rest(self, until: float) -> None:
        while self.table.wake_at <= until:
            self.facts += self.table.tick(self.table.wake_at)

    @property
    def moves(self) -> list[chess.Move]:
        """The moves as they stand now."""
        return list(map(chess.Move.from_uci, moves_of(self.facts)))


def follow(payloads: Sequence[Payload], codec: type[Codec], *, clock: bool = False) -> list[Fact]:
    """Let a table follow what a link delivered, and wait until all has settled."""
    follower = Follower(TableSetup(has_clock=clock, sensing=codec.info.cells_tell))
    at = 0.0
    for payload in payloads:
        at = max(at, getattr(payload, "at", at))
        follower.take(at, payload)
    follower.rest(at + SETTLED)
    return follower.facts


def moves_of(facts: Iterable[Fact]) -> list[str]:
    """Return the moves of the record."""
    moves: list[str] = []
    for fact in facts:
        if isinstance(fact, MoveSettled):
            moves.append(fact.uci)
        elif isinstance(fact, MovesCorrected):
            del moves[-fact.count :]
    return moves


def play_through(
    talk: Conversation[DeviceT],
    follower: Follower,
    actions: Sequence[Action],
    *,
    lost: tuple[float, float] | None = None,
) -> None:
    """Let hands act while the table listens; between the times *lost* there is no link.

    After a loss another codec greets the board.
    """

    def listen(end: float) -> None:
        for event in talk.go_on(end):
            if lost is None or not lost[0] <= event.at < lost[1]:
                follower.rest(event.at)
                follower.take(event.at, event)

    for action in actions:
        if lost is not None and talk.at < lost[0] <= action.at:
            listen(lost[0])
            follower.take(lost[0], LinkChange(state="lost", detail="the cable is out"))
        if lost is not None and talk.at < lost[1] <= action.at:
            listen(lost[1])
            follower.take(lost[1], LinkChange(state="live"))
            talk.codec = type(talk.codec)()
            talk.codec.greet(at=lost[1])
        listen(action.at)
        do(talk.board, action, at=talk.at)
    listen(talk.at + SETTLED)
    follower.rest(talk.at)
