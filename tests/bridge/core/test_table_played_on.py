"""Illegal moves with which play goes on at once: told all the same, and kept in the record."""

import chess
import pytest

from bridge.core.inference.findings import Explained, Withdrawn
from bridge.core.inference.hypotheses import Node, Stage
from bridge.core.inference.noise import noisy_moves
from bridge.core.inference.placement import BIT, with_changes
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import (
    AlertRaised,
    GameEnded,
    MoveSettled,
    PositionAdopted,
    Sensing,
    TableSetup,
)
from drivers.events import Side
from tests.bridge.core.dialogue import TIMING, TableTalk
from tests.bridge.core.watching import Watched


def told(table: TableTalk) -> list[str]:
    return [fact.code for fact in table.facts if isinstance(fact, AlertRaised)]


def attempted() -> TableTalk:
    """White's knight goes from g1 to g3, and the clock is pressed."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").sees(14.4, white_knight="g3")
    return table.clock(15.0, 290, 290, "right")


def test_an_illegal_move_is_told_while_the_reply_has_begun() -> None:
    table = attempted()
    table.sees(15.02, without="b8").ticks(15.5).sees(15.5, black_knight="b8")
    table.sees(15.7, without="b8").ticks(17.0)
    assert "ILLEGAL_MOVE" in told(table)
    table.sees(18.0, black_knight="c6").clock(19.0, 290, 280, "left").ticks(21.0)
    assert table.moves == "e4 e5 Ng3 Nc6"


@pytest.mark.parametrize("setup", [TableSetup(), TableSetup(sensing="occupancy")])
def test_an_illegal_move_that_was_played_on_may_be_put_right_late(setup: TableSetup) -> None:
    """The position before it is put up again, and another move is made there."""
    table = TableTalk.ready(setup)
    table.plays(4.0, "e4", "e5", "Nf3", "Nc6")
    table.sees(22.0, without="f1").sees(22.4, white_bishop="f4").clock(23.0, 280, 290, "right")
    table.ticks(26.0)
    assert told(table)[-1:] == ["ILLEGAL_MOVE"]
    table.sees(27.0, without="g8").sees(27.4, black_knight="f6").clock(28.0, 280, 286, "left")
    table.ticks(31.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bf4 Nf6"
    table.sees(33.0, without="f6").sees(33.5, black_knight="g8")
    table.sees(34.0, without="f4").sees(34.5, white_bishop="f1").ticks(36.0)
    assert table.moves == "e4 e5 Nf3 Nc6"
    table.sees(37.0, without="f1").sees(37.4, white_bishop="c4").clock(38.0, 270, 286, "right")
    assert table.ticks(40.0).moves == "e4 e5 Nf3 Nc6 Bc4"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize(
    ("turn", "moves"),
    [("left", "Kf1 Kg7 Kf2"), ("right", "Kf1 Kg7 Ke1 Rd7 Kf1 Re7 Kf2")],
)
def test_what_is_put_up_while_the_clock_stands_is_no_play_when_it_is_started_for_who_erred(
    sensing: Sensing, turn: Side, moves: str
) -> None:
    """Both men may go back as if that was play; the arbiter has stopped the clock meanwhile."""
    fen = "6k1/4r3/8/8/8/8/R7/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing=sensing), clock=False)
    table.clock(1.0, 300, 300, "left").sees(3.0, without="e1").sees(3.4, white_king="f1")
    table.clock(4.0, 298, 300, "right").sees(6.0, without="g8").sees(6.4, black_king="g7")
    table.clock(7.0, 298, 298, "left").sees(9.0, without="f1").sees(9.4, white_king="e1")
    table.clock(10.0, 296, 298, "right").ticks(13.0)
    table.sees(14.0, without="e7").sees(14.4, black_rook="d7").clock(15.0, 296, 294, "left")
    table.ticks(18.0).clock(18.1, 293, 294, "left", run=False)
    assert table.moves == "Kf1 Kg7 Ke1 Rd7"
    table.sees(20.0, without="e1").sees(20.4, white_king="f1").sees(21.0, without="d7")
    table.sees(21.4, black_rook="e7").ticks(30.0).clock(31.0, 293, 294, turn).ticks(32.0)
    table.sees(33.0, without="f1").sees(33.4, white_king="f2").clock(34.0, 290, 294, "right")
    table.ticks(36.0)
    assert table.moves == moves


@pytest.mark.parametrize("begins", [True, False])
def test_men_moved_back_after_the_game_put_no_illegal_move_right(*, begins: bool) -> None:
    """The clock stands, or the illegal move was the first: the men are put up for the next game."""
    table = TableTalk.ready()
    if not begins:
        table.plays(4.0, "e4", "e5", "Nf3", "Nc6")
    board = chess.Board()
    for san in table.moves.split():
        board.push_san(san)
    table.sees(22.0, without="g1" if begins else "f1")
    came = {"white_knight": "g3"} if begins else {"white_bishop": "f4"}
    table.sees(22.4, **came).clock(23.0, 280, 290, "right").ticks(26.0)
    table.sees(27.0, without="g8").sees(27.4, black_knight="f6").clock(28.0, 280, 286, "left")
    table.ticks(31.0)
    told = table.moves
    assert told.endswith("Nf6")
    table.clock(32.0, 276, 286, "left", run=begins)
    table.sees(33.0, without="f6").sees(33.5, black_knight="g8").shows(34.5, board.board_fen())
    assert table.ticks(37.0).moves == told


def test_an_illegal_move_is_told_before_its_quick_reply_is_answered() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").sees(14.3, white_knight="g3").sees(15.4, without="b8")
    table.clock(15.6, 290, 290, "right").sees(15.9, black_knight="c6")
    table.clock(16.6, 290, 289, "left").sees(16.7, without="f1").sees(16.8, white_bishop="c4")
    table.clock(17.6, 289, 289, "right").ticks(22.0)
    assert "ILLEGAL_MOVE" in told(table)
    assert table.moves == "e4 e5 Ng3 Nc6 Bc4"


def test_while_an_illegal_move_stands_no_move_is_looked_for_beside_it() -> None:
    """White moves once more; that is put back, and a legal answer follows."""
    table = attempted()
    table.ticks(17.0)
    table.sees(18.0, without="d2").sees(18.5, white_pawn="d4").clock(19.0, 290, 287, "left")
    table.ticks(24.0)
    table.sees(25.0, without="d4").sees(25.5, white_pawn="d2")
    table.clock(26.0, 285, 287, "right").ticks(29.0)
    table.sees(30.0, without="b8").sees(30.5, black_knight="c6").clock(31.0, 285, 283, "left")
    table.ticks(33.0)
    assert not table.told(PositionAdopted)
    assert table.moves == "e4 e5 Ng3 Nc6"


def test_an_illegal_move_stands_when_its_answer_is_not_seen_but_pressed() -> None:
    table = attempted()
    table.ticks(17.0)
    table.sees(18.0, without="b8").clock(19.0, 290, 287, "left").ticks(24.0)
    settled = [fact for fact in table.facts if isinstance(fact, MoveSettled)]
    assert [(fact.uci, fact.basis) for fact in settled[2:3]] == [("g1g3", "stands")]


def test_without_names_an_illegal_move_stands_when_its_man_was_taken() -> None:
    """The pawn that went from d4 to an empty c5 is taken there by the bishop from d6."""
    fen = "rn1q1rk1/pbp2ppp/1p2pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8"
    table = TableTalk(TableSetup(sensing="occupancy", start_fen=fen))
    table.shows(0.0, fen.partition(" ")[0]).clock(0.5, 300, 300, "left").ticks(1.0)
    table.sees(1.5, without="a2").sees(1.9, white_pawn="a3").clock(2.2, 299, 300, "right")
    table.sees(2.6, without="b4").sees(3.2, black_bishop="d6").clock(3.4, 299, 299, "left")
    table.sees(4.8, without="d4").sees(5.4, white_pawn="c5").clock(5.9, 298, 299, "right")
    table.ticks(8.0)
    assert told(table) == ["ILLEGAL_MOVE"]
    table.sees(8.6, without="d6").sees(9.3, without="c5").sees(10.0, black_bishop="c5")
    table.clock(10.1, 298, 296, "left").sees(12.1, without="c3").sees(12.8, white_knight="a4")
    table.clock(13.2, 296, 296, "right").ticks(16.0)
    assert table.moves == "a3 Bd6 dxc5 Bxc5 Na4"


@pytest.mark.parametrize("played_on", [True, False])
def test_without_names_who_took_where_nobody_saw_a_change_is_believed_later(
    *, played_on: bool
) -> None:
    """The bishop went from f8 to e5, where the pawn from d4 took it within one scan."""
    fen = "rnbqkbnr/pp3pp1/2p4p/3p4/3P1B2/2N1P3/PP3PPP/R2QKBNR b KQkq - 0 6"
    table = TableTalk.ready(TableSetup(sensing="occupancy", start_fen=fen))
    table.clock(1.0, 300, 300, "right")
    table.sees(4.0, without="f8").sees(4.6, black_bishop="e5").clock(5.0, 300, 298, "left")
    table.ticks(9.0)
    assert told(table) == ["ILLEGAL_MOVE"]
    table.sees(10.0, without="d4").clock(10.4, 295, 298, "right").ticks(12.0)
    assert not table.moves, "the pawn may be in the air, and the clock given back"
    if played_on:
        table.sees(12.5, without="c6").sees(12.9, black_pawn="c5").clock(13.3, 295, 296, "left")
    table.ticks(14.0)
    assert table.moves == ("Be5 dxe5 c5" if played_on else "Be5 dxe5")


def test_without_names_an_illegal_move_that_was_put_back_is_none_of_the_game() -> None:
    """The bishop went from d6 to f6, was put back, and takes the pawn on e5 then."""
    fen = "2r1bknr/ppq2pp1/3bp2p/3pPP2/P6B/2PB3P/1P1N2P1/RQ3RK1 b - - 0 22"
    table = TableTalk.ready(TableSetup(sensing="occupancy", start_fen=fen))
    table.clock(1.0, 165, 173, "right").clock(2.0, 165, 173, "right")
    table.sees(5.0, without="d6").sees(5.3, black_bishop="f6").clock(5.8, 165, 170, "right")
    table.clock(7.3, 165, 169, "left", run=False).sees(8.6, without="f6").ticks(9.1)
    assert told(table) == ["ILLEGAL_MOVE"]
    table.sees(9.1, black_bishop="d6").clock(11.0, 165, 169, "left", run=False)
    table.clock(13.0, 165, 169, "left", run=False).sees(15.2, without="e5")
    table.sees(15.25, without="d6").sees(16.3, black_bishop="e5").ticks(20.0)
    table.sees(21.0, without="f5").clock(22.0, 165, 169, "left", run=False).ticks(30.0)
    assert "Bf6" not in table.moves


def test_kings_that_a_pressed_move_brought_together_show_no_result() -> None:
    table = TableTalk.ready(TableSetup(start_fen="8/8/3k4/8/8/3K4/7P/8 w - - 0 1"))
    table.sees(4.0, without="d3").sees(4.4, white_king="d4").clock(5.0, 299, 300, "right")
    table.sees(8.0, without="d6").sees(8.4, black_king="d5").clock(9.0, 299, 296, "left")
    table.ticks(10.0).clock(12.0, 296, 296, "left", run=False).ticks(40.0)
    assert "KING_LEFT_IN_CHECK" in told(table)
    assert not table.told(GameEnded)


@pytest.mark.parametrize("excused", [0, BIT[chess.D7]])
def test_a_man_that_is_seen_elsewhere_stands_on_no_square_that_sees_nothing(excused: int) -> None:
    position = Position(chess.Board("3qk3/4p3/8/8/8/8/8/4K3 b - - 0 1"))
    sight = Sight(position.shown)
    sight.dead = BIT[chess.D7]
    sight.excused = excused
    sight.take(with_changes(position.shown, [(chess.D8, "."), (chess.G5, "q")]), 1.0)
    found = noisy_moves(Stage([Node(None, None, position)], 0, 0.0), sight)
    assert chess.Move.from_uci("d8d7") not in [noisy.move for noisy in found]


def test_a_man_that_took_one_of_his_own_kind_is_told_by_the_order_of_what_was_seen() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="f2").sees(14.3, without="g2").sees(14.7, white_pawn="f2")
    table.clock(15.0, 290, 290, "right").ticks(20.0)
    alert = table.told(AlertRaised)[-1]
    assert isinstance(alert, AlertRaised)
    assert (alert.code, alert.reason) == ("ILLEGAL_MOVE", "OWN_PIECE_ON_TARGET")
    assert table.moves == "e4 e5"


def test_a_man_adjusted_before_another_is_put_down_unseen_took_nobody() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="f2").sees(14.3, white_pawn="f2").sees(14.7, without="g2")
    table.clock(15.0, 290, 290, "right").ticks(20.0)
    assert "AMBIGUOUS_MOVE" in told(table)
    assert "ILLEGAL_MOVE" not in told(table)


def without_clock(sensing: Sensing = "identity") -> TableTalk:
    table = TableTalk.ready(TableSetup(has_clock=False, sensing=sensing), clock=False)
    table.sees(4.0, without="e2").sees(4.4, white_pawn="e4").ticks(9.0)
    return table.sees(10.0, without="e7").sees(10.4, black_pawn="e5").ticks(15.0)


def test_without_a_clock_an_illegal_move_is_told_when_it_is_answered() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3").ticks(20.0)
    assert not told(table)
    table.sees(21.0, without="b8").sees(21.4, black_knight="c6").ticks(30.0)
    assert told(table) == ["ILLEGAL_MOVE"]
    assert table.moves == "e4 e5 Ng3 Nc6"


def test_without_a_clock_an_illegal_answer_leaves_the_move_before_it_legal() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="f3").sees(17.0, without="b8")
    table.sees(17.4, black_knight="d6").ticks(26.3)
    assert not told(table)
    table.ticks(27.0)
    assert told(table) == ["ILLEGAL_MOVE"]
    assert table.moves == "e4 e5 Nf3"
    table.sees(30.0, without="f1").sees(30.4, white_bishop="c4").ticks(39.0)
    assert told(table) == ["ILLEGAL_MOVE"]
    assert table.moves == "e4 e5 Nf3 Nd6 Bc4"


def test_without_a_clock_an_illegal_move_that_is_put_right_is_not_told() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3").ticks(21.0)
    table.sees(21.3, without="g3").sees(21.7, white_knight="f3").ticks(32.0)
    assert not told(table)
    assert table.moves == "e4 e5 Nf3"


@pytest.mark.parametrize("back_first", ["answer", "move"])
def test_without_a_clock_an_illegal_move_is_told_when_its_answer_is_given_up(
    back_first: str,
) -> None:
    """The opponent takes up a knight, sees what was done, and both are put back."""
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3").sees(17.1, without="b8")
    if back_first == "answer":
        table.sees(17.7, black_knight="b8").sees(18.1, without="g3")
    else:
        table.sees(17.7, without="g3").sees(18.1, black_knight="b8")
    table.sees(18.9, white_knight="g1").ticks(19.5)
    assert told(table) == ["ILLEGAL_MOVE"]
    table.sees(22.0, without="g1").sees(22.4, white_knight="f3").ticks(30.0)
    assert (told(table).count("ILLEGAL_MOVE"), table.moves) == (1, "e4 e5 Nf3")


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize("back_first", [False, True])
def test_without_a_clock_an_illegal_answer_that_is_given_up_is_told_of_the_answer(
    sensing: Sensing, *, back_first: bool
) -> None:
    """White's move had not stood for long, and the next one was taken up beside it."""
    table = without_clock(sensing)
    table.sees(16.0, without="g1").sees(16.4, white_knight="f3").sees(17.0, without="b8")
    table.sees(17.4, black_knight="d6").sees(18.3, without="f1")
    if back_first:
        table.sees(18.8, white_bishop="f1").sees(20.2, without="d6")
    else:
        table.sees(18.8, without="d6").sees(19.0, white_bishop="f1")
    table.sees(20.8, black_knight="b8").ticks(21.3)
    assert [code for code in told(table) if code != "ADJUST_OUT_OF_TURN"] == ["ILLEGAL_MOVE"]
    table.sees(23.0, without="b8").sees(23.4, black_knight="c6").ticks(31.0)
    assert table.moves == "e4 e5 Nf3 Nc6"


