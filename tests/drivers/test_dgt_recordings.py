"""A game recorded from a real board, and values quoted from a real log."""

import json
import random
import re
from itertools import pairwise

import chess
import pytest

from drivers.boards.dgt import Dgt
from drivers.boards.dgt.protocol import Message
from drivers.events import ClockReading, Event, Identity, Noise, Notice, Snapshot, SquareChange
from tests.drivers.dgt_streams import dump, message
from tests.shared import shared


@pytest.fixture(scope="module")
def messages() -> list[bytes]:
    lines = shared("protocols/captures/dgt_usb_game1_normal.hex").read_text().splitlines()
    return [bytes.fromhex(line) for line in lines if not line.startswith("#")]


@pytest.fixture(scope="module")
def final_cells() -> str:
    board = chess.Board()
    text = shared("protocols/captures/dgt_usb_game1.uci").read_text()
    for move in re.findall(r"\b[a-h][1-8][a-h][1-8][qrbn]?\b", text):
        board.push_uci(move)
    assert board.ply() == 57
    return "".join(
        piece.symbol() if (piece := board.piece_at(square)) else "." for square in chess.SQUARES
    )


def received(chunks: list[bytes]) -> list[Event]:
    codec = Dgt()
    return [event for chunk in chunks for event in codec.receive(chunk, at=0.0)]


def test_the_game_ends_in_the_position_that_was_played(
    messages: list[bytes], final_cells: str
) -> None:
    events = received(messages)
    assert len(messages) == len(events) == 455
    counts = {kind: sum(type(event) is kind for event in events) for kind in map(type, events)}
    assert counts == {Snapshot: 1, SquareChange: 131, ClockReading: 323}
    assert [event.cells for event in events if isinstance(event, SquareChange)][-1] == final_cells


def test_every_clock_time_is_the_one_in_the_bytes(messages: list[bytes]) -> None:
    readings = [event for event in received(messages) if isinstance(event, ClockReading)]
    times = [data.hex(" ").split() for data in messages if data[0] == Message.BWTIME]
    for reading, (_, _, _, *right, h, m, s, status) in zip(readings, times, strict=True):
        for ms, (hours, minutes, seconds) in (
            (reading.left_ms, (h, m, s)),
            (reading.right_ms, right),
        ):
            # two decimal digits each; the first digit of the hours holds the bonus bit
            assert hours[0] == "2"
            assert ms == 1000 * (3600 * int(hours[1]) + 60 * int(minutes) + int(seconds))
        assert reading.bonus
        assert (reading.running, reading.turn) == {
            "09": (True, "left"),
            "13": (True, "right"),
            "08": (False, "left"),
            "12": (False, "right"),
        }[status]
        assert (reading.left_flag, reading.right_flag, reading.low_battery) == (False,) * 3


def test_the_time_of_the_side_to_move_never_rises(messages: list[bytes]) -> None:
    readings = [event for event in received(messages) if isinstance(event, ClockReading)]
    for before, after in pairwise(readings):
        if before.turn == after.turn == "left":
            assert 0 <= before.left_ms - after.left_ms <= 1000
            assert before.right_ms == after.right_ms
        elif before.turn == after.turn == "right":
            assert 0 <= before.right_ms - after.right_ms <= 1000
            assert before.left_ms == after.left_ms


def test_reads_may_cut_the_stream_anywhere(messages: list[bytes]) -> None:
    stream = b"".join(messages)
    expected = received(messages)
    assert received([stream]) == expected
    assert received([bytes([byte]) for byte in stream]) == expected
    source = random.Random(1)
    for _ in range(20):
        cuts = sorted({0, len(stream), *(source.randrange(len(stream)) for _ in range(300))})
        assert received([stream[begin:end] for begin, end in pairwise(cuts)]) == expected


def test_noise_between_the_messages_is_told_and_changes_nothing(messages: list[bytes]) -> None:
    noise = b"\x2a\xf0\x86\x00"
    events = received([noise + data for data in messages])
    assert [event for event in events if not isinstance(event, Noise)] == received(messages)
    assert [event.data for event in events if isinstance(event, Noise)] == [noise.hex(" ")] * 455


def test_a_lost_byte_never_harms_the_next_message(messages: list[bytes]) -> None:
    for damaged, following in set(pairwise(messages)):
        expected = received([following])
        for lost in range(len(damaged)):
            events = received([damaged[:lost] + damaged[lost + 1 :] + following])
            assert events[1:] == expected
            assert isinstance(events[0], Noise)


def test_one_lost_byte_costs_one_message_and_a_dump_repairs_it(
    messages: list[bytes], final_cells: str
) -> None:
    stream = b"".join(messages)
    for lost in random.Random(2).sample(range(len(stream)), 40):
        codec = Dgt()
        events = codec.receive(stream[:lost] + stream[lost + 1 :] + dump(final_cells), at=0.0)
        understood = [event for event in events if not isinstance(event, Noise | Notice)]
        assert len(understood) == 455
        assert understood[-1] == Snapshot(at=0.0, cells=final_cells)


def test_a_real_handshake_is_understood() -> None:
    lines = shared("data/recordings/dgt-handshake-1.jsonl").read_text().splitlines()
    texts = [record["msg"] for record in map(json.loads, lines) if record["kind"] == "raw"]
    (version,) = [m for text in texts for m in re.findall(r"VERSION (\d+)\.(\d+)", text)]
    (ack,) = [m for text in texts for m in re.findall(r"ACK \((.*)\)", text)]
    major, minor = map(int, version)
    status, command, third, fourth = map(int, ack.split(","))
    clock = bytes([0x0A, status, command, 0x0A, third, fourth, 0])
    stream = message(Message.VERSION, bytes([major, minor])) + message(Message.BWTIME, clock)
    assert received([stream]) == [
        Identity(at=0.0, field="version", value="3.10"),
        Identity(at=0.0, field="clock_version", value="2.0"),
    ]
