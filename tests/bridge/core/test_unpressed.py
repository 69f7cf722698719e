"""Moves that are shown after the end of a game, while its clock runs on, and moves like them."""

import chess
import pytest

from bridge.core.model import GameEnded, MoveSettled, TableSetup
from drivers.events import Side
from tests.bridge.core.dialogue import TableTalk
from tests.bridge.core.watching import Watched

PRESSED = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6")
MORE = ("O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O")


def looked_into(
    *sans: str, pressed: bool = True, again: bool = False, read: bool = True
) -> TableTalk:
    """Eight plies, *pressed* or not, and then *sans*, while the clock runs on for White.

    ``again``: the last one is pressed. ``read``: the clock is read meanwhile.
    """
    table, at = TableTalk.ready(), 4.0
    board = chess.Board()
    for number, san in enumerate((*PRESSED, *sans)):
        table.sees(at, without=chess.square_name(board.parse_san(san).from_square))
        white = board.turn
        board.push_san(san)
        table.shows(at + 0.4, board.board_fen())
        is_pressed = pressed if number < len(PRESSED) else again and san == sans[-1]
        if is_pressed:
            table.clock(at + 1.0, 290, 290, "right" if white else "left")
        elif read or number < len(PRESSED):
            table.clock(at + 1.0, 289 - number, 290, "left")
        table.ticks(at + 2.0)
        at += 2.0
    return table


def put_up_again(table: TableTalk, *, since: int = 30, turn: Side | None = "left") -> list[str]:
    """Stop the clock, put the men up for the next game; return the moves of the first.

    The clock is read from *since* on, as it runs on for *turn*; None: it is not read.
    """
    for at in range(since, 60, 2) if turn else ():
        table.clock(at + 0.9, 270, 290, turn)
    table.clock(60.0, 270, 290, turn or "left", run=False)
    table.shows(62.0, "8/8/8/8/8/8/8/8").ticks(65.0)
    moves = table.shows(66.0, chess.STARTING_BOARD_FEN).ticks(72.0).moves
    assert [fact.by for fact in table.facts if isinstance(fact, GameEnded)] == ["abandoned"]
    return moves.split()


@pytest.mark.parametrize(("plies", "kept"), [(2, 10), (3, 8), (8, 8)])
def test_what_nobody_pressed_for_before_the_next_game_was_no_play(plies: int, kept: int) -> None:
    assert len(put_up_again(looked_into(*MORE[:plies]), since=21 + 2 * plies)) == kept


def test_it_stays_where_nobody_presses_at_all() -> None:
    assert len(put_up_again(looked_into(*MORE, pressed=False), since=36)) == 16


def test_it_stays_where_the_clock_tells_nothing_any_more() -> None:
    """Presses are not heard then."""
    assert len(put_up_again(looked_into(*MORE, read=False), turn=None)) == 16


def test_it_stays_if_somebody_presses_at_last() -> None:
    assert len(put_up_again(looked_into(*MORE[:7], again=True), since=34, turn="right")) == 15


@pytest.mark.parametrize(("plies", "soon"), [(3, 2), (6, 0), (8, 0)])
def test_what_goes_on_without_presses_is_kept_back_for_a_while(plies: int, soon: int) -> None:
    """For long, however much follows, if it can hardly be play; the last one is only shown."""
    table = looked_into(*MORE[:plies])
    for at, more in ((0.0, 0), (80.0, soon), (400.0, plies - 1)):
        if at:
            table.ticks(at)
        told = [fact.san for fact in table.facts if isinstance(fact, MoveSettled)]
        assert told == [*PRESSED, *MORE[:more]], at


def test_a_press_tells_what_was_kept_back_for_want_of_one() -> None:
    table = looked_into(*MORE[:7], again=True)
    told = [fact.san for fact in table.facts if isinstance(fact, MoveSettled)]
    assert told == [*PRESSED, *MORE[:7]]


def test_it_stays_without_a_clock() -> None:
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    at = table.plays(2.0, *PRESSED, *MORE)
    table.shows(at + 2.0, "8/8/8/8/8/8/8/8").ticks(at + 5.0)
    moves = table.shows(at + 6.0, chess.STARTING_BOARD_FEN).ticks(at + 12.0).moves
    assert len(moves.split()) == 16


def shown_mate() -> TableTalk:
    """White shows how he would have mated."""
    table = looked_into("O-O", "Nd5", "Ng5", "Nb6", "Qh5", "Nd5")
    return table.sees(34.0, without="h5").sees(34.4, white_queen="f7").clock(35.0, 270, 290, "left")


def test_a_mate_that_nobody_pressed_for_either_ends_no_game() -> None:
    table = shown_mate()
    assert len(put_up_again(table, since=36)) == 8
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["*"]


def test_time_goes_on_after_a_mate_that_nobody_pressed_for() -> None:
    table = shown_mate().clock(40.0, 270, 290, "left", run=False).ticks(1000.0)
    assert not [fact for fact in table.facts if isinstance(fact, GameEnded)]


def test_a_mate_ends_the_game_once_it_is_pressed() -> None:
    table = shown_mate().ticks(39.0)
    table.clock(39.0, 270, 290, "right").ticks(45.0).clock(46.0, 270, 285, "right", run=False)
    table.ticks(400.0)
    assert [fact.by for fact in table.facts if isinstance(fact, GameEnded)] == ["checkmate"]


