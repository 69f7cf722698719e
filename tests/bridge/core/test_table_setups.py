"""Wrong set-ups: when they are told, how gravely, and what follows if nobody puts them right."""

import chess
import msgspec
import pytest

from bridge.config.rulesets import rule_set
from bridge.core.model import (
    AlertCleared,
    GameEnded,
    GameStarted,
    Sensing,
    StartFound,
    StateExplained,
    TableSetup,
)
from bridge.core.table.beginnings import SETUP_HOLD
from drivers.events import Side
from tests.bridge.core.accusing import grave
from tests.bridge.core.dialogue import TableTalk

KING_AND_QUEEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR"
BISHOP_AND_KNIGHT = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR"
ON_ITS_SIDE = "RP4pr/NP4pn/BP4pb/QP4pq/KP4pk/BP4pb/NP4pn/RP4pr"
MISSING = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"
ARRAY = chess.STARTING_BOARD_FEN
OPENING = ("Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "O-O", "O-O", "d3", "d6")
SWAPPED = "alert WRONG_SETUP KING_QUEEN_SWAPPED"


def test_a_wrong_set_up_is_told_when_it_has_stood() -> None:
    table = TableTalk()
    table.shows(0.0, KING_AND_QUEEN).ticks(SETUP_HOLD - 0.1).expects()
    table.ticks(SETUP_HOLD).expects(SWAPPED)
    assert grave(table) == [("WRONG_SETUP", "notice")]
    table.ticks(100.0).expects()
    table.shows(101.0, ARRAY).expects("cleared WRONG_SETUP", "game 1 begins")


def test_a_wrong_set_up_is_critical_when_the_clock_is_started() -> None:
    table = TableTalk()
    table.shows(0.0, KING_AND_QUEEN).clock(1.0, 300, 300, "left", run=False).ticks(15.0)
    table.expects(SWAPPED).clock(20.0, 300, 300, "left").expects(SWAPPED)
    assert grave(table) == [("WRONG_SETUP", "notice"), ("WRONG_SETUP", "critical")]
    table.clock(21.0, 299, 300, "left").expects()


def test_it_is_told_at_once_if_the_clock_is_started_soon() -> None:
    table = TableTalk()
    table.clock(0.5, 300, 300, "left", run=False)
    table.shows(1.0, KING_AND_QUEEN).clock(4.0, 300, 300, "left").expects(SWAPPED)
    assert grave(table) == [("WRONG_SETUP", "critical")]


def test_a_clock_that_was_running_all_the_time_is_no_start() -> None:
    table = TableTalk()
    table.clock(0.5, 300, 300, "left").shows(1.0, KING_AND_QUEEN).ticks(5.0).expects()
    table.ticks(11.0).expects(SWAPPED)
    assert grave(table) == [("WRONG_SETUP", "critical")]


@pytest.mark.parametrize("orientation", [False, True])
def test_play_from_a_wrong_set_up_is_recorded_from_what_stands(orientation: bool) -> None:
    table = TableTalk()
    table.rotated = orientation
    table.shows(0.0, BISHOP_AND_KNIGHT).clock(1.0, 300, 300, "left", run=False).ticks(3.0)
    table.clock(4.0, 300, 300, "left").expects("alert WRONG_SETUP BISHOP_KNIGHT_SWAPPED")
    table.sees(8.0, without="e2", white_pawn="e4").ticks(9.0).expects()
    seat = " rotated" if orientation else ""
    table.clock(9.0, 295, 300, "right")
    table.expects_soon(f"game 1 begins{seat}", "1. e4 by press", "1. has 295")
    started = [fact for fact in table.facts if isinstance(fact, GameStarted)]
    assert started[0].fen.startswith(f"{BISHOP_AND_KNIGHT} w KQkq")
    table.plays(12.0, "e5", "Ne3")
    assert table.moves == "e4 e5 Ne3"
    table.orders(60.0, "1-0")
    assert "cleared WRONG_SETUP" in table.script[-2]


@pytest.mark.parametrize(("rules", "stands"), [("rapid_a5", False), ("rapid_a4", True)])
def test_a_wrong_set_up_stands_after_ten_moves_of_each_under_a5(rules: str, stands: bool) -> None:
    table = TableTalk(TableSetup(rules=msgspec.to_builtins(rule_set(rules))))
    table.shows(0.0, KING_AND_QUEEN).clock(1.0, 300, 300, "left", run=False).ticks(3.0)
    table.clock(4.0, 300, 300, "left").sees(8.0, without="e2", white_pawn="e4")
    table.clock(9.0, 295, 300, "right").ticks(11.0)
    table.plays(12.0, "Nf6", "d3", "Ng8", *("Nf3", "Nf6", "Ng1", "Ng8") * 4, "Nc3", "Nf6")
    cleared = [fact for fact in table.facts if isinstance(fact, AlertCleared)]
    assert ("WRONG_SETUP" in {fact.code for fact in cleared}) != stands
    expired = [(fact.how, fact.text) for fact in cleared if fact.code == "WRONG_SETUP"]
    if not stands:
        assert expired[0][0] == "expired"
        assert "may not castle" in expired[0][1]


def test_who_may_not_castle_after_a_wrong_set_up() -> None:
    table = TableTalk()
    table.shows(0.0, KING_AND_QUEEN).clock(1.0, 300, 300, "left", run=False).ticks(3.0)
    table.clock(4.0, 300, 300, "left").sees(8.0, without="e2", white_pawn="e4")
    table.clock(9.0, 295, 300, "right")
    started = [fact for fact in table.facts if isinstance(fact, GameStarted)]
    assert started[0].fen.split()[2] == "kq"


def test_a_press_that_is_told_before_its_move() -> None:
    """The board tells the first move late."""
    table = TableTalk()
    table.shows(0.0, BISHOP_AND_KNIGHT).clock(1.0, 300, 300, "left", run=False).ticks(3.0)
    table.clock(4.0, 300, 300, "left").clock(7.0, 296, 300, "right")
    table.sees(7.2, without="e2", white_pawn="e4").ticks(9.0)
    table.sees(10.0, without="e7", black_pawn="e5").clock(11.0, 296, 296, "left")
    table.ticks(20.0)
    assert table.moves == "e4 e5"


def test_a_first_move_that_is_not_pressed_begins_nothing() -> None:
    table = TableTalk()
    table.shows(0.0, BISHOP_AND_KNIGHT).clock(1.0, 300, 300, "left", run=False).ticks(3.0)
    table.clock(4.0, 300, 300, "left").sees(8.0, without="e2", white_pawn="e3").ticks(60.0)
    assert table.told(GameStarted) == []
    assert grave(table) == [("WRONG_SETUP", "critical")]


def test_a_press_without_a_move_begins_nothing() -> None:
    table = TableTalk()
    table.shows(0.0, BISHOP_AND_KNIGHT).clock(1.0, 300, 300, "left").ticks(12.0)
    table.clock(13.0, 290, 300, "right").clock(20.0, 290, 293, "left").ticks(60.0)
    assert table.told(GameStarted) == []


def test_men_put_right_after_the_clock_was_started() -> None:
    table = TableTalk()
    table.shows(0.0, BISHOP_AND_KNIGHT).clock(1.0, 300, 300, "left", run=False).ticks(3.0)
    table.clock(4.0, 300, 300, "left").clock(9.0, 295, 300, "left", run=False)
    table.sees(10.0, without="f1").sees(11.0, without="g1").sees(12.0, white_bishop="f1")
    table.sees(13.0, white_knight="g1")
    table.expects("alert WRONG_SETUP BISHOP_KNIGHT_SWAPPED", "cleared WRONG_SETUP", "game 1 begins")


def test_a_board_on_its_side_is_a_warning_whether_the_clock_runs_or_not() -> None:
    table = TableTalk()
    table.shows(0.0, ON_ITS_SIDE).ticks(20.0).expects("alert BOARD_ROTATED")
    table.clock(21.0, 300, 300, "left", run=False).clock(22.0, 300, 300, "left").expects()
    assert grave(table) == [("BOARD_ROTATED", "warning")]


def test_another_wrong_set_up_is_another_alert() -> None:
    table = TableTalk()
    table.shows(0.0, ON_ITS_SIDE).ticks(20.0).expects("alert BOARD_ROTATED")
    table.shows(21.0, KING_AND_QUEEN).ticks(40.0).expects("cleared BOARD_ROTATED", SWAPPED)
    table.shows(41.0, BISHOP_AND_KNIGHT).ticks(60.0)
    table.expects("alert WRONG_SETUP BISHOP_KNIGHT_SWAPPED")


def test_men_that_are_taken_off_again_are_no_wrong_set_up() -> None:
    table = TableTalk()
    table.shows(0.0, KING_AND_QUEEN).ticks(20.0).expects(SWAPPED)
    table.shows(21.0, "8/8/8/8/8/8/8/8").ticks(40.0).expects("cleared WRONG_SETUP")


def test_who_moves_from_a_position_of_chess960_that_is_not_told_has_set_up_nothing_wrong() -> None:
    """The board sees men without names, so any of the 960 may stand; before, a man stood wrong."""
    setup = TableSetup(sensing="occupancy", chess960=True)
    table = TableTalk(setup).clock(0.5, 300, 300, "left", run=False)
    table.shows(1.0, "rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR").ticks(14.0)
    assert grave(table) == [("CHESS960_SETUP_MISMATCH", "notice")]
    table.sees(15.0, without="d3", white_pawn="d2").ticks(18.0)
    assert [fact.code for fact in table.facts if isinstance(fact, AlertCleared)] == [
        "CHESS960_SETUP_MISMATCH"
    ]
    table.clock(19.0, 300, 300, "left")
    table.sees(20.0, without="e2").sees(20.3, white_pawn="e3").clock(21.0, 299, 300, "right")
    table.ticks(40.0)
    assert grave(table) == [("CHESS960_SETUP_MISMATCH", "notice")]


def test_a_position_of_chess960_that_is_not_the_drawn_one() -> None:
    drawn = chess.Board.from_chess960_pos(100)
    other = drawn.board_fen().split("/")
    rank = other[-1]
    other[-1] = rank[1] + rank[0] + rank[2:]
    table = TableTalk(TableSetup(start_fen=drawn.fen(), chess960=True))
    table.shows(0.0, "/".join(other)).ticks(20.0)
    assert grave(table) == [("CHESS960_SETUP_MISMATCH", "notice")]


def test_another_start_position_before_the_first_move_takes_the_game_back() -> None:
    table = TableTalk.ready(clock=False)
    table.setup(5.0, TableSetup(orientation="rotated")).ticks(60.0).expects()
    assert table.table.engine is None
    assert table.table.game == 0
    table.setup(61.0, TableSetup()).expects("game 1 begins")


def test_another_time_control_before_the_first_move_is_the_one_that_is_played() -> None:
    table = TableTalk.ready(TableSetup(time_control="300+10"))
    table.setup(1.0, TableSetup(time_control="300")).expects("game 1 begins")
    table.plays(2.0, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6")
    assert not grave(table)


# -- what is no wrong set-up -----------------------------------------------------------------------


def test_men_that_are_still_missing_are_waited_for() -> None:
    table = TableTalk()
    table.shows(0.0, MISSING).ticks(60.0).expects()
    told = [fact.text for fact in table.facts if isinstance(fact, StateExplained)]
    assert told == ["waiting for the start position: e2 needs P"]


@pytest.mark.parametrize("san", ["Nf3", "e3", "Nc3"])
def test_the_first_move_is_no_wrong_set_up(san: str) -> None:
    """The clock is heard of, but stands."""
    board = chess.Board()
    board.push_san(san)
    table = TableTalk()
    table.clock(0.5, 300, 300, "left", run=False).shows(1.0, board.board_fen()).ticks(60.0)
    table.expects()


def test_an_opening_that_is_looked_at_after_a_game_is_no_wrong_set_up() -> None:
    """The men stand near their squares for a long time, and nobody stopped the clock."""
    table = TableTalk.ready()
    table.plays(4.0, "Nf3")
    table.orders(10.0, "1/2-1/2").expects("1. Nf3 by press", "1. has 300", "1/2-1/2 by arbiter")
    opening = chess.Board()
    for at, san in enumerate(OPENING, start=1):
        opening.push_san(san)
        table.shows(20.0 * at, opening.board_fen()).clock(20.0 * at + 19, 300 - at, 300, "right")
    table.ticks(300.0).expects()


def test_a_clock_left_running_after_a_game_is_not_that_of_the_next_one() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.orders(10.0, "1-0").shows(20.0, KING_AND_QUEEN)
    table.clock(25.0, 280, 300, "right").ticks(29.0)
    assert grave(table) == []
    table.ticks(60.0)
    assert grave(table) == [("WRONG_SETUP", "notice")]


# -- squares that are read wrong -------------------------------------------------------------------


def test_a_square_that_shows_nothing_is_told_when_the_game_begins() -> None:
    """Before the clock was started, a missing man could not be told from a dead square."""
    table = TableTalk()
    table.clock(0.5, 300, 300, "left", run=False).shows(1.0, MISSING).ticks(8.0)
    table.clock(9.0, 300, 300, "left").expects("game 1 begins")
    told = [fact.text for fact in table.facts if isinstance(fact, StateExplained)]
    assert told[-1] == "the game began although the board shows e2 wrong: it is not believed there"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize(
    "board",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR",
        "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPPPPP/RNBQKBNR",
    ],
    ids=["shows nothing", "shows a man where none stands"],
)
def test_without_a_clock_a_game_begins_by_its_moves_where_a_square_is_read_wrong(
    board: str, sensing: Sensing
) -> None:
    setup = TableSetup(has_clock=False, sensing=sensing)
    table = TableTalk(setup, board=board)
    table.shows(0.0).ticks(12.0)
    assert not table.told(GameStarted)
    table.sees(15.0, without="e2").sees(15.5, white_pawn="e4").ticks(25.0)
    table.sees(26.0, without="e7").sees(26.5, black_pawn="e5").ticks(35.0)
    assert len(table.told(GameStarted)) == 1
    assert table.moves == "e4 e5"


def test_a_game_begins_by_its_first_pressed_move_though_a_square_shows_a_man_too_many() -> None:
    table = TableTalk(board="rnbqkbnr/pppppppp/8/8/8/1P6/PPPPPPPP/RNBQKBNR")
    table.clock(0.5, 300, 300, "left", run=False).shows(1.0).ticks(20.0)
    table.clock(21.0, 300, 300, "left").ticks(25.0)
    table.sees(26.0, without="e2").sees(26.5, white_pawn="e4")
    table.clock(27.0, 295, 300, "right").ticks(28.0)
    assert len(table.told(GameStarted)) == 1
    assert table.moves == "e4"


@pytest.mark.parametrize("firsts", [("c", "d"), ("d", "c")])
def test_a_game_that_is_begun_late_has_its_moves_in_the_order_in_which_they_were_made(
    firsts: tuple[str, str],
) -> None:
    """A man too many is shown on a5, and men are in the air at the first two presses."""
    table = TableTalk(board="rnbqkbnr/pppppppp/8/P7/8/8/PPPPPPPP/RNBQKBNR")
    table.clock(0.5, 300, 300, "left", run=False).shows(1.0).ticks(2.5)
    first, second = firsts
    table.clock(2.5, 300, 300, "left")
    table.sees(3.0, without=f"{first}2").sees(3.3, white_pawn=f"{first}4").sees(3.4, without="e7")
    table.clock(3.5, 299, 300, "right").clock(3.8, 299, 299, "left").sees(3.9, black_pawn="e6")
    table.sees(4.4, without=f"{second}2").sees(4.8, white_pawn=f"{second}4").sees(5.0, without="b8")
    table.clock(5.1, 298, 299, "right").sees(5.4, black_knight="c6").clock(5.9, 298, 298, "left")
    table.ticks(9.0)
    assert table.moves == f"{first}4 e6 {second}4 Nc6"
    assert len(table.told(GameStarted)) == 1


@pytest.mark.parametrize(
    ("looked_at", "pause"),
    [
        (("e1 e4 white_king", "e8 d5 black_king", "e4 e1 white_king", "d5 e8 black_king"), 8.0),
        (("e2 e4 white_pawn", "e7 e5 black_pawn", "e4 e2 white_pawn", "e5 e7 black_pawn"), 1.0),
    ],
)
def test_what_was_looked_at_before_a_game_is_none_of_it(
    looked_at: tuple[str, ...], pause: float
) -> None:
    """A start position of which a1 shows nothing stands again, though not for long."""
    table = TableTalk(
        TableSetup(has_clock=False), board="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR"
    )
    table.shows(0.0).ticks(1.5)
    at = 1.6
    for number, move in enumerate(looked_at):
        origin, target, man = move.split()
        table.sees(at, without=origin).sees(at + 0.2, **{man: target})
        at += pause if number == 1 else 1.0
    table.ticks(at + 0.7)
    table.sees(at + 1.0, without="d2").sees(at + 1.2, white_pawn="d4").ticks(at + 9.0)
    table.sees(at + 9.0, without="g8").sees(at + 9.3, black_knight="f6").ticks(at + 15.0)
    assert table.moves == "d4 Nf6"
    assert not table.told(GameEnded)


def test_a_press_while_a_board_that_was_nearly_set_up_is_not_seen_begins_nothing() -> None:
    table = TableTalk(board="rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR")
    table.clock(0.5, 300, 300, "right", run=False).shows(1.0).ticks(3.0)
    table.link(4.0, "lost").clock(5.0, 300, 300, "left").ticks(9.0)
    assert not table.told(GameStarted)


def test_a_wrong_man_that_was_told_of_is_believed_to_be_misread_once_the_clock_runs() -> None:
    table = TableTalk()
    table.clock(0.5, 300, 300, "left", run=False)
    table.shows(1.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPNPPP/RNBQKBNR").ticks(20.0)
    table.expects("alert WRONG_SETUP WRONG_PIECE")
    table.clock(21.0, 300, 300, "left").expects("cleared WRONG_SETUP", "game 1 begins")


WITHOUT_B7 = "rnbqkbnr/p1pppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.mark.parametrize("seen_at_last", [True, False])
def test_a_game_begins_before_its_clock_though_a_square_shows_nothing_yet(
    seen_at_last: bool,
) -> None:
    """White has moved: it need not wait for a clock that is started late."""
    table = TableTalk(board=WITHOUT_B7)
    table.clock(0.5, 300, 300, "left", run=False).shows(1.0).ticks(12.0)
    assert not table.told(GameStarted)
    table.sees(12.1, without="e2").sees(14.4, white_pawn="e4").ticks(15.8)
    table.sees(16.0, without="e7").sees(16.4, black_pawn="e5").ticks(18.0)
    assert len(table.told(GameStarted)) == 1
    if seen_at_last:
        table.sees(18.2, black_pawn="b7")
    for at, left, man, came in (
        (19.0, "g1", "white_knight", "f3"),
        (22.0, "b8", "black_knight", "c6"),
        (25.0, "f1", "white_bishop", "c4"),
    ):
        table.sees(at, without=left).sees(at + 0.4, **{man: came}).ticks(at + 2.0)
    table.clock(28.0, 300, 300, "right").ticks(32.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bc4"


def test_a_later_game_begins_before_its_clock_is_set_though_a_square_shows_nothing() -> None:
    """Its king is not seen; nothing else happens between when it is put up and the first move."""
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.orders(8.0, "1-0").clock(9.0, 250, 299, "right", run=False)
    table.setup(10.0, TableSetup(start_fen="3r2k1/1P3ppp/8/8/8/8/2p2PPP/3R2K1 w - - 0 1"))
    table.shows(20.0, "3r4/1P3ppp/8/8/8/8/2p2PPP/3R2K1")
    table.sees(33.0, without="b7").sees(33.4, white_queen="b8").sees(34.0, without="d8")
    table.sees(34.4, black_rook="b8").ticks(50.0)
    assert len(table.told(GameStarted)) == 1, "the second one"
    assert table.moves == "e4 b8=Q Rxb8"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize("rotated", [False, True])
def test_a_game_without_a_clock_begins_where_a_square_shows_nothing_and_play_is_fast(
    rotated: bool, sensing: Sensing
) -> None:
    """The pawn that nobody sees makes the third ply, and the first answer begins before its move.

    None stands for long, and White sits at either side.
    """
    setup = TableSetup(has_clock=False, sensing=sensing)
    table = TableTalk(setup, board="rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR")
    table.rotated = rotated
    table.shows(0.0).ticks(5.0)
    assert not table.told(GameStarted)
    table.sees(8.0, without="e2").sees(8.2, without="e7").sees(8.4, white_pawn="e4")
    table.sees(8.6, black_pawn="e5").sees(9.2, white_pawn="f4").sees(9.8, without="b8")
    table.sees(10.2, black_knight="c6").sees(11.0, without="g1").sees(11.4, white_knight="f3")
    table.ticks(30.0)
    assert len(table.told(GameStarted)) == 1
    assert table.moves == "e4 e5 f4 Nc6 Nf3"


def test_men_who_are_cleared_away_begin_no_game_from_an_array_with_a_fault() -> None:
    table = TableTalk(TableSetup(has_clock=False), board=WITHOUT_B7)
    table.shows(0.0).ticks(5.0)
    for number, square in enumerate(("a2", "b2", "c2", "d2", "e2", "f2", "g2")):
        table.sees(6.0 + 0.3 * number, without=square)
    table.shows(20.0, "rnbqkbnr/p1pppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR").ticks(20.5)
    assert not table.told(GameStarted)


def test_no_game_begins_before_its_clock_where_men_are_only_tried() -> None:
    """The array had stood for 2 s only: the missing man may still be put up."""
    table = TableTalk(board=WITHOUT_B7)
    table.clock(0.5, 300, 300, "left", run=False).shows(1.0).ticks(3.0)
    for at, left, man, came in (
        (3.0, "e2", "white_pawn", "e4"),
        (6.0, "e7", "black_pawn", "e5"),
        (9.0, "d2", "white_pawn", "d4"),
    ):
        table.sees(at, without=left).sees(at + 0.5, **{man: came}).ticks(at + 3.0)
    assert not table.told(GameStarted)


def test_a_man_who_is_taken_up_before_a_game_has_taken_nobody() -> None:
    """The pawn on e4 might take the one on d5, whose square shows a man all the time."""
    start = "4k3/8/8/3p4/4P3/8/3PP3/4K3 w - - 0 1"
    setup = TableSetup(start_fen=start, sensing="occupancy")
    table = TableTalk(setup, board="4k3/8/8/3p4/4P3/8/3P4/4K3")
    table.clock(0.5, 300, 300, "left", run=False).shows(1.0).ticks(6.0)
    table.sees(7.0, without="e4").ticks(7.4).sees(7.5, white_pawn="e4").ticks(12.0)
    assert not table.told(GameStarted)


def test_castling_that_shows_nothing_begins_no_game_from_an_array_with_a_fault() -> None:
    arrays = map(chess.Board.from_chess960_pos, range(960))
    king_and_rook = chess.BB_F1, chess.BB_G1
    board = next(each for each in arrays if (each.kings & 255, each.rooks & 64) == king_and_rook)
    setup = TableSetup(chess960=True, has_clock=False, sensing="occupancy")
    board.remove_piece_at(chess.B7)
    table = TableTalk(setup, board=board.board_fen()).shows(0.0).ticks(20.0)
    assert not table.told(GameStarted)


def test_few_men_that_are_nearly_a_start_position_begin_no_game_by_analysis() -> None:
    table = TableTalk.ready(TableSetup(start_fen="8/5k2/8/3p4/3P4/8/5K2/4R3 w - - 0 1"))
    table.plays(5.0, "Ke3", "Ke6")
    table.clock(20.0, 280, 280, "left", run=False).orders(22.0, "1/2-1/2").ticks(24.0)
    table.shows(30.0, "8/5k2/8/3p4/3P4/8/5K2/8").ticks(45.0)
    table.sees(45.0, without="f2").sees(45.5, white_king="e3").ticks(48.0)
    table.sees(48.0, without="f7").sees(48.5, black_king="e6").ticks(60.0)
    assert not any("game 2" in line for line in table.script)


@pytest.mark.parametrize("clock", [True, False])
def test_a_set_up_of_a_later_game_may_be_put_right_after_its_first_move(clock: bool) -> None:
    """Black's king and queen stand exchanged, as is seen when White has moved already."""
    table = TableTalk.ready(TableSetup(has_clock=clock), clock=clock)

    def clocks(at: float, turn: Side, *, run: bool = True) -> None:
        if clock:
            table.clock(at, 300, 300, turn, run=run)

    table.plays(4.0, "e4")
    clocks(40.0, "right", run=False)
    table.orders(41.0, "1/2-1/2")
    table.shows(50.0, "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(55.0)
    clocks(56.0, "left")
    table.sees(57.0, without="b1").sees(57.5, white_knight="c3").ticks(60.0)
    table.sees(60.0, without="d8 e8").sees(61.0, black_king="e8", black_queen="d8").ticks(62.5)
    clocks(62.5, "right")
    table.sees(62.6, without="g8").sees(63.0, black_knight="f6")
    clocks(64.0, "left")
    table.ticks(66.0).sees(67.0, without="d2").sees(67.5, white_pawn="d4")
    clocks(68.5, "right")
    table.ticks(80.0)
    assert any("game 2 begins" in line for line in table.script)
    assert table.moves.endswith("Nc3 Nf6 d4")


@pytest.mark.parametrize("clock", [True, False])
def test_a_set_up_of_a_later_game_may_be_put_right_after_the_first_reply(clock: bool) -> None:
    """A knight and a bishop stand exchanged; the clock is set for the game, if there is one."""
    table = TableTalk.ready(TableSetup(has_clock=clock), clock=clock)
    table.plays(4.0, "e4")
    table.orders(41.0, "1/2-1/2")
    if clock:
        table.clock(42.0, 300, 300, "left", run=False)
    table.shows(50.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR").ticks(61.0)
    table.sees(61.0, without="c2").sees(61.5, white_pawn="c4")
    table.sees(61.8, without="d7").sees(62.3, black_pawn="d5").ticks(65.0)
    table.sees(65.0, without="f1").sees(65.4, without="g1").sees(66.0, white_knight="g1")
    table.sees(66.5, white_bishop="f1").ticks(68.0).sees(68.0, without="b1")
    table.sees(68.5, white_knight="c3").ticks(80.0)
    assert any("game 2 begins" in line for line in table.script)
    assert table.moves.endswith("c4 d5 Nc3")


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_a_man_who_is_held_in_an_analysis_is_no_wrong_set_up(sensing: Sensing, clock: bool) -> None:
    """The players go back through the game, and then on from its first two plies."""
    table = TableTalk.ready(TableSetup(has_clock=clock, sensing=sensing), clock=clock)
    table.plays(4.0, "Nf3", "Nf6", "g3", "g6")
    table.orders(41.0, "1/2-1/2")
    table.sees(60.0, without="g6").sees(60.5, black_pawn="g7").ticks(62.0)
    table.sees(62.0, without="g3").ticks(64.0).sees(64.0, white_pawn="g2").ticks(67.0)
    table.sees(67.0, without="d7").sees(67.5, black_pawn="d6").ticks(80.0)
    assert not any("game 2 begins" in line for line in table.script)


def test_a_wrong_set_up_that_was_cleared_away_tells_nothing_of_what_is_shown_later() -> None:
    table = TableTalk.ready(clock=False)
    table.plays(4.0, "e4", "e5")
    table.orders(41.0, "1/2-1/2").shows(60.0, KING_AND_QUEEN).ticks(75.0)
    table.shows(80.0, "8/8/8/8/8/8/8/8").ticks(1000.0)
    table.shows(1001.0, "rnbqkbnr/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/RNBQKB1R").ticks(1010.0)
    assert not any("game 2 begins" in line for line in table.script)


def play_from_exchanged_men(*moves: str) -> TableTalk:
    """White's king and queen stand exchanged; *moves* are made every 2 s from 20 s on."""
    table = TableTalk()
    table.shows(0.0, KING_AND_QUEEN).clock(1.0, 300, 300, "left", run=False).ticks(12.0)
    table.clock(13.0, 300, 300, "left")
    at = 20.0
    for number, move in enumerate(moves):
        origin, target, man = move.split()
        table.sees(at, without=origin).sees(at + 0.3, **{man: target})
        table.clock(at + 0.8, 290, 290, "left" if number % 2 else "right").ticks(at + 1.4)
        at += 2.0
    return table


def put_right(table: TableTalk, at: float) -> TableTalk:
    table.sees(at, without="d1 e1").sees(at + 0.8, white_queen="d1")
    return table.sees(at + 1.2, white_king="e1").ticks(at + 3.0)


def test_a_wrong_set_up_that_is_put_right_after_the_first_moves_was_always_right() -> None:
    """The moves are the same, and the kings may castle."""
    moves = ("e2 e4 white_pawn", "e7 e5 black_pawn", "g1 f3 white_knight", "b8 c6 black_knight")
    table = play_from_exchanged_men(*moves, "f1 c4 white_bishop")
    put_right(table, 31.0)
    (found,) = table.told(StartFound)
    assert isinstance(found, StartFound)
    assert found.fen == chess.STARTING_FEN
    table.sees(35.0, without="f8").sees(35.3, black_bishop="c5").clock(36.0, 290, 280, "left")
    table.sees(38.0, without="e1").sees(38.4, white_king="g1").sees(38.8, without="h1")
    table.sees(39.2, white_rook="f1").clock(40.0, 280, 280, "right").ticks(42.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"
    loud = [each for each in grave(table) if each[1] != "silent"]
    assert loud == [("WRONG_SETUP", "notice"), ("WRONG_SETUP", "critical")]
    assert sum("cleared WRONG_SETUP" in line for line in table.script) == 1
    assert len(table.told(GameStarted)) == 1


def test_a_wrong_set_up_stays_if_what_was_played_is_not_legal_from_the_right_one() -> None:
    """The king has moved two files from where he should have stood."""
    table = play_from_exchanged_men("d2 d4 white_pawn", "d7 d5 black_pawn", "d1 d2 white_king")
    table.sees(27.0, without="d2 e1").sees(27.8, white_queen="d1", white_king="e1").ticks(40.0)
    assert table.told(StartFound) == []
    assert table.moves.startswith("d4 d5")
