"""DGT Pegasus: every message, what is believed, and games on the simulated board."""

import math
from itertools import pairwise

import pytest

from bridge.core.model import LinkChange
from drivers.boards.dgt import Pegasus
from drivers.boards.dgt.pegasus import BEGIN_AFTER, DUMP_EVERY, PACE
from drivers.errors import OptionError
from drivers.events import Battery, Event, Identity, Noise, Notice, Snapshot, SquareChange
from drivers.simulated.line import Faults
from drivers.simulated.pegasus import PegasusBoard
from tests.conversations import SPECIAL, Conversation, hands, ready, without_noise
from tests.following import follow, moves_of
from tests.shared import shared

KEY = "01 02 03 04 05 06"
START = "?" * 16 + "." * 32 + "?" * 16
START_DUMP = bytes([0x86, 0, 0x43]) + b"\1" * 16 + b"\0" * 32 + b"\1" * 16


def received(message: str | bytes, codec: Pegasus | None = None) -> list[Event]:
    data = bytes.fromhex(message) if isinstance(message, str) else message
    return (codec or Pegasus()).receive(data, at=1.0)


def notices(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


@pytest.mark.parametrize(
    ("message", "event"),
    [
        ("91 00 08 31 32 33 34 35", Identity(at=1.0, field="serial", value="12345")),
        (
            "a2 00 0d 50 30 30 30 31 34 37 37 34 30",
            Identity(at=1.0, field="long_serial", value="P000147740"),
        ),
        ("93 00 05 01 00", Identity(at=1.0, field="version", value="1.0")),
        ("96 00 05 01 00", Identity(at=1.0, field="hardware", value="1.0")),
        ("a0 00 0c 58 7f 7f 01 1e 00 00 00 02", Battery(at=1.0, percent=88, charging=False)),
        ("a4 00 04 00", Notice(at=1.0, text="lock state 0 (0 is believed to mean open)")),
        (
            "a5 00 04 01",
            Notice(at=1.0, text="developer key state 1 (1 is believed to mean accepted)"),
        ),
    ],
)
def test_what_it_says_about_itself(message: str, event: Event) -> None:
    assert received(message) == [event]


def test_positions_and_changes() -> None:
    codec = Pegasus()
    assert received(START_DUMP, codec) == [Snapshot(at=1.0, cells=START)]
    lifted = START[:12] + "." + START[13:]
    assert received("8e 00 05 34 00", codec) == [
        SquareChange(at=1.0, square=12, piece=".", cells=lifted)
    ]
    assert received("8e 00 05 24 01", codec) == [
        SquareChange(at=1.0, square=28, piece="?", cells=lifted[:28] + "?" + lifted[29:])
    ]


def test_a_change_before_any_position() -> None:
    (change,) = received("8e 00 05 34 00")
    assert isinstance(change, SquareChange)
    assert change.cells == "*" * 12 + "." + "*" * 51


@pytest.mark.parametrize(
    "squares", [b"\1" * 64, b"\0" * 63 + b"\x7f", b"\1" * 63 + b"\2"], ids=["full", "7f", "2"]
)
def test_a_position_that_cannot_be_is_not_believed(squares: bytes) -> None:
    codec = Pegasus()
    doubtful = START_DUMP[:3] + squares
    assert notices(received(doubtful, codec)) == [
        "the position that the board tells is none: it may need a developer key"
    ]
    assert received(doubtful, codec) == [], "it is told once"
    assert received(START_DUMP, codec) == [Snapshot(at=1.0, cells=START)]
    assert len(received(doubtful, codec)) == 1
    told = notices(received(doubtful, Pegasus(key=KEY)))
    assert told == ["the position that the board tells is none: does it accept the key?"]


@pytest.mark.parametrize(
    "message",
    [
        "8e 00 05 40 00",
        "8e 00 05 34 02",
        "8d 00 0a 20 03 02 20 03 02 08",
        "86 00 67" + " 00" * 100,
    ],
)
def test_what_no_pegasus_says_is_noise(message: str) -> None:
    noise = Noise(at=1.0, data=message, why="not what a Pegasus says")
    assert received(message) == [noise]


def test_what_was_not_reported_is_told_and_reports_are_begun_again() -> None:
    codec = Pegasus()
    received(START_DUMP, codec)
    moved = bytearray(START_DUMP)
    moved[3 + 52], moved[3 + 36] = 0, 1
    events = codec.receive(bytes(moved), at=2.0)
    assert notices(events) == ["changes were not reported on e2, e4"]
    assert codec.poll(at=2.0).data == b"\x44"
    late = Pegasus()
    received(START_DUMP, late)
    received("8e 00 05 34 00", late)
    assert notices(late.receive(bytes(moved), at=1.2)) == [], "the report is on its way"


# --- the greeting -------------------------------------------------------------------------------


def sent(codec: Pegasus, seconds: float) -> list[tuple[float, bytes]]:
    codec.greet(at=0.0)
    at, all_of_it = 0.0, []
    while at < seconds:
        data, wake_at = codec.poll(at=at)
        if data:
            all_of_it.append((at, data))
        at = wake_at
    return all_of_it


def test_the_key_goes_first_and_never_too_early() -> None:
    told = sent(Pegasus(key=KEY), 3.0)
    assert told[0] == (BEGIN_AFTER, bytes.fromhex("63 07 01 02 03 04 05 06 00"))
    assert [data for _, data in told[1:4]] == [b"\x40", b"\x44", b"\x42"]
    assert told[4:]
    assert {data for _, data in told[4:]} == {b"\x42"}, "a stranger hears nothing else"
    assert all(b - a >= PACE - 1e-9 for (a, _), (b, _) in pairwise(told))


def test_who_it_is_is_asked_when_it_answers() -> None:
    link = Conversation(Pegasus(), ready(PegasusBoard()))
    link.go_on(700.0)
    assert b"".join(link.sent).startswith(b"\x40\x44\x42\x5a\x59")
    assert set(link.sent) == {
        bytes([command]) for command in b"\x40\x42\x44\x45\x47\x48\x4c\x4d\x55\x59\x5a"
    }
    assert link.sent.count(b"\x4c") == 3
    assert link.sent.count(b"\x45") == 1


def test_without_a_key_none_is_sent() -> None:
    assert sent(Pegasus(), 1.0)[0] == (BEGIN_AFTER, b"\x40")


@pytest.mark.parametrize("key", ["0102030405 06", "01:02:03:04:05:06", "aAbBcCdDeEfF"])
def test_a_key_may_be_written_in_several_ways(key: str) -> None:
    assert sent(Pegasus(key=key), 0.4)[0][1][2:-1] == bytes.fromhex(key.replace(":", ""))


def test_a_key_is_not_shown_when_it_is_sent() -> None:
    codec = Pegasus(key=KEY)
    frame = bytes.fromhex(f"63 07 {KEY} 00")
    assert codec.shown(frame) == bytes.fromhex("63 07 00 00 00 00 00 00 00")
    assert codec.shown(b"\x42") == b"\x42"
    assert Pegasus().shown(frame) == frame


@pytest.mark.parametrize("key", ["0102", "01 02 03 04 05 0g", "01 02 03 04 05 06 07"])
def test_a_wrong_key_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(OptionError, match="must be six bytes") as caught:
        Pegasus(key=key)
    assert key not in str(caught.value)


def test_the_burst_of_the_makers_program_is_understood_by_the_simulated_board() -> None:
    burst = shared("protocols/captures/dgt_pegasus_app_init.hex").read_text().splitlines()
    board = PegasusBoard()
    board.receive(bytes.fromhex(burst[-1]), at=0.0)
    assert [command[0] for command in board.heard] == [0x40, 0x60, 0x63, 0x5A, 0x47, 0x42, 0x44]
    assert [len(command) for command in board.heard] == [1, 4, 9, 1, 1, 1, 1]


def test_the_simulated_board_waits_for_the_rest_of_a_command() -> None:
    board = PegasusBoard(key=bytes.fromhex(KEY))
    for data in ("63", "07 01 02", "03 04 05 06", "00 5a"):
        board.receive(bytes.fromhex(data), at=0.0)
    assert board.heard == [bytes.fromhex("63 07 01 02 03 04 05 06 00"), b"\x5a"]
    assert board.poll(at=1.0).data == bytes.fromhex("a5 00 04 01")
    board.receive(b"\x01", at=1.0)
    assert board.poll(at=2.0).data == b"", "what it does not know it leaves unanswered"


# --- games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rotated", [False, True])
def test_a_game_with_special_moves_is_followed(rotated: bool) -> None:
    key = bytes.fromhex(KEY)
    link = Conversation(Pegasus(key=KEY), ready(PegasusBoard(key=key, rotated=rotated)))
    actions = hands(SPECIAL, seed=int(rotated))
    facts = follow(link.go_on(actions[-1].at + 5, actions), Pegasus)
    moves = moves_of(facts)
    # What a pawn became is seen only where it moves on: here it was taken where it stood.
    assert [move[:4] for move in moves] == [move[:4] for move in SPECIAL]
    assert Identity(at=0, field="long_serial", value="P000000001") in [
        Identity(at=0, field=e.field, value=e.value) for e in link.events if isinstance(e, Identity)
    ]
    assert not [event for event in link.events if isinstance(event, Noise)]


def test_a_game_goes_on_after_the_link_was_lost_in_the_middle_of_a_message() -> None:
    key = bytes.fromhex(KEY)
    board = PegasusBoard(key=key)
    ready(board)
    actions = hands(SPECIAL)
    lost, back = actions[20].at + 0.05, actions[20].at + 2.0
    first = Conversation(Pegasus(key=KEY), board)
    events = first.go_on(lost, [a for a in actions if a.at <= lost])
    first.codec.receive(START_DUMP[:20], at=lost)
    board.link_lost()
    board.poll(at=back)
    second = Conversation(Pegasus(key=KEY), board, at=back)
    rest = second.go_on(actions[-1].at + 5, [a for a in actions if a.at > lost])
    changes = [LinkChange(state="lost"), LinkChange(state="live")]
    moves = moves_of(follow([*events, *changes, *rest], Pegasus))
    assert [move[:4] for move in moves] == [move[:4] for move in SPECIAL]


def test_a_board_that_does_not_accept_the_key_says_nothing_of_its_squares() -> None:
    link = Conversation(Pegasus(), ready(PegasusBoard(key=b"secret")))
    events = link.go_on(10.0)
    assert not [event for event in events if isinstance(event, Snapshot)]
    assert [text for text in notices(events) if "position" in text] == [
        "the position that the board tells is none: it may need a developer key"
    ]
    assert "developer key state 0 (1 is believed to mean accepted)" in notices(events)


def test_lost_reports_cost_no_move() -> None:
    board = PegasusBoard()
    ready(board)
    board.pushes = False
    link = Conversation(Pegasus(), board)
    moves = ["e2e4", "e7e5", "g1f3", "b8c6"]
    actions = hands(moves)
    events = link.go_on(actions[-1].at + 5, actions)
    assert moves_of(follow(events, Pegasus)) == moves
    assert any("were not reported" in text for text in notices(events))


@pytest.mark.parametrize("fault", ["split", "merge", "lose", "insert", "wrong_length"])
def test_a_disturbed_radio_costs_noise_and_no_move(fault: str) -> None:
    faults = Faults()
    board = PegasusBoard(faults=faults, seed=3)
    ready(board)
    link = Conversation(Pegasus(), board)
    link.go_on(4.0)
    setattr(faults, fault, 0.2)
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6"]
    actions = hands(moves, begin=5.0)
    link.go_on(actions[-1].at + 10, actions)
    assert moves_of(follow(without_noise(link.events), Pegasus)) == moves


def test_it_asks_for_the_position_all_the_time() -> None:
    codec = Pegasus()
    dumps = [at for at, data in sent(codec, 60.0) if data == b"\x42"]
    assert max(b - a for a, b in pairwise([*dumps, 60.0])) <= DUMP_EVERY + 0.5
    assert codec.poll(at=60.0).wake_at < math.inf
