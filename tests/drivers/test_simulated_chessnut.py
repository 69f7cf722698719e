"""The simulated Chessnut board, and the codecs that talk to it."""

from itertools import pairwise

import chess
import pytest

from drivers.boards.chessnut import Chessnut, ChessnutMove
from drivers.events import Battery, BoardLog, Event, Identity, Noise, Notice, Snapshot
from drivers.simulated.chessnut import ChessnutBoard, Wire
from drivers.simulated.line import Faults
from tests.conversations import Conversation

START = "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr"
AFTER_E4 = START.replace("PPPPPPPP" + "." * 32, "PPPP.PPP" + "." * 12 + "P" + "." * 19)
PAWN = chess.Piece(chess.PAWN, chess.WHITE)
WIRES: tuple[Wire, ...] = ("usb", "ble")


def set_up(board: ChessnutBoard) -> ChessnutBoard:
    board.set_up(chess.Board().piece_map(), at=0.0)
    return board


def asked(board: ChessnutBoard, command: str, *, at: float) -> str:
    board.poll(at=at)
    board.receive(bytes.fromhex(command), at=at)
    return board.poll(at=at + 0.01).data.hex(" ")


def snapshots(events: list[Event]) -> list[str]:
    return [event.cells for event in events if isinstance(event, Snapshot)]


def test_the_start_position_by_radio_and_by_cable() -> None:
    squares = bytes.fromhex("58 23 31 85 44 44 44 44" + " 00" * 16 + " 77 77 77 77 a6 c9 9b 6a")
    radio, cable = set_up(ChessnutBoard(wire="ble")), set_up(ChessnutBoard(wire="usb"))
    for board in (radio, cable):
        asked(board, "21 01 00", at=300.0)
    assert radio.poll(at=300.21).data == b"\x01\x24" + squares + b"\x2c\x01\0\0"
    assert cable.poll(at=300.21).data == (b"\x01\x3d" + squares + b"\x2c\x01").ljust(65, b"\0")


def test_what_it_answers() -> None:
    board = ChessnutBoard(wire="ble")
    assert asked(board, "29 01 00", at=1.0) == "2a 02 58 00"
    board.charging = True
    assert asked(board, "29 01 00", at=2.0) == "2a 02 d8 00"
    assert asked(board, "27 01 01", at=3.0) == "28 04 01 31 2e 34"
    assert asked(board, "31 01 00", at=4.0) == "32 01 00"
    assert asked(board, "21 01 01", at=5.0) == "23 01 00"
    assert asked(board, "0a 08 00 00 00 00 08 00 08 00", at=6.0) == "23 01 00"
    assert board.lit == {chess.E2, chess.E4}
    assert asked(board, "29", at=7.0) == ""
    assert asked(board, "01 00", at=8.0) == "2a 02 d8 00"


def test_a_move_has_a_battery_of_its_own() -> None:
    board = ChessnutBoard("move", wire="ble", battery=64)
    assert asked(board, "29 01 00", at=1.0) == "2a 02 00 00"
    assert asked(board, "41 01 0c", at=2.0) == "41 03 0c 00 40"


@pytest.mark.parametrize("wire", WIRES)
def test_codec_and_board_understand_each_other(wire: Wire) -> None:
    talk = Conversation(Chessnut(), set_up(ChessnutBoard(wire=wire)))
    events = talk.go_on(2.0)
    assert set(snapshots(events)) == {START}
    assert 8 <= len(snapshots(events)) <= 10
    battery, *versions = (event for event in events if not isinstance(event, Snapshot))
    assert isinstance(battery, Battery)
    assert battery.percent == 88
    assert [event.value for event in versions if isinstance(event, Identity)] == [
        "MCU 1.4",
        "MCU 1.4, Bluetooth 2.0",
    ]
    talk.board.lift(chess.E2, at=2.0)
    talk.board.put(chess.E4, PAWN, at=2.3)
    assert snapshots(talk.go_on(3.0))[-1] == AFTER_E4


def test_a_board_that_lies_the_other_way_round() -> None:
    talk = Conversation(Chessnut(), set_up(ChessnutBoard(rotated=True)))
    assert set(snapshots(talk.go_on(1.0))) == {START[::-1]}