def test_without_a_clock_a_slip_beside_which_a_man_is_touched_for_a_moment_is_not_told() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3").sees(17.1, without="b8")
    table.sees(17.3, black_knight="b8").sees(18.1, without="g3").sees(18.9, white_knight="g1")
    table.ticks(21.0).sees(22.0, without="g1").sees(22.4, white_knight="f3").ticks(30.0)
    assert (told(table), table.moves) == ([], "e4 e5 Nf3")


def test_without_a_clock_an_eager_answer_does_not_complete_a_slip() -> None:
    """The knight goes on from g3 to f3 while Black's is in the air, who then answers."""
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3").sees(17.1, without="b8")
    table.sees(17.7, without="g3").sees(18.0, white_knight="f3").sees(18.4, black_knight="c6")
    table.ticks(30.0)
    assert (told(table), table.moves) == ([], "e4 e5 Nf3 Nc6")


def test_without_a_clock_two_moves_of_one_player_are_told_when_the_answer_is_given_up() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.3, white_knight="f3").sees(16.9, without="d2")
    table.sees(17.3, white_pawn="d4").sees(18.2, without="b8").sees(20.0, without="d4")
    table.sees(20.2, black_knight="b8").sees(20.8, white_pawn="d2").ticks(21.0)
    assert told(table) == ["ILLEGAL_MOVE"]


