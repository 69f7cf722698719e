"""Boards on which not the move may be wrong but the record, or what is shown."""

import chess
import pytest

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    MoveSettled,
    Sensing,
    TableSetup,
)
from tests.bridge.core.accusing import accused, grave, unresolved
from tests.bridge.core.dialogue import TableTalk


def test_after_a_lost_link_nothing_is_told_sooner_than_the_press_is_heard() -> None:
    """Moves may have been made unseen, and a line of them may still be found."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    table.link(2.0, "lost").link(3.0, "live").sees(4.0, without="e1", white_king="g1")
    table.clock(5.2, 298, 300, "right").ticks(5.4)
    assert "CASTLING_ILLEGAL" not in "".join(table.script)
    table.ticks(10.0)
    assert "CASTLING_ILLEGAL" in "".join(table.script)


def test_after_a_link_was_lost_for_long_nobody_is_accused_where_more_was_done() -> None:
    table = TableTalk.ready(TableSetup(start_fen="b3k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    table.link(2.0, "lost").link(6.0, "live").shows(6.1, "1b2k3/8/8/8/8/8/6R1/4K3")
    table.clock(9.0, 298, 300, "right").ticks(12.0)
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [alert.code for alert in told] == ["BOARD_DISCONNECTED", "POSITION_UNRESOLVED"]
    assert (told[1].severity, "perhaps" in told[1].text) == ("warning", True)


def test_an_illegal_move_whose_man_is_misread_is_told_once_though_he_is_seen_later() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/p7/8/8/8/8/8/Q3K3 w - - 0 1"))
    table.sees(4.0, without="a1").sees(4.4, white_knight="b3").clock(5.0, 298, 300, "right")
    table.ticks(7.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]
    table.sees(7.0, white_queen="b3").ticks(9.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_a_man_who_was_never_read_as_the_record_has_him_makes_no_illegal_move() -> None:
    """The record may be wrong about him: a rook who went as rooks go is no knight who did not."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/p7/8/8/8/8/8/N3K3 w - - 0 1"))
    table.sees(3.0, white_rook="a1").ticks(8.0)
    table.sees(8.0, without="a1").sees(8.4, white_rook="b1").clock(9.0, 298, 300, "right")
    assert ("ILLEGAL_MOVE", "critical") not in grave(table.ticks(12.0))


