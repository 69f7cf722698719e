"""What only a second reading of the game puts right where men have names."""

import math

import chess
import pytest

from bridge.core.inference.ahead import next_stage
from bridge.core.inference.findings import Withdrawn
from bridge.core.inference.hypotheses import Node, Stage
from bridge.core.inference.placement import EMPTY
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import MovesCorrected, TableSetup
from drivers.events import Side
from tests.bridge.core.dialogue import TableTalk
from tests.bridge.core.watching import Watched


def test_what_was_done_before_the_last_move_does_not_answer_it() -> None:
    """The rook is put elsewhere after the press of his move; he moves no more by that."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/5r2/8/8/6R1/P4P2/K7 w - - 0 1"))
    table.sees(4.0, without="g3").sees(4.3, white_rook="g2").clock(5.0, 298, 300, "right")
    table.ticks(9.0).sees(9.0, without="g2").sees(9.4, white_rook="g1")
    table.sees(9.6, without="f6").sees(9.9, black_rook="f3").clock(10.5, 298, 294, "left")
    table.sees(11.0, without="a2").sees(11.3, white_pawn="a3").clock(12.0, 296, 297, "right")
    table.sees(15.0, without="e8").sees(15.3, black_king="e7").clock(16.0, 296, 294, "left")
    table.ticks(22.0)
    assert table.moves == "Rg2 Rf3 a3 Ke7"


def test_of_many_squares_where_a_man_may_stand_unseen_the_good_ones_count() -> None:
    """On d2 he would be lost, and men have been seen on a3 and c3: he is taken to be on c3."""
    fen = "6k1/5ppp/7b/8/8/8/3P1PPP/1N4K1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    line = "Na3 Kf8 Nb1 Kg8 Nc3 Kf8 Nb1 Kg8 d4 Kf8"
    at = table.plays(1.0, *line.split())
    table.sees(at + 1.0, without="b1").clock(at + 2.0, 298, 300, "right")
    table.sees(at + 3.0, without="f8").sees(at + 3.4, black_king="g8")
    table.clock(at + 4.0, 298, 298, "left").ticks(at + 9.0)
    table.plays(at + 10.0, "h3", "Kf8", clock=290)
    assert table.moves == f"{line} Nc3 Kg8 h3 Kf8"


@pytest.mark.parametrize("knocked", [False, True])
def test_a_man_put_down_unseen_stands_on_from_where_he_was_shown_last(*, knocked: bool) -> None:
    """The hand carries the rook beside his file before it puts him down by the edge, behind b2."""
    start = TableSetup(start_fen="4k3/5p2/8/1r6/8/8/P5P1/6K1 b - - 0 1")
    table = TableTalk.ready(start).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="b5", black_rook="c5").sees(5.0, without="c5", black_rook="c4")
    table.sees(5.2, without="c4", black_rook="c3").sees(5.3, without="c3", black_rook="b3")
    table.sees(5.4, without="b3", black_rook="b2").sees(5.6, without="b2")
    table.clock(6.2, 300, 298, "left").sees(9.0, without="g1").sees(9.5, white_king="f2")
    if knocked:
        table.sees(9.7, without="g2")
    table.clock(10.4, 296, 298, "right")
    if knocked:
        table.sees(10.7, without="f7").sees(11.3, black_pawn="f5").sees(11.6, white_pawn="g2")
        table.sees(13.6, without="f5").sees(14.1, black_pawn="f7")
    table.sees(17.0, black_rook="b2").clock(18.0, 296, 291, "left")
    table.sees(22.0, without="f2").sees(22.3, white_king="e3").clock(23.0, 291, 291, "right")
    assert table.ticks(30.0).moves == "Rb1+ Kf2 Rb2+ Ke3"


@pytest.mark.parametrize("tried", [False, True])
def test_who_was_seen_before_he_went_on_came_from_there(*, tried: bool) -> None:
    """The queen was taken to be on d3, and shows herself on c1 after the reply; both lead to a3.

    Black may try his reply twice.
    """
    table = TableTalk.ready(TableSetup(start_fen="4kb2/p7/8/8/8/8/7P/3QK3 w - - 0 1"))
    table.sees(2.0, without="d1").sees(2.4, white_queen="d2").sees(3.8, without="d2")
    table.sees(4.3, without="f8").sees(4.5, black_bishop="e7").clock(4.55, 298, 300, "right")
    table.sees(4.8, white_queen="c1").clock(7.5, 298, 297, "left")
    if tried:
        table.sees(8.0, without="e7", black_bishop="f8").sees(8.3, without="f8", black_bishop="e7")
    table.sees(13.6, without="c1").sees(13.8, white_queen="a3").clock(14.8, 291, 297, "right")
    table.sees(18.0, without="a7").sees(18.3, black_pawn="a5").clock(19.0, 291, 293, "left")
    table.sees(22.0, without="h2").sees(22.3, white_pawn="h3").clock(23.0, 288, 293, "right")
    assert table.ticks(30.0).moves == "Qc1 Be7 Qa3 a5 h3"


def test_who_was_seen_where_he_is_taken_to_stand_goes_on_from_there() -> None:
    """The king is adjusted on c7 while Black replies; taken up again he came from nowhere else."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/1K6/8/7k/r7/8/8 w - - 0 1"))
    table.sees(4.0, without="b6", white_king="c7").clock(4.23, 298, 300, "right")
    table.sees(4.3, without="c7").clock(4.9, 298, 299, "left")
    table.sees(4.93, without="h4", black_king="g3").sees(5.05, white_king="c7")
    table.sees(5.35, without="c7").sees(5.8, white_king="c6").clock(6.13, 297, 299, "right")
    table.sees(9.5, without="a3").sees(9.8, black_rook="a4").clock(10.5, 297, 296, "left")
    assert table.ticks(16.0).moves == "Kc7 Kg3 Kc6 Ra4"