def answered_beside_a_pushed_man() -> TableTalk:
    """White moves a knight and pushes a pawn to the next square; Black takes up a knight."""
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.3, white_knight="f3").sees(16.35, without="f2")
    return table.sees(16.4, white_pawn="g3").sees(17.4, without="b8")


def test_without_a_clock_a_knocked_man_that_is_put_up_before_the_answer_is_no_second_move() -> None:
    table = answered_beside_a_pushed_man().sees(17.9, without="g3")
    table.sees(18.3, white_pawn="f2").sees(18.9, black_knight="c6").ticks(30.0)
    assert ("ILLEGAL_MOVE" in told(table), table.moves) == (False, "e4 e5 Nf3 Nc6")


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_without_a_clock_a_move_taken_back_with_its_illegal_answer_is_made_anew(
    sensing: Sensing,
) -> None:
    table = without_clock(sensing)
    table.sees(16.0, without="g1").sees(16.4, white_knight="f3").sees(17.0, without="b8")
    table.sees(17.4, black_knight="d6").sees(18.3, without="f1").sees(18.8, without="d6")
    table.sees(19.0, white_bishop="f1").sees(19.2, without="f3").sees(19.4, white_knight="g1")
    table.sees(19.6, black_knight="b8").ticks(23.0)
    table.sees(23.5, without="g1", white_knight="f3").ticks(24.0)
    assert ("ILLEGAL_MOVE" in told(table), table.moves) == (False, "e4 e5")