def test_what_was_made_while_no_clock_was_connected_stays() -> None:
    table = TableTalk.ready()
    at = table.plays(4.0, *PRESSED)
    table.no_clock(at + 1.0)
    board = chess.Board()
    for san in PRESSED:
        board.push_san(san)
    for number, san in enumerate(MORE[:6]):
        board.push_san(san)
        table.ticks(22.0 + 6 * number).shows(22.0 + 6 * number, board.board_fen())
    assert at < 20.0
    assert len(put_up_again(table, since=58)) == 14


def test_what_was_made_while_nobody_watched_stays() -> None:
    """Its times are those of when it was seen again."""
    board = Watched("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1")
    for ply, changes in enumerate(("e1 d1K", "e8 d8k", "d1 e1K", "d8 e8k") * 2):
        board.waits(2.0).shows(changes).waits(1.0).presses(ply % 2 == 0)
        board.runs_for(ply % 2 == 1)
    board.found += board.engine.lose_sight(at=30.0)
    for _ in range(10):
        board.waits(2.0).runs_for(chess.WHITE)
    board.shows("a2 a3P a7 a6p h2 h3P h7 h6p e1 f1K e8 f8k")
    for changes in ("f1 e1K", "f8 e8k", "e1 d1K", "e8 d8k"):
        board.waits(4.0).runs_for(chess.WHITE).shows(changes)
    board.waits(4.0).runs_for(chess.WHITE)
    assert len(board.moves.split()) == 14
    assert not board.engine.is_pressed_no_more


ROOKS = "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1"
ABOUT = ("Rb1", "Rc2", "Rd1", "Ra2", "Rb1", "Rc2", "Rd1", "Ra2", "Rb1", "Rc2")


def forgotten(*sans: str, think: float = 3.0, quick: str = "") -> TableTalk:
    """Ten plies are pressed, and *sans* are not, while the clock runs on for White.

    What follows the move *quick* is made within a moment.
    """
    table = TableTalk.ready(TableSetup(start_fen=ROOKS))
    at, board = table.plays(4.0, *ABOUT) + 2.0, chess.Board(ROOKS)
    for san in ABOUT:
        board.push_san(san)
    for san in sans:
        table.sees(at, without=chess.square_name(board.parse_san(san).from_square))
        board.push_san(san)
        table.shows(at + 0.3, board.board_fen()).clock(at + 0.5, 323 - int(at), 300, "left")
        at += 0.8 if san == quick else think if board.turn else 0.6 * think
    for later in (2.0, 4.0, 6.0):
        table.clock(at + later, 323 - int(at + later), 300, "left")
    return table


def ended(table: TableTalk) -> list[str]:
    return [fact.by for fact in table.facts if isinstance(fact, GameEnded)]


def test_a_mate_ends_the_game_though_one_press_before_it_was_forgotten() -> None:
    table = forgotten("h4", "Ra2", "Rb8#")
    assert ended(table) == ["checkmate"]
    assert table.moves.split()[-3:] == ["h4", "Ra2", "Rb8#"]


def test_what_was_answered_within_a_moment_may_have_been_pressed_between_two_readings() -> None:
    table = forgotten("h4", "Ra2", "g3", "Ra3", "Rb8#", think=1.5)
    assert ended(table) == ["checkmate"]


def test_moves_before_the_kings_show_the_result_stay_though_few_of_them_were_not_pressed() -> None:
    table = forgotten("h4", "Ra2", "Kh2")
    for at in range(40, 90):
        table.clock(at, 323 - at, 300, "left")
    table.clock(90.0, 235, 300, "left", run=False).ticks(91.0)
    table.sees(92.0, without="h2").sees(92.5, white_king="e4")
    table.sees(94.0, without="g8").sees(94.5, black_king="e5").ticks(110.0)
    assert ended(table) == ["kings"]
    assert table.moves.split()[-3:] == ["h4", "Ra2", "Kh2"]


@pytest.mark.parametrize(
    ("sans", "quick", "kept"),
    [
        (("h4", "Ra2", "Kh2", "Ra3", "Kg1", "Ra2"), "Kg1", 10),
        (("h4", "Ra2", "Kh2", "Ra3", "Kg1", "Ra2"), "", 10),
        (("h4", "Ra2", "Kh2", "Ra3", "Kg1", "Ra2"), "h4", 16),
    ],
)
def test_a_quick_answer_tells_of_no_press_once_the_game_must_be_over(
    sans: tuple[str, ...], quick: str, kept: int
) -> None:
    """More than two plies that nobody pressed for went before it."""
    table = forgotten(*sans, quick=quick)
    table.facts += table.table.end(50.0)
    assert len(table.moves.split()) == kept


def test_who_is_only_taken_up_when_nothing_more_comes_took_nobody() -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(2.0, "e4", "d5")
    table.sees(8.0, without="e4").ticks(28.0).ends()
    assert table.moves == "e4 d5"


@pytest.mark.parametrize(("stood", "moves"), [(13.0, "e4 e5 Nf3"), (5.0, "e4 e5")])
def test_who_stands_for_long_when_nothing_more_comes_was_moved(stood: float, moves: str) -> None:
    """The clock runs on for his player: the press was forgotten, or the game not ended there."""
    table = TableTalk.ready()
    table.plays(2.0, "e4", "e5")
    table.sees(8.0, without="g1").sees(8.3, white_knight="f3").ticks(8.3 + stood).ends()
    assert table.moves == moves
