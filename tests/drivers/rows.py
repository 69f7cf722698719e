"""A row of simulated DGT boards and the codec that follows them, in virtual time."""

from collections.abc import Callable, Sequence

import chess

from drivers.boards.dgt import DgtBus
from drivers.boards.dgt.bus_framing import bus_command
from drivers.boards.dgt.protocol import BusCommand
from drivers.events import Event
from drivers.simulated import games
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.hands import BLITZ, Style
from drivers.simulated.line import Faults
from drivers.simulated.performance import Performance, stage

FIRST = 1025
START = chess.Board().piece_map()


def passport(address: int) -> Passport:
    return Passport(serial=f"{address:05}", bus_address=address)


def still_board(address: int, *, clock: bool = True) -> DgtBoard:
    """A board with the start position on it and a clock that does not run."""
    board = DgtBoard(
        passport(address),
        clock=Clock(TimeControl(base=300, increment=3)) if clock else None,
        seed=address,
    )
    board.set_up(START, at=0.0)
    return board


def played_board(address: int, game: str, *, style: Style = BLITZ, seed: int = 0) -> Performance:
    """A board on which the game *game* is going to be played."""
    return stage(
        games.load(game),
        passport=passport(address),
        control=TimeControl(base=600, increment=2),
        style=style,
        seed=seed or address,
        faults=Faults(),
    )


class Conversation:
    """A codec at one end of the line, a row at the other; ``sent`` is what the codec has sent."""

    def __init__(
        self, players: Sequence[DgtBoard | Performance], units: str = "", *, seed: int = 0
    ) -> None:
        self.row = DgtRow(players, seed=seed)
        self.codec = DgtBus(units)
        self.at = 1.0
        self.events: list[Event] = []
        self.sent: list[tuple[float, bytes]] = []
        self.said: list[tuple[float, bytes]] = []
        self.row.poll(at=self.at)
        self.codec.greet(at=self.at)

    def goes_on(self, seconds: float) -> list[Event]:
        """Let time pass; return what the codec told in it."""
        first, until = len(self.events), self.at + seconds
        self.row.wake()
        while True:
            data, row_at = self.row.poll(at=self.at)
            if data:
                self.said.append((self.at, data))
                self.events += self.codec.receive(data, at=self.at)
                assert self.codec.buffered <= self.codec.info.longest_message
            asked, codec_at = self.codec.poll(at=self.at)
            if asked:
                self.sent.append((self.at, asked))
                self.row.receive(asked, at=self.at)
                continue
            upcoming = min(row_at, codec_at)
            assert upcoming > self.at
            if upcoming >= until:
                self.at = until
                return self.events[first:]
            self.at = upcoming

    def until(self, true: Callable[[], object], *, within: float = 600.0) -> None:
        """Let time pass until something is true."""
        end = self.at + within
        while not true():
            assert self.at < end, "waited in vain"
            self.goes_on(0.1)

    def begins(self) -> None:
        """Let all games begin."""
        for row_board in self.row.boards:
            if isinstance(row_board.player, Performance):
                row_board.player.begin(at=self.at)

    @property
    def finished(self) -> bool:
        return all(
            row_board.player.finished
            for row_board in self.row.boards
            if isinstance(row_board.player, Performance)
        )

    def of(self, address: int, *kinds: type) -> list[Event]:
        """What was told of one board, in order."""
        wanted = kinds or (object,)
        return [e for e in self.events if e.unit == str(address) and isinstance(e, wanted)]

    def commands(self, *commands: BusCommand, address: int | None = None) -> list[float]:
        """When these commands were sent, to anybody or to one board."""
        return [
            at
            for at, data in self.sent
            if data[0] in commands
            and (address is None or data == bus_command(BusCommand(data[0]), address))
        ]


def is_forbidden(data: bytes) -> bool:
    """Whether any byte of a stream of commands could be taken for one of single-board mode."""
    return any(data[start] < 0x80 for start in range(0, len(data), 4)) or len(data) % 4 != 0
