"""What the boards of a row say, decoded: each answer alone, and a whole row cut to pieces."""

from functools import cache
from itertools import pairwise

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.boards.dgt import DgtBus
from drivers.boards.dgt.bus_board import CLOCK_LAG, MOST_UNTOLD
from drivers.boards.dgt.bus_framing import sealed
from drivers.boards.dgt.protocol import BusMessage
from drivers.codec import NOTHING
from drivers.errors import OptionError, UnknownCommandError
from drivers.events import (
    BoardLog,
    ClockFault,
    ClockReading,
    Event,
    Identity,
    Noise,
    Notice,
    Presence,
    ResultPiece,
    Snapshot,
    SquareChange,
)
from tests.drivers.dgt_streams import START, START_CELLS
from tests.drivers.rows import Conversation, played_board

UNIT = "1025"


def reply(kind: BusMessage, data: bytes = b"", address: int = 1025) -> bytes:
    length = 6 + len(data)
    return sealed(bytes([kind, length >> 7, length & 0x7F, address >> 7, address & 0x7F]) + data)


PING = reply(BusMessage.PING)
DUMP = reply(BusMessage.BRD_DUMP, START[3:])
NO_CHANGES = reply(BusMessage.UPDATE)
STOPPED = reply(BusMessage.BWTIME, bytes.fromhex("01300001300008"))


def changes(tags: str) -> bytes:
    return reply(BusMessage.UPDATE, bytes.fromhex(tags))


def told(codec: DgtBus, data: bytes, *, at: float) -> list[Event]:
    """What a codec tells beside who is there, in the second after *data* came; a visit is in it."""
    events = codec.receive(data, at=at)
    for step in range(1, 20):
        events += codec.receive(NO_CHANGES if step == 6 else b"", at=at + step / 20)
    return [event for event in events if not isinstance(event, Identity | Presence)]


@pytest.fixture
def codec() -> DgtBus:
    """A codec that knows the board and what stands on it, and a clock that stands at 1:30:00."""
    codec = DgtBus()
    codec.receive(PING + DUMP + STOPPED + NO_CHANGES, at=1.0)
    return codec


def test_nothing_is_sent_before_the_greeting() -> None:
    assert DgtBus().poll(at=1.0) == NOTHING


def test_the_first_answers_of_a_board() -> None:
    codec = DgtBus()
    assert codec.receive(PING, at=1.0) == [
        Presence(at=1.0, unit=UNIT, present=True),
        Identity(at=1.0, unit=UNIT, field="bus_address", value=UNIT),
    ]
    assert codec.receive(DUMP, at=1.1) == []
    assert codec.receive(STOPPED, at=1.2) == []
    reading = ClockReading(
        at=1.3, unit=UNIT, left_ms=5_400_000, right_ms=5_400_000, running=False, turn="left"
    )
    assert codec.receive(NO_CHANGES, at=1.3) == [
        Snapshot(at=1.3, unit=UNIT, cells=START_CELLS),
        reading,
    ]


@pytest.mark.parametrize(("data", "version"), [(b"\x01\x02", "1.2"), (b"", "1.2 or older")])
def test_versions(codec: DgtBus, data: bytes, version: str) -> None:
    told_version = Identity(at=2.0, unit=UNIT, field="version", value=version)
    assert codec.receive(reply(BusMessage.VERSION, data), at=2.0) == [told_version]


def test_an_answer_without_news_shows_now_and_then_that_the_board_is_there(codec: DgtBus) -> None:
    assert codec.receive(NO_CHANGES, at=2.0) == []
    assert codec.receive(NO_CHANGES, at=3.0) == [
        Identity(at=3.0, unit=UNIT, field="bus_address", value=UNIT)
    ]
    assert codec.receive(NO_CHANGES, at=4.9) == []


