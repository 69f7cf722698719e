"""What each message means: the worked examples, one line each."""

from typing import Literal

import chess
import pytest

from drivers.boards.dgt import Dgt
from drivers.boards.dgt.framing import LENGTHS
from drivers.boards.dgt.protocol import (
    CODE_OF_PIECE,
    PIECE_CODES,
    Command,
    Message,
    index_of_square,
    square_of_index,
)
from drivers.events import (
    UNKNOWN_CELLS,
    Battery,
    BoardLog,
    Button,
    ClockAck,
    ClockFault,
    ClockReading,
    Event,
    Identity,
    Noise,
    Notice,
    ResultPiece,
    Snapshot,
    SquareChange,
)
from tests.drivers.dgt_streams import EVERY_KIND, START, START_CELLS, dump, message


def decoded(hexadecimal: str) -> list[Event]:
    return Dgt().receive(bytes.fromhex(hexadecimal), at=1.0)


def minutes(count: int, seconds: int) -> int:
    return (count * 60 + seconds) * 1000


EXAMPLES: dict[str, Event] = {
    # both 3:02, increment, paused, left to move
    "8d 00 0a 20 03 02 20 03 02 08": ClockReading(
        at=1.0,
        left_ms=minutes(3, 2),
        right_ms=minutes(3, 2),
        running=False,
        turn="left",
        bonus=True,
    ),
    # left runs
    "8d 00 0a 20 03 02 20 03 01 09": ClockReading(
        at=1.0,
        left_ms=minutes(3, 1),
        right_ms=minutes(3, 2),
        running=True,
        turn="left",
        bonus=True,
    ),
    # left has pressed and got two seconds, right runs
    "8d 00 0a 20 02 20 20 02 17 13": ClockReading(
        at=1.0,
        left_ms=minutes(2, 17),
        right_ms=minutes(2, 20),
        running=True,
        turn="right",
        bonus=True,
    ),
    # the right flag fell and the clock stopped
    "8d 00 0a 30 00 00 20 00 16 12": ClockReading(
        at=1.0,
        left_ms=minutes(0, 16),
        right_ms=0,
        running=False,
        turn="right",
        right_flag=True,
        bonus=True,
    ),
    "8d 00 0a 20 00 16 30 00 00 08": ClockReading(
        at=1.0,
        left_ms=0,
        right_ms=minutes(0, 16),
        running=False,
        turn="left",
        left_flag=True,
        bonus=True,
    ),
    # 1:29:59 on the right, running
    "8d 00 0a 01 29 59 01 30 00 13": ClockReading(
        at=1.0, left_ms=minutes(90, 0), right_ms=minutes(89, 59), running=True, turn="right"
    ),
    # low battery
    "8d 00 0a 01 30 00 01 29 59 0d": ClockReading(
        at=1.0,
        left_ms=minutes(89, 59),
        right_ms=minutes(90, 0),
        running=True,
        turn="left",
        low_battery=True,
    ),
    # a flag shown while the clock goes on
    "8d 00 0a 01 00 00 40 59 59 09": ClockReading(
        at=1.0,
        left_ms=minutes(59, 59),
        right_ms=minutes(60, 0),
        running=True,
        turn="left",
        left_mark=True,
    ),
    "8d 00 0a 40 59 59 01 00 00 13": ClockReading(
        at=1.0,
        left_ms=minutes(60, 0),
        right_ms=minutes(59, 59),
        running=True,
        turn="right",
        right_mark=True,
    ),
    "8d 00 0a 00 00 00 00 00 00 20": ClockFault(at=1.0, fault="absent"),
    "8d 00 0a 00 00 00 00 00 00 00": ClockFault(at=1.0, fault="null"),
    "8d 00 0a 0b 00 00 00 00 00 08": ClockFault(
        at=1.0, fault="invalid", detail="0b 00 00 00 00 00 08"
    ),
    "8d 00 0a 01 60 00 00 00 00 08": ClockFault(
        at=1.0, fault="invalid", detail="01 60 00 00 00 00 08"
    ),
    "8d 00 0a 01 00 00 01 00 1a 08": ClockFault(
        at=1.0, fault="invalid", detail="01 00 00 01 00 1a 08"
    ),
    "8d 00 0a 0a 10 01 0a 00 00 00": ClockAck(at=1.0, command=0x01, ok=True),
    "8d 00 0a 0a 10 09 0a 20 00 00": Identity(at=1.0, field="clock_version", value="2.0"),
    "8d 00 0a 0a 40 0a 0a 00 00 00": ClockAck(at=1.0, command=0x0A, ok=False, detail="code 0x40"),
    # seen on a real XL clock: a refusal without a command
    "8d 00 0a 0a 20 00 0a 00 00 00": ClockAck(at=1.0, command=0, ok=False, detail="code 0x20"),
    "8d 00 0a 0a 10 01 2a 00 00 00": ClockAck(at=1.0, command=0x81, ok=True, detail="ready"),
    # acknowledged by byte 6 alone, with its high bits in use
    "8d 00 0a 00 10 10 2a 00 00 00": ClockAck(
        at=1.0, command=0x90, ok=True, detail="not in host mode"
    ),
    "8d 00 0a 0a 10 08 2a 05 31 00": Button(at=1.0, button="back"),
    "8d 00 0a 0a 10 08 2a 41 35 00": Button(at=1.0, button="ok"),
    "8d 00 0a 0a 10 08 2a 21 34 00": Button(at=1.0, button="minus"),
    "8d 00 0a 0a 10 08 2a 11 33 00": Button(at=1.0, button="run"),
    "8d 00 0a 0a 10 08 2a 09 32 00": Button(at=1.0, button="plus"),
    "8d 00 0a 0a 10 08 2a 45 35 00": Button(at=1.0, button="back+ok"),
    "8d 00 0a 0a 10 08 2a 09 00 00": Button(at=1.0, button="plus"),
    "8d 00 0a 0a 10 08 2a 01 36 00": Button(at=1.0, button="unknown 0x36"),
    "93 00 05 03 01": Identity(at=1.0, field="version", value="3.1"),
    "93 00 05 03 0a": Identity(at=1.0, field="version", value="3.10"),
    "96 00 05 01 00": Identity(at=1.0, field="hardware", value="1.0"),
    "91 00 08 31 32 33 34 35": Identity(at=1.0, field="serial", value="12345"),
    "91 00 0c 30 30 31 33 37 20 31 2e 30": Identity(at=1.0, field="serial", value="00137"),
    "a2 00 0d 33 30 30 30 31 34 37 37 34 30": Identity(
        at=1.0, field="long_serial", value="3000147740"
    ),
    "90 00 05 08 01": Identity(at=1.0, field="bus_address", value="1025"),
    "a0 00 0c 58 7f 7f 01 1e 00 00 00 02": Battery(at=1.0, percent=88, charging=False),
    "a0 00 0c 64 01 1e 01 1e 00 00 00 01": Battery(
        at=1.0, percent=100, charging=True, minutes_left=90
    ),
    "a0 00 07 32 00 0a 00": Battery(at=1.0, percent=50, charging=False, minutes_left=10),
    "a0 00 0c 7f 7f 7f 01 1e 00 00 00 02": Notice(
        at=1.0,
        text="the battery's charge is not known: a0 00 0c 7f 7f 7f 01 1e 00 00 00 02",
    ),
    "a4 00 04 00": Notice(at=1.0, text="an answer only a DGT Pegasus gives: a4 00 04 00"),
    "8f 00 10 7f 7f 7f 6a 6f 40 34 51 24 71 29 55 6b": BoardLog(
        at=1.0,
        entries=(
            "power-up",
            "start position",
            "e2 empty",
            "e4 P (within 250 ms)",
            "left clock 1:29:55",
        ),
        complete=True,
    ),
    "b0 00 05 01 02": Noise(at=1.0, data="b0 00 05 01 02", why="unknown message id 0xb0"),
}


