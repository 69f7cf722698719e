"""The simulated ChessLink board, and the codec that talks to it."""

import chess
import pytest

from drivers.boards.millennium import Millennium
from drivers.boards.millennium.board import SET_SCANNING
from drivers.boards.millennium.protocol import message
from drivers.events import Event, Identity, Noise, Notice, Snapshot
from drivers.simulated.line import Faults
from drivers.simulated.millennium import EONE, EXCLUSIVE, SUPREME, MillenniumBoard, Profile
from tests.conversations import Conversation

START = "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr"
PAWN = chess.Piece(chess.PAWN, chess.WHITE)


def asked(board: MillenniumBoard, data: bytes, *, at: float) -> bytes:
    """Return what the board says within 20 ms of *data*."""
    board.poll(at=at)
    board.receive(data, at=at)
    return board.poll(at=at + 0.02).data


def quiet(profile: Profile = EXCLUSIVE) -> MillenniumBoard:
    """A board that reports nothing by itself, with the start position."""
    board = MillenniumBoard(profile)
    board.registers["02"] = 1
    board.set_up(chess.Board().piece_map(), at=0.0)
    return board


def snapshots(events: list[Event]) -> list[str]:
    return [event.cells for event in events if isinstance(event, Snapshot)]


def test_the_start_position_is_told_as_the_protocol_has_it() -> None:
    said = asked(quiet(), message("S"), at=1.0)
    assert said.startswith(bytes.fromhex("73 52 ce c2 cb 51 c2 ce 52 d0 d0"))
    assert said.endswith(bytes.fromhex("f2 6e 62 6b f1 62 6e f2 37 b3"))
    assert len(said) == 67


def test_a_board_with_the_cable_on_the_left_tells_a8_first() -> None:
    board = MillenniumBoard(SUPREME, rotated=True)
    board.set_up(chess.Board().piece_map(), at=0.0)
    board.poll(at=0.03)
    said = board.poll(at=0.07).data
    assert said == b"srnbqkbnrpppppppp" + 32 * b"." + b"PPPPPPPPRNBQKBNR73"


@pytest.mark.parametrize(
    "damaged",
    [
        pytest.param(b"W020256", id="parity is missing"),
        pytest.param(message("W0203")[:-1] + b"\x37", id="a wrong check"),
        pytest.param(b"\xff" + message("S")[1:], id="the letter is lost"),
        pytest.param(message("G"), id="not known"),
    ],
)
def test_what_is_damaged_is_not_answered(damaged: bytes) -> None:
    board = quiet()
    assert asked(board, damaged, at=1.0) == b""
    assert board.registers["02"] == 1
    assert asked(board, message("V"), at=2.0) == message("v0103")


def test_an_older_board_has_no_name() -> None:
    assert asked(quiet(EXCLUSIVE), message("I00"), at=1.0) == b""


def test_registers_are_written_read_and_kept() -> None:
    board = quiet()
    assert asked(board, message("W0114"), at=1.0) == message("w0114")
    assert asked(board, message("R01"), at=2.0) == message("r0114")
    assert asked(board, message("R09"), at=3.0) == message("r0900")


@pytest.mark.parametrize(
    ("registers", "reports"),
    [
        pytest.param({}, range(24, 26), id="every scan"),
        pytest.param({"01": 15}, range(32, 34), id="every short scan"),
        pytest.param({"01": 3}, range(24, 26), id="a scan that is too short"),
        pytest.param({"02": 1}, range(1), id="on request"),
        pytest.param({"02": 2, "03": 25}, range(7, 9), id="timed"),
        pytest.param({"02": 3}, range(1), id="on change"),
    ],
)
def test_registers_say_what_is_reported_in_a_second(
    registers: dict[str, int], reports: range
) -> None:
    board = MillenniumBoard(SUPREME)
    board.poll(at=10.0)
    board.registers |= registers
    board.poll(at=20.0)
    said = board.poll(at=21.0).data
    assert said.count(b"s") in reports


def test_a_change_is_reported_once_where_changes_are() -> None:
    board = MillenniumBoard(SUPREME)
    board.registers["02"] = 3
    board.set_up(chess.Board().piece_map(), at=0.0)
    assert board.poll(at=1.0).data.count(b"s") == 1
    board.lift(chess.E2, at=1.0)
    assert board.poll(at=2.0).data.count(b"s") == 1


def test_after_a_reset_there_is_silence_for_three_seconds() -> None:
    board = MillenniumBoard(EXCLUSIVE)
    board.receive(message("L14" + 81 * "FF"), at=0.5)
    assert board.lamps
    board.poll(at=1.0)
    board.receive(message("T"), at=1.0)
    board.poll(at=1.05)
    assert not board.lamps
    assert board.poll(at=3.9).data == b""
    board.receive(message("V"), at=3.9)
    assert board.poll(at=3.99).data == b""
    assert board.poll(at=4.2).data != b""