def test_a_man_who_is_not_seen_for_long_is_waited_for() -> None:
    """He went to one of five squares, and play goes on; then he is seen where he stands."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/pppp4/8/8/8/8/3P1PPP/2B1K3 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, without="d7").sees(2.3, black_pawn="d6").clock(3.0, 300, 298, "left")
    table.sees(4.0, without="d2").sees(4.3, white_pawn="d4").clock(5.0, 298, 298, "right")
    table.sees(6.0, without="a7").sees(6.3, black_pawn="a6").clock(7.0, 298, 297, "left")
    table.sees(8.0, without="c1").clock(9.0, 297, 297, "right")
    at = 9.0
    for number, (left, came) in enumerate((("c7", "c6"), ("f2", "f3"), ("b7", "b6"), ("g2", "g3"))):
        man = {"white_pawn": came} if number % 2 else {"black_pawn": came}
        table.sees(at + 0.6, without=left).sees(at + 0.9, **man)
        table.clock(at + 1.5, 297, 297, "right" if number % 2 else "left")
        at += 3.0
    table.ticks(at + 3.0)
    assert "POSITION" not in "".join(type(fact).__name__.upper() for fact in table.facts)
    table.sees(at + 4.0, white_bishop="e3").ticks(at + 10.0)
    assert table.moves == "d6 d4 a6 Be3 c6 f3 b6 g3"


def test_a_square_that_goes_on_showing_the_man_who_left_hides_no_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/8/8/8/4K3/8 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, black_pawn="h5").sees(3.0, without="h7").clock(4.0, 300, 297, "left")
    table.sees(6.0, without="e2").sees(6.3, white_king="e3").clock(7.0, 297, 297, "right")
    table.sees(9.0, black_pawn="h4").clock(10.0, 297, 294, "left")
    table.sees(12.0, without="e3").sees(12.3, white_king="e4").clock(13.0, 294, 294, "right")
    table.sees(15.0, without="h4").sees(15.3, black_pawn="h3").clock(16.0, 294, 291, "left")
    table.ticks(22.0)
    assert table.moves == "h5 Ke3 h4 Ke4 h3"


def test_men_who_slide_past_each_other_made_one_move_each() -> None:
    """Each bishop is shown on his way as the other one comes, and each player pressed once."""
    table = TableTalk.ready(TableSetup(start_fen="4kb2/3p4/8/8/8/8/3P4/2B1K3 w - - 0 1"))
    table.sees(4.00, white_bishop="e3", black_bishop="e7").sees(4.02, without="c1")
    table.sees(4.04, without="f8").sees(4.16, without="e3").clock(4.2, 297, 300, "right")
    table.sees(4.22, white_bishop="f4").sees(4.24, without="e7")
    table.sees(4.50, black_bishop="b4").clock(4.8, 297, 300, "left")
    table.sees(7.0, without="e1").sees(7.3, white_king="e2").clock(8.0, 295, 300, "right")
    table.ticks(12.0)
    assert table.moves == "Bf4 Bb4 Ke2"


def test_who_stood_where_he_may_not_go_and_was_taken_there_does_not_stand_unseen() -> None:
    """The reply to the illegal move was begun before that one's press was reported."""
    setup = TableSetup(start_fen="r3kb2/p7/8/8/5p1q/2N5/2P4P/4K3 b - - 0 1")
    table = TableTalk.ready(setup, clock=False)
    table.clock(1.0, 300, 300, "right").clock(3.5, 300, 298, "right")
    table.sees(3.8, without="h4").sees(4.2, black_queen="a4").clock(4.4, 300, 297, "right")
    table.sees(5.3, without="c3").clock(5.6, 300, 296, "left")
    table.sees(5.65, without="a4").sees(5.85, white_knight="a4").clock(6.5, 299, 296, "right")
    table.sees(8.4, without="f8").sees(8.8, black_bishop="e7").clock(9.4, 299, 293, "right")
    table.clock(12.0, 299, 291, "right").clock(13.3, 299, 290, "left")
    table.sees(15.4, without="c2").sees(16.0, white_pawn="c3").clock(16.4, 296, 290, "right")
    table.sees(23.4, without="a7", black_pawn="a6").clock(25.4, 296, 281, "left").ticks(30.0)
    assert table.moves == "Qa4 Nxa4 Be7 c3 a6"


