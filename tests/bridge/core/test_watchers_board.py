"""What the squares tell of the board: bumps, displaced men, bad squares, strange men."""

import chess
import pytest

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    CorrectMoves,
    DismissAlert,
    LetStand,
    TableSetup,
)
from drivers.cells import cells_of
from drivers.events import Snapshot
from tests.bridge.core.arbiter import Arbiter, played
from tests.bridge.core.dialogue import TableTalk

START = chess.STARTING_BOARD_FEN
AFTER_E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


def raised(table: TableTalk) -> list[AlertRaised]:
    facts = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    return [fact for fact in facts if fact.severity != "silent"]


def codes(table: TableTalk) -> list[str]:
    return [alert.code for alert in raised(table)]


def cleared(table: TableTalk) -> list[str]:
    return [fact.code for fact in table.facts if isinstance(fact, AlertCleared)]


def of(table: TableTalk, code: str) -> AlertRaised:
    return [alert for alert in raised(table) if alert.code == code][-1]


def playing() -> Arbiter:
    return played("e4", "e5")


# -- bumps and what they leave ---------------------------------------------------------------------

BUMPED = "rnbqkbnr/p3pppp/pp1p4/8/4P3/P7/1P1P1PPP/RNBQKBNR"
"""Men of both colours on other squares."""


def test_a_bump_that_is_not_put_right_is_told_when_the_board_is_quiet() -> None:
    table = playing()
    at = table.now + 5
    table.shows(at, BUMPED).ticks(at + 0.9)
    assert codes(table) == []
    table.ticks(at + 1.0)
    assert codes(table) == ["BOARD_BUMPED"]
    alert = of(table, "BOARD_BUMPED")
    assert (alert.severity, alert.visibility, alert.until) == ("notice", "A", "the board is quiet")
    assert alert.restore is not None
    assert alert.restore.startswith(AFTER_E4_E5)
    table.shows(at + 20, AFTER_E4_E5).ticks(at + 23)
    assert "BOARD_BUMPED" in cleared(table)


def test_a_bump_that_leaves_no_trace_is_not_told() -> None:
    table = playing()
    at = table.now + 5
    table.shows(at, BUMPED).shows(at + 0.6, AFTER_E4_E5).ticks(at + 30)
    assert codes(table) == []


def test_a_board_that_is_cleared_was_not_bumped() -> None:
    table = playing()
    at = table.now + 5
    table.shows(at, "4k3/8/8/8/8/8/8/4K3").ticks(at + 30)
    assert "BOARD_BUMPED" not in codes(table)
    assert "PIECE_DISPLACED_FOUND" not in codes(table)


def test_squares_that_change_one_after_the_other_are_no_bump() -> None:
    table = playing()
    at = table.now + 5
    for number, name in enumerate(("a2", "b2", "a7", "b7", "h2", "h7", "g7", "g2")):
        table.sees(at + 0.1 * number, without=name)
    table.ticks(at + 0.71)
    table.shows(at + 0.72, AFTER_E4_E5).ticks(at + 30)
    slow = playing()
    at = slow.now + 5
    for number, name in enumerate(("a2", "b2", "a7", "b7", "h2", "h7", "g7", "g2")):
        slow.sees(at + 0.4 * number, without=name)
    slow.ticks(at + 20)
    assert "BOARD_BUMPED" not in codes(slow)


def test_men_of_one_colour_alone_are_no_bump() -> None:
    table = playing()
    at = table.now + 5
    table.shows(at, "rnbqkbnr/pppp1ppp/8/4p3/PP2P1PP/8/2PP1P2/RNBQKBNR").ticks(at + 20)
    assert "BOARD_BUMPED" not in codes(table)


def test_men_that_a_bump_left_on_other_squares_are_found() -> None:
    table = playing()
    at = table.now + 5
    table.shows(at, BUMPED).ticks(at + 0.3)
    table.shows(at + 0.4, "rn1qkbnr/pppp1ppp/b7/4p3/4P3/B7/PPPP1PPP/RN1QKBNR").ticks(at + 10.3)
    assert "PIECE_DISPLACED_FOUND" not in codes(table)
    table.ticks(at + 12.5)
    alert = of(table, "PIECE_DISPLACED_FOUND")
    assert (alert.severity, alert.confidence) == ("warning", "medium")
    assert alert.text.startswith("on c1, a3, a6, c8 stand other men than in the record")
    assert "after 1... e5: " in alert.remedy
    table.shows(at + 30, AFTER_E4_E5).ticks(at + 35)
    assert "PIECE_DISPLACED_FOUND" in cleared(table)


