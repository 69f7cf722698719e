"""Moves made while the link was lost: which line is believed when the board is seen again."""

import chess
import pytest

from bridge.core.inference.census import by_census, misread_at_home
from bridge.core.inference.findings import Gap, Settled, Unexplained
from bridge.core.inference.lines import lines_beside, lines_to
from bridge.core.inference.placement import BIT, with_changes
from bridge.core.inference.position import Position
from bridge.core.model import PositionAdopted, TableSetup
from drivers.cells import cells_of
from tests.bridge.core.accusing import accusations
from tests.bridge.core.dialogue import TableTalk
from tests.bridge.core.watching import Watched


def test_a_line_begins_with_the_man_that_was_in_the_air_when_the_link_was_lost() -> None:
    board = Watched("4k3/7p/8/8/8/8/P6P/4K3 w - - 0 1")
    board.waits(5.0).shows("a2").waits(0.3)
    board.misses("a3P h2 h3P h7 h6p").waits(5.0)
    (gap,) = (each for each in board.found if isinstance(each, Gap))
    assert [move.uci() for move in gap.lines[0]] == ["a2a3", "h7h6", "h2h3"]


def test_what_stood_when_the_link_was_lost_was_played_if_the_clock_says_so() -> None:
    """The queen was seen on d6; from d2 she might have gone to d3 at once."""
    board = Watched("4rk2/1q6/8/8/8/8/3Q4/K7 b - - 0 1")
    board.waits(5.0).shows("e8").waits(0.3).shows("c8r").waits(0.2)
    board.shows("d2").waits(0.3).shows("d6Q").waits(0.08)
    board.misses("d6 d3Q b7 e7q c8").waits(0.5).shows("c8r").waits(5.0).presses(chess.WHITE).waits(
        1.0
    )
    assert board.moves == "e8c8 d2d6 b7e7 d6d3"


def test_what_stood_when_the_link_was_lost_was_played_though_others_were_knocked_over() -> None:
    """The king went on by d6, where he was seen, and not by e6; the pawn is put up meanwhile."""
    board = Watched("8/p2k4/7p/2p5/8/8/5RP1/6K1 b - - 0 1")
    board.waits(5.0).shows("d6k d7").waits(0.4).shows("a7").waits(0.2)
    board.misses("d6 e5k f2 f1R a7p").runs_for(chess.WHITE).presses(chess.BLACK).waits(5.0)
    assert board.moves == "d7d6 f2f1 d6e5"


def test_a_move_that_was_made_unseen_stands_since_it_was_shown() -> None:
    board = Watched("3qk3/8/8/8/8/8/P7/4K3 b - - 0 1")
    board.waits(5.0).misses("d8 d7q a2 a3P").waits(5.0)
    first = next(each for each in board.found if isinstance(each, Settled))
    assert (first.move.uci(), first.basis, first.stood_from) == ("d8d7", "gap", 25.0)


def test_of_moves_that_fit_in_two_orders_the_likelier_one_is_taken() -> None:
    """The hanging pawn was rather taken at once; the other order is named."""
    board = Watched("4k3/8/8/3p4/7P/2N5/8/4K3 w - - 0 1")
    board.waits(5.0).misses("c3 d5N e8 d7k h4 h5P").waits(5.0)
    (gap,) = (each for each in board.found if isinstance(each, Gap))
    first, second = ([move.uci() for move in line] for line in gap.lines)
    assert first == ["c3d5", "e8d7", "h4h5"]
    assert second == ["h4h5", "e8d7", "c3d5"]


def test_one_move_is_enough_where_a_man_is_read_as_another_one() -> None:
    board = Watched("qrbnkrnb/ppppppp1/8/7p/P3P3/8/1PPP1PPP/QRBNKRNB b KQkq - 0 1")
    board.waits(5.0).misses("d7 d5p a8n c2").waits(0.6)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(0.25).shows("c2P").waits(3.0)
    assert board.moves == "d7d5"