@pytest.mark.parametrize("touched", ["g7", "b8"])
def test_without_a_clock_nobody_is_accused_of_a_man_the_other_player_pushed(touched: str) -> None:
    """Black's own pawn is pushed in White's turn: nobody sees whose hand it was."""
    table = without_clock()
    table.sees(16.0, without="d7").sees(16.4, black_pawn="d6").sees(17.4, without=touched)
    man = {"black_pawn" if touched == "g7" else "black_knight": touched}
    table.sees(18.0, **man).sees(18.4, without="d6").sees(18.8, black_pawn="d7").ticks(19.4)
    assert "WRONG_SIDE_MOVED" not in told(table)


def test_without_a_clock_a_man_pushed_beside_the_move_is_no_second_one() -> None:
    """Black takes up a knight, sees the pawn, and puts it back until that is put right."""
    table = answered_beside_a_pushed_man().sees(17.9, black_knight="b8")
    table.sees(18.4, without="g3").sees(18.8, white_pawn="f2").ticks(24.0)
    assert ("ILLEGAL_MOVE" in told(table), table.moves) == (False, "e4 e5 Nf3")


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_without_a_clock_half_a_castling_that_is_undone_is_told_of_nobody(sensing: Sensing) -> None:
    fen = "4k3/p7/8/8/8/8/8/4K2R w K - 0 1"
    table = TableTalk.ready(
        TableSetup(has_clock=False, sensing=sensing, start_fen=fen), clock=False
    )
    table.sees(4.0, without="e1").sees(4.4, white_king="g1").sees(5.3, without="a7")
    table.sees(5.9, black_pawn="a7").sees(6.3, without="g1").sees(6.7, white_king="e1").ticks(9.0)
    assert "CASTLING_ILLEGAL" not in told(table)