def test_after_two_illegal_moves_that_stand_it_is_rather_the_record_that_is_wrong() -> None:
    """The king is shown on e2, where he would be in check, and stands on f2."""
    table = TableTalk.ready(TableSetup(start_fen="4r1k1/8/8/8/8/1N6/P7/5K2 w - - 0 1"))
    table.sees(4.0, without="f1").sees(4.3, white_king="e2").clock(5.0, 298, 300, "right")
    moves = (("a2", "a3", "g8", "h8"), ("a3", "a4", "h8", "g8"), ("a4", "a5", "g8", "f8"))
    at = 9.0
    table.sees(7.0, without="g8").sees(7.3, black_king="g7").clock(8.0, 298, 298, "left")
    before = "g7"
    for left, came, _, king in moves:
        table.sees(at, without=left).sees(at + 0.3, white_pawn=came)
        table.clock(at + 1.0, 298, 298, "right").ticks(at + 3.0)
        table.sees(at + 4.0, without=before).sees(at + 4.3, black_king=king)
        table.clock(at + 5.0, 298, 298, "left").ticks(at + 8.0)
        before, at = king, at + 10.0
    told = [line for line in table.script if "-> alert KING_" in line or "-> alert ILLEGAL" in line]
    assert len(told) <= 2, "\n".join(table.script)


