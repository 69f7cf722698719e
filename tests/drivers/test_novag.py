"""Novag Citrine: every line, games on the simulated unit, loss and return, and a real port."""

import asyncio
from pathlib import Path

import chess
import pytest

from bridge.core.model import LinkChange, MoveTimed
from drivers.boards.novag import Novag
from drivers.boards.novag.lines import LONGEST
from drivers.cells import cells_of
from drivers.errors import UnknownCommandError
from drivers.events import BoardMove, ClockReading, Event, Identity, Noise, Notice, Snapshot
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.hands import Action, Lift, Put
from drivers.simulated.line import Faults
from drivers.simulated.novag import CitrineUnit
from tests.conversations import SPECIAL, Conversation, hands, ready
from tests.drivers.ports import play_on_port
from tests.following import follow, moves_of

POSITION = """\
Position Board
.  aa bb cc dd ee ff gg hh
.8 br bn bb bq    bk bn br 8
.7 bp bp bp bp ::    bp bp 7
.6    ::    ::    ::    :: 6
.5 ::    bb    bp    :: WQ 5
.4    ::    :: WP ::    :: 4
.3 ::    ::    ::    ::    3
.2 WP WP WP WP    WP WP WP 2
.1 WR WN WB    WK WB WN WR 1+
"""
CELLS = "RNB.KBNRPPPP.PPP............P.....b.p..Q........pppp..pprnbq.knr"


def told(*lines: str, codec: Novag | None = None) -> list[Event]:
    text = "".join(f"{line}\r\n" for line in lines)
    return (codec or Novag()).receive(text.encode(), at=1.0)


def times(codec: Novag, at: float, white: str, black: str) -> list[Event]:
    return codec.receive(f"Clock {white}\r\n{black}\r\n".encode(), at=at)


MOVES = {
    "M   1   e2-e4": "e2e4",
    "M   1,  e7-e5": "e7e5",
    "M   3   c4xf7": "c4f7",
    "M   3,  e8xf7 |": "e8f7",
    "M  10   O-O": "e1g1",
    "M  10,  O-O": "e8g8",
    "M  11   O-O-O+": "e1c1",
    "M  11,  O-O-O": "e8c8",
    "M  40   e7-e8/Q": "e7e8q",
    "M  40,  d2xc1/N": "d2c1n",
    "M   5   e5xd6ep": "e5d6",
    "M   5   e5xd6 ep": "e5d6",
}


@pytest.mark.parametrize(("line", "uci"), MOVES.items())
def test_moves_are_read(line: str, uci: str) -> None:
    assert told(line) == [BoardMove(at=1.0, uci=uci, verdict="legal")]


def test_a_move_that_was_taken_back_is_undone() -> None:
    assert told("T   3,  e8xf7") == [BoardMove(at=1.0, uci="e8f7", verdict="undone")]


def test_a_printed_position_is_read_column_by_column() -> None:
    rows = POSITION.splitlines()
    assert told(*rows) == [Snapshot(at=1.0, cells=CELLS)]


def test_a_move_in_the_middle_of_a_position_harms_neither() -> None:
    rows = POSITION.splitlines()
    events = told(*rows[:5], "M   1   e2-e4", "", *rows[5:])
    assert [type(event) for event in events] == [BoardMove, Snapshot]


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        (".5 ::    bb", ".5 ::   bb"),
        (".5 ::", ".5   "),
        (".2 WP", ".2 WX"),
        (".2 WP", ".2 xP"),
        (".2 WP", ".2 bx"),
        (".4 ", ".5 "),
    ],
)
def test_a_damaged_position_is_none(whole: str, damaged: str) -> None:
    events = told(*POSITION.replace(whole, damaged).splitlines())
    assert not any(isinstance(event, Snapshot) for event in events)
    assert any(isinstance(event, Noise) for event in events)


def test_a_unit_says_who_it_is() -> None:
    assert told("ID. UCBII V1.09") == [Identity(at=1.0, field="version", value="UCBII V1.09")]


def test_lines_of_no_meaning_are_noise_and_empty_ones_are_nothing() -> None:
    assert told("", "New Game", "  ") == []
    (noise,) = told("Xmit On")
    assert isinstance(noise, Noise)
    assert noise.why == "no such line"


def test_bytes_that_are_no_text_and_lines_without_an_end_are_noise() -> None:
    codec = Novag()
    first, second = codec.receive(b"M 1\xff\nM   1   e2-e4\r\n", at=1.0)
    assert (type(first), type(second)) == (Noise, BoardMove)
    assert any(isinstance(e, Noise) for e in codec.receive(b"x" * (LONGEST + 1), at=2.0))
    assert isinstance(codec.receive(b"M   1   e2-e4\r\n", at=9.0)[-1], BoardMove)


def test_times_that_fall_are_times_left() -> None:
    codec = Novag()
    assert times(codec, 1.0, "00:05:00", "00:05:00") == []
    assert times(codec, 2.0, "00:05:00", "00:05:00") == []
    assert times(codec, 3.0, "00:04:59", "00:05:00") == [
        ClockReading(at=3.0, left_ms=299_000, right_ms=300_000, running=True, turn="left")
    ]
    (pressed,) = times(codec, 4.0, "00:05:01", "00:04:59")
    assert pressed == ClockReading(
        at=4.0, left_ms=301_000, right_ms=299_000, running=True, turn="right"
    )
    readings = [times(codec, at, "00:05:01", "00:04:59")[0] for at in (5.0, 6.0, 7.0)]
    assert [isinstance(r, ClockReading) and r.running for r in readings] == [True, True, False]


