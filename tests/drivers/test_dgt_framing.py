"""Messages found in a stream, whatever was lost, added or cut."""

import os
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.boards.dgt import Dgt
from drivers.boards.dgt.framing import LOG_PATIENCE, PATIENCE, Framer
from drivers.boards.dgt.protocol import LOG_LENGTH, Message
from drivers.events import BoardLog, Event, Noise, Notice, SquareChange
from tests.drivers.dgt_streams import (
    E2_EMPTY,
    E4_PAWN,
    EVERY_KIND,
    LOG,
    SERIAL,
    START,
    TICK,
    message,
)

RANDOM_BYTES = int(os.environ.get("EBOARD_BRIDGE_RANDOM_BYTES", "300000"))
FULL_LOG = message(
    Message.EE_MOVES, bytes.fromhex("6f4034512471295 5".replace(" ", "")) + bytes(7928)
)

bytes_of_a_line = st.lists(
    st.one_of(
        st.sampled_from(EVERY_KIND),
        st.binary(max_size=12),
        st.sampled_from(EVERY_KIND).flatmap(
            lambda whole: st.integers(0, len(whole)).map(lambda end: whole[:end])
        ),
    ),
    max_size=12,
).map(b"".join)


def received(stream: bytes) -> list[Event]:
    return Dgt().receive(stream, at=0.0)


def chunks_of(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return [stream[begin:end] for begin, end in pairwise(edges)]


def understood(codec: Dgt, chunks: list[bytes]) -> list[Event]:
    events = [event for chunk in chunks for event in codec.receive(chunk, at=0.0)]
    return [event for event in events if not isinstance(event, Noise)]


@given(bytes_of_a_line, st.lists(st.integers(0, 300), max_size=12))
def test_cuts_change_nothing_that_is_understood(stream: bytes, cuts: list[int]) -> None:
    whole, cut = Dgt(), Dgt()
    for codec in (whole, cut):
        codec.receive(SERIAL, at=0.0)
    assert understood(cut, chunks_of(stream, cuts)) == understood(whole, [stream])
    assert cut.buffered == whole.buffered


@given(bytes_of_a_line, st.lists(st.integers(0, 300), max_size=12))
def test_every_byte_is_part_of_a_message_or_dropped_or_waiting(
    stream: bytes, cuts: list[int]
) -> None:
    framer = Framer()
    pieces = [piece for chunk in chunks_of(stream, cuts) for piece in framer.feed(chunk, 0.0)]
    seen = b"".join(
        bytes.fromhex(piece.data) if isinstance(piece, Noise) else piece for piece in pieces
    )
    assert seen == stream[: len(seen)]
    assert len(seen) + len(framer) == len(stream)


@given(st.lists(st.tuples(st.binary(max_size=40), st.floats(0, 20)), max_size=10))
def test_arbitrary_bytes_never_raise(chunks: list[tuple[bytes, float]]) -> None:
    codec, at = Dgt(), 0.0
    codec.greet(at=at)
    codec.poll(at=at)
    for data, wait in chunks:
        at += wait
        codec.receive(data, at=at)
        codec.poll(at=at)
        assert codec.buffered < Dgt.info.longest_message


def test_random_bytes_never_grow_the_buffer() -> None:
    source = random.Random(20120309)
    codec, at, left = Dgt(), 0.0, RANDOM_BYTES
    while left > 0:
        size = source.choice((1, 7, 64, 4096))
        high = source.choice((0x7F, 0xFF))
        data = bytes(byte & high for byte in source.randbytes(size))
        codec.receive(data, at=at)
        assert codec.buffered < Dgt.info.longest_message
        at += 0.01
        left -= size


@pytest.mark.parametrize("damaged", EVERY_KIND)
def test_a_lost_byte_never_harms_the_next_message(damaged: bytes) -> None:
    for lost in range(len(damaged)):
        remains = damaged[:lost] + damaged[lost + 1 :]
        for following in (E2_EMPTY, TICK, LOG):
            assert received(remains + following)[-1:] == received(following)


@pytest.mark.parametrize(
    "noise", [b"\x00", b"\xff", b"\x86", b"\x8e\x00", b"\x92\x07\x7f", b"\x8f\x3e"]
)
def test_noise_between_messages_harms_neither(noise: bytes) -> None:
    (dropped,) = received(E2_EMPTY + noise + TICK)[1:-1]
    assert isinstance(dropped, Noise)
    assert dropped.data == noise.hex(" ")
    assert received(E2_EMPTY + noise + TICK)[::2] == received(E2_EMPTY + TICK)


def test_dropped_bytes_that_follow_each_other_are_one_noise() -> None:
    noise, *rest = received(b"\x05\x06\xff\x01\x8e\x00\x86" + TICK)
    assert noise == Noise(at=0.0, data="05 06 ff 01 8e 00 86", why="no message begins here")
    assert rest == received(TICK)


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("8e 00 02", "message 0x8e is never 2 bytes long"),
        ("8e 7f 7f", "message 0x8e is never 16383 bytes long"),
        ("86 3e 03", "message 0x86 is never 7939 bytes long"),
        ("8f 3e 04", "message 0x8f is never 7940 bytes long"),
    ],
)
def test_a_length_that_cannot_be_is_not_waited_for(header: str, why: str) -> None:
    codec = Dgt()
    assert codec.receive(bytes.fromhex(header), at=0.0) == [Noise(at=0.0, data=header, why=why)]
    assert codec.buffered == 0