@pytest.mark.parametrize("lost", [False, True])
def test_without_a_clock_who_changes_his_mind_about_a_capture_has_made_no_move(
    *, lost: bool
) -> None:
    """The knight is put beside the pawn that he lifts; or the link is lost as he slips."""
    fen = "4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=fen), clock=False)
    table.sees(4.0, without="f3").sees(4.4, white_knight="f5").sees(5.3, without="e5")
    table.sees(5.9, black_pawn="e5")
    if lost:
        table.link(6.0, "lost").ticks(9.0)
    else:
        table.sees(6.3, without="f5").sees(6.7, white_knight="f3").ticks(9.0)
    assert "ILLEGAL_MOVE" not in told(table)


def test_without_a_clock_a_lost_link_makes_no_illegal_move_of_a_slip() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3").sees(17.1, without="b8")
    table.sees(17.7, black_knight="b8").link(18.0, "lost").ticks(20.0)
    assert "ILLEGAL_MOVE" not in told(table)


def test_without_a_clock_an_illegal_move_is_told_when_it_stands_for_long() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3").ticks(25.3)
    assert not told(table)
    table.ticks(25.4 + TIMING.still)
    assert told(table) == ["ILLEGAL_MOVE"]
    table.sees(40.0, without="b8").sees(40.4, black_knight="c6").ticks(50.0)
    assert table.moves == "e4 e5 Ng3 Nc6"


def test_without_a_clock_an_illegal_move_of_a_man_without_a_name_is_told_when_it_stands() -> None:
    setup = TableSetup(has_clock=False, sensing="occupancy")
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="e2").sees(4.4, white_pawn="e4").ticks(9.0)
    table.sees(16.0, without="b8").sees(16.4, black_knight="d6").ticks(25.3)
    assert not told(table)
    table.ticks(25.4 + TIMING.still)
    assert told(table) == ["ILLEGAL_MOVE"]


def test_without_a_clock_a_king_without_a_name_may_wait_for_his_rook() -> None:
    setup = TableSetup(
        has_clock=False, sensing="occupancy", start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    )
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="e1").sees(4.4, white_king="g1").ticks(14.0)
    assert not told(table)
    table.sees(14.0, without="h1").sees(14.4, white_rook="f1").ticks(25.0)
    assert table.moves == "O-O"