def test_a_move_cannot_come_before_what_stood_when_it_began() -> None:
    """Where the knight was taken nothing tells when it came; but when it left was seen."""
    board = Watched("3qk1n1/8/8/6P1/8/8/P7/4K3 b - - 0 1")
    board.waits(5.0).misses("d8 d7q a2 a3P e1").waits(0.5)
    board.shows("e1K g8").waits(0.2).shows("f6n").waits(0.2)
    board.shows("f6 g5").waits(0.1).shows("f6P").waits(5.0)
    assert board.moves.startswith("d8d7 a2a3 g8f6")


@pytest.mark.parametrize(
    ("shown", "named"),
    [
        ("8/8/4B3/3K4/8/5r2/8/8", "8/8/4B3/3K4/8/5k2/8/8"),  # the king is read as a rook
        ("8/8/4R3/3K4/8/5k2/8/8", "8/8/4B3/3K4/8/5k2/8/8"),
        ("8/8/4B3/3K4/8/5q2/5r2/8", "8/8/4B3/3K4/8/5q2/5r2/8"),  # which of them is he?
    ],
)
def test_a_man_of_whom_there_are_too_many_is_the_one_who_is_missing(shown: str, named: str) -> None:
    before = cells_of(chess.Board("8/8/8/8/2BK1k2/8/8/8 w - - 0 1"))
    there, then = (cells_of(chess.Board(f"{each} w - - 0 1")) for each in (shown, named))
    assert by_census(before, there) == then


@pytest.mark.parametrize(
    ("before", "shown", "named"),
    [
        pytest.param(
            "1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R2K1",
            "1r4r1/pnpknp1p/1b3P2/8/8/B1PB1q2/P4PPP/3R2K1",
            "1r4r1/pbpknp1p/1b3P2/8/8/B1PB1q2/P4PPP/3R2K1",
            id="no knight has left a square: it is the bishop, though a pawn was taken as well",
        ),
        pytest.param(
            "rnb1kbnr/pppp1ppp/8/8/2B1Pp1q/8/PPPP2PP/RNBQK1NR",
            "rnb1kb1r/p1pp1ppp/5n2/1B6/4Pp1q/8/NPPP2PP/RNPQ1KNR",
            "rnb1kb1r/p1pp1ppp/5n2/1B6/4Pp1q/8/PPPP2PP/RNBQ1KNR",
            id="two of them, one read as the other",
        ),
        pytest.param(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppp1ppp/8/8/2B1Pp2/8/PPPP2BP/RNBQK1NR",
            "rnbqkbnr/pppp1ppp/8/8/2B1Pp2/8/PPPP2PP/RNBQK1NR",
            id="a bishop has moved, and a pawn is read as another",
        ),
        pytest.param(
            "4k3/8/8/3n4/8/5N2/8/4K2R",
            "4k3/8/8/8/3B4/8/8/4K3",
            "4k3/8/8/8/3N4/8/8/4K3",
            id="of two who are missing the one who might have come there",
        ),
        pytest.param(
            "4k2r/7B/5n2/8/8/8/8/4K3",
            "4k2r/7p/8/8/8/8/8/4K3",
            "4k2r/7n/8/8/8/8/8/4K3",
            id="who took somebody is rather one who has left than his victim",
        ),
        pytest.param(
            "4k3/P7/8/8/8/8/8/4K3",
            "Q3k3/8/8/8/8/8/8/4K3",
            "Q3k3/8/8/8/8/8/8/4K3",
            id="a pawn was promoted",
        ),
        pytest.param(
            "4k3/8/8/8/8/2R5/8/B2QK3",
            "4k3/8/8/8/8/2N5/8/4K3",
            "4k3/8/8/8/8/2R5/8/4K3",
            id="who stands where he stood",
        ),
    ],
)
def test_who_is_shown_is_another_if_none_of_his_kind_can_have_come(
    before: str, shown: str, named: str
) -> None:
    cells = (cells_of(chess.Board(f"{each} w - - 0 1")) for each in (before, shown))
    assert by_census(*cells) == cells_of(chess.Board(f"{named} w - - 0 1"))


