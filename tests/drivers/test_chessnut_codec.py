"""Chessnut messages found in a stream, and what they say."""

from itertools import pairwise

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.boards.chessnut import Chessnut, ChessnutMove
from drivers.boards.chessnut.protocol import LONGEST, cells_of, squares_of
from drivers.boards.chessnut.stored import LONGEST_GAME
from drivers.codec import Codec
from drivers.errors import UnknownCommandError
from drivers.events import Battery, BoardLog, Event, Identity, Noise, Notice, Snapshot

START_SQUARES = "58 23 31 85 44 44 44 44" + " 00" * 16 + " 77 77 77 77 a6 c9 9b 6a"
E4_SQUARES = (
    "58 23 31 85 44 44 44 44 00 00 00 00 00 00 00 00"
    " 00 70 00 00 00 00 00 00 77 07 77 77 a6 c9 9b 6a"
)
A6_SQUARES = (
    "58 23 31 80 44 04 44 04 00 00 50 40 00 40 00 09"
    " 00 70 00 00 00 0a 00 00 77 07 77 77 06 c0 9b 6a"
)
UPTIME = "34 02 00 00"


def by_radio(squares: str) -> bytes:
    return bytes.fromhex("01 24" + squares + UPTIME)


def by_usb(squares: str) -> bytes:
    return bytes.fromhex("01 3d" + squares).ljust(LONGEST, b"\0")


def after(*moves: str) -> str:
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    return "".join(
        piece.symbol() if (piece := board.piece_at(square)) else "." for square in chess.SQUARES
    )


START, E4 = by_radio(START_SQUARES), by_radio(E4_SQUARES)
OTHERS = tuple(
    bytes.fromhex(text)
    for text in ("23 01 00", "2a 02 58 00", "32 01 03", "28 04 01 31 2e 34", "28 03 00 32 30")
)
EVERY_KIND = (START, E4, by_usb(START_SQUARES), by_usb(A6_SQUARES), *OTHERS)

streams = st.lists(
    st.one_of(
        st.sampled_from(EVERY_KIND),
        st.sampled_from([bytes.fromhex("37 01 be"), bytes.fromhex("37 01 ed")]),
        st.binary(max_size=12),
        st.binary(max_size=3).map(lambda end: b"\x01" + end),
        st.sampled_from(EVERY_KIND).flatmap(
            lambda whole: st.integers(0, len(whole)).map(lambda end: whole[:end])
        ),
    ),
    max_size=12,
).map(b"".join)


def received(*chunks: bytes, codec: Codec | None = None) -> list[Event]:
    codec = codec or Chessnut()
    events: list[Event] = []
    for chunk in chunks:
        events += codec.receive(chunk, at=0.0)
        assert codec.buffered < codec.info.longest_message
    return events


def understood(*chunks: bytes, codec: Codec | None = None) -> list[Event]:
    return [e for e in received(*chunks, codec=codec) if not isinstance(e, Noise)]


def cut(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return [stream[begin:end] for begin, end in pairwise(edges)]


# --- what a message says --------------------------------------------------------------------------


@pytest.mark.parametrize("as_sent", [by_radio, by_usb])
@pytest.mark.parametrize(
    ("squares", "moves"),
    [
        (START_SQUARES, []),
        (E4_SQUARES, ["e4"]),
        (A6_SQUARES, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]),
    ],
)
def test_positions(as_sent: object, squares: str, moves: list[str]) -> None:
    assert callable(as_sent)
    assert received(as_sent(squares)) == [Snapshot(at=0.0, cells=after(*moves))]


def test_the_shorter_position_of_the_makers_page() -> None:
    message = bytes.fromhex("01 22" + E4_SQUARES + "00 00")
    assert received(message) == [Snapshot(at=0.0, cells=after("e4"))]


def test_a_board_that_lies_the_other_way_round_is_not_turned_here() -> None:
    squares = "a6 b9 9c 6a 77 77 77 77" + " 00" * 16 + " 44 44 44 44 58 13 32 85"
    assert received(by_radio(squares)) == [Snapshot(at=0.0, cells=after()[::-1])]


@given(st.text(".PNBRQKpnbrqk", min_size=64, max_size=64))
def test_positions_both_ways(cells: str) -> None:
    assert cells_of(squares_of(cells)) == cells