def test_without_a_clock_a_pawn_without_a_name_may_be_removed_late_when_it_is_passed() -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
    setup = TableSetup(has_clock=False, sensing="occupancy", start_fen=fen)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="e5").sees(4.4, white_pawn="d6").ticks(12.0)
    assert not told(table)
    table.sees(12.0, without="d5").ticks(20.0)
    assert table.moves == "exd6"


def test_without_a_clock_castling_answers_an_illegal_move() -> None:
    start = "4k3/8/8/8/8/3n4/7P/4K2R b K - 0 1"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=start), clock=False)
    table.sees(4.0, without="d3").sees(4.4, black_knight="d6").ticks(6.0)
    table.sees(6.5, without="e1").sees(6.9, white_king="g1").sees(7.5, without="h1")
    table.sees(8.0, white_rook="f1").ticks(20.0)
    assert told(table) == ["ILLEGAL_MOVE"]
    assert table.moves == "Nd6 O-O"


def test_an_illegal_move_that_was_answered_while_the_link_was_lost_stands() -> None:
    table = attempted()
    table.ticks(17.0)
    table.link(18.0, "lost").link(40.0, "live")
    table.shows(40.1, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/6N1/PPPP1PPP/RNBQK2R")
    table.clock(41.0, 280, 280, "right").ticks(50.0)
    assert table.moves == "e4 e5 Ng3 Nc6 Bc4"
    assert told(table).count("ILLEGAL_MOVE") == 1


def test_the_answer_to_an_illegal_castling_takes_the_rook_and_no_legal_move_of_his() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/8/8/3b4/7P/4K2R w K - 0 1"))
    table.sees(4.0, without="e1").sees(4.4, white_king="g1").sees(4.8, without="h1")
    table.sees(5.2, white_rook="f1").clock(6.0, 299, 300, "right")
    table.sees(6.4, without="f1").sees(6.6, without="d3").sees(6.8, black_bishop="f1")
    table.clock(7.6, 299, 299, "left").ticks(12.0)
    assert told(table)[0] == "CASTLING_ILLEGAL"
    settled = [fact for fact in table.facts if isinstance(fact, MoveSettled)]
    assert [(fact.uci, fact.basis) for fact in settled] == [("e1g1", "stands"), ("d3f1", "press")]


def test_a_king_who_castled_may_wait_with_his_rook_until_after_the_reply() -> None:
    start = "4k3/7p/8/8/8/8/7P/R3K3 w Q - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.sees(4.0, without="e1").sees(4.5, white_king="c1").clock(4.6, 299, 300, "right")
    table.sees(5.4, without="h7").sees(5.9, black_pawn="h6").clock(6.6, 299, 299, "left")
    table.sees(6.7, without="a1").sees(7.1, white_rook="d1").ticks(12.0)
    assert not told(table)
    assert table.moves == "O-O-O h6"


def test_an_answer_that_is_pressed_for_as_it_comes_lets_an_illegal_move_stand() -> None:
    table = attempted()
    table.ticks(17.0)
    table.sees(18.0, without="g8").clock(19.0, 290, 287, "left").sees(19.1, black_knight="f6")
    table.sees(19.8, without="f1").sees(20.3, white_bishop="c4").clock(21.0, 289, 287, "right")
    table.ticks(26.0)
    assert table.moves == "e4 e5 Ng3 Nf6 Bc4"


def test_without_a_clock_men_that_were_knocked_together_are_no_move_and_its_answer() -> None:
    table = without_clock()
    table.sees(16.0, without="b2").sees(16.1, white_pawn="b3").sees(16.2, without="g8")
    table.sees(16.3, black_knight="g6").sees(16.4, without="h2").sees(16.5, white_pawn="g3")
    table.ticks(24.0)
    assert table.moves == "e4 e5"


def test_an_answer_that_is_undone_before_the_clock_is_turned_back_is_none() -> None:
    """The opponent begins to answer an illegal move, sees it, and gives his opponent the turn."""
    table = TableTalk.ready(TableSetup(start_fen="1n2k3/8/8/3N4/8/8/6P1/4K3 w - - 0 1"))
    table.sees(4.0, without="d5").sees(4.5, white_knight="e6").clock(5.0, 299, 300, "right")
    table.ticks(13.5).expects("alert ILLEGAL_MOVE GEOMETRY")
    table.sees(14.0, without="b8").sees(14.6, black_knight="c6").ticks(16.0)
    table.sees(16.3, without="c6").sees(16.9, black_knight="b8").clock(18.0, 299, 295, "left")
    table.ticks(20.0).expects()
    table.sees(20.0, without="e6").sees(20.5, white_knight="d5")
    table.expects_soon("cleared ILLEGAL_MOVE")


def test_an_answer_to_an_illegal_move_may_be_undone_while_its_player_has_not_pressed() -> None:
    table = TableTalk.ready(TableSetup(start_fen="1n2k3/8/8/3N4/8/8/6P1/4K3 w - - 0 1"))
    table.sees(4.0, without="d5").sees(4.5, white_knight="e6").clock(5.0, 299, 300, "right")
    for second in range(6, 14):
        table.clock(float(second), 299, 300 - second + 5, "right")
    table.ticks(13.5).expects("alert ILLEGAL_MOVE GEOMETRY")
    table.sees(14.0, without="b8").sees(14.6, black_knight="c6")
    for second in range(15, 20):
        table.clock(float(second), 299, 300 - second + 5, "right")
    table.expects()
    table.sees(20.0, without="c6").sees(20.6, black_knight="b8").sees(21.0, without="e6")
    table.sees(21.5, white_knight="d5").expects_soon("cleared ILLEGAL_MOVE")


def test_an_answer_to_an_illegal_move_that_nobody_presses_for_stands_when_play_goes_on() -> None:
    table = TableTalk.ready(TableSetup(start_fen="1n2k3/8/8/3N4/8/8/6P1/4K3 w - - 0 1"))
    table.sees(4.0, without="d5").sees(4.5, white_knight="e6").clock(5.0, 299, 300, "right")
    table.ticks(9.5).sees(10.0, without="b8").sees(10.6, black_knight="c6")
    for second in range(11, 18):
        table.clock(float(second), 299, 300 - second + 5, "right")
    assert not table.moves
    table.sees(18.0, without="g2").sees(18.4, white_pawn="g3").ticks(23.0)
    assert table.moves.startswith("Ne6 Nc6")


def standing(table: TableTalk) -> str:
    """Return the men that stand by the record."""
    assert table.table.engine is not None
    return table.table.engine.position.board.board_fen()


CASTLED_THROUGH = "4k3/7p/b7/8/8/8/8/4K2R w K - 0 1"
"""White may not castle: the bishop looks at f1."""


def castled_through_an_attack() -> TableTalk:
    """White castles all the same, and nobody has a clock."""
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=CASTLED_THROUGH), clock=False)
    table.sees(4.0, without="e1").sees(4.4, white_king="g1").sees(4.9, without="h1")
    return table.sees(5.3, white_rook="f1")