def test_a_man_that_stands_elsewhere_after_a_lost_link_is_found() -> None:
    table = Arbiter()
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.link(3.0, "lost").link(8.0, "live")
    table.shows(8.1, "rnbqkbnr/pppppppp/8/8/8/B7/PPPPPPPP/RN1QKBNR").ticks(18.0)
    assert codes(table) == ["BOARD_DISCONNECTED"]
    table.ticks(30.0)
    assert "PIECE_DISPLACED_FOUND" in codes(table)
    assert "after the start" in of(table, "PIECE_DISPLACED_FOUND").remedy
    table.rules(LetStand(stands="rnbqkbnr/pppppppp/8/8/8/B7/PPPPPPPP/RN1QKBNR w KQkq - 0 1"))
    assert "PIECE_DISPLACED_FOUND" in cleared(table)


def test_a_position_that_is_adopted_has_no_displaced_men() -> None:
    """Play goes on by legal moves from what stood after the link was back."""
    table = Arbiter()
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.link(3.0, "lost").link(8.0, "live")
    board = chess.Board("rn1qk1nr/pppppppp/b6b/8/8/B6B/PPPPPPPP/RN1QK1NR w KQkq - 0 1")
    table.shows(8.1, board.board_fen()).ticks(25.0)
    assert "PIECE_DISPLACED_FOUND" in codes(table)
    for san in ("e4", "e5", "Nf3", "Nf6", "Nc3", "Nc6"):
        board.push_san(san)
        at = table.now + 3
        table.shows(at, board.board_fen())
        table.clock(at + 1, 300, 300, "left" if board.turn else "right").ticks(at + 3)
    assert "PIECE_DISPLACED_FOUND" in cleared(table)
    assert table.record.adoptions