def test_both_times_may_stand_in_one_line() -> None:
    codec = Novag()
    told("Clock 00:05:00 01:05:00", codec=codec)
    (reading,) = told("Clock 00:04:59 01:05:00", codec=codec)
    assert isinstance(reading, ClockReading)
    assert reading.right_ms == 3_900_000


def test_a_time_that_nobody_asked_for_is_nothing() -> None:
    assert told("00:00:05") == []


def test_times_that_rise_are_times_used() -> None:
    codec = Novag()
    times(codec, 1.0, "00:00:01", "00:00:01")
    (notice,) = times(codec, 2.0, "00:00:02", "00:00:01")
    assert isinstance(notice, Notice)
    assert times(codec, 3.0, "00:00:03", "00:00:01") == []


def test_a_stranger_is_only_asked_for_the_times() -> None:
    codec = Novag()
    codec.greet(at=0.0)
    assert {codec.poll(at=n / 10).data for n in range(100)} == {b"", b"\r\n", b"C\r\n"}


def test_only_a_new_game_can_be_asked_for() -> None:
    with pytest.raises(UnknownCommandError):
        Novag().command("anything")
    board = CitrineUnit()
    link = Conversation(Novag(), ready(board))
    actions = hands(["e2e4"])
    link.go_on(actions[-1].at + 5, actions)
    assert board.game.move_stack
    link.codec.command("new game")
    link.go_on(link.at + 1)
    assert not board.game.move_stack


# --- with the simulated unit ----------------------------------------------------------------------


@pytest.mark.parametrize("with_clock", [False, True])
def test_a_game_is_followed_to_its_last_move(with_clock: bool) -> None:
    clock = Clock(TimeControl(base=300, increment=3)) if with_clock else None
    board = CitrineUnit(clock=clock)
    link = Conversation(Novag(), ready(board))
    actions = hands(SPECIAL)
    events = link.go_on(actions[-1].at + 8, actions)
    facts = follow(events, Novag, clock=with_clock)
    assert moves_of(facts) == list(SPECIAL)
    assert any(isinstance(fact, MoveTimed) for fact in facts) is with_clock
    assert board.lost_commands == 0
    assert not any(isinstance(event, Noise) for event in events)
    assert b"N\r\n" not in link.sent


def test_a_game_goes_on_after_the_link_was_lost() -> None:
    board = CitrineUnit()
    actions = hands(SPECIAL)
    lost = actions[20].at + 0.05
    first = Conversation(Novag(), ready(board))
    events = first.go_on(lost, [a for a in actions if a.at <= lost])
    second = Conversation(Novag(), board, at=lost)
    rest = second.go_on(actions[-1].at + 8, [a for a in actions if a.at > lost])
    changes = [LinkChange(state="lost"), LinkChange(state="live")]
    assert moves_of(follow([*events, *changes, *rest], Novag)) == list(SPECIAL)


def test_a_move_taken_back_is_told_and_a_new_game_begins_by_itself() -> None:
    board = CitrineUnit()
    link = Conversation(Novag(), ready(board))
    actions = hands(["e2e4", "e7e5"])
    link.go_on(actions[-1].at + 1, actions)
    pawn = chess.Piece.from_symbol("p")
    back: list[Action] = [Lift(link.at, chess.E5), Put(link.at + 0.5, chess.E7, pawn)]
    events = link.go_on(link.at + 3, back)
    assert BoardMove(at=0, uci="e7e5", verdict="undone") in [
        BoardMove(at=0, uci=e.uci, verdict=e.verdict) for e in events if isinstance(e, BoardMove)
    ]
    board.set_up(chess.Board().piece_map(), at=link.at)
    last = [e.cells for e in link.go_on(link.at + 3) if isinstance(e, Snapshot)][-1]
    assert last == cells_of(chess.Board())


@pytest.mark.parametrize("seed", range(3))
def test_damaged_lines_cost_no_move(seed: int) -> None:
    faults = Faults(lose=0.03, insert=0.03, split=0.2, merge=0.05)
    link = Conversation(Novag(), ready(CitrineUnit(faults=faults, seed=seed)))
    actions = hands(SPECIAL, seed=seed)
    events = link.go_on(actions[-1].at + 12, actions)
    assert any(isinstance(event, Noise) for event in events)
    assert moves_of(follow(events, Novag)) == list(SPECIAL)


def test_a_unit_says_nothing_by_itself() -> None:
    board = ready(CitrineUnit())
    for action in hands(["e2e4"]):
        if isinstance(action, Lift):
            board.lift(action.square, at=action.at)
        elif isinstance(action, Put):
            board.put(action.square, action.piece, at=action.at)
    assert board.poll(at=60.0).data == b""


def test_commands_that_come_too_fast_are_lost() -> None:
    board = CitrineUnit()
    board.receive(b"I\r\nP\r\n", at=1.0)
    assert board.lost_commands == 1


def test_a_game_over_a_port(tmp_path: Path) -> None:
    asyncio.run(play_on_port(tmp_path, "novag", CitrineUnit(), SPECIAL[:6]))
