"""Moves that are shown after the end of a game, while its clock runs on, and moves like them."""

import chess
import pytest

from bridge.core.model import GameEnded, MoveSettled, TableSetup
from tests.bridge.core.dialogue import TableTalk

PRESSED = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6")
MORE = ("O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O")


def looked_into(*sans: str, pressed: bool = True, again: bool = False) -> TableTalk:
    """Eight plies, *pressed* or not, and then *sans*, while the clock runs on for White.

    ``again``: the last one is pressed.
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
        else:
            table.clock(at + 1.0, 289 - number, 290, "left")
        table.ticks(at + 2.0)
        at += 2.0
    return table


def put_up_again(table: TableTalk, at: float = 60.0) -> list[str]:
    """Stop the clock, put the men up for the next game; return the moves of the first."""
    table.clock(at, 270, 290, "left", run=False)
    table.shows(at + 2.0, "8/8/8/8/8/8/8/8").ticks(at + 5.0)
    moves = table.shows(at + 6.0, chess.STARTING_BOARD_FEN).ticks(at + 12.0).moves
    assert [fact.by for fact in table.facts if isinstance(fact, GameEnded)] == ["abandoned"]
    return moves.split()


@pytest.mark.parametrize(("plies", "kept"), [(4, 12), (5, 8), (8, 8)])
def test_what_nobody_pressed_for_before_the_next_game_was_no_play(plies: int, kept: int) -> None:
    assert len(put_up_again(looked_into(*MORE[:plies]))) == kept


def test_it_stays_where_nobody_presses_at_all() -> None:
    assert len(put_up_again(looked_into(*MORE, pressed=False))) == 16


def test_it_stays_if_somebody_presses_at_last() -> None:
    assert len(put_up_again(looked_into(*MORE[:7], again=True))) == 15


def test_what_goes_on_without_presses_is_kept_back_for_a_while() -> None:
    table = looked_into(*MORE[:6])
    told = [fact.san for fact in table.facts if isinstance(fact, MoveSettled)]
    assert told == [*PRESSED, *MORE[:4]]
    table.ticks(80.0)
    told = [fact.san for fact in table.facts if isinstance(fact, MoveSettled)]
    assert told[: 8 + 5] == [*PRESSED, *MORE[:5]]


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
