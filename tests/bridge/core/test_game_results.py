"""How a game ends: kings in the centre, mate and stalemate, and which move still counts."""

import pytest

from bridge.core.model import (
    GameEnded,
    MoveTimed,
    Result,
    Sensing,
    SetResult,
    TableSetup,
)
from tests.bridge.core.accusing import raised
from tests.bridge.core.arbiter import Arbiter
from tests.bridge.core.dialogue import TIMING, TableTalk

ENDGAME = "8/8/4k3/8/8/2K5/8/7R w - - 0 1"
CENTRE = {"light": ("e4", "d5"), "dark": ("d4", "e5")}
LIGHT, DARK = CENTRE["light"], CENTRE["dark"]
GESTURES: list[tuple[str, str, Result]] = [
    *((w, b, "1-0") for w, b in [LIGHT, LIGHT[::-1]]),
    *((w, b, "0-1") for w, b in [DARK, DARK[::-1]]),
    *((w, b, "1/2-1/2") for w in LIGHT for b in DARK),
    *((w, b, "1/2-1/2") for w in DARK for b in LIGHT),
]


@pytest.mark.parametrize("put_down", [True, False])
def test_kings_in_the_centre_show_nothing_while_other_men_are_moved(put_down: bool) -> None:
    """The game is looked at; a man who is only taken up is cleared away."""
    table = TableTalk.ready()
    table.plays(4.0, "d4", "d5", "c4", "dxc4")
    table.clock(19.0, 300, 300, "left", run=False)
    table.sees(25.0, without="d4 d5 e1 e8", white_king="d4").sees(26.0, black_king="d5")
    table.sees(28.0, without="b1")
    if put_down:
        table.sees(29.0, white_knight="c3")
    table.ticks(32.0)
    assert bool(table.told(GameEnded)) != put_down
    table.ticks(35.0)
    assert table.told(GameEnded)


@pytest.mark.parametrize(("white", "black", "result"), GESTURES)
@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("others", ["all", "some", "none"])
def test_the_kings_show_the_result(
    white: str, black: str, result: Result, clock: bool, others: str
) -> None:
    table = TableTalk.ready(clock=clock)
    table.plays(4.0, "e4", "e5", "Nf3")
    if clock:
        table.clock(19.0, 300, 300, "right", run=False)
    moves = table.moves
    gone = {"all": "e4 e5", "some": "e4 e5 f3 a1 b1 h8 d7", "none": "e4 e5"}[others]
    table.sees(25.0, without=f"{gone} e1 e8", white_king=white)
    if others == "none":
        rest = [f"{f}{r}" for f in "abcdefgh" for r in "1278"]
        table.sees(25.5, without=" ".join(rest))
    table.sees(26.0, black_king=black).ticks(30.9)
    assert table.told(GameEnded) == []
    table.ticks(31.0)
    ended = table.told(GameEnded)[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.result, ended.by) == (result, "kings")
    assert table.moves == moves == "e4 e5 Nf3"