def test_a_man_who_was_not_seen_until_he_was_taken_stood_where_he_was_taken() -> None:
    """The knight may have gone to other squares as well, and would be unseen there still."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/3n4/8/3N4/6n1/8/8/4K3 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, without="d7").clock(3.1, 300, 298, "left")
    table.sees(3.15, without="d5").sees(3.5, white_knight="f6").clock(5.1, 298, 298, "right")
    table.sees(5.8, without="g4").sees(6.0, black_knight="f6").clock(7.1, 298, 297, "left")
    table.sees(9.8, without="e1").sees(10.1, white_king="e2").clock(11.1, 294, 297, "right")
    table.ticks(16.0)
    assert table.moves == "Ndf6 Nxf6+ Nxf6 Ke2"


def test_who_was_taken_before_anybody_saw_him_had_moved_by_the_press() -> None:
    """He may stand unseen elsewhere as well, and then Black's bishop has taken nobody."""
    fen = "r2B3r/1p1k1pb1/3p4/4pnpp/1P2n3/3N2PP/P1P2P1R/1R1QK3 w - - 4 19"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="d8").sees(5.2, without="g7").clock(5.5, 298, 300, "right")
    table.sees(6.0, black_bishop="f6").clock(7.5, 298, 298, "left")
    table.sees(15.0, without="g3").sees(15.4, white_pawn="g4").clock(16.0, 290, 298, "right")
    table.sees(20.0, without="f6").sees(20.4, black_bishop="d8").clock(21.0, 290, 294, "left")
    table.sees(24.0, without="d3").sees(24.4, white_knight="b2").clock(25.0, 287, 294, "right")
    assert table.ticks(40.0).moves == "Bf6 Bxf6 g4 Bd8 Nb2"


def test_what_is_told_at_one_time_is_no_quick_scan() -> None:
    """The board looks every 0.4 s: the king hesitates on g7, Black presses, and he stands on e6."""
    start = TableSetup(start_fen="8/5p2/5k1p/7P/r3PK2/P2R4/8/8 b - - 0 1")
    table = TableTalk.ready(start).clock(1.0, 300, 300, "right")
    table.sees(2.0, without="h6").sees(2.4, black_pawn="h6")
    table.sees(3.4, without="h5").sees(3.4, white_pawn="h5")  # the link tells late
    table.sees(5.0, without="f6").sees(5.4, black_king="g7").clock(5.795, 300, 297, "left")
    table.sees(5.8, without="g7").sees(6.2, without="d3")
    table.sees(6.6, white_rook="b3", black_king="e6").clock(6.7, 299, 297, "right")
    table.sees(13.7, without="e6").sees(14.1, black_king="f6").clock(14.2, 299, 290, "left")
    table.sees(18.0, without="b3").sees(18.4, white_rook="c3").clock(19.0, 295, 290, "right")
    assert table.ticks(24.0).moves == "Ke6 Rb3 Kf6 Rc3"


def test_an_illegal_move_that_nobody_pressed_for_stands_when_play_goes_on() -> None:
    """The knight stays where he may not go, and nobody notices: what follows tells."""
    start = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.sees(4.0, without="f3").sees(4.3, white_knight="f4")
    table.sees(7.0, without="e7").sees(7.3, black_pawn="e5")
    table.sees(10.0, without="f4").sees(10.3, white_knight="d5").clock(11.0, 290, 300, "right")
    table.sees(13.0, without="f6").sees(13.3, black_knight="d5").clock(14.0, 290, 297, "left")
    table.sees(16.0, without="e2").sees(16.3, white_pawn="e3").clock(17.0, 287, 297, "right")
    table.sees(19.0, without="d7").sees(19.3, black_pawn="d6").clock(20.0, 287, 294, "left")
    table.ticks(26.0)
    assert table.moves == "Nf4 e5 Nd5 Nxd5 e3 d6"


def test_a_man_taken_up_again_in_a_scramble_had_moved_to_where_he_was_shown() -> None:
    """The queen is shown on b3 for 0.23 s, after her press was read, and takes on b7 next."""
    start = "1n2k3/1p6/2p5/8/8/3Q4/8/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.clock(4.0, 297, 300, "right")
    table.sees(4.02, without="d3", white_queen="b3").sees(4.16, without="c6")
    table.sees(4.25, without="b3").sees(4.77, black_pawn="c5").sees(4.83, without="b7")
    table.sees(4.95, white_queen="b7").clock(4.96, 297, 298, "left")
    table.clock(5.1, 296, 298, "right").ticks(9.0)
    assert table.moves == "Qb3 c5 Qxb7"
    assert "withdrawn" not in "\n".join(table.script)