def test_a_move_that_was_made_while_the_link_was_lost_is_no_displaced_man() -> None:
    table = Arbiter()
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.link(3.0, "lost").link(8.0, "live")
    table.shows(8.1, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR").ticks(40.0)
    assert codes(table) == ["BOARD_DISCONNECTED"]


def test_a_man_in_a_hand_after_a_lost_link_is_not_displaced() -> None:
    table = playing()
    at = table.now + 5
    table.link(at, "lost").link(at + 1, "live")
    table.shows(at + 1.1, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKB1R").ticks(at + 40)
    assert "PIECE_DISPLACED_FOUND" not in codes(table)


def test_a_man_that_was_seen_to_be_put_elsewhere_is_not_displaced() -> None:
    """It is a move that is not completed: nothing is said before the press."""
    table = playing()
    table.sees(table.now + 5, without="g1", white_knight="g5").ticks(table.now + 40)
    assert codes(table) == []


def test_men_without_names_are_not_found_displaced() -> None:
    table = Arbiter(TableSetup(sensing="occupancy"))
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.link(3.0, "lost").link(8.0, "live")
    table.shows(8.1, "rnbqkbnr/pppppppp/8/8/8/B7/PPPPPPPP/RN1QKBNR").ticks(60.0)
    assert "PIECE_DISPLACED_FOUND" not in codes(table)


def test_corrected_moves_make_what_stands_right() -> None:
    table = playing()
    at = table.now + 5
    table.shows(at, BUMPED).ticks(at + 2)
    table.rules(CorrectMoves(first=2, count=1, moves=("c5",)))
    assert "BOARD_BUMPED" in cleared(table)


# -- squares ---------------------------------------------------------------------------------------


def flickers(table: Arbiter, times: int, *, away: float = 0.3, every: float = 5.0) -> None:
    for _ in range(times):
        at = table.now + every
        table.sees(at, without="a2").sees(at + away, white_pawn="a2").ticks(at + away)


def test_a_square_that_flickers_is_told_until_it_is_steady() -> None:
    table = playing()
    flickers(table, 5)
    assert codes(table) == []
    flickers(table, 1)
    assert codes(table) == ["SENSOR_FAULT"]
    alert = of(table, "SENSOR_FAULT")
    assert (alert.severity, alert.visibility) == ("tech", "O")
    assert "does not read a2 reliably" in alert.text
    flickers(table, 3)
    table.plays(table.now + 2, "Nf3")
    assert cleared(table) == []
    table.plays(table.now + 301, "Nc6")
    assert cleared(table) == ["SENSOR_FAULT"]
    assert codes(table) == ["SENSOR_FAULT"]


@pytest.mark.parametrize(("away", "every"), [(0.3, 15.0), (0.8, 5.0)])
def test_men_that_are_touched_or_drop_out_seldom_are_no_fault(away: float, every: float) -> None:
    table = playing()
    flickers(table, 12, away=away, every=every)
    assert codes(table) == []


def test_what_a_lost_link_hid_is_no_flicker() -> None:
    table = playing()
    for _ in range(8):
        at = table.now + 3
        table.sees(at, without="a2").link(at + 0.1, "lost").link(at + 0.2, "live")
        table.shows(at + 0.3, AFTER_E4_E5).ticks(at + 1)
    assert "SENSOR_FAULT" not in codes(table)


def plays_with_wrong(table: Arbiter, wrong: dict[int, str]) -> None:
    """Let ten plies be played while squares show something else, whatever happens."""
    board = table._position()
    for san in ("Nf3", "Nf6", "Nc3", "Nc6", "Bc4", "Bc5", "a3", "a6", "h3", "h6"):
        board.push_san(san)
        cells = "".join(wrong.get(s, letter) for s, letter in enumerate(cells_of(board)))
        at = table.now + 3
        table._hear("snapshot", at, Snapshot(at=at, cells=cells))
        table.clock(at + 1, 300, 300, "left" if board.turn else "right").ticks(at + 3)
    table.cells = cells_of(board)


def test_a_square_that_stays_wrong_while_play_goes_on_is_told() -> None:
    table = playing()
    table.sees(table.now + 2, without="d7").ticks(table.now + 3)
    plays_with_wrong(table, {chess.D7: "."})
    assert codes(table) == ["SENSOR_FAULT"]
    assert "does not read d7 reliably" in of(table, "SENSOR_FAULT").text
    table.plays(table.now + 2, "g3", "g6")
    assert cleared(table) == ["SENSOR_FAULT"]


def test_where_men_have_no_names_the_record_may_be_wrong_and_not_the_square() -> None:
    table = played("e4", "e5", setup=TableSetup(sensing="occupancy"))
    table.sees(table.now + 2, without="d7").ticks(table.now + 3)
    plays_with_wrong(table, {chess.D7: "."})
    assert "SENSOR_FAULT" not in codes(table)


def test_with_many_wrong_squares_the_record_is_wrong() -> None:
    table = playing()
    table.sees(table.now + 2, without="b7 d7 g2").ticks(table.now + 3)
    plays_with_wrong(table, {chess.B7: ".", chess.D7: ".", chess.G2: "."})
    assert "SENSOR_FAULT" not in codes(table)


# -- men -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["?", "W", "k"])
def test_a_man_that_no_set_has_is_told_after_a_while(letter: str) -> None:
    table = playing()
    at = table.now + 5
    cells = cells_of(table._position())
    strange = f"{cells[: chess.B8]}{letter}{cells[chess.B8 + 1 :]}"
    table._hear("snapshot", at, Snapshot(at=at, cells=strange))
    table.ticks(at + 9.9)
    assert codes(table) == []
    table.ticks(at + 10)
    assert codes(table) == ["UNKNOWN_PIECE"]
    assert "b8" in of(table, "UNKNOWN_PIECE").text
    table.shows(at + 20, AFTER_E4_E5)
    assert cleared(table) == ["UNKNOWN_PIECE"]


def test_a_man_that_was_unknown_when_the_link_was_lost_is_told_when_it_is_back() -> None:
    table = playing()
    cells = cells_of(table._position())
    strange = f"{cells[: chess.B8]}?{cells[chess.B8 + 1 :]}"
    at = table.now + 5
    table._hear("snapshot", at, Snapshot(at=at, cells=strange))
    table.link(at + 1, "lost")
    table.ticks(at + 30)
    assert "UNKNOWN_PIECE" not in codes(table)
    table.link(at + 40, "live")
    table._hear("snapshot", at + 41, Snapshot(at=at + 41, cells=strange))
    moved = strange[: chess.G1] + "." + strange[chess.G1 + 1 :]
    moved = f"{moved[: chess.F3]}N{moved[chess.F3 + 1 :]}"
    table._hear("snapshot", at + 42, Snapshot(at=at + 42, cells=moved))
    table.ticks(at + 60)
    assert "UNKNOWN_PIECE" in codes(table)


def test_a_man_that_is_set_down_badly_is_not_unknown() -> None:
    table = playing()
    at = table.now + 5
    cells = cells_of(table._position())
    strange = f"{cells[: chess.B8]}?{cells[chess.B8 + 1 :]}"
    table._hear("snapshot", at, Snapshot(at=at, cells=strange))
    table.shows(at + 8, AFTER_E4_E5).ticks(at + 60)
    assert codes(table) == []


# -- assumptions -----------------------------------------------------------------------------------

PROMOTES = "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1"


def promoted(sensing: str) -> Arbiter:
    table = Arbiter(TableSetup(sensing=sensing, start_fen=PROMOTES))  # type: ignore[arg-type]  # from the tests below
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.plays(2.0, "a8=Q")
    return table


@pytest.mark.parametrize("sensing", ["occupancy", "colour"])
def test_a_piece_that_the_board_does_not_name_is_assumed(sensing: str) -> None:
    table = promoted(sensing)
    assert codes(table) == ["MOVE_ASSUMED"]
    alert = of(table, "MOVE_ASSUMED")
    assert (alert.severity, alert.by, alert.until) == ("notice", "white", "the arbiter confirms")
    assert "a queen" in alert.text
    table.rules(CorrectMoves(first=1, count=1, moves=("a8=R",)))
    assert table.sans == "a8=R+"
    assert cleared(table) == ["MOVE_ASSUMED"]


def test_play_that_shows_another_piece_ends_the_assumption() -> None:
    table = promoted("occupancy")
    table.plays(6.0, "Kd7")
    table.sees(12.0, without="a8", white_knight="b6").clock(13.0, 300, 300, "right").ticks(16.0)
    assert table.sans == "a8=N Kd7 Nb6+"
    assert cleared(table) == ["MOVE_ASSUMED"]
    assert codes(table) == ["MOVE_ASSUMED", "RECORD_CORRECTED"]


def test_an_assumed_knight_makes_no_position_dead() -> None:
    table = Arbiter(TableSetup(sensing="occupancy", start_fen="7k/3P4/7K/8/8/8/8/8 w - - 0 1"))
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.link(2.0, "lost").link(8.0, "live")
    table.shows(8.1, "3N2k1/8/7K/8/8/8/8/8").clock(8.5, 300, 300, "left").ticks(70.0)
    assert table.sans == "d8=N", "a queen or a rook would have mated, and the king has gone on"
    assert "MOVE_ASSUMED" in codes(table)
    assert "DEAD_POSITION" not in codes(table)


def test_an_assumption_stands_while_another_one_does() -> None:
    table = Arbiter(TableSetup(sensing="occupancy", start_fen="8/P7/7k/8/8/8/7p/4K3 w - - 0 1"))
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.plays(2.0, "a8=Q", "h1=Q+", "Kd2")
    assert codes(table) == ["MOVE_ASSUMED", "MOVE_ASSUMED"]
    table.sees(12.0, without="h1", black_knight="g3").clock(13.0, 300, 300, "left").ticks(16.0)
    assert table.sans == "a8=Q h1=N Kd2 Ng3"
    assert cleared(table) == []


def test_a_piece_that_the_board_names_is_not_assumed() -> None:
    assert codes(promoted("identity")) == []


# -- alerts that were dealt with -------------------------------------------------------------------


def test_what_the_arbiter_has_dealt_with_is_not_told_again() -> None:
    table = playing()
    at = table.now + 5
    strange = "rn1qkbnr/pppp1ppp/b7/4p3/4P3/B7/PPPP1PPP/RN1QKBNR"
    table.shows(at, BUMPED).shows(at + 0.4, strange).ticks(at + 12)
    for code in ("BOARD_BUMPED", "PIECE_DISPLACED_FOUND"):
        table.rules(DismissAlert(code=code))
    table.sees(table.now + 1, without="h8").sees(table.now + 1, black_rook="h8")
    table.ticks(table.now + 60)
    assert codes(table) == ["BOARD_BUMPED", "PIECE_DISPLACED_FOUND"]


def test_an_unknown_man_that_the_arbiter_knows_of_is_not_told_again() -> None:
    table = playing()
    cells = cells_of(table._position())
    strange = f"{cells[: chess.B8]}?{cells[chess.B8 + 1 :]}"
    at = table.now + 5
    table._hear("snapshot", at, Snapshot(at=at, cells=strange))
    table.ticks(at + 11)
    table.rules(DismissAlert(code="UNKNOWN_PIECE"))
    table.ticks(table.now + 60)
    assert codes(table) == ["UNKNOWN_PIECE"]