@pytest.mark.parametrize("pressed", [True, False])
def test_a_move_that_was_pressed_for_counts_however_soon_the_kings_show_the_result(
    pressed: bool,
) -> None:
    """A link that told all of it late, and nothing is known to have stood for a while."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(20.0, without="g1", white_knight="f3")
    if pressed:
        table.clock(20.0, 300, 300, "right")
    table.clock(20.0, 300, 300, "right" if pressed else "left", run=False)
    table.sees(20.0, without="e1 e4", white_king="e4").sees(21.0, without="e8 e5")
    table.sees(21.5, black_king="e5").ticks(30.0)
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1/2-1/2"]
    assert table.moves == ("e4 e5 Nf3" if pressed else "e4 e5")


def test_kings_that_meet_for_a_moment_are_nothing() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.expects("1. e4 by press", "1. has 300")
    table.sees(20.0, without="e1 e8 e4").sees(21.0, white_king="e4", black_king="d5")
    table.ticks(25.9).sees(25.9, without="d5").ticks(60.0).expects()
    table.sees(61.0, without="e4", white_king="e1", black_king="e8", white_pawn="e4")
    table.plays(63.0, "e5")
    table.expects("2. e5 by press", "2. has 300")


def test_other_men_may_be_cleared_while_the_kings_stand() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e1 e8", white_king="e4", black_king="d5")
    for at, square in ((5.0, "a1"), (6.0, "b1"), (7.0, "c8"), (8.5, "d8")):
        table.sees(at, without=square)
    table.ticks(9.0).expects("1-0 by kings")


def test_kings_that_change_their_squares_begin_anew() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e1 e8", white_king="e4", black_king="d5")
    table.sees(7.0, without="d5", black_king="e5").ticks(11.9).expects()
    table.ticks(12.0).expects("1/2-1/2 by kings")


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_kings_that_are_put_right_later_correct_the_result(sensing: Sensing) -> None:
    """Whoever placed them, or an arbiter, sees that they tell another result."""
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME, sensing=sensing))
    table.sees(4.0, without="e6 c3", white_king="d4", black_king="d5").ticks(9.0)
    table.expects("1/2-1/2 by kings")
    table.sees(11.0, without="h1").sees(12.0, without="d5").sees(12.6, black_king="e5")
    table.ticks(12.5 + TIMING.gesture).expects()
    table.ticks(12.6 + TIMING.gesture).expects("0-1 by kings")
    asked = [alert for alert in raised(table) if alert.code == "RESULT_BY_KINGS"]
    assert [alert.remedy for alert in asked] == ["confirm 1/2-1/2", "confirm 0-1"]
    table.ticks(60.0).sees(60.0, without="d4 e5").ticks(90.0).expects()
    assert table.told(GameEnded)[-1].game == 1


def test_what_no_two_kings_alone_can_be_corrects_no_result() -> None:
    """Without names men who were put elsewhere may be any: the last position is looked into."""
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME, sensing="occupancy"))
    table.sees(4.0, without="e6 c3", white_king="d4", black_king="d5").ticks(9.0)
    table.expects("1/2-1/2 by kings")
    table.sees(12.0, without="d5 h1", black_king="e5", white_rook="h5").ticks(40.0).expects()


def test_the_kings_correct_no_result_that_an_arbiter_has_entered() -> None:
    table = Arbiter(TableSetup(start_fen=ENDGAME))
    table.shows(0.0).clock(0.5, 300, 300, "left")
    table.sees(4.0, without="e6 c3", white_king="d4", black_king="d5").ticks(9.0)
    table.rules(SetResult(result="1-0", because="arbiter"))
    table.sees(12.0, without="d5", black_king="e5").ticks(40.0)
    assert [(f.result, f.by) for f in table.facts if isinstance(f, GameEnded)] == [
        ("1/2-1/2", "kings"),
        ("1-0", "arbiter"),
    ]


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("later", [TIMING.gesture, 0.5 + TIMING.rest + TIMING.gesture])
def test_a_legal_step_of_a_king_belongs_to_the_signal(clock: bool, later: float) -> None:
    """A step into the centre is waited for; one that was believed after all is taken back."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/8/4k3/8/3K4/8/7R b - - 0 1"), clock=False)
    if clock:
        table.clock(1.0, 300, 300, "right")
    believed = not clock and later > TIMING.gesture
    table.sees(4.0, without="e5", black_king="d5").ticks(4.0 + later)
    table.expects(*(["1. Kd5 by rest"] if believed else []))
    table.sees(4.0 + later, without="d3", white_king="e4").ticks(4.0 + later + TIMING.gesture)
    table.expects(*(["withdrawn 1 from 1."] if believed else []), "1-0 by kings")
    assert table.moves == ""


def test_a_king_who_stood_in_the_centre_for_long_before_the_other_one_came_had_moved_there() -> (
    None
):
    table = TableTalk.ready(TableSetup(start_fen="8/8/8/4k3/8/3K4/8/7R b - - 0 1"), clock=False)
    table.sees(4.0, without="e5", black_king="d5").ticks(14.5)
    table.sees(14.5, without="d3", white_king="e4").ticks(30.0)
    table.expects("1. Kd5 by rest", "1-0 by kings")
    assert table.moves == "Kd5"