def test_the_mode_that_was_lost_is_set_again() -> None:
    board = set_up(ChessnutBoard())
    talk = Conversation(Chessnut(), board)
    talk.go_on(5.0)
    board.disconnect(at=5.0)
    times = [event.at for event in talk.go_on(8.0) if isinstance(event, Snapshot)]
    assert times[0] < 6.5
    assert max(later - earlier for earlier, later in pairwise(times)) < 0.3


def test_a_board_that_is_not_heard_does_not_hear() -> None:
    board = set_up(ChessnutBoard(faults=Faults(disconnected=True)))
    talk = Conversation(Chessnut(), board)
    assert talk.go_on(3.0) == []
    assert not board.real_time
    board.faults.disconnected = False
    assert snapshots(talk.go_on(5.0))


@pytest.mark.parametrize("wire", WIRES)
def test_split_and_merged_messages_are_the_same(wire: Wire) -> None:
    faults = Faults(split=0.4, merge=0.2)
    talk = Conversation(Chessnut(), set_up(ChessnutBoard(wire=wire, faults=faults, seed=3)))
    events = talk.go_on(60.0)
    assert set(snapshots(events)) == {START}
    assert not any(isinstance(event, Noise) for event in events)


@pytest.mark.parametrize("wire", WIRES)
def test_damage_costs_single_reports_and_never_the_link(wire: Wire) -> None:
    faults = Faults(lose=0.1, insert=0.1, wrong_length=0.05)
    talk = Conversation(Chessnut(), set_up(ChessnutBoard(wire=wire, faults=faults, seed=4)))
    events = [event for event in talk.go_on(120.0) if isinstance(event, Snapshot)]
    assert max(later.at - earlier.at for earlier, later in pairwise(events)) < 2.0
    assert sum(event.cells == START for event in events) > 450


def test_nothing_but_questions_and_the_mode_is_ever_sent() -> None:
    for codec, board in ((Chessnut(), ChessnutBoard()), (ChessnutMove(), ChessnutBoard("move"))):
        talk = Conversation(codec, set_up(board))
        talk.go_on(130.0)
        assert {data[0] for data in talk.sent} <= {0x21, 0x27, 0x29, 0x41}
        assert board.driven == board.deleted == 0
        assert all(later - earlier > 0.199 for earlier, later in pairwise(talk.sent_at))


def test_a_stored_game_is_read_whole_and_stays() -> None:
    board = set_up(ChessnutBoard(stored=[[START, AFTER_E4], [START]]))
    talk = Conversation(Chessnut(), board)
    talk.go_on(2.0)
    talk.codec.command("stored game")
    events = talk.go_on(5.0)
    (log,) = (event for event in events if isinstance(event, BoardLog))
    assert log.complete
    assert len(log.entries) == 2
    assert set(snapshots(events)) == {START}, "what was stored is no play"
    assert snapshots(talk.go_on(6.0))
    assert board.deleted == 0


def test_what_others_may_order() -> None:
    board = set_up(ChessnutBoard("move", stored=[[START]]))
    board.receive(bytes.fromhex("39 01 00"), at=1.0)
    board.receive(bytes((0x42, 33)) + bytes(33), at=1.1)
    assert (board.deleted, board.driven) == (1, 1)


def test_a_game_is_not_uploaded_in_the_midst_of_reports() -> None:
    board = set_up(ChessnutBoard(stored=[[AFTER_E4]]))
    talk = Conversation(Chessnut(), board)
    talk.go_on(2.0)
    board.receive(bytes.fromhex("34 01 01"), at=2.0)
    assert set(snapshots(talk.go_on(3.0))) == {START}


def test_a_move_is_silent_while_its_motors_run() -> None:
    board = set_up(ChessnutBoard("move", wire="ble"))
    talk = Conversation(ChessnutMove(), board)
    talk.go_on(5.0)
    after = chess.Board()
    after.push_san("e4")
    board.run_motors(after.piece_map(), at=5.0, lasts=12.0)
    events = talk.go_on(20.0)
    assert not any(5.1 < event.at < 17.0 and isinstance(event, Snapshot) for event in events)
    (notice,) = (event for event in events if isinstance(event, Notice))
    assert "motors may have moved men" in notice.text
    assert snapshots(events)[-1] == AFTER_E4