def test_changes_are_told_one_after_another_and_never_in_the_past(codec: DgtBus) -> None:
    (first,) = codec.receive(changes("40 34 41 24"), at=2.0)
    lifted = START_CELLS.replace("PPPPPPPP", "PPPP.PPP")
    assert first == SquareChange(at=2.0, unit=UNIT, square=chess.E2, piece=".", cells=lifted)
    assert codec.receive(b"", at=2.1) == []
    (second,) = codec.receive(NO_CHANGES, at=2.2)
    assert isinstance(second, SquareChange)
    assert (second.at, second.square, second.piece) == (2.2, chess.E4, "P")


def test_what_was_kept_for_long_takes_its_time(codec: DgtBus) -> None:
    lifts = "".join(f"40{index:02x}" for index in range(48, 56))
    puts = "".join(f"51{index:02x}" for index in range(48, 56))
    events = codec.receive(changes(lifts + puts + "712955"), at=2.0)
    for step in range(1, 300):
        events += codec.receive(DUMP + NO_CHANGES if step == 5 else b"", at=2.0 + step / 100)
    kinds = [type(event) for event in events if not isinstance(event, Identity)]
    assert kinds == [SquareChange] * 16 + [ClockReading, Snapshot]
    gaps = [later.at - sooner.at for sooner, later in pairwise(events[:17])]
    assert gaps == pytest.approx([0.15] * 7 + [0.03] * 8 + [0.05], abs=0.011)


def test_what_waits_to_be_told_is_bounded(codec: DgtBus) -> None:
    """No board does so much; one that is broken may say so."""
    busy = [changes("40 34 41 34" * 1900), changes("41 34 40 34" * 1900)] * 3
    told_so_far = [len(codec.receive(packet, at=2.0)) for packet in busy]
    assert told_so_far[0] == 1
    assert sum(told_so_far) == 6 * 3800 - MOST_UNTOLD


def test_a_press_is_a_clock_reading_between_the_moves(codec: DgtBus) -> None:
    events = told(codec, changes("40 34 41 24 71 29 55 40 0c 47 1c 61 29 50 6b"), at=2.0)
    kinds = [type(event) for event in events]
    assert kinds == [SquareChange] * 2 + [ClockReading] + [SquareChange] * 2 + [ClockReading]
    white, black = events[2], events[5]
    assert isinstance(white, ClockReading)
    assert isinstance(black, ClockReading)
    assert (white.left_ms, white.right_ms, white.turn, white.running) == (
        5_395_000,
        5_400_000,
        "right",
        True,
    )
    assert (black.left_ms, black.right_ms, black.turn) == (5_395_000, 5_390_000, "left")
    assert [event.at for event in events] == sorted(event.at for event in events)


def test_a_press_before_any_clock_time_is_known_tells_nothing() -> None:
    codec = DgtBus()
    codec.receive(PING + DUMP + NO_CHANGES, at=1.0)
    assert told(codec, changes("71 29 55"), at=2.0) == []


def test_clock_times_from_before_a_press_are_passed_over(codec: DgtBus) -> None:
    old = reply(BusMessage.BWTIME, bytes.fromhex("01300001295609"))
    assert len(told(codec, changes("71 29 55"), at=2.0)) == 1
    assert told(codec, old + NO_CHANGES, at=2.0 + CLOCK_LAG - 0.1) == []
    (reading,) = told(codec, old + NO_CHANGES, at=2.0 + CLOCK_LAG)
    assert isinstance(reading, ClockReading)
    assert reading.turn == "left"


def test_a_clock_time_waits_for_the_changes_that_came_before_it(codec: DgtBus) -> None:
    after = reply(BusMessage.BWTIME, bytes.fromhex("01295901295513"))
    assert codec.receive(after, at=2.0) == []
    events = told(codec, changes("40 34 41 24 71 29 55"), at=2.1)
    kinds = [type(event) for event in events]
    assert kinds == [SquareChange, SquareChange, ClockReading, ClockReading]


def test_a_missing_clock_is_told_once(codec: DgtBus) -> None:
    none = reply(BusMessage.BWTIME, bytes.fromhex("00000000000020"))
    assert told(codec, none + NO_CHANGES, at=2.0) == [ClockFault(at=2.0, unit=UNIT, fault="absent")]
    assert told(codec, none + NO_CHANGES, at=3.0) == []


