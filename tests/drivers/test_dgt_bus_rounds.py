"""Whom a row is asked for what, with simulated boards at the other end; time is a number here."""

from collections import Counter
from itertools import pairwise

import chess
import pytest

from drivers.boards.dgt.bus_framing import EVERYBODY, bus_command
from drivers.boards.dgt.bus_rounds import (
    FEWEST_LOOPS,
    LONGEST_WAIT,
    MISSES,
    MOST_LOOPS,
    POLL_EVERY,
    SEARCH_EVERY,
    WINDOW,
)
from drivers.boards.dgt.protocol import BusCommand, Command
from drivers.events import (
    ClockFault,
    Event,
    Identity,
    Noise,
    Notice,
    Presence,
    Snapshot,
    SquareChange,
)
from drivers.simulated.dgt import Mode
from tests.drivers.dgt_streams import START_CELLS
from tests.drivers.rows import Conversation, still_board

ADDRESSES = (1025, 1026, 16000, 77)
PAWN = chess.Piece.from_symbol("P")
CHANGES = (BusCommand.SEND_CHANGES, BusCommand.REPEAT_CHANGES)


def row(*addresses: int, units: bool = True, seed: int = 0) -> Conversation:
    boards = [still_board(address) for address in addresses or ADDRESSES]
    named = " ".join(str(board.passport.bus_address) for board in boards) if units else ""
    return Conversation(boards, named, seed=seed)


def presences(events: list[Event]) -> list[tuple[str | None, bool]]:
    return [(event.unit, event.present) for event in events if isinstance(event, Presence)]


def cells(talk: Conversation, address: int) -> str:
    last = talk.of(address, Snapshot, SquareChange)[-1]
    assert isinstance(last, Snapshot | SquareChange)
    return last.cells


def changed(talk: Conversation, address: int) -> list[int]:
    return [event.square for event in talk.of(address) if isinstance(event, SquareChange)]


def test_boards_that_are_named_are_asked_first() -> None:
    talk = row()
    talk.goes_on(1.0)
    first = [data for _, data in talk.sent[: len(ADDRESSES)]]
    assert first == [bus_command(BusCommand.PING, address) for address in ADDRESSES]
    assert presences(talk.events) == [(str(address), True) for address in ADDRESSES]
    for address in ADDRESSES:
        assert cells(talk, address) == START_CELLS
        said = [event for event in talk.of(address) if isinstance(event, Identity)]
        assert [event.value for event in said if event.field == "version"] == ["3.1"]


def test_boards_that_nobody_has_named_are_found() -> None:
    talk = row(*range(1025, 1045), units=False)
    talk.goes_on(25.0)
    assert {unit for unit, _ in presences(talk.events)} == {str(a) for a in range(1025, 1045)}
    loops = talk.commands(BusCommand.PING, address=EVERYBODY)
    assert FEWEST_LOOPS <= len(loops) <= MOST_LOOPS
    assert talk.row.collisions > 0, "or the test shows nothing"
    assert all(later - sooner >= WINDOW for sooner, later in pairwise(loops))
    for address in range(1025, 1045):
        assert cells(talk, address) == START_CELLS


def test_a_search_asks_those_that_are_known_to_keep_silent() -> None:
    talk = row()
    talk.goes_on(10.0)
    assert talk.row.collisions == 0
    loops = talk.commands(BusCommand.PING, address=EVERYBODY)
    assert len(loops) == FEWEST_LOOPS
    for address in ADDRESSES:
        assert len(talk.commands(BusCommand.IGNORE_NEXT_BUS_PING, address=address)) == len(loops)


def test_a_board_that_dies_before_the_search_does_not_hold_it_up() -> None:
    talk = row()
    talk.goes_on(0.45)
    talk.row.boards[-1].dead = True
    talk.goes_on(10.0)
    asked = talk.commands(BusCommand.IGNORE_NEXT_BUS_PING, address=ADDRESSES[-1])
    assert len(asked) == 1, "it was known when the search began"
    assert len(talk.commands(BusCommand.PING, address=EVERYBODY)) == FEWEST_LOOPS
    assert presences(talk.events)[-1] == (str(ADDRESSES[-1]), False)


def test_an_empty_line_is_searched_again_and_again() -> None:
    talk = row(1025, units=False)
    talk.row.boards[0].dead = True
    talk.goes_on(20.0)
    assert talk.events == []
    talk.row.boards[0].dead = False
    talk.goes_on(SEARCH_EVERY + 2 * WINDOW + 2.0)
    assert presences(talk.events) == [("1025", True)]