@pytest.mark.parametrize("soon", [1.0, 5.0])
def test_without_a_clock_the_answer_to_an_illegal_castling_tells_it(soon: float) -> None:
    table = castled_through_an_attack().ticks(5.3 + soon)
    at = 5.5 + soon
    table.sees(at, without="h7").sees(at + 0.4, black_pawn="h6").ticks(at + 6.0)
    assert told(table) == ["CASTLING_ILLEGAL"]
    table.sees(at + 7.0, without="f1").sees(at + 7.4, white_rook="f5").ticks(at + 20.0)
    assert table.moves == "O-O h6 Rf5"


def test_without_a_clock_an_illegal_castling_that_stands_for_long_is_told() -> None:
    table = castled_through_an_attack().ticks(14.2)
    assert not told(table)
    table.ticks(14.3 + TIMING.still)
    assert told(table) == ["CASTLING_ILLEGAL"]
    table.sees(20.0, without="g1").sees(20.4, white_king="e1").sees(21.0, without="f1")
    table.sees(21.4, white_rook="h1").ticks(40.0)
    assert not table.moves


def test_an_illegal_castling_makes_no_other_move_of_the_one_before_it() -> None:
    """The king castles out of a check that the rook gives from h1; it was not put beside h2."""
    fen = "2k4r/ppq1bp2/2n1pn2/2pp2B1/4P1p1/2PP4/PPBNQPP1/R3K3 b Q - 1 16"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=fen), clock=False)
    table.sees(4.0, without="h8").sees(4.2, black_rook="h1").sees(5.8, without="e1")
    table.sees(6.0, white_king="c1").sees(6.25, without="a1").sees(6.65, white_rook="d1")
    table.sees(8.65, without="c6").sees(8.95, black_knight="a5").sees(11.3, without="d1")
    table.sees(11.45, without="h1").sees(11.85, white_rook="h1").ticks(20.0)
    assert told(table) == ["CASTLING_ILLEGAL"]
    assert table.moves == "Rh1+ O-O-O Na5 Rxh1"


