"""A lifted king is a sign, on whatever kind of board."""

import chess
import pytest

from bridge.links.signals import HELD, Sight, Sign, sight_of
from drivers.cells import START_CELLS
from drivers.events import Battery, Event, Lift, Place, RawTags, Snapshot, SquareChange


def cells(board: chess.Board, known: str = "identity") -> str:
    def cell(square: chess.Square) -> str:
        piece = board.piece_at(square)
        if piece is None:
            return "."
        if known == "occupancy":
            return "?"
        if known == "colour":
            return "W" if piece.color else "w"
        return piece.symbol()

    return "".join(map(cell, chess.SQUARES))


def without(square: chess.Square) -> chess.Board:
    board = chess.Board()
    board.remove_piece_at(square)
    return board


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("known", ["identity", "colour", "occupancy"])
@pytest.mark.parametrize(
    ("board", "sight"),
    [
        (chess.Board(), "set up"),
        (without(chess.E1), "king up"),
        (without(chess.E2), "other"),
        (without(chess.E8), "other"),
        (chess.Board("8/8/8/8/8/8/8/8 w - - 0 1"), "other"),
        (chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKBNR w - - 0 1"), "other"),
    ],
)
def test_what_a_board_shows(board: chess.Board, sight: str, known: str, *, rotated: bool) -> None:
    seen = cells(board, known)
    assert sight_of(seen[::-1] if rotated else seen) == sight


def test_a_square_that_cannot_be_read_is_no_sign() -> None:
    assert sight_of("*" * 64) == "other"


def test_the_king_must_be_up_for_a_while() -> None:
    sign = Sign(tells_squares=True)
    assert sign.sight == "unknown"
    sign.take(Snapshot(at=1.0, cells=START_CELLS))
    assert (sign.sight, sign.given(99.0)) == ("set up", False)
    up = cells(without(chess.E1))
    sign.take(SquareChange(at=2.0, square=4, piece=".", cells=up))
    assert not sign.given(2.0 + HELD - 0.01)
    sign.take(Snapshot(at=2.3, cells=up))
    sign.take(Battery(at=2.4, percent=50, charging=False))
    assert sign.given(2.0 + HELD)
    sign.take(Snapshot(at=3.0, cells=START_CELLS))
    assert not sign.given(9.0)


def test_a_lost_link_takes_the_sign_back() -> None:
    sign = Sign(tells_squares=True)
    sign.take(Snapshot(at=0.0, cells=cells(without(chess.E1))))
    sign.lose()
    assert (sign.sight, sign.given(99.0)) == ("unknown", False)


@pytest.mark.parametrize("king", [chess.E1, chess.D8])
@pytest.mark.parametrize(
    ("events", "sight"),
    [
        ([], "set up"),
        ([Lift(at=1.0, square=-1)], "king up"),
        ([Lift(at=1.0, square=-1), Place(at=2.0, square=-1)], "set up"),
        ([Lift(at=1.0, square=-1), Lift(at=2.0, square=0)], "other"),
        ([Lift(at=1.0, square=chess.E2)], "other"),
    ],
)
def test_a_board_that_tells_only_lifts(king: int, events: list[Event], sight: Sight) -> None:
    sign = Sign(tells_squares=False)
    for event in events:
        assert isinstance(event, Lift | Place)
        square = king if event.square < 0 else event.square
        sign.take(type(event)(at=event.at, square=square))
    assert sign.sight == sight


def test_antennas_of_empty_squares_may_read_anything() -> None:
    sign = Sign(tells_squares=True)
    tags: list[str | None] = [
        f"{n:04x}" if piece != "." else None for n, piece in enumerate(START_CELLS)
    ]
    tags[30] = "beef"
    sights: list[Sight] = []
    for square in (31, chess.E1, chess.A1):
        tags[square] = None
        sign.take(RawTags(at=0.0, tags=tuple(tags)))
        sights.append(sign.sight)
    assert sights == ["set up", "king up", "other"]