def test_never_a_byte_of_single_board_mode() -> None:
    talk = row()
    talk.row.boards[0].board.faults.lose = 0.1
    talk.goes_on(60.0)
    singles = {int(command) for command in Command}
    assert talk.sent
    assert all(
        len(data) == 4 and data[0] not in singles and data[0] >= 0x80 for _, data in talk.sent
    )
    assert all(board.board.mode is Mode.BUS for board in talk.row.boards)


def test_one_command_at_a_time() -> None:
    talk = row()
    talk.goes_on(20.0)
    heard = [(at, "<") for at, _ in talk.said] + [(at, ">") for at, _ in talk.sent]
    gaps = [
        later - sooner
        for (sooner, first), (later, second) in pairwise(sorted(heard))
        if (first, second) == (">", ">")
    ]
    assert min(gaps) > 0.09, "a command follows another one only when no answer came"


def test_boards_are_asked_in_turn_and_no_faster_than_they_scan() -> None:
    talk = row()
    talk.goes_on(10.0)
    start = len(talk.sent)
    talk.goes_on(10.0)
    counts = Counter(data for _, data in talk.sent[start:] if data[0] == BusCommand.SEND_CHANGES)
    assert set(counts) == {bus_command(BusCommand.SEND_CHANGES, address) for address in ADDRESSES}
    assert min(counts.values()) >= 0.8 * 10.0 / POLL_EVERY
    assert max(counts.values()) <= 10.0 / POLL_EVERY + 1


def test_a_change_is_told_within_a_round() -> None:
    talk = row()
    talk.goes_on(5.0)
    board = talk.row.boards[2].board
    board.lift(chess.E2, at=talk.at)
    board.put(chess.E4, PAWN, at=talk.at)
    events = talk.goes_on(0.6)
    assert sorted(e.square for e in events if isinstance(e, SquareChange)) == [chess.E2, chess.E4]
    assert {e.unit for e in events if isinstance(e, SquareChange)} == {"16000"}


@pytest.mark.parametrize("fault", ["lose", "insert", "wrong_length"])
def test_damaged_answers_are_asked_for_again_and_cost_no_change(fault: str) -> None:
    talk = row(1025, 1026)
    talk.goes_on(4.0)
    board = talk.row.boards[0].board
    setattr(board.faults, fault, 0.3)
    squares = [chess.A2, chess.B2, chess.C2, chess.D2, chess.E2, chess.F2, chess.G2, chess.H2] * 4
    for number, square in enumerate(squares):
        if number % 16 < 8:
            board.lift(square, at=talk.at)
        else:
            board.put(square, PAWN, at=talk.at)
        talk.goes_on(0.7)
    setattr(board.faults, fault, 0.0)
    talk.goes_on(5.0)
    assert changed(talk, 1025) == squares, "each once, in order"
    assert any(isinstance(event, Noise) for event in talk.events)
    assert talk.commands(BusCommand.REPEAT_CHANGES)
    assert not [event for event in talk.events if isinstance(event, Notice)]
    assert presences(talk.events) == [("1025", True), ("1026", True)]


def test_a_dead_board_is_absent_and_the_others_hardly_notice() -> None:
    talk = row(*range(1025, 1035))
    talk.goes_on(5.0)
    talk.row.boards[3].dead = True
    talk.goes_on(3.0)
    assert presences(talk.events)[-1] == ("1028", False)
    assert talk.of(1028, Presence)[-1] == Presence(
        at=talk.of(1028, Presence)[-1].at, unit="1028", present=False, detail="does not answer"
    )
    start, sent = talk.at, len(talk.sent)
    talk.goes_on(60.0)
    pings = talk.commands(BusCommand.PING, address=1028)
    assert 60.0 / LONGEST_WAIT - 1 <= sum(at >= start for at in pings) <= 60.0 / LONGEST_WAIT + 3
    visits = [at for at, data in talk.sent[sent:] if data == bus_command(CHANGES[0], 1025)]
    assert max(later - sooner for sooner, later in pairwise(visits)) < 0.6


def test_a_board_that_comes_back_has_lost_nothing() -> None:
    talk = row(1025, 1026)
    talk.goes_on(5.0)
    row_board = talk.row.boards[0]
    row_board.dead = True
    talk.goes_on(3.0)
    row_board.board.lift(chess.E2, at=talk.at)
    row_board.board.put(chess.E4, PAWN, at=talk.at)
    before = len(talk.events)
    talk.goes_on(10.0)
    row_board.dead = False
    talk.goes_on(LONGEST_WAIT + 1.0)
    assert presences(talk.events[before:]) == [("1025", True)]
    assert sorted(changed(talk, 1025)) == [chess.E2, chess.E4]
    assert not [event for event in talk.events if isinstance(event, Notice)]


def test_a_board_that_was_named_and_never_answers() -> None:
    talk = Conversation([still_board(1025)], "1025 1030")
    talk.goes_on(5.0)
    assert presences(talk.events) == [("1025", True), ("1030", False)]