def test_lamps_are_acknowledged_and_put_out() -> None:
    board = quiet()
    assert asked(board, message("L22" + 81 * "00"), at=1.0) == message("l")
    assert asked(board, message("X"), at=2.0) == message("x")
    assert board.lamps == ""


# --- with the codec -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        (EXCLUSIVE, {"version": "01.03", "hardware": "perhaps an Exclusive"}),
        (SUPREME, {"version": "31.30", "hardware": "55mm"}),
        (EONE, {"version": "02.00", "hardware": "e-one"}),
    ],
)
def test_a_board_is_identified_and_its_position_known(
    profile: Profile, told: dict[str, str]
) -> None:
    talk = Conversation(Millennium(), MillenniumBoard(profile, piece=20))
    talk.board.set_up(chess.Board().piece_map(), at=0.0)
    events = talk.go_on(2.0)
    assert {e.field: e.value for e in events if isinstance(e, Identity)} == told
    assert set(snapshots(events)) == {START}
    assert not [event for event in events if isinstance(event, Noise)]
    assert any(isinstance(e, Notice) for e in events) is profile.guesses


@pytest.mark.parametrize("reports", [0, 1, 3])
def test_a_change_is_told_in_time_whatever_the_board_reports(reports: int) -> None:
    """The bounds that the codec states: a scan more, or 0.4 s."""
    board = MillenniumBoard(EXCLUSIVE)
    board.registers["02"] = reports
    board.set_up(chess.Board().piece_map(), at=0.0)
    talk = Conversation(Millennium(), board)
    talk.go_on(3.0)
    bound = 0.13 if reports == 0 else 0.4
    for number in range(20):
        at = talk.at + 1.003 * number / 20
        talk.go_on(at)
        board.lift(chess.E2, at=at)
        told = [event for event in talk.go_on(at + bound) if isinstance(event, Snapshot)]
        assert told[-1].cells == START[:12] + "." + START[13:]
        board.put(chess.E2, PAWN, at=talk.at)
        talk.go_on(talk.at + bound)


def test_lamps_are_never_touched_and_nothing_is_written() -> None:
    board = MillenniumBoard(EXCLUSIVE, faults=Faults(lose=0.05))
    board.registers["02"] = 1
    talk = Conversation(Millennium(), board)
    talk.go_on(20.0)
    assert {chr(data[0] & 0x7F) for data in talk.sent} <= set("VSRI")


def test_an_operator_makes_the_board_report_changes() -> None:
    board = MillenniumBoard(EXCLUSIVE)
    talk = Conversation(Millennium(), board)
    talk.go_on(2.0)
    talk.codec.command(SET_SCANNING)
    talk.go_on(3.0)
    assert board.registers["02"] == 3
    written = [data for data in talk.sent if chr(data[0] & 0x7F) == "W"]
    assert written == [message("W0203")]  # the others were right


def test_a_restart_in_the_middle_is_survived() -> None:
    board = MillenniumBoard(EXCLUSIVE)
    board.set_up(chess.Board().piece_map(), at=0.0)
    talk = Conversation(Millennium(), board)
    talk.go_on(2.0)
    board.receive(message("T"), at=2.0)
    talk.go_on(2.2)
    assert talk.go_on(4.9) == []
    assert snapshots(talk.go_on(6.5))[-1] == START


def test_damage_costs_reports_and_shows_no_wrong_position() -> None:
    faults = Faults(lose=0.1, insert=0.1, split=0.2, merge=0.05)
    board = MillenniumBoard(SUPREME, faults=faults, seed=3)
    board.set_up(chess.Board().piece_map(), at=0.0)
    events = Conversation(Millennium(), board).go_on(60.0)
    assert any(isinstance(event, Noise) for event in events)
    assert set(snapshots(events)) == {START}
    assert len(snapshots(events)) > 500


def test_a_guessing_board_puts_down_what_was_lifted() -> None:
    board = quiet(EONE)
    board.lift(chess.E4, at=1.0)  # nothing stands there
    board.put(chess.A1, PAWN, at=1.0)  # it goes on to be taken for the rook
    board.lift(chess.E7, at=1.0)
    board.lift(chess.E2, at=1.1)
    board.put(chess.E2, PAWN, at=1.2)
    board.put(chess.E7, chess.Piece(chess.QUEEN, chess.BLACK), at=1.3)
    assert asked(board, message("S"), at=2.0)[1:65] == bytes(
        byte & 0x7F for byte in message("sRNBKQBNRPPPPPPPP" + 32 * "." + "pppppppprnbkqbnr")[1:65]
    )


def test_a_disconnected_board_hears_nothing() -> None:
    board = quiet()
    board.faults.disconnected = True
    assert asked(board, message("W0200"), at=1.0) == b""
    assert board.registers["02"] == 1