@pytest.mark.parametrize(
    ("before", "shown", "squares"),
    [
        pytest.param("4k3/8/8/8/8/8/3P4/2B1K3", "4k3/8/8/8/8/8/3B4/2B1K3", "d2", id="own man"),
        pytest.param("4k3/8/8/8/8/8/3P4/2B1K3", "4k3/8/8/8/8/8/3B4/4K3", "", id="took his own"),
        pytest.param("4k3/8/8/8/8/8/3p4/2B1K3", "4k3/8/8/8/8/8/3B4/2B1K3", "", id="taking"),
        pytest.param("R3k3/8/8/8/8/8/8/4K3", "Q3k3/8/8/8/8/8/8/4K3", "", id="exchanged"),
        pytest.param("4k3/8/8/8/8/8/8/RN2K3", "4k3/8/8/8/8/8/8/NB2K3", "a1 b1", id="one by one"),
    ],
)
def test_who_is_read_as_another_of_his_colour_where_he_stood(
    before: str, shown: str, squares: str
) -> None:
    cells = (cells_of(chess.Board(f"{each} w - - 0 1")) for each in (before, shown))
    wrong = misread_at_home(*cells)
    assert [chess.square_name(square) for square in chess.scan_forward(wrong)] == squares.split()


def test_men_read_as_others_when_the_link_is_back_hide_no_line_of_four_plies() -> None:
    board = Watched("rnb1kbnr/pppp1ppp/8/8/2B1Pp1q/8/PPPP2PP/RNBQK1NR w KQkq - 2 4")
    board.waits(5.0).misses("e1 f1K b7 c4 b5B g8 f6n c1P a2N", seconds=5.4).waits(1.0)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(1.0).shows("g1").waits(0.4)
    board.shows("f3N").waits(1.0).presses(chess.WHITE).runs_for(chess.BLACK).waits(1.0)
    assert board.moves == "e1f1 b7b5 c4b5 g8f6 g1f3"


def test_a_man_read_as_another_one_when_the_link_is_back_hides_no_line() -> None:
    board = Watched("8/8/8/8/2BK1k2/8/8/8 w - - 0 1")
    board.waits(5.0).misses("c4 e6B d4 d5K f4 f3r").waits(3.0)
    assert board.moves.startswith("c4e6 f4f3")


def test_squares_that_are_not_believed_do_not_widen_the_search() -> None:
    fen = "r3kb1r/pp1q1ppp/2n1pn2/3p4/3PP3/5N2/PP2QPPP/RNB2RK1 w kq - 0 10"
    position = Position(chess.Board(fen))
    changes = [(chess.B1, "."), (chess.E4, "."), (chess.E5, "P"), (chess.F6, "."), (chess.D2, "n")]
    shown = with_changes(position.shown, [*changes, (chess.H7, "."), (chess.A2, ".")])
    excused = BIT[chess.H7] | BIT[chess.A2]
    line = tuple(map(chess.Move.from_uci, ("e4e5", "f6e4", "b1d2", "e4d2")))
    assert lines_to(position, shown, 4, ignored=excused) == (line,)
    shown, excused = with_changes(shown, [(chess.B7, ".")]), excused | BIT[chess.B7]
    assert not lines_to(position, shown, 4, ignored=excused)
    assert lines_beside(position, shown, 4, excused) == (line,)


def test_what_a_search_found_is_kept_for_other_readings_of_the_same_position() -> None:
    board = chess.Board()
    position = Position(board.copy())
    board.push_uci("e2e4")
    board.push_uci("e7e5")
    lines = lines_to(position, cells_of(board), 2)
    assert lines
    assert lines_to(position, cells_of(board), 2) is lines


def test_men_of_one_kind_may_follow_each_other() -> None:
    """A pawn took from c4, and another one came there: c4 shows the same before and after."""
    before = chess.Board("4k3/8/2n5/3n4/2P5/8/2P5/4K3 w - - 0 1")
    after = before.copy()
    for move in ("c4d5", "c6b8", "c2c4"):
        after.push_uci(move)
    lines = lines_to(Position(before, "identity"), cells_of(after), 3)
    assert [[move.uci() for move in line] for line in lines] == [["c4d5", "c6b8", "c2c4"]]