def test_men_of_both_who_are_gone_took_each_other_where_the_next_man_went() -> None:
    """Nobody presses; a pawn goes to d4, is taken there, and so is his taker."""
    board = Watched("rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3")
    board.engine.lose_clock(at=0.0)
    board.waits(1.0).shows("d2 d4P").waits(1.5).shows("d4").waits(1.3).shows("c5").waits(0.4)
    board.shows("d4p").waits(1.8).shows("d4").waits(0.4).shows("f3").waits(0.4).shows("d4N")
    board.waits(2.0).shows("g8").waits(0.4).shows("f6n").waits(3.0)
    assert board.moves.startswith("d2d4 c5d4 f3d4")
    assert not [each for each in board.found if isinstance(each, Withdrawn)]


@pytest.mark.parametrize(("left", "move"), [(1.3, "a8e8"), (2.5, None)])
def test_a_man_seen_on_two_squares_apart_for_long_is_two_men(left: float, move: str | None) -> None:
    position = Position(chess.Board("r6k/8/8/8/8/8/8/K7 b - - 0 1"))
    sight, cells = Sight(position.shown), list(position.shown)
    for at, square, man in ((1.0, chess.E8, "r"), (left, chess.A8, EMPTY)):
        cells[square] = man
        sight.take("".join(cells), at)
    stage = next_stage(Stage([Node(None, None, position)], 0, -math.inf), sight)
    assert (stage and stage.move.uci()) == move