def test_a_repeated_packet_is_no_news(codec: DgtBus) -> None:
    packet = changes("40 34 41 24")
    assert len(codec.receive(packet, at=2.0) + codec.receive(b"", at=2.3)) == 2
    assert codec.receive(packet, at=2.6) + codec.receive(b"", at=2.9) == []
    assert told(codec, NO_CHANGES, at=3.0) == []
    assert len(told(codec, packet, at=4.0)) == 2


def test_what_a_board_kept_before_its_position_was_known_is_its_log() -> None:
    codec = DgtBus()
    codec.receive(PING, at=1.0)
    assert told(codec, changes("7f 6a 41 34 40 34 41 24"), at=1.1) == []
    log, snapshot = told(codec, DUMP + NO_CHANGES, at=1.2)
    entries = ("power-up", "e2 P", "e2 empty", "e4 P")
    assert log == BoardLog(at=1.2, unit=UNIT, entries=entries, complete=True)
    assert snapshot == Snapshot(at=1.2, unit=UNIT, cells=START_CELLS)


def test_changes_after_a_dump_was_taken_win_over_it() -> None:
    codec = DgtBus()
    codec.receive(PING, at=1.0)
    _, snapshot = told(codec, DUMP + changes("40 34 41 24"), at=1.2)
    assert isinstance(snapshot, Snapshot)
    assert (snapshot.cells[chess.E2], snapshot.cells[chess.E4]) == (".", "P")


def test_a_dump_that_contradicts_the_changes_is_believed(codec: DgtBus) -> None:
    told(codec, changes("40 34 41 24"), at=2.0)
    snapshot, notice = told(codec, DUMP + NO_CHANGES, at=3.0)
    assert snapshot == Snapshot(at=3.0, unit=UNIT, cells=START_CELLS)
    assert notice == Notice(at=3.0, unit=UNIT, text="changes were not reported on e2, e4")


def test_a_board_that_starts_anew_tells_no_moves_until_its_position_is_known(
    codec: DgtBus,
) -> None:
    (notice,) = told(codec, changes("40 34 7f 7f 7f 6a 41 34 42 38"), at=2.0)[1:]
    assert notice == Notice(at=notice.at, unit=UNIT, text="board 1025 was started anew")
    assert told(codec, changes("41 34"), at=2.1) == []
    log, snapshot = told(codec, DUMP + NO_CHANGES, at=2.2)
    assert isinstance(log, BoardLog)
    assert snapshot == Snapshot(at=2.2, unit=UNIT, cells=START_CELLS)
    assert len(told(codec, changes("40 34"), at=3.0)) == 1


def test_a_start_tag_and_other_words_are_understood(codec: DgtBus) -> None:
    (change, *_) = told(codec, changes("7b 41 34 6f 6c 6d 6e 7a 00 6b"), at=2.0)
    assert isinstance(change, SquareChange)
    assert change.cells == START_CELLS


def test_the_game_from_its_start_is_a_log(codec: DgtBus) -> None:
    (log,) = told(codec, reply(BusMessage.FROM_START, bytes.fromhex("7b 41 34")), at=2.0)
    assert log == BoardLog(at=2.0, unit=UNIT, entries=("start of game", "e2 P"), complete=True)
    assert told(codec, reply(BusMessage.START_GAME_WRITTEN), at=2.1) == []


def test_result_pieces_and_draughts(codec: DgtBus) -> None:
    change, result = told(codec, changes("4e 1b"), at=2.0)
    assert isinstance(change, SquareChange)
    assert result == ResultPiece(at=2.0, unit=UNIT, square=chess.D5, result="1-0")
    (notice,) = told(codec, reply(BusMessage.BRD_DUMP_50B, bytes(50)), at=2.1)
    assert isinstance(notice, Notice)


