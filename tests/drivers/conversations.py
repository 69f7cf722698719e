"""A codec and a device model talk, hands play, and a table follows: all in simulated time."""

import math
from collections.abc import Iterable, Sequence
from itertools import count
from random import Random
from typing import get_args

import chess

from bridge.core.model import (
    Fact,
    MovesCorrected,
    MoveSettled,
    Payload,
    Reading,
    TableSetup,
)
from bridge.core.table import Table
from bridge.links.news import News
from drivers.codec import Codec
from drivers.events import Event, Noise
from drivers.simulated.dgt3000_gateway import ClockGateway
from drivers.simulated.hands import Action, Lift, Press, Put, Style, play
from drivers.simulated.model import BoardModel
from drivers.transports.simulated import Device

SPECIAL = (
    # castling both ways, en passant, captures and an under-promotion; mate at the end
    *("e2e4", "d7d5", "e4e5", "f7f5", "e5f6", "b8c6", "f6g7", "c8e6", "g7h8n", "d8d7"),
    *("g1f3", "e8c8", "f1e2", "d5d4", "e1g1", "d4d3", "c2d3", "e6a2", "a1a2", "d7d3"),
    *("e2d3", "d8d3", "a2a7", "c6a7", "d1b3", "d3d8", "b3b7", "c8d7", "b7a7", "d7e8"),
)
CLEAN = Style(slide=0.0, carry_off=0.0, exchange_promoted=0.0, captures={"victim first": 1.0})


def hands(moves: Sequence[str], *, seed: int = 0, begin: float = 3.0) -> list[Action]:
    """Return what hands do who play *moves*, each to its end before the next."""
    line = [chess.Move.from_uci(uci) for uci in moves]
    return play(chess.Board(), line, CLEAN, Random(seed), begin=begin)


class Conversation:
    """One link: what was said over it until now, and the events of it."""

    def __init__(self, codec: Codec, board: Device, *, at: float = 0.0) -> None:
        self.codec = codec
        self.board = board
        self.at = at
        self.sent: list[bytes] = []
        self.events: list[Event] = []
        codec.greet(at=at)

    def go_on(self, until: float, actions: Sequence[Action] = ()) -> list[Event]:
        """Let time pass until *until* with *actions*; return the events of that time."""
        before = len(self.events)
        todo = list(actions)
        while True:
            host_at = self._host()
            data, board_at = self.board.poll(at=self.at)
            if data:
                self.events += self.codec.receive(data, at=self.at)
                continue
            if todo and todo[0].at <= self.at:
                self._do(todo.pop(0))
                continue
            acts_at = todo[0].at if todo else math.inf
            self.at = max(self.at, min(host_at, board_at, acts_at, until))
            if self.at >= until:
                return self.events[before:]

    def _host(self) -> float:
        while True:
            data, wake_at = self.codec.poll(at=self.at)
            if not data:
                return max(wake_at, self.at + 0.001)
            self.sent.append(data)
            self.board.receive(data, at=self.at)

    def _do(self, action: Action) -> None:
        match action:
            case Lift(square=square) if isinstance(self.board, BoardModel):
                self.board.lift(square, at=self.at)
            case Put(square=square, piece=piece) if isinstance(self.board, BoardModel):
                self.board.put(square, piece, at=self.at)
            case Press(colour=colour) if isinstance(self.board, ClockGateway):
                self.board.press("left" if colour else "right", at=self.at)
            case _:
                pass


def ready(board: BoardModel) -> BoardModel:
    """Return *board* with all men on their squares."""
    board.set_up(chess.Board().piece_map(), at=0.0)
    return board


def follow(payloads: Sequence[Payload], codec: type[Codec], *, clock: bool = False) -> list[Fact]:
    """Let a table follow what a link delivered, and wait until all has settled."""
    table, news, numbers = Table("t"), News(), count(1)
    setup = TableSetup(has_clock=clock, sensing=codec.info.cells_tell)
    facts: list[Fact] = []
    at = 0.0
    for payload in (setup, *payloads):
        if isinstance(payload, get_args(Event)) and not news.is_new(payload):
            continue
        at = max(at, getattr(payload, "at", at))
        reading = Reading(table="t", link="b", seq=next(numbers), at=at, wall=at, payload=payload)
        facts += table.apply(reading)
    return facts + table.tick(at + 20.0)


def moves_of(facts: Iterable[Fact]) -> list[str]:
    """Return the moves of the record."""
    moves: list[str] = []
    for fact in facts:
        if isinstance(fact, MoveSettled):
            moves.append(fact.uci)
        elif isinstance(fact, MovesCorrected):
            del moves[-fact.count :]
    return moves


def without_noise(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, Noise)]