@pytest.mark.parametrize("after", [0.8, 3.0])
def test_what_was_just_found_to_have_been_played_accuses_nobody(after: float) -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.link(20.0, "lost").link(21.0, "live")
    table.shows(21.1, "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
    table.clock(21.2, 290, 290, "left").ticks(22.5)
    assert table.moves == "e4 e5 Nf3 Nf6"
    found = next(fact.at for fact in table.facts if isinstance(fact, MoveSettled) and fact.ply == 3)
    table.sees(found + 0.1, without="a1", white_rook="a5")
    table.clock(found + after, 289, 290, "right").ticks(found + after + 10)
    alert = table.told(AlertRaised)[-1]
    assert isinstance(alert, AlertRaised)
    assert (alert.code, alert.severity) == ("ILLEGAL_MOVE", "critical")
    assert alert.at >= found + 1.5


def doubtful(without: str, move: str) -> TableTalk:
    """A move on a board that shows too much wrongly for the record to be certain."""
    table = TableTalk.ready()
    table.sees(2.0, without="a2 h2 d2").ticks(3.0)
    assert table.table.engine is not None
    table.table.engine.sight.excuse(chess.BB_A2 | chess.BB_D2 | chess.BB_H2)
    table.sees(5.0, without=without).sees(5.5, white_knight=move)
    return table.clock(6.0, 299, 300, "right").ticks(8.0)


def test_a_man_that_goes_as_none_ever_may_makes_an_illegal_move_whatever_the_record() -> None:
    doubtful("b1", "b5").expects("alert ILLEGAL_MOVE GEOMETRY")
    doubtful("b1", "d2").expects("alert POSITION_UNRESOLVED")


def test_garbage_with_a_press_is_unresolved_not_illegal() -> None:
    table = TableTalk.ready()
    table.shows(4.0, "8/8/8/3k4/8/8/5K2/8").clock(5.0, 299, 300, "right").ticks(9.0)
    table.expects("alert POSITION_UNRESOLVED")
    alert = table.told(AlertRaised)[0]
    assert isinstance(alert, AlertRaised)
    assert (alert.severity, alert.illegal) == ("notice", False)
    table.ticks(20.5)
    again = table.told(AlertRaised)[-1]
    assert isinstance(again, AlertRaised)
    assert (again.code, again.severity, again.count) == ("POSITION_UNRESOLVED", "warning", 1)
    assert (again.text, again.restore) == (alert.text, alert.restore)


def test_a_board_that_play_explains_calls_nobody() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    array = table.cells
    table.sees(14.0, without="g1 b1 a2").sees(14.1, white_rook="a4").clock(15.0, 290, 290, "right")
    table.ticks(20.0)
    assert unresolved(table) == ["notice"]
    table.shows(21.0, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(23.0)
    table.clock(24.0, 290, 280, "left").ticks(60.0)
    assert table.moves == "e4 e5 Nf3"
    assert table.cells != array
    assert unresolved(table) == ["notice"]


def test_castling_that_was_lost_is_no_kings_step_beside_men_who_are_misread() -> None:
    """Men without names: the king might have gone to d1, the rook be away and c1 show wrong."""
    setup = TableSetup(start_fen="4k2r/7p/8/8/8/8/1P6/R3K3 w - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup)
    table.sees(4.0, without="e1").sees(4.2, white_king="c1")
    table.sees(4.5, without="a1").sees(4.7, white_rook="d1").clock(5.0, 299, 300, "right")
    table.ticks(9.0)
    assert [f.code for f in table.told(AlertRaised) if isinstance(f, AlertRaised)] == [
        "CASTLING_ILLEGAL"
    ]


def test_nobody_is_called_to_a_board_that_is_not_seen() -> None:
    table = TableTalk.ready()
    table.shows(4.0, "8/8/8/3k4/8/8/5K2/8").clock(5.0, 299, 300, "right").ticks(9.0)
    table.link(10.0, "lost").ticks(60.0)
    assert unresolved(table) == ["notice"]


def test_squares_that_might_hold_an_unseen_man_do_not_hide_an_illegal_move() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").clock(15.0, 290, 290, "right").ticks(30.0)
    table.sees(31.0, without="g7").sees(31.5, black_pawn="g4").clock(33.0, 290, 280, "left")
    table.ticks(44.0)
    told = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert told[-1] == "ILLEGAL_MOVE"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize(("came", "pressed"), [(5.5, 6.0), (5.9, 6.0), (6.3, 7.0), (6.6, 7.0)])
def test_where_presses_add_no_time_two_may_be_missed_before_an_illegal_move(
    sensing: Sensing, came: float, pressed: float
) -> None:
    """Between two readings Black presses for e5, and White answers and presses as well."""
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.clock(1.0, 300, 300, "left").clock(2.0, 299, 300, "left")
    table.sees(2.2, without="e2").sees(2.4, white_pawn="e4")
    table.clock(3.0, 298, 300, "right").clock(4.0, 298, 299, "right")
    table.sees(4.05, without="e7").sees(4.2, black_pawn="e5")
    table.sees(4.35, without="g1").sees(4.5, white_knight="f3").clock(5.0, 298, 298, "right")
    table.ticks(came - 0.3).sees(came - 0.2, without="b8").sees(came, black_knight="d4")
    if pressed > 6.0:
        table.clock(6.0, 298, 297, "right")
    for second in range(4):
        table.clock(pressed + second, 298 - second, 296, "left")
    assert [alert.san_tried for alert in accused(table)] == ["Nd4"]


def test_a_man_whose_own_stood_in_its_way_long_gone_shows_a_record_that_is_wrong() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="d2").ticks(24.0)
    table.sees(24.0, without="c1").sees(24.4, white_bishop="d2").clock(25.0, 280, 290, "right")
    table.ticks(30.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]
    table.ticks(40.0)
    assert grave(table)[1:] == [("POSITION_UNRESOLVED", "warning")]


def test_a_man_moved_before_it_was_its_players_turn_shows_a_record_that_is_wrong() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5", "Nf3")
    table.sees(14.0, without="f3").sees(14.5, white_knight="f4")
    table.sees(15.0, without="b8").sees(15.4, black_knight="c6").clock(16.0, 290, 290, "left")
    table.ticks(18.0).clock(19.0, 288, 290, "right").ticks(24.0)
    assert ("ILLEGAL_MOVE", "critical") not in grave(table)


def test_a_king_read_as_another_man_hides_no_illegal_move() -> None:
    """No bishop has left a square: the king is where he was, and the rook went amiss."""
    table = TableTalk.ready(TableSetup(start_fen="2kr4/8/5b2/8/8/8/P7/4K3 w - - 0 1"))
    table.sees(4.0, without="a2").sees(4.3, white_pawn="a3").clock(5.0, 298, 300, "right")
    table.sees(7.0, black_bishop="c8").sees(8.2, without="d8").clock(9.4, 298, 296, "left")
    table.sees(9.6, black_rook="c5").ticks(18.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_a_man_who_is_seen_elsewhere_did_not_go_where_a_square_shows_wrong() -> None:
    """The pawn on d4 is read as a knight; the one from c6 stands on e8, and took nobody there."""
    table = TableTalk.ready(TableSetup(start_fen="6k1/8/2n5/8/3P4/8/P7/4K3 w - - 0 1"))
    table.sees(3.0, white_knight="d4").sees(4.0, without="a2").sees(4.3, white_pawn="a3")
    table.clock(5.0, 298, 300, "right").sees(8.0, without="c6").sees(8.4, black_knight="e8")
    table.clock(9.0, 298, 297, "left").ticks(17.0)
    assert table.moves == "a3"
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_a_man_that_came_before_any_other_left_is_misread() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, white_bishop="d2").sees(15.0, without="c1").clock(16.0, 290, 290, "right")
    table.ticks(18.5)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]


JUMPED = "r1bqkb1r/ppp2ppp/2n2n2/1B1pp3/P2PP3/2N2N2/1PP2PPP/R1BQK2R"


def jumped() -> TableTalk:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.shows(14.0, JUMPED)
    return table.clock(15.0, 290, 290, "right").ticks(17.0)


def test_a_position_that_is_taken_for_the_game_leaves_nothing_unresolved() -> None:
    table = jumped()
    table.sees(17.2, without="a7").sees(17.5, black_pawn="a6").clock(18.0, 290, 288, "left")
    table.sees(20.2, without="h2").sees(20.5, white_pawn="h3").clock(21.0, 287, 288, "right")
    table.ticks(60.0)
    assert [code for code, _ in grave(table)] == ["POSITION_UNRESOLVED", "SCORESHEET_GAP"]
    cleared = [fact.code for fact in table.told(AlertCleared) if isinstance(fact, AlertCleared)]
    assert cleared == ["POSITION_UNRESOLVED"]


def test_presses_without_anything_that_is_done_for_them_tell_that_scans_are_missed() -> None:
    table = jumped()
    for at in range(18, 40, 3):
        table.clock(at, 290, 290, "right" if at % 2 else "left").ticks(at + 2.0)
    assert "SCORESHEET_GAP" not in [code for code, _ in grave(table)]


def test_a_move_that_only_men_bar_that_are_not_seen_is_no_illegal_one() -> None:
    """The board lost sight of d2 long before the game came to this position."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="d2").sees(14.5, without="g1").sees(15.0, white_knight="f3")
    table.clock(16.0, 290, 290, "right").ticks(18.0)
    table.sees(19.0, without="b8").sees(19.4, black_knight="c6").clock(20.0, 290, 287, "left")
    table.ticks(22.0)
    assert table.moves == "e4 e5 Nf3 Nc6"
    table.sees(24.0, without="c1").sees(24.4, white_bishop="g5").clock(25.0, 286, 287, "right")
    table.ticks(30.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]


def test_a_man_whose_last_move_was_guessed_may_only_have_been_held_there() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.link(20.0, "lost").link(21.0, "live")
    table.shows(21.1, "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
    table.clock(21.2, 290, 290, "left").ticks(23.0)
    table.sees(23.0, without="f3").sees(23.4, white_knight="g3").clock(24.0, 287, 290, "right")
    table.ticks(33.0)
    assert grave(table)[-1] == ("POSITION_UNRESOLVED", "notice")


@pytest.mark.parametrize(("knight", "codes"), [("f3", {"ILLEGAL_MOVE"}), ("d5", set())])
def test_one_man_who_went_elsewhere_while_nobody_watched_was_moved_illegally(
    knight: str, codes: set[str]
) -> None:
    """Any other way of the bishop to a5 takes five plies; not so if the knight has gone too."""
    fen = "4k3/8/b7/8/8/5N2/8/4K3 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.ticks(4.0).link(4.1, "lost").link(12.0, "live")
    shown = chess.Board(fen)
    for gone in (chess.A6, chess.F3):
        shown.remove_piece_at(gone)
    shown.set_piece_at(chess.A5, chess.Piece.from_symbol("b"))
    shown.set_piece_at(chess.parse_square(knight), chess.Piece.from_symbol("N"))
    table.shows(12.1, shown.board_fen()).clock(12.2, 300, 292, "left").ticks(16.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert {fact.code for fact in alerts if fact.illegal} == codes


def test_who_was_looked_past_and_is_seen_elsewhere_went_there_and_not_another_of_his_kind() -> None:
    """One bishop goes to a6; the other, on d3, is not read for a moment, and may go there."""
    fen = "6r1/1b1k3p/5P2/8/8/B1PB1q2/P4PPP/3R2K1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(5.1, without="a3", white_bishop="a4").sees(5.3, white_bishop="a5")
    table.sees(5.33, without="a4").sees(5.35, without="d3").sees(5.41, white_bishop="a6")
    table.sees(5.42, without="a5").sees(5.63, white_bishop="d3", without="b7")
    table.sees(5.93, black_bishop="b7").clock(6.5, 300, 300, "right").ticks(7.4)
    table.expects("alert ILLEGAL_MOVE GEOMETRY")
    table.sees(7.5, without="g8").sees(7.8, black_rook="g5").sees(8.4, without="g5").expects()
    table.sees(8.6, black_rook="h8").clock(9.5, 300, 297, "left").expects_soon(
        "1. Ba6 by stands", "1. has 300", "2. Rh8 by press", "2. has 297"
    )


def test_who_may_have_been_taken_unseen_was_not_taken_by_his_own_side() -> None:
    """The queen took on c2 and not on a1, as is thought, and is taken there."""
    fen = "6k1/6pp/8/8/q7/8/2P3PP/RN1Q2K1 b - - 0 30"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    table.clock(1.0, 300, 300, "right").sees(4.0, without="a4").clock(5.0, 300, 297, "left")
    table.ticks(6.5).sees(6.8, without="d1").sees(7.2, without="c2").sees(7.4, white_queen="c2")
    table.clock(7.8, 299, 297, "right").ticks(12.0)
    assert "ILLEGAL_MOVE" not in [code for code, _ in grave(table)]


def test_after_a_lost_link_what_was_moved_last_alone_accuses_nobody() -> None:
    """The bishop takes a pawn where the record, many moves behind, has a knight of his."""
    table = TableTalk.ready()
    table.plays(4.0, "f4", "Nh6", "e3", "Rg8", "Bd3")
    table.link(16.0, "lost").link(76.0, "live")
    table.shows(76.2, "r1bqkbr1/pp1np2p/2p2p1P/3p4/1P6/P2BP1P1/2PP3P/RNBQK1NR")
    for second in range(77, 93):
        table.clock(float(second), 280, 360 - second, "right")
    table.sees(93.0, without="f8").sees(94.0, without="h6").sees(94.3, black_bishop="h6")
    table.clock(94.8, 280, 268, "left").ticks(96.5)
    assert "ILLEGAL_MOVE" not in {code for code, _ in grave(table)}


def test_a_man_who_was_taken_where_he_might_not_go_stands_nowhere_unseen() -> None:
    """The knight went to e3 and was pressed for; the queen took him there before it was told."""
    fen = "b2r2k1/3pbrq1/pppnppnp/6p1/PPPPP1P1/1NB2P1P/4Q3/1BKR1R1N b - - 2 19"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 161, 214, "right").clock(2.0, 161, 213, "right").clock(3.0, 161, 212, "right")
    table.sees(3.4, without="d6").sees(3.8, black_knight="e3").clock(4.3, 161, 212, "left")
    table.sees(4.8, without="e2").sees(5.2, white_queen="e3").clock(6.4, 160, 212, "right")
    for second in range(7, 12):
        table.clock(second + 0.4, 160, 219 - second, "right")
    assert table.moves == "Ne3 Qxe3"
    codes = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert "ILLEGAL_MOVE" in codes
    assert "AMBIGUOUS_MOVE" not in codes


def test_a_square_that_shows_a_man_too_many_keeps_no_reply_back() -> None:
    """It does so all the time, and no clock runs: nobody puts men up."""
    table = TableTalk.ready(clock=False)
    table.sees(1.0, black_queen="h5").ticks(12.0)
    board = chess.Board()
    for number, san in enumerate(("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")):
        at = 14.0 + 2 * number
        move = board.push_san(san)
        table.sees(at, without=chess.square_name(move.from_square))
        shown = board.copy()
        shown.set_piece_at(chess.H5, chess.Piece.from_symbol("q"))
        table.shows(at + 0.4, shown.board_fen()).ticks(at + 0.9)
    assert table.ticks(60.0).moves == "e4 e5 Nf3 Nc6 Bb5 a6"


def test_a_square_that_showed_wrong_until_the_press_hides_no_illegal_move() -> None:
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at - 0.5, white_pawn="h4").sees(at, without="f1").sees(at + 0.8, white_bishop="f4")
    table.clock(at + 1.5, 290, 290, "right").sees(at + 1.55, without="h4").ticks(at + 1.9)
    table.sees(at + 2.05, without="f4").sees(at + 2.3, white_bishop="f1").ticks(at + 6.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]
    assert table.moves == "e4 e5"


def test_an_illegal_move_that_was_doubted_is_told_when_the_record_stands_again() -> None:
    """The rook leaves a1 just as Black's comes to a8: was White's move made before his?"""
    setup = TableSetup(start_fen="4k3/7p/r7/8/8/8/7P/R3K3 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="a6").sees(4.3, black_rook="a8").sees(4.3, without="a1")
    table.sees(4.6, white_rook="b3").clock(4.9, 300, 297, "left").clock(5.3, 301, 297, "right")
    table.ticks(10.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]
    table.clock(11.0, 301, 296, "right", run=False).sees(12.0, without="b3")
    table.sees(13.0, white_rook="a1").ticks(15.0)
    assert grave(table)[1:] == [("ILLEGAL_MOVE", "critical")]
    assert table.moves == "Ra8"


def test_a_man_who_was_shown_where_another_is_taken_for_having_gone_accuses_nobody_later() -> None:
    """A rook that is not there is shown on h4 before the one of a1 is taken up, and put back."""
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at - 1.5, white_rook="h4").ticks(at + 3.0).sees(at + 4.0, without="a1")
    table.clock(at + 5.0, 290, 290, "right").ticks(at + 14.0)
    table.sees(at + 15.0, white_rook="a1").sees(at + 16.0, without="h4").ticks(at + 18.0)
    assert not accused(table)