def test_a_pawn_who_comes_where_a_man_might_have_gone_is_not_that_man() -> None:
    """A knight goes to a square that shows nothing; the pawn answers on another one of his."""
    table = TableTalk.ready(TableSetup(start_fen="6k1/4p3/8/1p1N4/8/3P4/8/6K1 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(4.0, without="e7").sees(4.3, black_pawn="e6").clock(4.7, 300, 298, "left")
    table.sees(6.0, without="d5").sees(6.57, black_pawn="b4").sees(6.6, without="b5")
    table.clock(6.8, 298, 298, "right").clock(7.1, 298, 298, "left").ticks(10.0)
    table.sees(11.0, without="d3").sees(11.3, white_pawn="d4").clock(12.0, 294, 298, "right")
    table.sees(14.0, without="b4").sees(14.3, black_pawn="b3").clock(15.0, 294, 296, "left")
    table.sees(17.0, white_knight="c2").clock(18.0, 290, 296, "right").ticks(24.0)
    assert table.moves == "e6 Ne3 b4 d4 b3 Nc2"


@pytest.mark.parametrize("stopped", [False, True])
def test_moves_there_and_back_that_were_pressed_for_are_moves(*, stopped: bool) -> None:
    """Queen and king go to and fro in a scramble; some presses come after the reply was made."""
    table = TableTalk.ready(TableSetup(start_fen="1Q6/pp6/5pk1/3p4/3P4/4q2K/PP6/8 w - - 0 44"))
    table.sees(4.0, without="h3", white_king="g2").clock(4.42, 16, 20, "right")
    table.sees(4.68, without="g2").sees(4.78, black_queen="e4", without="e3")
    table.sees(5.03, white_king="g3").clock(5.27, 16, 19, "left")
    table.sees(5.33, without="e4 g3", black_queen="e3").clock(5.7, 16, 19, "right")
    table.sees(5.73, white_king="g2").sees(5.78, without="e3").sees(5.93, black_queen="e4")
    table.clock(6.55, 16, 19, "left").sees(6.63, without="g2").sees(6.68, white_king="g3")
    table.clock(6.98, 15, 19, "right").clock(7.4, 15, 18, "right").sees(7.43, without="e4")
    table.sees(7.48, without="b8").sees(7.53, without="d4").sees(7.68, black_queen="d4")
    table.sees(7.93, without="b7").sees(8.08, white_queen="b7").clock(8.25, 15, 18, "left")
    table.sees(8.58, without="d4").sees(8.63, black_queen="e3").clock(8.68, 15, 18, "right")
    table.clock(9.11, 15, 17, "left").clock(12.5, 11, 17, "left", not stopped).ticks(20.0)
    assert table.moves == "Kg2 Qe4+ Kg3 Qe3+ Kg2 Qe4+ Kg3 Qxd4 Qxb7 Qe3+"
    assert "withdrawn" not in "\n".join(table.script)


SIDES: tuple[tuple[Side, Side], ...] = (("left", "right"), ("right", "left"))


def squares(table: TableTalk, told: str) -> TableTalk:
    """Report squares, each after the time at which it becomes empty (-), shows a man or any (+)."""
    words = told.split()
    for at, what in zip(words[::2], words[1::2], strict=True):
        if what[0] == "-":
            table.sees(float(at), without=what[1:])
        else:
            man = chess.Piece.from_symbol("P" if what[0] == "+" else what[0])
            name = f"{chess.COLOR_NAMES[man.color]}_{chess.piece_name(man.piece_type)}"
            table.sees(float(at), **{name: what[1:]})
    return table


def rooks() -> TableTalk:
    """Six plies are played without names; each press adds 10 s."""
    fen = "8/R7/5r1p/7k/6p1/6P1/6K1/8 w - - 0 52"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"))
    table.clock(2.0, 1090, 1090, "left")
    times = [1090, 1090]
    for number, move in enumerate(("a7b7", "f6g6", "b7g7", "g6f6", "g7a7", "f6f5")):
        at, (side, other) = 3.0 + 3 * number, SIDES[number % 2]
        table.sees(at, without=move[:2]).sees(at + 0.2, white_pawn=move[2:])
        table.clock(at + 0.6, times[0], times[1], side)
        times[number % 2] += 10
        table.clock(at + 0.7, times[0], times[1], other).ticks(at + 2.0)
    return table


def test_men_who_went_and_came_back_in_a_scramble_made_moves_if_as_many_were_pressed() -> None:
    """Five presses were made between two readings of the clock."""
    table = squares(rooks(), "23.703 -a7 23.908 +a8 24.136 -f5 24.138 +g5 24.273 +c8 24.282 -a8")
    squares(table, "24.485 +d8 24.490 -c8").clock(24.522, 1139, 1130, "right")
    squares(table, "24.554 -g5 24.748 +b5 24.900 -d8 24.914 +a8 24.957 -b5 24.960 +c5 25.150 -c5")
    squares(table, "25.159 +g5 25.312 -a8 25.470 +d8 25.521 +g6 25.541 -h5")
    squares(table.clock(25.553, 1159, 1159, "left"), "25.666 -d8 25.702 +d6")
    table.clock(26.586, 1168, 1158, "right").clock(27.617, 1168, 1157, "right")
    squares(table, "30.133 -g6 30.319 +h7").clock(30.737, 1168, 1165, "left").ticks(40.0)
    assert table.moves.endswith("Ra8 Rg5 Rd8 Rc5 Ra8 Rg5 Rd8 Kg6 Rd6+ Kh7")
    assert not table.told(MovesCorrected)


def test_men_who_were_seen_to_go_and_come_back_made_moves_though_few_presses_were_heard() -> None:
    """Black's rook goes to a2 and back to a3, White's king to f3 and back to f2, in 1.5 s."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/2p5/4k1p1/1P1R1p1p/P1r4P/5KP1/8 w - - 5 54"))
    table.clock(3.4, 16, 82, "left")
    squares(table, "3.63 -d4 3.76 Rd2 3.89 -c3 4.04 ra3 4.29 -d2 4.41 Rc2 4.48 -e5 4.64 kd6")
    squares(table.clock(4.65, 16, 81, "right"), "4.87 -c2 5.01 Rc5 5.21 -a3 5.23 ra2")
    squares(
        table.clock(5.65, 15, 81, "left"), "5.99 -f2 6.11 Kf3 6.26 -a2 6.41 ra3 6.6 -f3 6.6 Kf2"
    )
    squares(table.clock(6.63, 14, 81, "left"), "6.74 -a3 6.88 rb3 7.02 -c5 7.18 Rg5 7.33 -b3")
    squares(table, "7.42 -b4 7.54 rb4").clock(7.62, 14, 80, "left").clock(8.66, 13, 80, "left")
    squares(table, "8.75 -g5 8.9 Rh5 9.08 -c6 9.2 pc5 9.32 -f2 9.43 Kf3").clock(
        9.72, 12, 80, "right"
    )
    squares(table, "9.73 -c5 9.84 pc4 10.05 -f3 10.22 Ke4 10.41 -b4 10.55 rb2")
    table.clock(10.76, 11, 79, "left").clock(11.73, 10, 79, "left").ticks(14.0)
    table.clock(14.5, 7, 79, "left", run=False).ticks(30.0)
    assert "Rc5 Ra2+ Kf3 Ra3+ Kf2 Rb3 Rxg5 Rxb4" in table.moves
    assert not table.told(MovesCorrected)


def test_more_presses_than_plies_tell_that_men_came_back_at_once() -> None:
    """The queen goes to e1, e2 and e3, and the king to f3 and back, while others move as well."""
    fen = "8/1Q6/5pk1/3p4/8/4q3/PP4K1/8 b - - 0 49"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    table.clock(1.0, 1090, 1090, "right")
    times = [1090, 1090]
    for number, move in enumerate(("d5d4", "b7a7", "e3e2", "g2g3")):
        at, (other, side) = 3.0 + 3 * number, SIDES[number % 2]
        table.sees(at, without=move[:2]).sees(at + 0.2, white_pawn=move[2:])
        table.clock(at + 0.6, times[0], times[1], side)
        times[1 - number % 2] += 10
        table.clock(at + 0.7, times[0], times[1], other).ticks(at + 2.0)
    squares(table, "15.8 -e2 15.97 +e1").clock(16.03, 1110, 1109, "right")
    squares(table, "16.38 -d4 16.385 +f3 16.39 -g3 16.6 -a7 16.605 +d3 16.61 -e1 16.77 +b8")
    squares(table, "16.775 -f3 16.78 +e2 16.99 +g3 16.995 -e2").clock(17.03, 1140, 1138, "right")
    squares(table, "17.17 +e3").clock(18.04, 1139, 1148, "left").ticks(22.0)
    squares(table, "22.2 -g3 22.4 +g4").clock(22.9, 1144, 1148, "right").ticks(26.0)
    assert table.moves == "d4 Qa7 Qe2+ Kg3 Qe1+ Kf3 d3 Qb8 Qe2+ Kg3 Qe3+ Kg4"


def test_a_man_who_is_shown_for_a_moment_stands_there_whatever_else_is_taken_up() -> None:
    """The rook goes from e1 to e4, which hardly ever sees anybody."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/6n1/8/8/8/6P1/K3R3 w - - 0 1"))
    table.sees(4.0, without="e1").clock(4.6, 298, 300, "right").ticks(8.5)
    table.sees(9.0, white_rook="e4").sees(9.28, without="g6")
    table.sees(9.7, without="e4", black_knight="f4").ticks(10.0).clock(10.5, 298, 296, "left")
    table.sees(12.0, white_rook="e2").clock(12.6, 296, 296, "right").ticks(15.0)
    assert table.moves == "Re4+ Nf4 Re2+"