def test_play_that_goes_on_at_once_when_the_link_is_back_is_followed() -> None:
    """Nothing rests any more: what stood when the link was back is explained by itself."""
    board = Watched("3qk3/1p5p/8/3p4/4P3/2N5/1P5P/4K3 w - - 0 1")
    board.waits(5.0).misses("e4 d8 c3 d5N", seconds=5.0).waits(0.15).runs_for(chess.BLACK)
    for changes in ("b7", "b5p", "b2", "b3P", "h7", "h5p", "e1", "f2K", "e8", "f7k", "d5", "c3N"):
        board.shows(changes).waits(0.25)
    board.waits(6.0)
    assert board.moves.startswith("e4d5 d8d5 c3d5 b7b5 b2b3 h7h5 e1f2 e8f7")


def test_what_was_shown_before_the_link_was_lost_is_no_part_of_what_came_after_it() -> None:
    """The knight rests on f8, where he may not go: the bishop did not go back there and return."""
    board = Watched("rnbqkbnr/pppp1ppp/8/4p3/8/7N/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
    board.waits(5.0).shows("e2").waits(0.5).shows("e3P").waits(0.25)
    board.misses("f8 b4b f1 d3B", seconds=12.5).runs_for(chess.BLACK).waits(0.27)
    board.shows("d7").waits(0.5).shows("d5p").waits(1.2)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(3.0)
    for changes in ("e1 g1K", "h1 f1R"):
        board.shows(changes).waits(0.4)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(2.0)
    board.shows("c8").waits(0.6).shows("e6b").waits(0.4)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(2.0)
    board.shows("d1").waits(0.2).shows("f3Q").waits(0.8)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(9.0)
    played = "e2e3 f8b4 f1d3 d7d5 e1g1 c8e6 d1f3"
    assert board.moves == played
    assert board.shows("g8").waits(0.1).shows("f8n").waits(1.4).moves == played


@pytest.mark.parametrize(("counted", "moves"), [(True, "a8a5"), (False, "a8a7 b1d2 a7a5 d2b3")])
def test_no_more_moves_were_made_unseen_than_were_pressed(counted: bool, moves: str) -> None:
    """The knight is on b3 after one press of each player: it would need two moves to get there."""
    board = Watched("r3k3/8/8/8/8/8/8/1N2K3 b - - 0 1")
    board.waits(5.0).shows("a8").waits(0.3).shows("a5r").waits(2.0).misses("b1 b3N").waits(0.8)
    board.presses(chess.BLACK, counted=counted).presses(chess.WHITE, counted=counted)
    assert board.runs_for(chess.BLACK).waits(9.0).moves == moves
    assert any(isinstance(each, Unexplained) for each in board.found) == counted


def test_the_clock_is_read_before_moves_are_told_that_nobody_saw() -> None:
    board = Watched("r3k3/8/8/8/8/8/8/1N2K3 b - - 0 1")
    board.waits(5.0).misses("a8 a5r b1 b3N").waits(1.7)
    assert board.moves == ""
    assert board.runs_for(chess.BLACK).waits(0.1).moves == "a8a7 b1d2 a7a5"


def test_men_who_came_home_by_moves_while_the_link_was_lost_are_not_put_up() -> None:
    """Both castled behind a bishop and a queen: six squares of their ranks were filled."""
    table, board, at = TableTalk.ready(TableSetup(sensing="occupancy")), chess.Board(), 2.0
    for san in ["e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "d3", "d6", "Bg5", "Bg4"]:
        board.push_san(san)
        table.shows(at, board.board_fen())
        table.clock(at + 0.8, 290, 290, "left" if board.turn else "right").ticks(at + 2.0)
        at += 6.0
    table.link(at, "lost")
    unseen = ["Qe2", "Qe7", "O-O", "O-O"]
    for san in unseen:
        board.push_san(san)
    table.link(at + 30.0, "live").shows(at + 30.2, board.board_fen())
    for second in range(20):
        table.clock(at + 31.0 + second, 280 - second, 280, "left")
    assert table.ticks(at + 60.0).moves.split()[-4:] == unseen


def lost_without_a_clock(*uci: str) -> TableTalk:
    """Many moves are missed on a board without a clock, and *uci* are played from what stands."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(2.0, "e4", "e5")
    table.link(20.0, "lost").link(80.0, "live")
    board = chess.Board("r4rk1/ppq1bppp/2p2n2/3p4/3P4/2NB1N2/PPQ2PPP/R4RK1 w - - 0 14")
    table.shows(80.1, board.board_fen())
    for n, move in enumerate(uci):
        board.turn = bool(board.color_at(chess.parse_square(move[:2])))
        board.push_uci(move)
        table.ticks(84.0 + 4 * n).shows(84.0 + 4 * n, board.board_fen())
    return table.ticks(84.0 + 4 * len(uci))


def test_play_goes_on_from_what_stands_without_a_clock_when_moves_are_made_in_turn() -> None:
    table = lost_without_a_clock("a1d1", "a8d8", "f1e1", "f8e8")
    (adopted,) = (fact for fact in table.facts if isinstance(fact, PositionAdopted))
    assert adopted.fen.split()[:2] == ["3rr1k1/ppq1bppp/2p2n2/3p4/3P4/2NB1N2/PPQ2PPP/3RR1K1", "w"]
    board = chess.Board(adopted.fen)
    board.push_uci("h2h3")
    table.shows(105.0, board.board_fen()).ticks(112.0)
    assert table.moves.endswith(" h3")


@pytest.mark.parametrize(
    "moves",
    [
        pytest.param(("a1d1", "a8d8", "f1e1"), id="too few"),
        pytest.param(("a1d1", "f1e1", "f3e5", "c3e2"), id="of one player"),
    ],
)
def test_play_does_not_go_on_from_what_stands_where_whose_turn_it_is_is_not_told(
    moves: tuple[str, ...],
) -> None:
    assert not lost_without_a_clock(*moves).told(PositionAdopted)


@pytest.mark.parametrize(
    ("kings", "codes"),
    [
        pytest.param(("Ke2", "Ke7"), [], id="the record may be wrong"),
        pytest.param(("Ke2", "Ke7", "Ke1", "Ke8"), ["CASTLING_ILLEGAL"], id="they had moved"),
    ],
)
def test_who_stands_at_home_where_play_goes_on_may_castle_unless_he_stood_there_before(
    kings: tuple[str, ...], codes: list[str]
) -> None:
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    at = table.plays(2.0, "e4", "e5", *kings)
    table.link(at + 5.0, "lost").link(at + 60.0, "live")
    board = chess.Board("r3k2r/ppq1bppp/2p2n2/3p4/3P4/2NB1N2/PPQ2PPP/R3K2R w KQkq - 0 14")
    table.shows(at + 60.1, board.board_fen())
    for n, move in enumerate(("a2a3", "a7a6", "h2h3", "h7h6", "e1g1", "b7b6"), start=16):
        board.push_uci(move)
        table.ticks(at + 4 * n).shows(at + 4 * n, board.board_fen())
    table.ticks(at + 4 * 22)
    assert accusations(table) == codes
    assert table.moves.endswith(" O-O b6")


def test_two_men_of_whom_one_came_while_nobody_watched_made_no_single_move() -> None:
    """Seven plies were missed. Six lead to the same board, so that a move of Black's is missing."""
    fen = "r1bqk2r/1pp2ppp/2np1n2/p1b1p3/2B1P3/2PP1N2/PP3PPP/RNBQR1K1 b kq - 1 7"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right").ticks(3.0).link(4.0, "lost").link(6.0, "live")
    table.shows(6.0, "r1bq1rk1/1pp2pp1/1bnp1n1p/pN2p3/2B1P3/2PP1N1P/PP3PP1/R1BQR1K1")
    for second in range(6):
        table.clock(6.2 + second, 298 - second, 298, "left")
    table.sees(12.0, without="c1").sees(12.3, white_bishop="e3")
    for second in range(8):
        table.clock(12.6 + second, 292, 298 - second, "right")
    assert not accusations(table)


def test_who_was_in_the_air_when_the_link_was_back_may_have_gone_where_he_may_not() -> None:
    """Black's pawn moved unseen; White's rook had left by then, and is put down in sight."""
    setup = TableSetup(start_fen="4k3/p6p/8/2R5/8/8/8/4K3 b - - 0 1")
    table = TableTalk.ready(setup, clock=False)
    table.clock(1.0, 300, 300, "right").ticks(3.0).link(4.0, "lost").link(6.0, "live")
    table.shows(6.0, "4k3/7p/p7/8/8/8/8/4K3").clock(6.2, 300, 297, "left")
    table.clock(7.2, 299, 297, "left").clock(8.2, 298, 297, "left").sees(8.5, white_rook="h2")
    for second in range(24):
        table.clock(9.2 + second, 297, 297 - second, "right")
    assert accusations(table) == ["ILLEGAL_MOVE"]


def test_the_line_that_is_told_first_is_entered() -> None:
    """A step and a double step of the pawn lead to one board; the latter costs less by itself."""
    board = Watched("4k3/8/8/3p4/5p2/8/P2PP3/4K3 w - - 0 1")
    board.waits(5.0).misses("e2 f4 e3p a2 a3P").waits(5.0)
    (gap,) = (each for each in board.found if isinstance(each, Gap))
    assert [move.uci() for move in gap.lines[0]] == ["e2e3", "f4e3", "a2a3"]
    assert board.moves == "e2e3 f4e3"


def test_a_man_who_may_have_moved_unseen_was_not_knocked_to_where_he_stands() -> None:
    """White's bishop went there and back meanwhile, so that no line explains Black's two moves."""
    fen = "r4rk1/1p2bppp/p3b3/3p4/3N4/2P1B2P/PP3PP1/2KRR3 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.clock(1.0, 100, 100, "right").ticks(3.0).link(4.0, "lost").link(30.0, "live")
    table.shows(30.1, "r3r1k1/1p3ppp/p3b3/2bp4/3N4/2P1B2P/PP3PP1/2KRR3")
    for at in range(31, 40):
        table.clock(at, 90, 120 - at, "right")
    assert table.moves == ""


def test_many_plies_between_two_looks_at_the_board_are_found_though_a_man_was_touched_before() -> (
    None
):
    """What was touched and put back is no placement in which anything of them was shown."""
    board = Watched("kn5n/1b6/2p1p1p1/1BPpPpP1/pP1P1P2/P1N1K3/2N5/8 b - - 0 52")
    board.waits(1.0).shows("g5").waits(1.5).shows("g5P").waits(1.1)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(0.4).shows("b5").shows("c6")
    board.waits(0.7).presses(chess.WHITE).runs_for(chess.BLACK).waits(0.9)
    for change in ("c3", "c6b", "b7", "c7N"):
        board.shows(change)
    board.waits(0.3).presses(chess.BLACK).runs_for(chess.WHITE).waits(4.0)
    assert board.moves == "c6b5 c3b5 b7c6 b5c7"


def test_what_is_played_through_after_the_end_is_no_game_though_the_link_was_lost() -> None:
    board = Watched("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1")
    board.waits(2.0).shows("a1").waits(0.4).shows("b1R").waits(0.5)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(2.0).runs_for(None).waits(3.0)
    board.shows("a7").waits(0.4).shows("a6p").waits(2.0).shows("a2").waits(0.4).shows("a3P")
    board.waits(2.0).misses("", seconds=1.0).waits(4.0).shows("e8").waits(0.4).shows("e7k")
    assert board.waits(9.0).moves == "a1b1"


def test_presses_that_are_counted_tell_which_line_was_played() -> None:
    """White was seen to try Kh3 before the link was lost; both have pressed once by the clock."""
    board = Watched("8/5k2/5pp1/2b1p3/2N1P2P/5PK1/8/8 w - - 2 49")
    board.waits(5.0).shows("g3").waits(0.3).shows("h3K").waits(1.1)
    board.misses("h3 g4K f7 e6k", seconds=4.0)
    board.presses(chess.WHITE, counted=True).presses(chess.BLACK, counted=True).runs_for(
        chess.WHITE
    )
    assert board.waits(4.0).moves == "g3g4 f7e6"


def test_castling_is_seen_beside_a_man_who_is_away_after_a_lost_link() -> None:
    board = Watched("4k3/p7/2q5/1p6/8/8/4Q3/4K2R w K - 0 1")
    board.waits(5.0).shows("b5").waits(0.35).misses("b5 e1 g1K h1 f1R").waits(0.4)
    board.presses(chess.WHITE).waits(6.0)
    assert board.moves == "e1g1"


def test_who_was_away_long_before_the_link_was_lost_hides_no_moves() -> None:
    board = Watched("3qkb2/5p2/8/8/8/8/8/1N1Q2K1 w - - 0 1")
    board.waits(5.0).shows("d8").waits(3.0).shows("b1").waits(0.4).shows("c3N").waits(1.8)
    board.shows("f8").waits(0.08).presses(chess.WHITE).runs_for(chess.BLACK).waits(0.2)
    board.misses("b4b", seconds=6.0).waits(0.73).shows("d1 c2Q").runs_for(chess.BLACK)
    board.waits(1.1).presses(chess.BLACK).runs_for(chess.WHITE).waits(2.5)
    board.shows("f7 f6p").waits(1.0).presses(chess.WHITE).runs_for(chess.BLACK).waits(1.0)
    assert board.moves == "b1c3 f8b4 d1c2 f7f6"


@pytest.mark.parametrize(("lost", "missed"), [(0.5, False), (6.0, True)])
def test_nothing_is_missed_while_the_link_is_lost_for_a_moment_only(
    *, lost: float, missed: bool
) -> None:
    """White's knight is in the air all the while: in a longer time more may have been played."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(4.0, "e4", "e5")
    table.sees(20.0, without="g1").link(20.6, "lost").link(20.6 + lost, "live")
    table.shows(20.6 + lost).ticks(21.0 + lost)
    assert table.table.engine is not None
    assert table.table.engine.in_sight != missed


def test_another_move_was_made_while_the_link_was_lost_if_the_last_man_is_back() -> None:
    """White's knight stood on f3 for long, where no clock is: nobody had pressed for him."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(4.0, "e4", "e5")
    table.sees(20.0, without="g1").sees(20.4, white_knight="f3").ticks(40.0)
    table.link(40.0, "lost").link(46.0, "live")
    table.shows(46.0, "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR").ticks(60.0)
    table.sees(60.0, without="b8").sees(60.5, black_knight="c6").ticks(70.0)
    assert table.moves == "e4 e5 d4 Nc6"


def test_who_takes_where_a_man_was_guessed_to_have_stood_is_not_that_man() -> None:
    """A pawn like it is shown there before his own square is seen to be left."""
    board = Watched("rn2kb1r/ppp1qppp/5n2/4p3/2B1P3/1QN5/PPP2PPP/R1B1K2R b KQkq - 5 8")
    board.waits(5.0).misses("c7 c6p c1 g5B b7 c3 b5N", seconds=60.0)
    board.waits(1.0).runs_for(chess.BLACK).waits(17.0)
    board.shows("e7").waits(0.3).shows("c5q").waits(1.0).shows("c5").waits(0.6).shows("e7q")
    assert board.waits(2.0).moves == "b7b5 c3b5 c7c6 c1g5"
    board.shows("b5").waits(0.3).shows("b5p").waits(0.3).shows("c6").waits(1.0)
    board.presses(chess.BLACK).waits(2.0)
    assert board.moves.endswith("c6b5")