@pytest.mark.parametrize("hexadecimal", EXAMPLES)
def test_an_example_says_exactly_this(hexadecimal: str) -> None:
    assert decoded(hexadecimal) == [EXAMPLES[hexadecimal]]


def test_the_tables_of_the_protocol_are_each_others_reverse() -> None:
    assert [square_of_index(index_of_square(square)) for square in range(64)] == list(range(64))
    assert square_of_index(0) == chess.A8
    assert square_of_index(63) == chess.H1
    assert {CODE_OF_PIECE[piece]: piece for piece in PIECE_CODES.values()} == PIECE_CODES


def test_every_message_has_its_lengths_and_a_decoder() -> None:
    assert set(LENGTHS) == set(Message) == set(Dgt()._decoders)


def test_a_dump_is_a_snapshot_a1_first() -> None:
    real = (
        "86 00 43 08 09 0a 0c 0b 0a 09 08" + "07" * 8 + "00" * 32 + "01" * 8
        + "02 03 04 06 05 04 03 02"
    )  # fmt: skip
    assert decoded(real) == [Snapshot(at=1.0, cells=START_CELLS)]


def test_a_turned_board_is_told_in_its_own_numbering() -> None:
    real = (
        "86 00 43 02 03 04 05 06 04 03 02" + "01" * 8 + "00" * 32 + "07" * 8
        + "08 09 0a 0b 0c 0a 09 08"
    )  # fmt: skip
    assert decoded(real) == [Snapshot(at=1.0, cells=START_CELLS[::-1])]


