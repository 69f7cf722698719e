"""Where games begin and end, and what a lost link does to one."""

import gc
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import chess
import pytest

from bridge.core.inference import doubting
from bridge.core.model import (
    AlertRaised,
    GameEnded,
    GameStarted,
    MoveSettled,
    MoveTimed,
    Sensing,
    StateExplained,
    TableSetup,
)
from tests.bridge.core.accusing import accused
from tests.bridge.core.dialogue import TIMING, TableTalk

ENDGAME = "8/8/4k3/8/8/2K5/8/7R w - - 0 1"


def test_the_array_begins_the_first_game_at_once() -> None:
    TableTalk().shows(0.0).expects("game 1 begins")


def test_men_are_being_set_up() -> None:
    table = TableTalk()
    table.sees(1.0, without="a1 h8").expects()
    table.sees(5.0, white_rook="a1").ticks(50.0).expects()
    table.sees(50.0, black_rook="h8").expects("game 1 begins")


def test_the_set_up_may_come_after_the_men() -> None:
    table = TableTalk(board=ENDGAME)
    table.shows(0.0).ticks(5.0).expects()
    table.setup(6.0, TableSetup(start_fen=ENDGAME)).expects("game 1 begins")


@pytest.mark.parametrize("plies", [1, 2])
def test_joining_after_the_first_plies(plies: int) -> None:
    placement = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    if plies == 2:
        placement = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"
    table = TableTalk()
    table.clock(0.5, 280, 300, "right" if plies == 1 else "left").shows(1.0, placement).expects()
    table.ticks(3.0)
    table.expects("game 1 begins", *(["1. e4 by gap"] if plies == 2 else []))
    if plies == 1:
        table.sees(4.0, without="c7", black_pawn="c5").ticks(4.0 + TIMING.glance)
        table.expects("1. e4 by reply")
    table.clock(5.0, 280, 296, "left")
    table.sees(7.0, without="g1", white_knight="f3").clock(7.5, 277, 296, "right")
    assert table.moves == "e4 c5 Nf3"
    timed = {f.ply: f.clk_ms // 1000 for f in table.told(MoveTimed) if isinstance(f, MoveTimed)}
    assert timed[3] == 277


def test_a_game_that_went_on_too_long_is_not_joined() -> None:
    table = TableTalk()
    table.shows(1.0, "rnbqkbnr/pp2pppp/3p4/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R").ticks(60.0).expects()


def test_a_game_joined_after_three_plies_says_what_it_cannot_know() -> None:
    table = TableTalk()
    table.shows(1.0, "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(10.0)
    raised = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    assert [fact.code for fact in raised] == ["SCORESHEET_GAP"]
    assert "1. Nf3 c5 2. e4" in raised[0].text
    assert "1. e4 c5 2. Nf3" in raised[0].text
    moves = [fact.san for fact in table.facts if isinstance(fact, MoveSettled)]
    assert sorted(moves) == ["Nf3", "c5", "e4"]


@contextmanager
def no_garbage_is_collected() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_nothing_is_left_of_a_game_when_another_one_is_begun() -> None:
    """In a hall the collector looks seldom: what waited for it was 2 KB a ply."""
    with no_garbage_is_collected():
        table = TableTalk.ready()
        table.plays(4.0, "e4", "e5")
        table.link(10.0, "lost").link(70.0, "live")
        table.shows(70.0, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(72.0)
        table.sees(73.0, without="f1", white_bishop="f6").clock(74.0, 280, 290, "right").ticks(80.0)
        engine = table.table.engine
        assert engine is not None
        left = weakref.ref(engine)
        del engine
        table.orders(90.0, "1-0").shows(100.0, chess.STARTING_BOARD_FEN).ticks(120.0)
        assert table.table.game == 2
        assert left() is None


def test_analysis_after_the_end_is_ignored_until_the_array_is_held() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.orders(10.0, "1-0").expects("1. e4 by press", "1. has 300", "1-0 by arbiter")
    table.sees(11.0, without="e7", black_pawn="e5").ticks(20.0)
    table.clock(21.0, 290, 290, "right").clock(25.0, 290, 280, "left", run=False).expects()
    table.sees(30.0, without="e5 e4", black_pawn="e7", white_pawn="e2")
    table.ticks(30.9).sees(30.9, without="g1").ticks(40.0).expects()
    table.sees(41.0, white_knight="g1").ticks(41.99).expects()
    table.ticks(42.0).expects("game 2 begins")
    table.clock(45.0, 290, 290, "left").plays(50.0, "d4", clock=290)
    table.expects("1. d4 by press", "1. has 290")


def test_what_is_done_after_the_clock_was_stopped_is_no_move() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.clock(10.0, 300, 300, "right", run=False)
    table.sees(11.0, without="e7", black_pawn="e5").ticks(13.0)
    table.orders(13.5, "1-0").expects("1. e4 by press", "1. has 300", "1-0 by arbiter")


def test_the_array_in_the_middle_of_a_game_abandons_it() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "e4", "e5")
    table.facts.clear()
    table.sees(20.0, without="e4 e5", white_pawn="e2", black_pawn="e7").ticks(22.9)
    assert end < 20.0
    assert table.told(GameEnded) == []
    table.ticks(23.0)
    ended, started = table.told(GameEnded)[0], table.told(GameStarted)[0]
    assert isinstance(ended, GameEnded)
    assert (ended.result, ended.by, ended.game) == ("*", "abandoned", 1)
    assert started.game == 2


OPENING = ["d4", "d5", "c4", "e6", "Nc3", "Nf6", "Nf3", "Be7", "Bg5", "O-O", "e3", "h6"]


@pytest.mark.parametrize(
    ("shown", "another"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPR/RNBQKBNR", True),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR", True),
        ("rnbqkbnr/2pppppp/8/8/8/8/PPPPPPPR/RNBQKBNR", False),
    ],
)
def test_the_array_with_a_misread_man_abandons_a_game_that_is_far_from_it(
    shown: str, another: bool
) -> None:
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.shows(200.0, shown).ticks(210.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == another


@pytest.mark.parametrize(
    ("shown", "another"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR", True),
        ("rnbqkbnr/2pppppp/8/8/8/8/PPPPPPPP/R1BQKBNR", False),
    ],
)
def test_the_array_that_the_clock_is_started_for_abandons_a_game_at_once(
    shown: str, another: bool
) -> None:
    """One man is not seen; the position need not stand still, it has been set up."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(190.0, 290, 280, "left", run=False)
    table.shows(200.0, shown).clock(200.4, 300, 300, "left").ticks(201.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == another


@pytest.mark.parametrize("runs", [True, False])
def test_the_array_with_a_misread_man_begins_a_game_sooner_while_the_clock_runs(runs: bool) -> None:
    """The next game was put up, and its clock started, while the link was lost."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.link(190.0, "lost").link(199.9, "live").shows(
        200.0, "rnbqkbrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    )
    table.clock(200.2, 60, 60, "left", run=runs).clock(200.8, 60, 60, "left", run=runs)
    table.sees(201.6, without="d2").sees(201.9, white_pawn="d4")
    table.clock(202.2, 59, 60, "right", run=runs).ticks(203.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == runs


@pytest.mark.parametrize(("black", "begins"), [(600, True), (590, False)])
def test_the_array_with_a_misread_man_is_put_up_if_the_clock_is_set(
    black: int, begins: bool
) -> None:
    """It shows the same time for both: nobody puts men up any more."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(99.0, 290, 280, "left", run=False).orders(100.0, "1/2-1/2")
    table.clock(101.0, 600, black, "left", run=False).clock(102.0, 600, black, "left", run=False)
    table.shows(200.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPpPPPP/RNBQKBNR").ticks(204.0)
    table.sees(204.0, without="e2").sees(204.5, white_pawn="e4").ticks(208.0)
    table.sees(208.0, without="e7").sees(208.5, black_pawn="e6").ticks(212.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == begins


SPARE_QUEEN = "rnbqkbnr/pppppppp/8/6q1/8/8/PPPPPPPP/RNBQKBNR"
EXCHANGED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR"


@pytest.mark.parametrize("shown", [SPARE_QUEEN, EXCHANGED])
@pytest.mark.parametrize("runs", [False, True])
def test_men_put_up_with_a_fault_abandon_a_game_whose_clock_stands(shown: str, runs: bool) -> None:
    """Its result was never told; the arbiter is told of the fault before the next one begins."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(190.0, 290, 280, "left", run=runs)
    table.shows(200.0, shown).ticks(220.0)
    ended = [fact.by for fact in table.told(GameEnded) if isinstance(fact, GameEnded)]
    assert ended == ([] if runs else ["abandoned"])
    wrong = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert ("WRONG_SETUP" in [fact.code for fact in wrong]) != runs


def test_the_next_game_is_followed_though_a_spare_queen_stands_on_the_board() -> None:
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(190.0, 290, 280, "left", run=False)
    table.shows(200.0, SPARE_QUEEN).ticks(206.0)
    table.clock(207.0, 300, 300, "left", run=False).clock(210.0, 300, 300, "left")
    table.sees(212.0, without="e2", white_pawn="e4").clock(212.5, 299, 300, "right").ticks(214.0)
    table.sees(215.0, without="d7", black_pawn="d5").clock(215.5, 299, 299, "left").ticks(217.0)
    second = [f for f in table.told(MoveSettled) if isinstance(f, MoveSettled) and f.game == 2]
    assert [fact.san for fact in second] == ["e4", "d5"]


@pytest.mark.parametrize(("stood", "another"), [(0.9, False), (1.2, True)])
def test_the_next_game_may_begin_as_soon_as_the_men_stand(stood: float, another: bool) -> None:
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.shows(200.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").sees(
        200.0 + stood, without="e2"
    )
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == another


def test_a_game_in_which_nobody_has_moved_is_not_ended_by_a_set_up_with_a_fault() -> None:
    """Another position of the 960 is drawn and put up, king and queen exchanged at first."""
    table = TableTalk.ready(TableSetup(chess960=True))
    table.clock(1.0, 300, 300, "left", run=False)
    table.shows(10.0, "nrqkbbrn/pppppppp/8/8/8/8/PPPPPPPP/NRKQBBRN").ticks(30.0)
    assert not table.told(GameEnded)


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_the_next_game_without_a_clock_begins_soon_after_a_set_up_with_a_fault(
    sensing: Sensing,
) -> None:
    table = TableTalk.ready(TableSetup(sensing=sensing, has_clock=False), clock=False)
    at = table.plays(4.0, *OPENING) + 20.0
    table.shows(at, SPARE_QUEEN).ticks(at + 4.0)
    table.sees(at + 6.0, without="e2", white_pawn="e4").ticks(at + 20.0)
    second = [f for f in table.told(MoveSettled) if isinstance(f, MoveSettled) and f.game == 2]
    assert [fact.san for fact in second] == ["e4"]


def test_the_next_game_has_an_increment_of_its_own() -> None:
    """A reading shows two presses of 10 s, not four of the 5 s of the game before."""
    table = TableTalk.ready()
    table.sees(0.8, without="e2").sees(1.0, white_pawn="e4").clock(1.4, 305, 300, "right")
    table.sees(1.6, without="e7").sees(1.8, black_pawn="e5").clock(2.4, 305, 304, "left")
    table.orders(10.0, "1/2-1/2").clock(11.0, 600, 600, "left", run=False)
    table.shows(20.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(22.0)
    table.clock(30.0, 600, 600, "left")
    table.sees(30.2, without="d2").sees(30.4, white_pawn="d3")
    table.sees(30.6, without="f7").sees(30.8, black_pawn="f5").clock(31.0, 609, 609, "left")
    table.ticks(31.4).sees(31.6, without="a2").sees(32.0, white_pawn="b3").ticks(34.0)
    assert not accused(table)


def test_a_board_that_is_disturbed_in_the_opening_begins_no_other_game() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(20.0, without="e4 e5 h2", white_pawn="e2", black_pawn="e7").ticks(40.0)
    assert all(fact.game == 1 for fact in table.told(GameStarted))


def test_an_opening_that_is_looked_at_after_the_end_begins_no_other_game() -> None:
    """The clock runs on, and the result is entered later: it is that of the game played."""
    table = TableTalk.ready()
    line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5"
    at = table.plays(4.0, *line.split())
    boards = [chess.Board()]
    for san in line.split():
        boards.append(boards[-1].copy())
        boards[-1].push_san(san)
    for board in boards[-2:2:-1]:
        at += 0.5
        table.shows(at, board.board_fen())
    table.clock(at + 1.2, 250, 300, "left").ticks(at + 4.0).orders(at + 9.0, "1-0")
    assert not table.told(GameStarted)
    assert [fact.game for fact in table.told(GameEnded)] == [1]


@pytest.mark.parametrize("runs_before_it_is_back", [True, False])
def test_the_next_game_is_found_though_it_began_while_the_link_was_lost(
    runs_before_it_is_back: bool,
) -> None:
    """Nothing told that the last one was over, and the array stood for a moment only."""
    table = TableTalk.ready()
    at = table.plays(4.0, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "Bg4")
    table.clock(at + 2.0, 290, 290, "left", run=False).shows(at + 10.0, "8/8/8/8/8/8/8/8")
    table.shows(at + 40.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").link(at + 40.4, "lost")
    if runs_before_it_is_back:
        table.clock(at + 44.0, 600, 600, "left")
    table.link(at + 50.0, "live")
    table.shows(at + 50.0, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR")
    table.clock(at + 50.4, 595, 596, "left").clock(at + 51.4, 594, 596, "left").ticks(at + 53.0)
    table.sees(at + 54.0, without="g1").sees(at + 54.4, white_knight="f3")
    table.clock(at + 55.4, 591, 596, "right").ticks(at + 60.0)
    assert [fact.game for fact in table.told(GameStarted)] == [2]
    assert table.moves.endswith("dxc6 O-O Bg4 e4 c5 Nf3")


def test_two_plies_are_missed_while_the_link_is_lost() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.expects("1. e4 by press", "1. has 300", "2. e5 by press", "2. has 300")
    table.link(10.0, "lost").expects("link lost", "alert BOARD_DISCONNECTED")
    table.link(11.0, "lost").expects("link lost")
    table.link(70.0, "live").expects("link live", "cleared BOARD_DISCONNECTED")
    table.shows(70.0, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").expects()
    table.ticks(70.6).expects("3. Nf3 by gap", "alert SCORESHEET_GAP")
    table.clock(72.0, 290, 280, "left")  # both were pressed since the last reading
    table.expects("4. Nc6 by press", "4. has 280", "3. has about 290")
    table.plays(80.0, "Bb5", clock=280)
    table.expects("5. Bb5 by press", "5. has 280")


def test_three_plies_are_missed_while_the_link_is_lost() -> None:
    table = TableTalk.ready()
    table.link(10.0, "lost").link(70.0, "live")
    table.shows(70.0, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(71.0)
    assert table.moves == ""  # the clock will tell more
    table.clock(71.2, 280, 275, "right").ticks(71.3)
    assert table.moves in ("e4 e5 Nf3", "Nf3 e5 e4")  # nothing tells which came first


def test_a_move_that_stood_before_the_link_was_lost_is_part_of_the_line() -> None:
    """Qe6, Ng5, Qe7 and Qe7, Ng5 look the same in the end: what stood decides."""
    fen = "4k3/8/3q4/8/8/5N2/8/K7 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="d6", black_queen="e6").ticks(8.0)
    table.link(8.0, "lost").link(30.0, "live").shows(30.0, "4k3/4q3/8/6N1/8/8/8/K7").ticks(40.0)
    assert table.moves == "Qe6 Ng5"


def test_what_is_unexplained_after_the_link_came_back_waits_for_agreement() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    board = table.cells
    table.link(10.0, "lost").link(20.0, "live").shows(20.0, "8/8/8/8/8/8/8/8").ticks(30.0)
    table.cells = board
    table.shows(31.0)
    table.plays(32.0, "Nf3")
    assert table.moves == "e4 e5 Nf3"


def test_the_link_is_lost_between_games() -> None:
    table = TableTalk()
    table.link(1.0, "lost").expects("link lost")
    table.link(2.0, "stale").link(3.0, "live").expects(
        "link stale", "alert SNAPSHOT_STALE", "link live", "cleared SNAPSHOT_STALE"
    )
    table.shows(3.0).expects("game 1 begins")


def test_a_lost_link_outlives_the_end_of_the_game() -> None:
    table = TableTalk.ready()
    table.link(4.0, "lost").orders(5.0, "1/2-1/2")
    table.expects("link lost", "alert BOARD_DISCONNECTED", "1/2-1/2 by arbiter")
    table.link(9.0, "live").expects("link live", "cleared BOARD_DISCONNECTED")


def test_men_that_are_cleared_away_are_not_gone_through_for_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hundreds of boards are cleared at the same time, mostly before anybody told the results."""

    def begins(*given: object) -> NoReturn:
        pytest.fail(f"what was shown is gone through at {given[2]}")

    monkeypatch.setattr(doubting, "Retracing", begins)
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.shows(20.0, "4k3/8/8/8/8/8/8/4K3")
    men = [square for square in chess.SQUARE_NAMES if square[1] in "3456"]
    for number in range(len(men)):
        table.sees(21.0 + number, white_pawn=" ".join(men[: number + 1]))


@pytest.mark.parametrize(("shown", "guessed"), [("g6", "g5"), ("g5", "g6")])
def test_a_square_that_showed_a_man_in_the_last_game_is_not_dead(shown: str, guessed: str) -> None:
    table = TableTalk.ready()
    table.plays(2.0, "e4", shown)
    table.orders(6.0, "1-0").ticks(8.0)
    table.shows(9.0, chess.STARTING_BOARD_FEN).clock(9.5, 300, 300, "left").ticks(15.0)
    table.plays(16.0, "e4")
    table.sees(20.0, without="g7").clock(21.0, 300, 298, "left").ticks(80.0)
    assert table.moves.split()[-2:] == ["e4", guessed]


def test_analysis_that_leads_back_to_a_given_position_begins_no_game() -> None:
    start = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.sees(2.0, without="a1").sees(2.3, white_rook="a8").ticks(5.5)
    assert "1-0 by checkmate" in "\n".join(table.script)
    table.clock(6.0, 298, 300, None, run=False)
    table.sees(8.0, without="a8").sees(8.3, white_rook="a1").ticks(20.0)
    assert "game 2 begins" not in "\n".join(table.script)
    table.clock(21.0, 300, 300, "left")
    assert "game 2 begins" in "\n".join(table.script)


def test_few_men_begin_a_game_before_its_clock_if_the_last_one_began_from_elsewhere() -> None:
    """No analysis leads there."""
    table = TableTalk.ready()
    table.plays(5.0, "e4", "e5")
    table.clock(12.0, 290, 295, "left", run=False).orders(14.0, "1/2-1/2")
    table.setup(15.0, TableSetup(start_fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1"))
    table.clock(20.0, 300, 300, None, run=False).shows(21.0, "7k/8/6K1/8/8/8/8/R7").ticks(23.0)
    assert "game 2 begins" in "\n".join(table.script)
    table.sees(24.0, without="a1").sees(24.4, white_rook="b1").ticks(30.0)
    assert table.moves == "e4 e5 Rb1"


def test_a_game_begins_also_if_the_clock_is_started_after_the_first_move() -> None:
    """The men of a given position are few: analysis may have led back to it as well."""
    table = TableTalk.ready(TableSetup(start_fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1"))
    table.sees(2.0, without="a1").sees(2.3, white_rook="a8").ticks(5.5)
    table.clock(6.0, 298, 300, None, run=False)
    table.sees(8.0, without="a8").sees(8.3, white_rook="a1").ticks(25.0)
    explained = table.told(StateExplained)[-1]
    assert isinstance(explained, StateExplained)
    assert explained.text == "waiting for the clock to be started: the start position stands"
    table.sees(26.0, without="a1").sees(26.3, white_rook="b1").clock(27.0, 300, 300, "left")
    assert "game 2 begins" not in "\n".join(table.script)
    table.clock(31.0, 300, 300, "right").ticks(33.0)
    assert "game 2 begins" in "\n".join(table.script)
    assert table.moves == "Ra8# Rb1"


@pytest.mark.parametrize(("reply", "moves"), [("", "Rb1"), ("h7", "Rb1 Kh7")])
def test_it_begins_also_if_nobody_was_seen_to_press_when_the_clock_was_started(
    reply: str, moves: str
) -> None:
    """One or two plies were made by then."""
    table = TableTalk.ready(TableSetup(start_fen="7k/8/5K2/8/8/8/8/R7 w - - 0 1"))
    table.sees(2.0, without="f6").sees(2.3, white_king="g6").clock(2.8, 299, 300, "right")
    table.sees(3.0, without="h8").sees(3.3, black_king="g8").clock(3.8, 299, 299, "left")
    table.sees(4.0, without="a1").sees(4.3, white_rook="a8").ticks(7.5)
    table.clock(8.0, 298, 300, "left", run=False)
    table.shows(9.0, "7k/8/5K2/8/8/8/8/R7").ticks(20.0)
    assert "game 2 begins" not in "\n".join(table.script)
    table.sees(26.0, without="a1").sees(26.3, white_rook="b1")
    if reply:
        table.sees(27.0, without="h8").sees(27.3, black_king="h7")
    for at in range(29, 36):
        table.clock(at, 300, 300, "left" if reply else "right")
    assert "game 2 begins" in "\n".join(table.script)
    assert table.moves == f"Kg6 Kg8 Ra8# {moves}"


@pytest.mark.parametrize("new_s", [1500, 300])
def test_the_array_begins_another_game_though_play_may_have_led_back_if_the_clock_is_set(
    new_s: int,
) -> None:
    """Two knights come home after a false start, while the clock stands and is set anew."""
    table = TableTalk.ready()
    table.plays(4.0, "Nh3", "Na6", clock=297)
    table.clock(10.0, 297, 297, "left", run=False)
    table.sees(30.0, without="h3 a6").sees(31.0, white_knight="g1").sees(32.0, black_knight="b8")
    table.clock(35.0, new_s, new_s, "left", run=False).clock(36.0, new_s, new_s, "left", run=False)
    table.clock(50.0, new_s, new_s, "left").clock(51.0, new_s, new_s, "left")
    table.plays(52.0, "e4", "e5", clock=new_s)
    told = [(f.game, f.san) for f in table.told(MoveSettled) if isinstance(f, MoveSettled)]
    assert told == [(1, "Nh3"), (1, "Na6"), (2, "e4"), (2, "e5")]


def test_a_clock_that_is_set_anew_begins_another_game_after_one_move_was_put_back() -> None:
    """It never ran: the first move stood for long, and was none of the game for which it is set."""
    table = TableTalk.ready(clock=False).clock(0.5, 1500, 1500, "left", run=False)
    table.sees(4.0, without="d2").sees(4.3, white_pawn="d4").ticks(9.0)
    table.clock(9.0, 5400, 5400, "left", run=False).clock(10.0, 5400, 5400, "left", run=False)
    table.sees(11.0, without="d4").sees(11.5, white_pawn="d2").ticks(12.4)
    assert table.told(GameEnded) == []
    assert [fact.game for fact in table.ticks(12.5).told(GameStarted)] == [2]


@pytest.mark.parametrize(("stood", "begins"), [(5.0, True), (1.0, False)])
def test_a_start_position_of_few_men_with_a_stranger_ends_the_game_before(
    *, stood: float, begins: bool
) -> None:
    """A pawn of the last game stays on b4, or is shown there still; the next one is played on."""
    setup = TableSetup(has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.plays(4.0, *OPENING)
    few = "4k3/pp3ppp/8/8/8/8/PP3PPP/4K2R w - - 0 1"
    table.setup(90.0, TableSetup(has_clock=False, start_fen=few))
    table.shows(100.0, "4k3/pp3ppp/8/8/1p6/8/PP3PPP/4K2R").ticks(100.0 + stood)
    table.sees(100.0 + stood, without="h1").sees(100.5 + stood, white_rook="g1").ticks(120.0)
    second = [f for f in table.told(MoveSettled) if isinstance(f, MoveSettled) and f.game == 2]
    assert [fact.san for fact in second] == (["Rg1"] if begins else [])


def test_a_clock_that_is_set_and_started_during_the_first_move_begins_no_other_game() -> None:
    """White takes his move back while his time runs, and makes another one."""
    table = TableTalk.ready(clock=False).clock(0.5, 300, 300, "left", run=False)
    table.sees(4.0, without="e2").sees(4.4, white_pawn="e4").ticks(9.0)
    table.clock(10.0, 600, 600, "left", run=False).clock(12.0, 600, 600, "left")
    table.clock(13.0, 599, 600, "left").sees(14.0, without="e4").sees(14.4, white_pawn="e2")
    table.ticks(15.9).sees(16.0, without="d2").sees(16.4, white_pawn="d4")
    assert table.clock(17.0, 595, 600, "right").ticks(20.0).moves == "d4"
    assert table.told(GameEnded) == []