def test_without_a_clock_adjusting_another_man_does_not_put_an_illegal_move_off() -> None:
    table = without_clock()
    table.sees(16.0, without="g1").sees(16.4, white_knight="g3")
    table.sees(18.0, without="d2").sees(19.5, white_pawn="d2").ticks(25.4 + TIMING.still)
    assert told(table) == ["ILLEGAL_MOVE"]


@pytest.mark.parametrize(
    ("start", "castled", "stand"),
    [
        ("1r2k3/7p/8/8/8/4b3/8/1R2K3 w B - 0 1", ("c1", "d1"), "1r2k3/8/7p/8/8/4b3/8/2KR4"),
        ("4k3/7p/8/8/3b4/8/8/4KR2 w F - 0 1", ("g1", "f1"), "4k3/8/7p/8/3b4/8/8/5RK1"),
    ],
)
def test_an_illegal_castling_of_chess960_that_is_played_on_leaves_the_rook_on_the_board(
    start: str, castled: tuple[str, str], stand: str
) -> None:
    """Nobody castles into check; the second one leaves the rook where it is."""
    king, rook = castled
    home = chess.square_name(
        chess.Board(start, chess960=True).pieces(chess.ROOK, chess.WHITE).pop()
    )
    table = TableTalk.ready(TableSetup(start_fen=start, chess960=True))
    table.sees(4.0, without="e1").sees(4.4, white_king=king)
    if home != rook:
        table.sees(4.8, without=home).sees(5.2, white_rook=rook)
    table.clock(6.0, 299, 300, "right").ticks(10.0)
    assert told(table) == ["CASTLING_ILLEGAL"]
    table.sees(11.0, without="h7").sees(11.4, black_pawn="h6").clock(12.0, 299, 296, "left")
    table.ticks(16.0)
    assert [fact.uci for fact in table.told(MoveSettled) if isinstance(fact, MoveSettled)] == [
        f"e1{home}",
        "h7h6",
    ]
    assert standing(table) == stand


def test_a_pawn_that_was_taken_in_passing_too_late_is_off_the_board_if_that_is_played_on() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/3pP3/8/8/8/4K3 w - - 0 1"))
    table.sees(4.0, without="e5").sees(4.4, white_pawn="d6").sees(4.8, without="d5")
    table.clock(6.0, 299, 300, "right").ticks(10.0)
    assert told(table) == ["EN_PASSANT_ILLEGAL"]
    table.sees(11.0, without="h7").sees(11.4, black_pawn="h6").clock(12.0, 299, 296, "left")
    table.ticks(16.0)
    assert table.moves == "exd6 h6"
    assert standing(table) == "4k3/8/3P3p/8/8/8/8/4K3"


@pytest.mark.parametrize(
    ("fen", "move", "then", "moves"),
    [
        ("7k/P7/8/8/8/8/7P/6K1 w - - 0 1", {"without": "a7", "white_pawn": "a8"}, "a8=Q", "a8=Q+"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", {"without": "e1", "white_king": "g1"}, "rook", "O-O"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", {"without": "e5", "white_pawn": "d6"}, "d5", "exd6"),
    ],
)
def test_without_a_clock_what_a_move_still_lacks_may_follow_after_some_seconds(
    fen: str, move: dict[str, str], then: str, moves: str
) -> None:
    table = TableTalk(TableSetup(start_fen=fen, has_clock=False)).shows(0.0).sees(5.0, **move)
    if then == "a8=Q":
        table.sees(12.0, without="a8").sees(12.4, white_queen="a8")
    elif then == "rook":
        table.sees(12.0, without="h1").sees(12.4, white_rook="f1")
    else:
        table.sees(12.0, without=then)
    assert not told(table.ticks(25.0))
    assert table.moves == moves


def test_an_illegal_move_that_was_let_stand_and_is_put_back_is_explained() -> None:
    """It is the last move of the record: what was told of it is over all the same."""
    board = Watched("6k1/p3r3/8/8/8/8/R6P/4K3 w - - 0 1")
    board.waits(3.0).shows("h2 h3P").waits(1.0).presses(chess.WHITE).runs_for(chess.BLACK)
    board.waits(2.0).shows("a7 a6p").waits(1.0).presses(chess.BLACK).runs_for(chess.WHITE)
    board.waits(2.0).shows("e1").waits(0.4).shows("e2K").waits(1.0)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(4.0)
    attempt = chess.Move.from_uci("e1e2")
    board.engine.may_stand(attempt)
    board.found += board.engine.let_stand(at=13.4)
    assert board.moves == "h2h3 a7a6 e1e2"
    board.found.clear()
    board.waits(3.0).shows("e2").waits(0.4).shows("e1K").waits(3.0)
    assert [type(each) for each in board.found] == [Withdrawn, Explained]
