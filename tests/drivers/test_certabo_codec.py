"""Lines of Certabo and Tabutronic boards found in a stream, and what they say."""

import os
import random
from itertools import pairwise

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.boards.certabo import Certabo, Sentio
from drivers.boards.certabo.protocol import LONGEST_LINE
from drivers.boards.certabo.tags import MOST_TAGS
from drivers.codec import Codec
from drivers.events import Event, Noise, Notice, RawTags, Snapshot
from tests.shared import shared

RANDOM_BYTES = int(os.environ.get("EBOARD_BRIDGE_RANDOM_BYTES", "300000"))
TAGS = {square: bytes((3, 0, 84, 1 + square, 200 - square)) for square in (*range(16), 48, 63)}


def scan(tags: dict[chess.Square, bytes]) -> bytes:
    """Return the line of a scan, as it is recorded."""
    read = b"".join(tags.get(square ^ 56, bytes(5)) for square in range(64))
    return b":" + b"".join(b"%d " % number for number in read) + b"\r\n"


def feel(*ranks: int) -> bytes:
    return b":" + b" ".join(b"%d" % rank for rank in ranks) + b"\r\n"


SCAN = scan(TAGS)
AFTER = scan({(28 if square == 12 else square): tag for square, tag in TAGS.items()})
START = feel(255, 255, 0, 0, 0, 0, 255, 255)
E4 = feel(255, 255, 0, 0, 8, 0, 247, 255)
EVERY_KIND = (SCAN, AFTER, START, E4, b"L\r\n", b"D\r\n", b"\r\n", b"\n", b"\xff\x00")
START_CELLS = "?" * 16 + "." * 32 + "?" * 16

streams = st.lists(
    st.one_of(
        st.sampled_from(EVERY_KIND),
        st.binary(max_size=12),
        st.sampled_from(EVERY_KIND).flatmap(
            lambda whole: st.integers(0, len(whole)).map(lambda end: whole[:end])
        ),
    ),
    max_size=10,
).map(b"".join)
either = st.sampled_from((Certabo, Sentio))


def received(kind: type[Codec], *chunks: bytes) -> list[Event]:
    codec = kind()
    events: list[Event] = []
    for chunk in chunks:
        events += codec.receive(chunk, at=0.0)
        assert codec.buffered < LONGEST_LINE
    return events


def understood(kind: type[Codec], *chunks: bytes) -> list[Event]:
    return [event for event in received(kind, *chunks) if not isinstance(event, Noise)]