def test_a_king_who_goes_on_in_the_centre_for_the_signal_had_moved_there() -> None:
    """The other one is in a hand meanwhile, so that no move is shown any more."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/4k3/6P1/5K2/8/8/8 b - - 0 1"), clock=False)
    table.sees(4.0, without="e6", black_king="d5").ticks(12.0)
    table.sees(12.0, without="f4").sees(12.7, without="f4 d5")
    table.sees(13.9, black_king="e5").sees(14.4, white_king="d4").ticks(30.0)
    table.expects("1. Kd5 by end", "0-1 by kings")
    assert table.moves == "Kd5"


def test_the_last_move_settles_before_the_signal() -> None:
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME))
    table.sees(4.0, without="h1", white_rook="h8").ticks(6.0).expects()
    table.sees(6.0, without="e6", black_king="e5").ticks(6.0 + TIMING.carried)
    table.expects("1. Rh8 by reply")
    table.sees(7.0, without="c3", white_king="d4").ticks(20.0)
    table.expects("1. has about 300", "0-1 by kings")
    assert table.moves == "Rh8"


def test_the_last_move_settles_with_the_signal_when_no_reply_was_shown() -> None:
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME))
    table.sees(4.0, without="h1", white_rook="h8").ticks(6.0).expects()
    table.sees(6.0, without="e6 c3", black_king="e5", white_king="d4").ticks(20.0)
    table.expects("1. Rh8 by end", "1. has about 300", "0-1 by kings")


def test_a_slide_that_a_signal_interrupts_is_no_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME))
    table.sees(4.0, without="h1", white_rook="h2").sees(4.2, without="h2", white_rook="h1")
    table.sees(5.0, without="h1", white_rook="h2")
    table.sees(5.3, without="e6 c3", black_king="e5", white_king="d4").ticks(20.0)
    table.expects("0-1 by kings")


@pytest.mark.parametrize("pressed", [True, False])
def test_mate_ends_the_game(pressed: bool) -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "f3", "e5", "g4")
    table.facts.clear()
    table.sees(end + 1, without="d8", black_queen="h4").ticks(end + 1.5)
    assert table.moves == ""
    if pressed:
        table.clock(end + 1.5, 300, 299, "left")
    table.ticks(end + 5.0)
    assert table.moves == "Qh4#"
    last = table.told(GameEnded)
    assert [(f.result, f.by) for f in last if isinstance(f, GameEnded)] == [("0-1", "checkmate")]
    times = table.told(MoveTimed)[-1]
    assert isinstance(times, MoveTimed)
    assert (times.ply, times.estimated) == (4, not pressed)


def test_stalemate_ends_the_game() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/8/8/5Q2/8/8/8/K7 w - - 0 1"))
    table.sees(4.0, without="f5", white_queen="g6").ticks(6.9).expects()
    table.ticks(7.0).expects("1. Qg6 by end", "1. has about 300", "1/2-1/2 by stalemate")


@pytest.mark.parametrize("how", ["order", "piece"])
def test_a_result_is_entered_or_set_down(how: str) -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.expects("1. e4 by press", "1. has 300")
    table.sees(20.0, without="e7", black_pawn="e5").ticks(20.5)
    if how == "order":
        table.sees(21.0, without="g1").orders(22.0, "0-1")
    else:
        table.result_piece(22.0, "0-1")
    by = "arbiter" if how == "order" else "piece"
    table.expects("2. e5 by end", "2. has about 300", f"0-1 by {by}")
    table.orders(23.0, "1-0").result_piece(24.0, "1-0").expects("alert RESULT_CONFLICT")


def test_a_move_that_did_not_stand_is_not_counted_at_the_end() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").orders(4.5, "1-0").expects("1-0 by arbiter")


def test_a_move_that_was_taken_back_is_not_counted_at_the_end() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").sees(8.0, without="a2 e4", white_pawn="e2")
    table.orders(9.0, "1-0").expects("1-0 by arbiter")


def test_a_move_in_the_air_at_the_end_is_not_counted() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2").orders(8.0, "1-0").expects("1-0 by arbiter")


def test_an_order_that_finds_a_mate_on_the_board_ends_with_the_mate() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "f3", "e5", "g4")
    table.facts.clear()
    table.sees(end + 1, without="d8", black_queen="h4").orders(end + 2, "1-0")
    ended = [(f.result, f.by) for f in table.told(GameEnded) if isinstance(f, GameEnded)]
    assert ended == [("0-1", "checkmate")]


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_without_a_clock_a_king_may_show_the_result_where_the_last_man_came_from(
    sensing: Sensing,
) -> None:
    """The move before had stood, though not for long."""
    start = "6k1/8/8/3q4/8/8/8/6K1 b - - 0 1"
    setup = TableSetup(has_clock=False, start_fen=start, sensing=sensing)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="d5").sees(4.3, black_queen="a5").ticks(6.5)
    table.sees(6.6, without="g1").sees(7.3, white_king="d5").ticks(9.5)
    table.sees(9.6, without="g8").sees(10.3, black_king="e4").ticks(20.0)
    assert table.moves == "Qa5"
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1-0"]


@pytest.mark.parametrize(("stood", "moves"), [(7.5, "Kd4"), (2.5, "")])
def test_without_a_clock_a_king_who_stood_in_the_centre_before_he_shows_it_elsewhere_had_moved(
    stood: float, moves: str
) -> None:
    """Black's king comes to d4, and shows the draw from e4, where a pawn stood."""
    start = "8/p5r1/7R/4k3/4Pp2/1B2nP2/P3K2P/8 b - - 2 39"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=start), clock=False)
    at = 4.3 + stood
    table.sees(4.0, without="e5").sees(4.3, black_king="d4")
    table.sees(at, without="e4").sees(at + 0.2, without="d4").sees(at + 0.8, black_king="e4")
    table.sees(at + 1.5, without="e2").sees(at + 2.0, white_king="e5").ticks(at + 12.0)
    assert table.moves == moves
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1/2-1/2"]


