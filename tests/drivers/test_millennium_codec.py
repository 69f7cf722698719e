"""ChessLink messages found in a stream, and what they say."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.boards.millennium import Millennium
from drivers.boards.millennium.board import SET_SCANNING
from drivers.boards.millennium.protocol import message
from drivers.errors import UnknownCommandError
from drivers.events import Event, Identity, Noise, Notice, Snapshot
from tests.shared import shared

START = "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr"
AFTER_E4 = START.replace("PPPPPPPP" + "." * 32, "PPPP.PPP" + "." * 12 + "P" + "." * 19)
S_START = message("sRNBKQBNRPPPPPPPP" + "." * 32 + "pppppppprnbkqbnr")
S_AFTER_E4 = message("sRNBKQBNRPPP.PPPP...........P" + "." * 20 + "pppppppprnbkqbnr")
V = message("v0103")
NAME = b"i00e-one\n"
EVERY_KIND = (
    S_START,
    S_AFTER_E4,
    message("sRNBKQBNRPPPPPPPP" + "." * 32 + "pppppppprnbkqbnr", parity=False),
    V,
    message("v3130", parity=False),
    message("r0114"),
    message("w0203"),
    message("l"),
    message("x"),
    NAME,
)

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


def received(*chunks: bytes) -> list[Event]:
    codec = Millennium()
    events: list[Event] = []
    for chunk in chunks:
        events += codec.receive(chunk, at=0.0)
        assert codec.buffered < Millennium.info.longest_message
    return events


def understood(*chunks: bytes) -> list[Event]:
    return [event for event in received(*chunks) if not isinstance(event, Noise)]


def cut(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return [stream[begin:end] for begin, end in pairwise(edges)]


# --- what a message says --------------------------------------------------------------------------


def test_the_recorded_version_is_the_one_its_description_tells() -> None:
    path = shared("protocols/captures/millennium_version.hex")
    lines = re.findall(r"^[<>] ((?:[0-9a-f]{2} )+)", path.read_text(), re.MULTILINE)
    request, answer = map(bytes.fromhex, lines)
    assert request == message("V")
    assert received(answer) == [
        Identity(at=0.0, field="version", value="01.03"),
        Identity(at=0.0, field="hardware", value="perhaps an Exclusive"),
    ]


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ("S", "d3 b5 b3"),
        ("I00", "49 b0 b0 34 b9"),
        ("R02", "52 b0 32 b5 b0"),
        ("W0203", "57 b0 32 b0 b3 b5 b6"),
        ("W0114", "57 b0 31 31 34 b5 b3"),
        ("x", "f8 37 38"),
        ("l", "ec b6 43"),
    ],
)
def test_messages_are_those_of_the_protocol(text: str, wire: str) -> None:
    assert message(text) == bytes.fromhex(wire)


def test_the_first_letter_of_a_position_is_h1() -> None:
    assert received(S_START, S_START) == [Snapshot(at=0.0, cells=START)]
    assert received(S_AFTER_E4, S_AFTER_E4) == [Snapshot(at=0.0, cells=AFTER_E4)]


def test_a_position_is_believed_when_it_was_read_twice_running() -> None:
    assert received(S_START) == []
    assert received(S_START, S_AFTER_E4, S_START) == []
    cells = [
        event.cells
        for event in understood(*[S_START] * 2, *[S_AFTER_E4] * 3)
        if isinstance(event, Snapshot)
    ]
    assert cells == [START, AFTER_E4, AFTER_E4]


def test_a_position_spliced_of_two_passes_its_check_and_is_not_believed() -> None:
    spliced = S_START[:20] + S_AFTER_E4[20:]
    shuffled = S_START[:1] + S_START[2:0:-1] + S_START[3:]
    assert received(spliced, spliced) != []  # nothing in it tells
    assert understood(S_START, S_START, shuffled, S_START, S_START) == understood(
        S_START, S_START, S_START
    )


def test_parity_and_the_case_of_the_check_digits_do_not_matter() -> None:
    plain = bytes(byte & 0x7F for byte in S_START)
    assert received(plain, S_START) == received(S_START, S_START)
    small = message("x", parity=False)[:-2] + b"78"
    assert received(small) == []
    lower = bytes(byte & 0x7F for byte in message("l")).replace(b"C", b"c")
    assert received(lower) == []


@pytest.mark.parametrize(
    ("version", "told"),
    [("0110", "perhaps a King Performance"), ("01FF", "perhaps a King Performance")],
)
def test_the_version_is_a_hint_at_the_model(version: str, told: str) -> None:
    assert Identity(at=0.0, field="hardware", value=told) in received(message(f"v{version}"))


def test_a_newer_board_is_asked_for_its_name() -> None:
    codec = Millennium()
    codec.receive(message("v3130"), at=0.0)
    assert codec.poll(at=0.0).data == message("I00")
    assert codec.receive(b"i0055mm\n", at=0.1) == [Identity(at=0.1, field="hardware", value="55mm")]


def test_an_eone_says_once_that_its_letters_are_guesses() -> None:
    identity, notice, again = received(NAME + NAME)
    assert identity == again == Identity(at=0.0, field="hardware", value="e-one")
    assert isinstance(notice, Notice)
    assert "sensing: occupancy" in notice.text


def test_registers_that_harm_are_told_of_once() -> None:
    odd, slow = message("r0001"), message("r01FF")
    first, second = received(odd, slow, odd, slow)
    assert isinstance(first, Notice)
    assert isinstance(second, Notice)
    assert "check" in first.text
    assert "0.52 s" in second.text
    assert received(message("r0000"), message("r0114"), message("r0203")) == []


# --- damage ---------------------------------------------------------------------------------------


@given(streams, st.lists(st.integers(0, 400), max_size=12))
def test_cuts_change_nothing_that_is_understood(stream: bytes, cuts: list[int]) -> None:
    assert understood(*cut(stream, cuts)) == understood(stream)


@given(streams)
def test_single_bytes_give_the_same(stream: bytes) -> None:
    assert understood(*cut(stream, list(range(len(stream))))) == understood(stream)


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_arbitrary_bytes_never_raise(chunks: list[bytes]) -> None:
    codec = Millennium()
    codec.greet(at=0.0)
    for number, chunk in enumerate(chunks):
        codec.receive(chunk, at=float(number))
        codec.poll(at=float(number))
        assert codec.buffered < Millennium.info.longest_message


@pytest.mark.parametrize("damaged", EVERY_KIND)
def test_a_lost_byte_never_harms_the_next_message(damaged: bytes) -> None:
    for lost in range(len(damaged)):
        remains = damaged[:lost] + damaged[lost + 1 :]
        for following in (S_START + S_START, V, NAME):
            assert understood(remains + following)[-1:] == understood(following)[-1:]


@pytest.mark.parametrize("noise", [b"\x00", b"s", b"v01", b"i00", b"\xff\x8e", b"rbB", b"w0203"])
def test_noise_between_messages_is_told_and_harms_neither(noise: bytes) -> None:
    first, dropped, second = received(V + noise + S_START + S_START)[1:]
    assert isinstance(first, Identity)
    assert dropped == Noise(at=0.0, data=noise.hex(" "), why="no message with its check")
    assert second == Snapshot(at=0.0, cells=START)


def test_a_name_that_never_ends_is_given_up() -> None:
    noise, version, _ = received(b"i00" + b"a" * 60 + V)
    assert isinstance(noise, Noise)
    assert isinstance(version, Identity)


# --- what is sent ---------------------------------------------------------------------------------


def sent(codec: Millennium, until: float, *, at: float = 0.0) -> list[tuple[float, str]]:
    found = []
    while at <= until:
        data, wake_at = codec.poll(at=at)
        if data:
            found.append((round(at, 3), bytes(byte & 0x7F for byte in data).decode()[:-2]))
        at = max(wake_at, at)
    return found


def test_nothing_is_sent_before_the_greeting() -> None:
    codec = Millennium()
    codec.receive(S_START, at=0.0)
    assert codec.poll(at=100.0).data == b""


def test_the_greeting_reads_and_writes_nothing() -> None:
    codec = Millennium()
    codec.greet(at=0.0)
    assert sent(codec, 0.45) == [
        (0.0, "V"),
        (0.1, "S"),
        (0.2, "R00"),
        (0.3, "R01"),
        (0.4, "R02"),
    ]


def test_a_board_that_does_not_answer_is_asked_less_often() -> None:
    codec = Millennium()
    codec.greet(at=0.0)
    asked = sent(codec, 12.0)
    for command, seconds in (("S", 1.0), ("V", 0.5)):
        late = [at for at, sent_then in asked if sent_then == command and at > 3.0]
        assert len(late) > 5
        assert all(seconds - 0.01 <= b - a <= seconds + 0.2 for a, b in pairwise(late)), command


def test_a_board_that_reports_every_scan_is_never_asked() -> None:
    codec, at = Millennium(), 0.0
    codec.greet(at=at)
    sent(codec, 0.45)
    codec.receive(V, at=0.45)
    for scan in range(100):
        at = 0.5 + scan * 0.041
        codec.receive(S_START, at=at)
        assert codec.poll(at=at).data == b""


def test_a_change_is_asked_for_once_more_where_nothing_repeats_it() -> None:
    codec = Millennium()
    codec.greet(at=0.0)
    sent(codec, 0.45)
    codec.receive(V + S_START + S_START, at=0.45)
    codec.poll(at=0.55)
    codec.receive(S_AFTER_E4, at=0.6)
    assert sent(codec, 0.7, at=0.6) == [(0.66, "S")]


def test_registers_are_written_when_asked_for_and_only_where_they_differ() -> None:
    codec = Millennium()
    with pytest.raises(UnknownCommandError, match="no command 'lamps'"):
        codec.command("lamps")
    codec.receive(message("r0000") + message("r0114") + message("r0200"), at=0.0)
    codec.command(SET_SCANNING)
    codec.command(SET_SCANNING)
    assert codec.poll(at=0.0).data == message("W0203")
    assert codec.poll(at=1.0).data == b""
    codec.receive(message("w0203"), at=1.0)
    codec.command(SET_SCANNING)
    assert codec.poll(at=2.0).data == b""