def test_changes_are_assembled_to_whole_boards() -> None:
    codec = Dgt()
    codec.receive(START, at=0.0)
    lifted, placed = codec.receive(bytes.fromhex("8e00053400 8e00052401"), at=1.5)
    without = START_CELLS[: chess.E2] + "." + START_CELLS[chess.E2 + 1 :]
    assert lifted == SquareChange(at=1.5, square=chess.E2, piece=".", cells=without)
    cells = without[: chess.E4] + "P" + without[chess.E4 + 1 :]
    assert placed == SquareChange(at=1.5, square=chess.E4, piece="P", cells=cells)


def test_before_a_dump_the_other_squares_are_not_known() -> None:
    (change,) = decoded("8e 00 05 00 08")
    assert change == SquareChange(
        at=1.0, square=chess.A8, piece="r", cells=UNKNOWN_CELLS[:56] + "r" + UNKNOWN_CELLS[57:]
    )


@pytest.mark.parametrize(("code", "result"), [(13, "1/2-1/2"), (14, "1-0"), (15, "0-1")])
def test_a_result_piece_that_is_seen_twice_is_told_and_is_no_chess_piece(
    code: int, result: Literal["1-0", "0-1", "1/2-1/2"]
) -> None:
    codec = Dgt()
    (change,) = codec.receive(bytes([0x8E, 0, 5, 0x24, code]), at=1.0)
    assert isinstance(change, SquareChange)
    assert change.piece == change.cells[chess.E4] == "?"
    codes = bytearray(64)
    codes[0x24] = code
    dump = message(Message.BOARD_DUMP, bytes(codes))
    snapshot, piece = codec.receive(dump, at=2.0)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.cells == "." * chess.E4 + "?" + "." * (63 - chess.E4)
    assert piece == ResultPiece(at=2.0, square=chess.E4, result=result)
    assert codec.receive(dump, at=3.0)[1:] == [ResultPiece(at=3.0, square=chess.E4, result=result)]