def test_a_board_found_beside_those_that_are_named_is_not_followed() -> None:
    talk = Conversation([still_board(1025), still_board(1030)], "1025")
    talk.goes_on(8.0)
    assert presences(talk.events) == [("1025", True), ("1030", True)]
    assert talk.of(1030, Snapshot) == []
    assert talk.commands(*CHANGES, address=1030) == []


def test_a_short_circuit_and_its_end() -> None:
    talk = row()
    talk.goes_on(5.0)
    talk.row.short = True
    talk.row.boards[1].board.lift(chess.A2, at=talk.at)
    before = len(talk.events)
    talk.goes_on(30.0)
    assert talk.events[before:] == []
    talk.row.short = False
    talk.goes_on(LONGEST_WAIT + 1.0)
    after = presences(talk.events[before:])
    assert sorted(after) == sorted(
        [(str(a), False) for a in ADDRESSES] + [(str(a), True) for a in ADDRESSES]
    )
    assert after[: len(ADDRESSES)] == [(unit, False) for unit, _ in after[: len(ADDRESSES)]]
    assert changed(talk, 1026) == [chess.A2]
    returned = [e.at for e in talk.events[before:] if isinstance(e, Presence) and e.present]
    assert max(returned) - min(returned) < 1.0, "the first answer wakes the search for the others"


def test_endless_noise_does_not_stop_the_rounds() -> None:
    talk = row(1025)
    talk.goes_on(5.0)
    for _ in range(400):
        talk.events += talk.codec.receive(b"\xff\x00\x55", at=talk.at)
        talk.goes_on(0.02)
    assert talk.of(1025, Presence)[-1:] != []
    talk.goes_on(5.0)
    last = talk.of(1025, Presence)[-1]
    assert isinstance(last, Presence)
    assert last.present


@pytest.mark.parametrize("command", [Command.SEND_UPDATE_NICE, Command.SEND_RESET])
def test_boards_thrown_out_of_bus_mode_come_back(command: Command) -> None:
    """Another program has sent a byte of single-board mode to the row."""
    talk = row()
    talk.goes_on(5.0)
    talk.row.receive(bytes([command]), at=talk.at)
    talk.row.boards[0].board.lift(chess.E2, at=talk.at)
    talk.goes_on(5.0)
    assert all(board.board.mode is Mode.BUS for board in talk.row.boards)
    assert changed(talk, 1025) == [chess.E2]
    assert presences(talk.events) == [(str(address), True) for address in ADDRESSES]


def test_a_board_that_was_restarted_shows_its_position_again() -> None:
    talk = row(1025, 1026)
    talk.goes_on(5.0)
    row_board = talk.row.boards[0]
    row_board.restart(at=talk.at)
    row_board.board.lift(chess.E2, at=talk.at)
    talk.goes_on(15.0)
    assert any(isinstance(e, Notice) and "started anew" in e.text for e in talk.of(1025))
    assert cells(talk, 1025) == START_CELLS.replace("PPPPPPPP", "PPPP.PPP")
    assert presences(talk.events)[2:] == [("1025", False), ("1025", True)]


def test_a_line_that_is_opened_again_goes_on_where_it_was() -> None:
    talk = row(1025, 1026)
    talk.goes_on(5.0)
    board = talk.row.boards[0].board
    board.lift(chess.E2, at=talk.at)
    board.advance(at=talk.at + 0.5)
    before = len(talk.sent)
    while talk.sent[before:] == [] or talk.sent[-1][1] != bus_command(CHANGES[0], 1025):
        talk.goes_on(0.001)
    talk.row.poll(at=talk.at + 1.0)  # the answer is lost with the line
    talk.at += 2.0
    board.put(chess.E3, PAWN, at=talk.at)
    opened = len(talk.events)
    talk.codec.greet(at=talk.at)
    talk.goes_on(5.0)
    assert presences(talk.events[opened:]) == [("1025", True), ("1026", True)]
    assert changed(talk, 1025) == [chess.E2, chess.E3]


def test_a_clock_that_is_missing_is_asked_for_now_and_then() -> None:
    talk = Conversation([still_board(1025, clock=False)], "1025")
    talk.goes_on(20.0)
    assert len(talk.of(1025, ClockFault)) == 1
    assert 4 <= len(talk.commands(BusCommand.SEND_CLK)) <= 10


def test_an_old_board_that_tells_no_version_is_asked_no_more() -> None:
    talk = row(1025)
    talk.row.boards[0]._answers.pop(BusCommand.SEND_VERSION)
    talk.goes_on(30.0)
    assert len(talk.commands(BusCommand.SEND_VERSION)) == 2
    assert presences(talk.events) == [("1025", True)]
    assert MISSES > 1