@pytest.mark.parametrize(("taken_up", "man"), [("g2", "white_pawn"), ("g7", "black_king")])
def test_a_man_who_makes_his_next_move_had_not_gone_there_before(taken_up: str, man: str) -> None:
    """The rook is thought to be on e8, whence it goes to e2 as another man is adjusted."""
    table = TableTalk.ready(TableSetup(start_fen="8/6k1/6n1/8/8/8/6P1/K3R3 w - - 0 1"))
    table.sees(4.0, without="e1").clock(4.6, 298, 300, "right").ticks(8.5)
    table.sees(9.0, without="g6").sees(9.3, black_knight="f4").clock(10.5, 298, 296, "left")
    table.ticks(11.8).sees(12.0, white_rook="e2").sees(12.1, without=taken_up).ticks(12.7)
    table.sees(12.8, **{man: taken_up}).clock(13.0, 296, 296, "right").ticks(15.0)
    table.sees(16.0, without="f4").sees(16.3, black_knight="d3").clock(17.0, 296, 294, "left")
    table.ticks(20.0).sees(21.0, without="a1").sees(21.3, white_king="b1")
    table.clock(22.0, 290, 294, "right").ticks(40.0)
    assert table.moves == "Re8 Nf4 Re2 Nd3 Kb1"
    assert not table.told(MovesCorrected)