def test_a_message_not_completed_in_time_is_dropped() -> None:
    codec = Dgt()
    assert codec.receive(E2_EMPTY[:3], at=0.0) == []
    assert codec.receive(E4_PAWN, at=PATIENCE + 0.1) == [
        Noise(at=PATIENCE + 0.1, data="8e 00 05", why="not completed in time"),
        *Dgt().receive(E4_PAWN, at=PATIENCE + 0.1),
    ]


def test_what_comes_late_is_dropped_with_what_it_should_have_completed() -> None:
    codec = Dgt()
    codec.receive(E2_EMPTY[:3], at=0.0)
    assert codec.receive(E2_EMPTY[3:], at=2.0) == [
        Noise(at=2.0, data=E2_EMPTY.hex(" "), why="not completed in time")
    ]


def test_the_time_counts_from_the_first_byte_of_the_message() -> None:
    codec = Dgt()
    codec.receive(E2_EMPTY[:3], at=0.0)
    (first,) = codec.receive(E2_EMPTY[3:] + E4_PAWN[:2], at=0.9)
    (second,) = codec.receive(E4_PAWN[2:], at=1.8)
    assert isinstance(first, SquareChange)
    assert isinstance(second, SquareChange)


def test_a_whole_log_is_taken_at_the_speed_of_the_line() -> None:
    assert len(FULL_LOG) == LOG_LENGTH
    codec, events, at = Dgt(), [], 0.0
    for begin in range(0, LOG_LENGTH, 96):
        at += 0.1
        events += codec.receive(FULL_LOG[begin : begin + 96], at=at)
    *notices, log = events
    assert isinstance(log, BoardLog)
    assert log.entries == (
        "start position",
        "e2 empty",
        "e4 P (within 250 ms)",
        "left clock 1:29:55",
    )
    assert not log.complete
    assert [type(event) for event in notices] == [Notice] * len(notices)
    assert 4 <= len(notices) <= 5
    assert received(FULL_LOG[:-1] + b"\x6b") == [
        BoardLog(at=0.0, entries=log.entries, complete=True)
    ]


def test_a_log_that_is_cut_short_tells_what_came() -> None:
    log, change = received(FULL_LOG[:5] + E2_EMPTY)
    assert log == BoardLog(at=0.0, entries=("start position", "unreadable 0x40"), complete=False)
    assert change == received(E2_EMPTY)[0]


def test_a_log_that_breaks_off_tells_what_came() -> None:
    codec = Dgt()
    codec.receive(START, at=0.0)
    codec.receive(b"\x05" + FULL_LOG[:4], at=0.5)
    log, noise, change = codec.receive(b"\x01" + E2_EMPTY, at=0.6 + LOG_PATIENCE)
    assert log == BoardLog(at=0.6 + LOG_PATIENCE, entries=("start position",), complete=False)
    assert noise == Noise(at=0.6 + LOG_PATIENCE, data="01", why="no message begins here")
    assert isinstance(change, SquareChange)
