"""A codec and a device model that talk, and hands that play: all in simulated time."""

import math
from collections.abc import Iterable, Sequence
from random import Random
from typing import Generic, TypeVar

import chess

from drivers.codec import Codec
from drivers.events import Event, Noise
from drivers.simulated import games
from drivers.simulated.dgt import DgtBoard
from drivers.simulated.dgt3000_gateway import ClockGateway
from drivers.simulated.esp32_clock import PressClock
from drivers.simulated.hands import Action, Lift, Press, Put, Style, play
from drivers.simulated.model import BoardModel
from drivers.transports.simulated import Device

DeviceT = TypeVar("DeviceT", bound=Device)
BoardT = TypeVar("BoardT", bound=BoardModel)

SPECIAL = (
    # castling both ways, en passant, captures and an under-promotion; mate at the end
    *("e2e4", "d7d5", "e4e5", "f7f5", "e5f6", "b8c6", "f6g7", "c8e6", "g7h8n", "d8d7"),
    *("g1f3", "e8c8", "f1e2", "d5d4", "e1g1", "d4d3", "c2d3", "e6a2", "a1a2", "d7d3"),
    *("e2d3", "d8d3", "a2a7", "c6a7", "d1b3", "d3d8", "b3b7", "c8d7", "b7a7", "d7e8"),
)
CLEAN = Style(slide=0.0, carry_off=0.0, exchange_promoted=0.0, captures={"victim first": 1.0})
CALM = Style(think=(2.0, 4.0), dwell=(1.0, 1.5))
"""No haste: the slowest boards are read four times a second."""


def hands(moves: Sequence[str], *, seed: int = 0, begin: float = 3.0) -> list[Action]:
    """Return what hands do who play *moves*, each to its end before the next."""
    line = [chess.Move.from_uci(uci) for uci in moves]
    return play(chess.Board(), line, CLEAN, Random(seed), begin=begin)


def moves_in(name: str) -> list[chess.Move]:
    """Return the moves of a game of the demo."""
    return list(games.load(name).mainline_moves())


def actions_of(moves: Sequence[chess.Move], *, begin: float, seed: int) -> list[Action]:
    """Return what hands do in a game from the start position, slides and all."""
    return play(chess.Board(), moves, CALM, Random(seed), begin=begin)


def do(device: Device, action: Action, *, at: float) -> None:
    """Move a man, or press the button of a clock; what the device has not got is left alone."""
    match action:
        case Lift(square=square) if isinstance(device, BoardModel | DgtBoard):
            device.lift(square, at=at)
        case Put(square=square, piece=piece) if isinstance(device, BoardModel | DgtBoard):
            device.put(square, piece, at=at)
        case Press(colour=colour) if isinstance(device, ClockGateway | PressClock):
            device.press("left" if colour else "right", at=at)
        case _:
            pass


class Conversation(Generic[DeviceT]):
    """One link: what was said over it until now, and the events of it.

    ``sent`` is what the codec has sent, ``sent_at`` when.
    """

    def __init__(self, codec: Codec, board: DeviceT, *, at: float = 0.0) -> None:
        self.codec = codec
        self.board = board
        self.at = at
        self.sent: list[bytes] = []
        self.sent_at: list[float] = []
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
                assert self.codec.buffered <= self.codec.info.longest_message
                continue
            if todo and todo[0].at <= self.at:
                do(self.board, todo.pop(0), at=self.at)
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
            self.sent_at.append(self.at)
            self.board.receive(data, at=self.at)


def ready(board: BoardT) -> BoardT:
    """Return *board* with all men on their squares."""
    board.set_up(chess.Board().piece_map(), at=0.0)
    return board


def without_noise(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, Noise)]