def test_a_byte_that_was_damaged_on_the_way_ends_no_game() -> None:
    """These lines have no checksums: 0e is a result piece and a bishop with one bit too many."""
    empty = message(Message.BOARD_DUMP, bytes(64))
    damaged = empty[:-1] + b"\x0e"
    codec = Dgt()
    seen = [
        *codec.receive(bytes.fromhex("8e0005240e"), at=1.0),
        *codec.receive(bytes.fromhex("8e00052400"), at=1.1),
        *codec.receive(bytes.fromhex("8e0005240e"), at=1.2),
        *codec.receive(bytes.fromhex("8e0005230e"), at=1.3),
        *codec.receive(empty, at=1.4),
        *codec.receive(damaged, at=1.5),
        *codec.receive(empty, at=1.6),
    ]
    assert not any(isinstance(event, ResultPiece) for event in seen)


def test_a_dump_with_a_result_piece_calls_for_another() -> None:
    asked = []
    for last in (b"\x00", b"\x0e"):
        codec = Dgt()
        codec.greet(at=0.0)
        for tenth in range(20):
            codec.poll(at=tenth / 10)
        codec.receive(message(Message.BOARD_DUMP, bytes(63) + last), at=2.0)
        asked.append(b"".join(codec.poll(at=2.0 + tenth / 10).data for tenth in range(10)))
    assert asked == [b"", bytes([Command.SEND_BRD])]


def test_undescribed_bits_are_masked_and_told_once() -> None:
    codec = Dgt()
    change, notice = codec.receive(bytes.fromhex("8e00055c11"), at=1.0)
    assert isinstance(change, SquareChange)
    assert (change.square, change.piece) == (chess.E5, "P")
    assert notice == Notice(at=1.0, text="undescribed bits are ignored: 8e 00 05 5c 11")
    (snapshot,) = codec.receive(message(Message.BOARD_DUMP, bytes([0x10]) * 64), at=2.0)[:1]
    assert snapshot == Snapshot(at=2.0, cells="." * 64)
    assert not any(
        "bits" in repr(event) for event in codec.receive(bytes.fromhex("8e00055c11"), at=3.0)
    )
    _, told = Dgt().receive(message(Message.BOARD_DUMP, bytes([0x10]) * 64), at=2.0)
    assert isinstance(told, Notice)


def test_a_dump_that_contradicts_the_changes_is_believed_and_the_squares_are_named() -> None:
    codec = Dgt()
    codec.receive(START, at=0.0)
    cells = START_CELLS.replace("PPPPPPPP", "PPPP.PPP")[: chess.E4] + "P" + "." * 19
    cells += START_CELLS[48:]
    assert codec.receive(dump(cells), at=1.0) == [
        Snapshot(at=1.0, cells=cells),
        Notice(at=1.0, text="changes were not reported on e2, e4"),
    ]
    assert codec.receive(dump(cells), at=2.0) == [Snapshot(at=2.0, cells=cells)]


@pytest.mark.parametrize(
    ("message_id", "size"),
    [(Message.BOARD_DUMP, 100), (Message.BOARD_DUMP_50B, 50), (Message.BOARD_DUMP_50W, 50)],
)
def test_a_draughts_position_is_only_noticed(message_id: int, size: int) -> None:
    (event,) = Dgt().receive(message(message_id, bytes(size)), at=1.0)
    assert isinstance(event, Notice)
    assert "draughts" in event.text


def test_a_trademark_may_be_longer_than_seven_bits_count() -> None:
    lines = ("A maker of boards", "All rights reserved", "software version: 1.00, build: 250303")
    text = "\r\n".join((*lines, "", "hardware version: 1.00, serial no: P00000000001 \x00\x01"))
    stream = message(Message.TRADEMARK, text.encode())
    assert stream[1] == 1
    expected = "\n".join((*lines, "hardware version: 1.00, serial no: P00000000001"))
    (event,) = Dgt().receive(stream, at=1.0)
    assert isinstance(event, Identity)
    assert event.field == "trademark"
    assert event.value.replace(" \n", "\n").rstrip() == expected


def test_each_kind_of_message_is_understood() -> None:
    for stream in EVERY_KIND:
        events = Dgt().receive(stream, at=1.0)
        assert events
        assert not any(isinstance(event, Noise) for event in events)
