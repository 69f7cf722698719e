"""Lamps: every board that has some lights the squares that are wished for, and is not flooded."""

from collections.abc import Callable
from itertools import pairwise

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.boards.certabo import Certabo, Sentio
from drivers.boards.chessnut import Chessnut, ChessnutMove
from drivers.boards.dgt import Dgt, Pegasus
from drivers.boards.ichessone import IChessOne
from drivers.boards.millennium import Millennium
from drivers.boards.squareoff import SquareOffPro
from drivers.catalogue import all_drivers
from drivers.codec import Codec, Outgoing
from drivers.events import BoardLog
from drivers.pacing import SHOW_EVERY, SHOWN_TIMES, Pacer
from drivers.simulated.certabo import CertaboBoard, SentioBoard
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.millennium import EONE, MillenniumBoard
from drivers.simulated.pegasus import PegasusBoard
from drivers.simulated.squareoff import SquareOffProBoard
from tests.conversations import Conversation, ready

LitBoard = (
    CertaboBoard
    | SentioBoard
    | ChessnutBoard
    | IChessOneBoard
    | MillenniumBoard
    | PegasusBoard
    | SquareOffProBoard
)


def spectrum() -> CertaboBoard:
    board = CertaboBoard()
    board.lamp_line = b"D\r\n"
    return board


BOARDS: dict[str, tuple[type[Codec], Callable[[], LitBoard]]] = {
    "air": (Chessnut, ChessnutBoard),
    "air by radio": (Chessnut, lambda: ChessnutBoard(wire="ble")),
    "move": (ChessnutMove, lambda: ChessnutBoard("move", wire="ble")),
    "exclusive": (Millennium, MillenniumBoard),
    "eone": (Millennium, lambda: MillenniumBoard(EONE, piece=20)),
    "certabo": (Certabo, CertaboBoard),
    "spectrum": (Certabo, spectrum),
    "sentio": (Sentio, SentioBoard),
    "pegasus": (Pegasus, PegasusBoard),
    "square off": (SquareOffPro, SquareOffProBoard),
    "ichessone": (IChessOne, IChessOneBoard),
}
AT_CORNERS = ("exclusive", "eone", "spectrum")
"""Boards whose lamps stand at the corners of squares, and belong to their neighbours too."""


def talk(name: str) -> Conversation[LitBoard]:
    codec, make = BOARDS[name]
    conversation = Conversation(codec(), ready(make()))
    conversation.go_on(3.0)
    return conversation


def squares(names: str) -> set[chess.Square]:
    return set(map(chess.parse_square, names.split()))


@pytest.mark.parametrize("name", BOARDS)
def test_wished_squares_light_and_go_dark(name: str) -> None:
    conversation = talk(name)
    for names in ("e2 e5", "a1", "a8 h1 h8", "c6 g4", ""):
        conversation.codec.light(squares(names))
        conversation.go_on(conversation.at + 2 * SHOW_EVERY)
        assert conversation.board.lit == squares(names)


@pytest.mark.parametrize("name", [name for name in BOARDS if name not in AT_CORNERS])
@given(wish=st.sets(st.sampled_from(chess.SQUARES)))
def test_any_squares_may_be_lit(name: str, wish: set[chess.Square]) -> None:
    conversation = talk(name)
    conversation.codec.light(wish)
    conversation.go_on(conversation.at + 2 * SHOW_EVERY)
    assert conversation.board.lit == wish


@pytest.mark.parametrize("name", AT_CORNERS)
@given(wish=st.sets(st.sampled_from(chess.SQUARES)))
def test_all_wished_squares_are_among_those_with_light_at_every_corner(
    name: str, wish: set[chess.Square]
) -> None:
    conversation = talk(name)
    conversation.codec.light(wish)
    conversation.go_on(conversation.at + 2 * SHOW_EVERY)
    assert conversation.board.lit >= wish
    assert bool(conversation.board.lit) == bool(wish)


@pytest.mark.parametrize("name", BOARDS)
def test_nothing_is_sent_about_lamps_that_nobody_wished_for(name: str) -> None:
    with_lamps, without = talk(name), talk(name)
    with_lamps.codec.light(squares("e2"))
    before = len(with_lamps.sent)
    with_lamps.go_on(10.0)
    without.go_on(10.0)
    about_lamps = {*with_lamps.sent[before:]} - {*without.sent}
    assert len(about_lamps) == 1
    assert not without.board.lit


@pytest.mark.parametrize("name", BOARDS)
def test_hasty_wishes_do_not_flood_a_board(name: str) -> None:
    conversation, quiet = talk(name), talk(name)
    for square in chess.SQUARES:
        conversation.codec.light({square})
        conversation.go_on(conversation.at + 0.05)
    conversation.go_on(10.0)
    quiet.go_on(10.0)
    told = [
        at
        for message, at in zip(conversation.sent, conversation.sent_at, strict=True)
        if message not in quiet.sent
    ]
    assert conversation.board.lit == {chess.H8}
    assert 2 <= len(told) <= 64 * 0.05 / SHOW_EVERY + SHOWN_TIMES + 1
    assert all(later - at > SHOW_EVERY - 0.001 for at, later in pairwise(told))


def test_a_board_that_tells_late_of_its_colours_is_told_anew_in_its_own_way() -> None:
    board = spectrum()
    board.lamp_line = b""
    conversation = Conversation(Certabo(), ready(board))
    conversation.go_on(2.0)
    conversation.codec.light(squares("d4"))
    conversation.go_on(3.0)
    assert set(map(len, conversation.sent)) == {8}
    board.lamp_line = b"D\r\n"
    conversation.go_on(5.0)
    assert board.lit == squares("d4")


def test_no_lamps_while_a_stored_game_is_sent() -> None:
    board = ready(ChessnutBoard(wire="usb", stored=[["." * 64] * 40]))
    conversation = Conversation(Chessnut(), board)
    conversation.go_on(2.0)
    conversation.codec.command("stored game")
    while not board.real_time or conversation.at < 2.5:
        conversation.codec.light(squares("e4"))
        conversation.go_on(conversation.at + 0.05)
        if any(isinstance(event, BoardLog) for event in conversation.events):
            break
    assert any(isinstance(event, BoardLog) for event in conversation.events)


def test_boards_with_lamps_are_those_that_say_so() -> None:
    lit = {codec.info.name for codec, _ in BOARDS.values()}
    assert {name for name, codec in all_drivers().items() if codec.info.lamps} == lit


def test_a_board_without_lamps_is_sent_nothing() -> None:
    codec = Dgt()
    codec.light(squares("e4"))
    assert codec.poll(at=0.0).data == b""


def test_the_newest_message_about_lamps_takes_the_place_of_one_that_waits() -> None:
    pacer = Pacer(0.1)
    pacer.show(b"first")
    assert pacer.next(1.0) == Outgoing(b"first", 1.1)
    pacer.show(b"second")
    pacer.show(b"third")
    pacer.say(b"question")
    assert pacer.next(1.1).data == b"question"
    assert pacer.next(1.3) == Outgoing(b"", 1.0 + SHOW_EVERY)
    assert [pacer.next(at).data for at in (1.6, 2.1, 2.2, 9.0)] == [b"third", b"", b"third", b""]
    pacer.show(b"third")
    assert pacer.next(10.0).data == b""
