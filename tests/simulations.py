"""Codecs and simulated boards that talk to each other, and games on them, without waiting."""

from collections.abc import Sequence
from random import Random

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
from drivers.simulated import games
from drivers.simulated.exhibition import Board
from drivers.simulated.hands import Action, Lift, Put, Style, play

CALM = Style(think=(2.0, 4.0), dwell=(1.0, 1.5))
"""No haste: the slowest boards are read four times a second."""


class Talk:
    """A codec that talks to a board from time 0 on; ``sent`` is what it sent, and when."""

    def __init__(self, codec: Codec, board: Board) -> None:
        self.codec = codec
        self.board = board
        self.at = 0.0
        self.events: list[Event] = []
        self.sent: list[tuple[float, bytes]] = []
        codec.greet(at=0.0)

    def until(self, end: float) -> list[Event]:
        """Talk until time *end*; return the events since the last call."""
        self.events.clear()
        while self.at <= end:
            asked, codec_at = self.codec.poll(at=self.at)
            if asked:
                self.sent.append((self.at, asked))
                self.board.receive(asked, at=self.at)
            said, board_at = self.board.poll(at=self.at)
            if said:
                self.events += self.codec.receive(said, at=self.at)
                assert self.codec.buffered <= self.codec.info.longest_message
            if not asked and not said:
                self.at = max(min(codec_at, board_at), self.at + 1e-6)
        self.at = end
        return list(self.events)


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
        elif not isinstance(payload, TableSetup) and not self._news.is_new(payload):  # type: ignore[arg-type]  # orders are never given here
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
        return moves_of(self.facts)


def moves_of(facts: Sequence[Fact]) -> list[chess.Move]:
    found: list[chess.Move] = []
    for fact in facts:
        if isinstance(fact, MovesCorrected):
            del found[fact.ply - 1 :]
        elif isinstance(fact, MoveSettled):
            found.append(chess.Move.from_uci(fact.uci))
    return found


def moves_in(name: str) -> list[chess.Move]:
    """Return the moves of a game of the demo."""
    return list(games.load(name).mainline_moves())


def actions_of(moves: Sequence[chess.Move], *, begin: float, seed: int) -> list[Action]:
    """Return what hands do in a game from the start position."""
    return play(chess.Board(), moves, CALM, Random(seed), begin=begin)


def do(board: Board, action: Action) -> None:
    """Move a man; there is no clock."""
    match action:
        case Lift(at=at, square=square):
            board.lift(square, at=at)
        case Put(at=at, square=square, piece=piece):
            board.put(square, piece, at=at)


def follow(
    talk: Talk,
    follower: Follower,
    actions: Sequence[Action],
    *,
    lost: tuple[float, float] | None = None,
) -> None:
    """Let hands act while the table listens; between the times *lost* there is no link.

    After a loss another codec greets the board.
    """

    def listen(end: float) -> None:
        for event in talk.until(end):
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
        do(talk.board, action)
    listen(talk.at + 20.0)
    follower.rest(talk.at)