def cut(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return [stream[begin:end] for begin, end in pairwise(edges)]


def tags_of(event: Event) -> dict[int, str]:
    assert isinstance(event, RawTags)
    return {square: tag for square, tag in enumerate(event.tags) if tag is not None}


# --- recorded scans -------------------------------------------------------------------------------


def recorded(name: str) -> list[bytes]:
    lines = shared(f"protocols/captures/{name}").read_text().splitlines()
    return [
        b":" + line.removeprefix(":").strip().encode("ascii") + b" \r\nL\r\n"
        for line in lines
        if not line.startswith("#")
    ]


def test_recorded_scans_show_men_on_the_squares_of_their_description() -> None:
    first, second, array, fourth = recorded("certabo_rfid_frames.txt")
    position = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P2P/8/PPPP1PP1/RNBQKBNR b")
    (seen,) = received(Certabo, first, second)
    assert set(tags_of(seen)) == set(position.piece_map())
    *_, stands, after_e4 = received(Certabo, first, second, array, fourth)
    assert set(tags_of(stands)) == set(chess.Board().piece_map())
    position = chess.Board()
    position.push_san("e4")
    assert set(tags_of(after_e4)) == set(position.piece_map())


def test_two_men_that_were_exchanged_are_so_in_the_tags() -> None:
    first, second, array, _ = recorded("certabo_rfid_frames.txt")
    before, after = map(tags_of, received(Certabo, first, second, array))
    rook, pawn = "030054fc0f", "030054fcaa"
    assert (before[chess.H1], before[chess.H4]) == (rook, pawn)
    assert (after[chess.H1], after[chess.H2]) == (pawn, rook)


def test_the_recorded_calibration_is_cleaned_as_its_source_says() -> None:
    *noisy, cleaned = recorded("certabo_calibration_frames.txt")
    seen = received(Certabo, *noisy)[-1]
    (expected,) = received(Certabo, cleaned, cleaned)
    assert tags_of(seen) == tags_of(expected)
    assert tags_of(seen)[chess.D6] == "3b0072aa7e"
    assert tags_of(seen)[chess.D3] == "3b0072b56c"
    assert len(tags_of(seen)) == 34


# --- what a line says -----------------------------------------------------------------------------


def test_a_scan_has_the_tags_of_all_squares_from_the_second_on() -> None:
    assert received(Certabo, SCAN) == []
    (seen,) = received(Certabo, SCAN, SCAN)
    assert tags_of(seen) == {square: tag.hex() for square, tag in TAGS.items()}


def test_a_known_tag_is_told_at_once_and_a_stranger_when_it_was_read_twice() -> None:
    codec = Certabo()
    codec.receive(SCAN + SCAN, at=0.0)
    (moved,) = codec.receive(AFTER, at=1.0)
    assert chess.E4 in tags_of(moved)
    assert chess.E2 not in tags_of(moved)
    stranger = scan(TAGS | {40: b"\x09\x08\x07\x06\x05"})
    first, second = codec.receive(stranger + stranger, at=2.0)
    assert chess.A6 not in tags_of(first)
    assert tags_of(second)[chess.A6] == "0908070605"


def test_noise_of_empty_squares_is_never_told() -> None:
    source = random.Random(5)
    codec = Certabo()
    codec.receive(SCAN, at=0.0)
    for _ in range(50):
        noisy = TAGS | {s: source.randbytes(5) for s in range(64) if s not in TAGS}
        (seen,) = codec.receive(scan(noisy), at=0.0)
        assert tags_of(seen).keys() == TAGS.keys()


def test_three_zeros_are_no_tag_even_when_they_are_repeated() -> None:
    line = scan(TAGS | {40: b"\x00\x81\x00\x1f\x00", 41: b"\x00\x81\x00\x1f\x01"})
    seen = received(Certabo, line, line)[0]
    assert chess.A6 not in tags_of(seen)
    assert chess.B6 in tags_of(seen)


def test_tags_not_read_for_long_are_forgotten() -> None:
    codec = Certabo()
    codec.receive(SCAN + SCAN, at=0.0)
    for number in range(MOST_TAGS):
        line = scan({0: bytes((1, 1, 1, 1, number))})
        codec.receive(line + line, at=0.0)
    (seen,) = codec.receive(SCAN, at=0.0)
    assert tags_of(seen) == {}


def test_ranks_are_told_from_the_eighth_on_with_the_a_file_first() -> None:
    assert received(Sentio, START, START) == [Snapshot(at=0.0, cells=START_CELLS)]
    (seen,) = received(Sentio, E4 + E4)
    assert isinstance(seen, Snapshot)
    assert (seen.cells[chess.E2], seen.cells[chess.E4]) == (".", "?")
    (seen,) = received(Sentio, 2 * feel(255, 255, 0, 0, 0, 0, 255, 254))
    assert isinstance(seen, Snapshot)
    assert seen.cells[chess.H1] == "."


def test_a_position_that_was_read_once_is_not_believed() -> None:
    assert received(Sentio, START) == []
    assert received(Sentio, START, E4, START) == []


@pytest.mark.parametrize(
    ("kind", "line", "other"), [(Certabo, START, "sentio"), (Sentio, SCAN, "certabo")]
)
def test_a_board_of_the_other_kind_is_told_of_once(
    kind: type[Codec], line: bytes, other: str
) -> None:
    (notice,) = received(kind, line, line, line)
    assert isinstance(notice, Notice)
    assert f"driver {other}" in notice.text


def test_nothing_is_ever_sent() -> None:
    codec = Certabo()
    codec.greet(at=0.0)
    codec.receive(SCAN, at=1.0)
    assert codec.poll(at=2.0) == (b"", float("inf"))


# --- damage ---------------------------------------------------------------------------------------


@given(either, streams, st.lists(st.integers(0, 4000), max_size=12))
def test_cuts_change_nothing_that_is_understood(
    kind: type[Codec], stream: bytes, cuts: list[int]
) -> None:
    assert understood(kind, *cut(stream, cuts)) == understood(kind, stream)


@given(either, streams)
def test_single_bytes_give_the_same(kind: type[Codec], stream: bytes) -> None:
    assert understood(kind, *cut(stream, list(range(len(stream))))) == understood(kind, stream)


@given(either, st.lists(st.binary(max_size=3000), max_size=6))
def test_arbitrary_bytes_never_raise(kind: type[Codec], chunks: list[bytes]) -> None:
    received(kind, *chunks)


def test_random_characters_never_grow_the_buffer() -> None:
    source = random.Random(20)
    codec, left = Certabo(), RANDOM_BYTES
    while left > 0:
        data = bytes(source.choices(b"0123456789   :\n\x00", (9,) * 13 + (1, 0.1, 1), k=997))
        codec.receive(data, at=0.0)
        assert codec.buffered < LONGEST_LINE
        left -= len(data)


def test_a_lost_byte_never_harms_the_next_scan() -> None:
    for lost in range(len(SCAN)):
        damaged = SCAN[:lost] + SCAN[lost + 1 :]
        events = understood(Certabo, b"\n" + SCAN + SCAN + damaged + AFTER)
        assert tags_of(events[-1]).keys() == tags_of(received(Certabo, AFTER, AFTER)[0]).keys()
        assert all(set(tags_of(event)) <= set(TAGS) for event in events[:-1])


def test_a_lost_byte_never_shows_a_wrong_position() -> None:
    for lost in range(len(START)):
        damaged = START[:lost] + START[lost + 1 :]
        stream = START + START + damaged + E4 + E4
        cells = [e.cells for e in understood(Sentio, stream) if isinstance(e, Snapshot)]
        assert cells[0] == START_CELLS
        assert cells[1:] in ([cells[-1]], [START_CELLS, cells[-1]])
        assert cells[-1][chess.E4] == "?"


@pytest.mark.parametrize(
    "damaged",
    [
        pytest.param(b"junk 1 2 3", id="junk before the colon"),
        pytest.param(SCAN[:300], id="a line that breaks off"),
        pytest.param(b"1 2 3 4 5 6 7\r\n:1 2\r\n", id="too few numbers"),
        pytest.param(SCAN[:-2] + b"7 \r\n", id="too many numbers"),
        pytest.param(SCAN.replace(b"84", b"256", 1), id="a number that is no byte"),
        pytest.param(SCAN.replace(b" 0 ", b" 00 ", 1), id="a leading zero"),
        pytest.param(b":" + b"1 " * 2000, id="a line without end"),
        pytest.param(b"M\r\n", id="an unknown letter"),
    ],
)
def test_what_is_no_line_is_noise_and_the_next_one_is_read(damaged: bytes) -> None:
    codec = Certabo()
    codec.receive(SCAN + SCAN, at=0.0)
    *noise, seen = codec.receive(damaged + SCAN, at=1.0)
    assert noise
    assert all(isinstance(event, Noise) for event in noise)
    assert tags_of(seen).keys() == TAGS.keys()


def test_lines_of_lamps_and_blank_lines_say_nothing() -> None:
    (seen,) = received(Certabo, SCAN, b"L\r\n", b"\r\n", b"D\r\n", SCAN, b"\n")
    assert isinstance(seen, RawTags)


def test_over_a_radio_the_colon_may_be_missing_and_filler_stand_anywhere() -> None:
    bare = SCAN[1:]
    assert received(Certabo, SCAN, bare) == received(Certabo, SCAN, SCAN)
    filled = b"\x00\xff".join([SCAN[:100], SCAN[100:101], SCAN[101:]])
    assert received(Certabo, filled, filled) == received(Certabo, SCAN, SCAN)


def test_the_first_line_counts_with_its_colon_only() -> None:
    """Joined in the middle of a scan, its last eight numbers are no position."""
    codec = Sentio()
    (noise,) = codec.receive(b"1 2 3 4 5 6 7 8 \r\n", at=0.0)
    assert isinstance(noise, Noise)
    assert codec.receive(START + START[1:], at=0.0) == [Snapshot(at=0.0, cells=START_CELLS)]