@pytest.mark.parametrize("nibble", ["0d", "e0", "ff"])
def test_a_piece_that_there_is_not_makes_noise_of_the_whole_frame(nibble: str) -> None:
    damaged = by_radio(START_SQUARES.replace("00", nibble, 1))
    assert received(damaged) == [Noise(at=0.0, data=damaged.hex(" "), why="no message begins here")]
    assert received(damaged + E4)[-1] == received(E4)[-1]


@pytest.mark.parametrize(
    ("message", "percent", "charging"),
    [
        ("2a 02 58 00", 88, False),
        ("2a 02 64 01", 100, True),
        ("2a 02 e4 00", 100, True),
        ("2a 02 80 00", 0, True),
    ],
)
def test_the_battery_in_both_readings(message: str, percent: int, charging: bool) -> None:
    assert received(bytes.fromhex(message)) == [Battery(at=0.0, percent=percent, charging=charging)]


def test_an_empty_battery_is_a_spurious_answer() -> None:
    assert received(bytes.fromhex("2a 02 00 01")) == []


def test_a_charge_that_cannot_be() -> None:
    (notice,) = received(bytes.fromhex("2a 02 65 00"))
    assert notice == Notice(at=0.0, text="the battery's charge is not known: 101 %")


def test_the_battery_of_a_move() -> None:
    assert received(bytes.fromhex("41 03 0c 01 64"), codec=ChessnutMove()) == [
        Battery(at=0.0, percent=100, charging=True)
    ]
    assert understood(bytes.fromhex("41 03 0c 01 64")) == []
    assert understood(bytes.fromhex("41 03 15 01 64"), codec=ChessnutMove()) == []


def test_versions_of_all_parts() -> None:
    first, second, third = received(
        bytes.fromhex("28 04 01 31 2e 34 28 05 00 32 2e 30 00 28 03 07 20 39")
    )
    assert first == Identity(at=0.0, field="version", value="MCU 1.4")
    assert second == Identity(at=0.0, field="version", value="MCU 1.4, Bluetooth 2.0")
    assert third == Identity(at=0.0, field="version", value="MCU 1.4, Bluetooth 2.0, firmware 9")


def test_confirmations_and_numbers_that_nobody_asked_for_say_nothing() -> None:
    assert received(bytes.fromhex("23 01 00 32 01 03")) == []


# --- finding messages -----------------------------------------------------------------------------


@given(streams, st.lists(st.integers(0, 400), max_size=12))
def test_cuts_change_nothing_that_is_understood(stream: bytes, cuts: list[int]) -> None:
    whole, pieces = Chessnut(), Chessnut()
    assert understood(*cut(stream, cuts), codec=pieces) == understood(stream, codec=whole)
    assert pieces.buffered == whole.buffered


@given(streams)
def test_byte_by_byte(stream: bytes) -> None:
    assert understood(*(bytes([byte]) for byte in stream)) == understood(stream)


@given(st.lists(st.tuples(st.binary(max_size=80), st.floats(0, 5)), max_size=10))
def test_arbitrary_bytes_never_raise(chunks: list[tuple[bytes, float]]) -> None:
    for codec in (Chessnut(), ChessnutMove()):
        at = 0.0
        codec.greet(at=at)
        for data, wait in chunks:
            at += wait
            codec.receive(data, at=at)
            codec.poll(at=at)
            assert codec.buffered < LONGEST


@pytest.mark.parametrize("sent", [START, by_usb(START_SQUARES), *OTHERS])
@pytest.mark.parametrize("following", [E4, by_usb(E4_SQUARES), OTHERS[1]])
def test_a_lost_byte_never_harms_the_next_message(sent: bytes, following: bytes) -> None:
    for lost in range(len(sent)):
        damaged = sent[:lost] + sent[lost + 1 :]
        assert understood(damaged + following)[-1:] == understood(following)
        by_bytes = (bytes([byte]) for byte in damaged + following)
        assert understood(*by_bytes)[-1:] == understood(following)


@pytest.mark.parametrize("noise", ["02", "ff", "01 00", "01 24 0d", "2a 03", "37 01 00", "41 03"])
def test_noise_between_messages_harms_neither(noise: str) -> None:
    before, dropped, behind = received(E4 + bytes.fromhex(noise) + START)
    assert [before, behind] == received(E4 + START)
    assert dropped == Noise(at=0.0, data=noise, why="no message begins here")