def test_only_a_ping_or_a_position_makes_a_board_known() -> None:
    codec = DgtBus()
    (noise,) = codec.receive(reply(BusMessage.UPDATE, address=77), at=1.0)
    assert noise == Noise(at=1.0, data="", why="a reply of board 77, which was not asked")
    assert codec.receive(reply(BusMessage.BRD_DUMP, START[3:], address=77), at=1.0)[0] == (
        Presence(at=1.0, unit="77", present=True)
    )


def test_of_boards_nobody_wants_only_the_presence_is_told() -> None:
    codec = DgtBus("1030")
    assert codec.receive(PING + DUMP + NO_CHANGES, at=1.0) == [
        Presence(at=1.0, unit=UNIT, present=True)
    ]


def test_a_board_outside_bus_mode_is_told_once_a_minute(codec: DgtBus) -> None:
    stray = bytes.fromhex("8e00053400")
    noise, notice = codec.receive(stray, at=2.0)
    assert noise == Noise(
        at=2.0, data="8e 00 05 34 00", why="a message of a board that is not in bus mode"
    )
    assert isinstance(notice, Notice)
    assert "had left bus mode" in notice.text
    assert len(codec.receive(stray, at=61.0)) == 1
    assert len(codec.receive(stray, at=62.0)) == 2


@pytest.mark.parametrize(
    ("unit", "reason"),
    [
        ("0", "from 1 to 16383"),
        ("16384", "from 1 to 16383"),
        ("01025", "without zeros in front, such as 1025"),
        ("00", "without zeros in front"),
        ("a7", "a bus address is a number"),
        ("٣", "a bus address is a number"),
    ],
)
def test_units_have_one_spelling(unit: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        DgtBus(unit)


def test_no_command_can_be_asked_for() -> None:
    with pytest.raises(UnknownCommandError):
        DgtBus().command("log")


# --- promises of every codec --------------------------------------------------------------------


@cache
def row_stream() -> bytes:
    """What two boards said in the first half minute of two games."""
    talk = Conversation([played_board(1025, "opera"), played_board(3000, "special")])
    talk.goes_on(4.0)
    talk.begins()
    talk.goes_on(30.0)
    return b"".join(data for _, data in talk.said)


def heard(*chunks: bytes) -> list[Event]:
    codec = DgtBus()
    events = [event for chunk in chunks for event in codec.receive(chunk, at=1.0)]
    for step in range(400):  # what was kept for long takes its time
        events += codec.receive(b"", at=2.0 + step * 0.15)
    assert codec.buffered <= codec.info.longest_message
    return events


def test_one_byte_at_a_time() -> None:
    stream = row_stream()
    events = heard(stream)
    assert heard(*(stream[at : at + 1] for at in range(len(stream)))) == events
    assert {event.unit for event in events} == {"1025", "3000"}
    assert sum(isinstance(event, SquareChange) for event in events) > 50


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 400), max_size=40))
def test_any_cuts(sizes: list[int]) -> None:
    chunks, rest = [], row_stream()
    for size in sizes:
        chunks.append(rest[:size])
        rest = rest[size:]
    assert heard(*chunks, rest) == heard(row_stream())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_lost_byte_costs_no_later_answer(data: st.DataObject) -> None:
    stream = row_stream()
    lost = data.draw(st.integers(0, len(stream) - 1))
    cells = dict.fromkeys((1025, 3000), START_CELLS[:16] + "." * 48)
    codes = START[3 + 48 :].rjust(64, b"\x00")
    ending = b"".join(
        reply(BusMessage.BRD_DUMP, codes, address) + reply(BusMessage.UPDATE, b"", address)
        for address in cells
    )
    events = heard(stream[:lost] + stream[lost + 1 :] + ending)
    last = {event.unit: event.cells for event in events if isinstance(event, Snapshot)}
    assert last == {str(address): shown for address, shown in cells.items()}


@settings(deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=20))
def test_arbitrary_bytes_never_raise(chunks: list[bytes]) -> None:
    heard(*chunks)
    codec = DgtBus("1025")
    codec.greet(at=0.0)
    for number, chunk in enumerate(chunks):
        codec.poll(at=float(number))
        codec.receive(chunk, at=number + 0.05)
        assert codec.buffered <= codec.info.longest_message
