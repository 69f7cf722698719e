"""Boards that play by themselves, in time that is only counted."""

from collections.abc import Iterator, Mapping

import chess
import pytest

from bridge.core.model import MoveTimed
from drivers.boards.dgt import Dgt
from drivers.boards.ichessone import IChessOne
from drivers.catalogue import driver
from drivers.codec import Outgoing
from drivers.events import ClockReading, Event, SquareChange
from drivers.simulated import games
from drivers.simulated.exhibition import SET_UP_FOR, STANDS_FOR, Exhibition
from drivers.simulated.exhibits import dgt, ichessone
from drivers.transports.simulated import make_board
from tests.conversations import Conversation
from tests.following import follow, moves_of

START = 5000.0
LONGEST = 3600.0


class Wood:
    """A board without electronics: hands only."""

    def __init__(self) -> None:
        self.pieces: dict[chess.Square, chess.Piece] = {}

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        self.pieces = dict(pieces)

    def lift(self, square: chess.Square, *, at: float) -> None:
        self.pieces.pop(square, None)

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        self.pieces[square] = piece

    def receive(self, data: bytes, *, at: float) -> None:
        pass

    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"", float("inf"))


def seen_on(board: Wood, exhibition: Exhibition) -> Iterator[tuple[float, dict[int, chess.Piece]]]:
    at = START
    while at < START + LONGEST:
        _, wake_at = exhibition.poll(at=at)
        yield at, dict(board.pieces)
        at = wake_at


def final(name: str) -> dict[int, chess.Piece]:
    return games.load(name).end().board().piece_map()


@pytest.mark.parametrize("number", range(4))
def test_one_game_after_the_other_is_played_to_its_end(number: int) -> None:
    board = Wood()
    wanted = [final(games.names()[(number + n) % 4]) for n in range(2)]
    stood: list[float] = []
    left = list(wanted)
    for at, pieces in seen_on(board, Exhibition(board, number)):
        if stood and len(left) == 1 and pieces == chess.Board().piece_map():
            assert at == pytest.approx(stood[0] + STANDS_FOR, abs=2.0)
            stood.clear()
        if pieces == left[0]:
            stood.append(at)
            left.pop(0)
        if not left:
            return
    pytest.fail("the games were not played")


def test_the_start_position_stands_for_a_while() -> None:
    board = Wood()
    for at, pieces in seen_on(board, Exhibition(board, 1)):
        if pieces != chess.Board().piece_map():
            assert at >= START + SET_UP_FOR
            return
    pytest.fail("nothing was played")


def test_a_dgt_board_tells_the_game_and_its_clock() -> None:
    device, codec = dgt(2), Dgt()
    codec.greet(at=START)
    events: list[Event] = []
    at = START
    end = final(games.names()[2])
    cells = "".join(end[s].symbol() if s in end else "." for s in chess.SQUARES)
    while at < START + LONGEST:
        data, host_at = codec.poll(at=at)
        if data:
            device.receive(data, at=at)
        said, device_at = device.poll(at=at)
        events += codec.receive(said, at=at)
        if isinstance(events[-1] if events else None, SquareChange) and events[-1].cells == cells:  # type: ignore[union-attr]
            break
        at = max(at + 0.001, min(host_at, device_at))
    else:
        pytest.fail("the last position was not seen")
    times = [event for event in events if isinstance(event, ClockReading)]
    assert {event.turn for event in times if event.running} == {"left", "right"}
    assert min(event.left_ms for event in times) < 910_000


@pytest.mark.parametrize("name", ["dgt3000_gateway", "esp32_clock"])
def test_a_clock_by_itself_is_that_of_the_board_with_the_same_number(name: str) -> None:
    board = Conversation(IChessOne(), ichessone(2))
    clock = Conversation(driver(name)(), make_board(name, 2))
    said = [*board.go_on(150.0), *clock.go_on(150.0)]
    said.sort(key=lambda event: event.at)
    facts = follow(said, IChessOne, clock=True)
    moves = moves_of(facts)
    assert len(moves) > 20
    timed = [fact for fact in facts if isinstance(fact, MoveTimed)]
    assert [fact.ply for fact in timed] == list(range(1, len(moves) + 1))
    assert not any(fact.estimated for fact in timed)