def test_a_man_who_makes_room_for_the_king_of_the_result_took_nobody() -> None:
    """The bishop on e4 is taken off, White's king put there instead, then Black's on d5."""
    start = "8/4k1p1/8/1p2P1Kp/4b2P/8/1P4P1/6N1 w - - 0 1"
    setup = TableSetup(has_clock=False, sensing="occupancy", start_fen=start)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="g1").sees(4.3, white_knight="e2").ticks(9.0)
    table.sees(10.0, without="e4").sees(10.8, without="g5").sees(11.3, white_king="e4")
    table.sees(12.7, without="e7").sees(13.8, black_king="d5").ticks(25.0)
    assert table.moves == "Ne2"
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1-0"]


@pytest.mark.parametrize(("put_back", "moves"), [(False, "d4"), (True, "")])
def test_a_man_who_makes_room_for_a_king_that_shows_the_result_has_moved(
    put_back: bool, moves: str
) -> None:
    setup = TableSetup(start_fen="6k1/7p/8/8/8/8/3P4/6K1 w - - 0 1")
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="d2").sees(4.3, white_pawn="d4").sees(7.0, without="d4")
    if put_back:
        table.sees(7.3, white_pawn="d2")
    table.sees(8.0, without="g1").sees(8.5, white_king="d4")
    table.ticks(10.0).sees(10.0, without="g8").sees(10.5, black_king="e5").ticks(17.0)
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["0-1"]
    assert table.moves == moves


@pytest.mark.parametrize(("stood", "moves"), [(1.2, "c6"), (0.5, "")])
def test_who_stands_still_had_stood_before_the_kings_whatever_else_flickered(
    stood: float, moves: str
) -> None:
    """The knight is not read for most of the time until the kings are taken up."""
    start = TableSetup(start_fen="4n3/1p5p/8/PpP1Bp2/5p2/3K1P1k/7P/8 w - - 0 36", has_clock=False)
    table = TableTalk.ready(start, clock=False)
    table.sees(4.0, without="c5").sees(4.2, without="e8", white_pawn="c6")
    table.sees(4.1 + stood, black_knight="e8").sees(4.2 + stood, without="d3")
    table.sees(4.6 + stood, white_king="e4").sees(6.5, without="h3").sees(7.0, black_king="d5")
    table.ticks(15.0)
    assert table.moves == moves
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1-0"]


@pytest.mark.parametrize(("white", "moves"), [("6B1", "Kxg7"), ("7B", "")])
def test_a_king_who_takes_a_man_has_moved_though_he_shows_the_result_soon(
    white: str, moves: str
) -> None:
    """Nobody presses for it, and he stands there for hardly more than a second."""
    place = f"6k1/{white}/5p2/8/8/8/5P2/6K1"
    table = TableTalk.ready(TableSetup(start_fen=f"{place} b - - 0 40"), clock=False)
    table.clock(1.0, 300, 300, "right")
    if moves:
        table.sees(4.0, without="g7")
    table.sees(4.6, without="g8").sees(4.8, black_king="g7").ticks(6.0)
    table.sees(6.0, without="g7").sees(6.6, black_king="d4")
    table.sees(7.5, without="g1").sees(8.0, white_king="e5").ticks(14.0)
    assert [f.result for f in table.told(GameEnded) if isinstance(f, GameEnded)] == ["0-1"]
    assert table.moves == moves


@pytest.mark.parametrize(("taken_up", "moves"), [(8.0, "Kxd4"), (5.0, "")])
def test_a_king_who_took_a_man_in_the_centre_has_moved_if_the_other_comes_much_later(
    taken_up: float, moves: str
) -> None:
    """Else his square was cleared for him to show the result."""
    setup = TableSetup(has_clock=False, start_fen="8/8/8/4k3/3Q4/8/8/4K3 b - - 0 60")
    table = TableTalk.ready(setup, clock=False).sees(4.0, without="e5").sees(4.3, without="d4")
    table.sees(4.6, black_king="d4").sees(taken_up, without="e1")
    table.sees(taken_up + 0.8, white_king="d5").ticks(20.0)
    assert [f.result for f in table.told(GameEnded) if isinstance(f, GameEnded)] == ["1/2-1/2"]
    assert table.moves == moves
    assert "MOVE_AFTER_GAME_END" not in [alert.code for alert in raised(table)]


def test_a_king_stood_where_he_had_moved_while_the_other_one_went_to_the_centre() -> None:
    """He wobbled, and is taken up to show the result only then."""
    start = "8/8/8/6k1/8/8/7P/2K5 w - - 0 60"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=start), clock=False)
    table.sees(4.0, without="c1").sees(4.6, white_king="d2").sees(4.8, without="d2")
    table.sees(5.0, white_king="d2").sees(5.4, without="g5").sees(6.4, black_king="e4")
    table.sees(9.0, without="d2").sees(9.6, white_king="d5").ticks(20.0)
    assert [f.result for f in table.told(GameEnded) if isinstance(f, GameEnded)] == ["1-0"]
    assert table.moves == "Kd2"