def test_zeros_that_fill_a_report_up_are_no_noise() -> None:
    filled = b"".join(message.ljust(LONGEST, b"\0") for message in OTHERS)
    assert received(filled) == received(b"".join(OTHERS))
    assert received(b"\0\0" + E4)[0] == Noise(at=0.0, data="00 00", why="no message begins here")


def test_what_fills_a_report_up_may_also_be_left_from_others() -> None:
    filled = OTHERS[1] + by_usb(E4_SQUARES)[len(OTHERS[1]) :]
    battery, noise, snapshot = received(filled + E4)
    assert (battery, snapshot) == (received(OTHERS[1])[0], received(E4)[0])
    assert isinstance(noise, Noise)


def test_reports_of_the_wrong_length_do_not_hide_the_next() -> None:
    for length in (1, 2, 3, 33, 34, 40, 62):
        short = by_usb(E4_SQUARES)[:length]
        assert understood(short + by_usb(START_SQUARES))[-1:] == understood(START)


def test_every_operation_has_a_decoder() -> None:
    for codec in (Chessnut(), ChessnutMove()):
        assert codec.shapes.keys() <= codec._decoders.keys()


# --- commands -------------------------------------------------------------------------------------


def sent_by(codec: Codec, start: float, end: float) -> list[tuple[float, str]]:
    at, sent = start, []
    while at <= end:
        data, wake_at = codec.poll(at=at)
        assert wake_at > at
        if data:
            sent.append((round(at, 3), data.hex(" ")))
        at = wake_at
    return sent


def test_the_greeting() -> None:
    codec = Chessnut()
    assert codec.poll(at=0.0) == (b"", float("inf"))
    codec.greet(at=0.0)
    assert sent_by(codec, 0.0, 0.9) == [
        (0.0, "21 01 00"),
        (0.2, "29 01 00"),
        (0.4, "27 01 01"),
        (0.6, "27 01 00"),
    ]


def test_reports_are_asked_for_again_when_they_stop() -> None:
    codec = Chessnut()
    codec.greet(at=0.0)
    sent_by(codec, 0.0, 0.7)
    codec.receive(START, at=0.7)
    assert sent_by(codec, 0.71, 3.0) == [(1.7, "21 01 00"), (2.7, "21 01 00")]
    for tenth in range(30, 60):
        codec.receive(START, at=tenth / 10)
        assert codec.poll(at=tenth / 10).data == b""


def test_the_battery_is_asked_for_every_minute() -> None:
    codec = Chessnut()
    codec.greet(at=0.0)
    sent_by(codec, 0.0, 1.0)
    asked: list[float] = []
    for second in range(1, 130):
        codec.receive(START, at=float(second))
        asked += [at for at, sent in sent_by(codec, float(second), second + 0.9) if "29" in sent]
    assert asked == [60.2, 120.2]


@pytest.mark.parametrize(
    ("codec", "asked"), [(Chessnut(), "29 01 00"), (ChessnutMove(), "41 01 0c")]
)
def test_the_battery_on_request(codec: Codec, asked: str) -> None:
    codec.command("battery")
    codec.command("battery")
    assert sent_by(codec, 0.0, 2.0) == [(0.0, asked)]


@pytest.mark.parametrize(
    ("codec", "name", "why"),
    [
        (Chessnut(), "delete game", "no command 'delete game', only battery, stored game"),
        (ChessnutMove(), "stored game", "chessnut_move: there is no command"),
        (ChessnutMove(), "drive", "only battery"),
    ],
)
def test_what_may_not_be_asked(codec: Codec, name: str, why: str) -> None:
    with pytest.raises(UnknownCommandError, match=why):
        codec.command(name)
    assert codec.poll(at=0.0).data == b""


# --- stored games ---------------------------------------------------------------------------------


BEGIN, END = bytes.fromhex("37 01 be"), bytes.fromhex("37 01 ed")
PLACEMENTS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
)


def uploading(games: int) -> Chessnut:
    codec = Chessnut()
    codec.command("stored game")
    assert sent_by(codec, 0.0, 0.1) == [(0.0, "31 01 00")]
    codec.receive(bytes((0x32, 1, games)), at=0.1)
    return codec