def test_another_man_of_his_kind_does_not_show_where_who_stands_unseen_went() -> None:
    """White's rook went from f1 to d1 unseen; e1 is guessed, and the other rook goes there."""
    setup = TableSetup(start_fen="6k1/5ppp/8/8/8/8/4RPPP/5RK1 w - - 0 1")
    table = TableTalk.ready(setup)
    table.sees(4.0, without="f1").clock(5.0, 298, 300, "right").ticks(7.0)
    table.sees(9.0, without="h7").sees(9.3, black_pawn="h6").clock(10.0, 298, 296, "left")
    table.ticks(12.0).sees(14.0, without="e2").sees(14.4, white_rook="e1")
    table.clock(15.0, 294, 296, "right").ticks(18.0)
    table.sees(20.0, without="h6").sees(20.3, black_pawn="h5").clock(21.0, 294, 292, "left")
    table.ticks(26.0).sees(30.0, white_rook="d7").clock(31.0, 290, 292, "right").ticks(35.0).ends()
    assert table.moves == "Rd1 h6 Ree1 h5 Rd7"
    assert not table.told(MovesCorrected)


class Watching(TableTalk):
    """A table that looks ten times a second, as while other boards have something to tell."""

    def sees(self, at: float, *, without: str = "", **men: str) -> TableTalk:
        self._looks(at)
        return super().sees(at, without=without, **men)

    def clock(
        self, at: float, left: int, right: int, turn: Side | None, run: bool = True
    ) -> TableTalk:
        self._looks(at)
        return super().clock(at, left, right, turn, run)

    def _looks(self, until: float) -> None:
        while self._at + 0.11 < until:
            self.ticks(round(self._at + 0.1, 2))


def test_plies_on_which_both_ways_to_a_position_agree_are_not_withdrawn() -> None:
    """Knights go to and fro; then the queen is put down unseen, and goes on from another square."""
    board = chess.Board("3nkb2/pp4pp/8/8/8/8/6PP/N2QK3 w - - 0 1")
    table = Watching(TableSetup(start_fen=board.fen()))
    table.shows(0.0).clock(0.5, 300, 300, "left")
    at = 2.0
    knights = "Nb3 Ne6 Nc5 Nd8 Nb3 Ne6 Na1 Nd8 Nb3 Ne6 Nc5 Nd8 Nd3 Nc6 Nc1 Nd8 Nb3 Nc6 Na1 Nd8"
    for san in knights.split(" "):
        move = board.parse_san(san)
        board.push(move)
        table.sees(at, without=chess.square_name(move.from_square))
        table.shows(at + 0.3, board.board_fen()).clock(
            at + 0.5, 300, 300, "left" if board.turn else "right"
        )
        at = round(at + 1.5, 2)
    table.sees(at, without="d1").sees(at + 0.4, white_queen="d2").sees(at + 1.8, without="d2")
    table.sees(at + 2.3, without="f8").sees(at + 2.5, black_bishop="e7")
    table.clock(at + 2.55, 298, 300, "right").sees(at + 2.8, white_queen="c1")
    table.clock(at + 5.5, 298, 297, "left").sees(at + 11.6, without="c1")
    table.sees(at + 11.8, white_queen="a3").clock(at + 12.8, 291, 297, "right")
    table.sees(at + 16.0, without="a7").sees(at + 16.3, black_pawn="a5")
    table.clock(at + 17.0, 291, 293, "left").sees(at + 20.0, without="h2")
    table.sees(at + 20.3, white_pawn="h3").clock(at + 21.0, 288, 293, "right").ticks(at + 28.0)
    told = [fact for fact in table.told(MovesCorrected) if isinstance(fact, MovesCorrected)]
    assert [fact.ply for fact in told] == [21]