def test_a_stored_game_is_read_and_never_deleted() -> None:
    codec = uploading(1)
    assert sent_by(codec, 0.2, 50.0) == [
        (0.2, "21 01 01"),
        (0.4, "33 01 00"),
        (0.6, "34 01 01"),
    ]
    assert codec.receive(E4, at=0.7) == [], "a report from before"
    assert codec.receive(BEGIN + START + E4, at=0.8) == []
    assert codec.receive(END, at=0.9) == [BoardLog(at=0.9, entries=PLACEMENTS, complete=True)]
    assert sent_by(codec, 50.1, 50.2)[0] == (50.1, "21 01 00")
    assert codec.receive(E4, at=51.0) == [Snapshot(at=51.0, cells=after("e4"))]


def test_a_long_transfer_shows_that_the_link_is_alive() -> None:
    codec = uploading(1)
    sent_by(codec, 0.2, 1.0)
    codec.receive(BEGIN, at=1.0)
    (notice,) = codec.receive(START + E4, at=2.0)
    assert notice == Notice(at=2.0, text="a stored game arrives: 1 positions")


def test_no_game_is_stored() -> None:
    codec = Chessnut()
    codec.command("stored game")
    assert codec.receive(bytes.fromhex("32 01 00"), at=0.1) == [
        BoardLog(at=0.1, entries=(), complete=True)
    ]
    assert sent_by(codec, 0.2, 5.0) == [(0.2, "31 01 00")]


@pytest.mark.parametrize(
    ("games", "said"), [(1, "1 stored: it is read"), (3, "3 stored: the first is read")]
)
def test_how_many_games_are_stored(games: int, said: str) -> None:
    codec = Chessnut()
    codec.command("stored game")
    (notice,) = codec.receive(bytes((0x32, 1, games)), at=0.1)
    assert isinstance(notice, Notice)
    assert said in notice.text


def test_a_transfer_that_nobody_here_asked_for_is_no_play_either() -> None:
    codec = Chessnut()
    assert codec.receive(BEGIN + START + E4 + END, at=0.0) == [
        BoardLog(at=0.0, entries=PLACEMENTS, complete=True)
    ]
    assert codec.poll(at=0.0).data == bytes.fromhex("21 01 00")


def test_what_looks_like_the_begin_of_a_transfer_does_not_hide_the_play_for_long() -> None:
    codec = Chessnut()
    assert codec.receive(BEGIN + E4, at=0.0) == []
    assert codec.poll(at=0.0).data == bytes.fromhex("21 01 00")
    assert codec.receive(bytes.fromhex("23 01 00") + E4, at=0.2) == [
        BoardLog(at=0.2, entries=PLACEMENTS[1:], complete=False),
        Snapshot(at=0.2, cells=after("e4")),
    ]


def test_an_end_without_a_begin_goes_back_to_play() -> None:
    codec = Chessnut()
    assert codec.receive(END + E4, at=0.0) == [Snapshot(at=0.0, cells=after("e4"))]


def test_a_transfer_without_an_end_is_given_up() -> None:
    codec = Chessnut()
    events = codec.receive(BEGIN + START * LONGEST_GAME + E4, at=0.0)
    assert [type(event) for event in events] == [BoardLog, Snapshot]
    assert isinstance(events[0], BoardLog)
    assert not events[0].complete
    assert len(events[0].entries) == LONGEST_GAME


# --- Move -----------------------------------------------------------------------------------------


def test_a_move_says_that_its_motors_may_have_run() -> None:
    codec = ChessnutMove()
    assert codec.receive(START, at=5.0) == [Snapshot(at=5.0, cells=after())]
    assert codec.receive(START, at=5.2) == [Snapshot(at=5.2, cells=after())]
    assert codec.receive(E4, at=17.2) == [
        Notice(at=17.2, text="no reports for 12.0 s: motors may have moved men"),
        Snapshot(at=17.2, cells=after("e4")),
    ]


def test_a_move_is_left_alone_while_its_motors_run() -> None:
    codec = ChessnutMove()
    codec.greet(at=0.0)
    codec.receive(START, at=1.0)
    assert [sent for _, sent in sent_by(codec, 1.0, 9.9)][-1] == "27 01 00"
    assert sent_by(codec, 9.9, 11.5) == [(11.0, "21 01 00")]
