"""A whole game played in one style, without mishaps."""

from collections.abc import Sequence
from random import Random

import chess

from drivers.simulated.hands.actions import Action, Press
from drivers.simulated.hands.handling import RESULT_SQUARES, Handling
from drivers.simulated.hands.style import Style


def play(
    start: chess.Board,
    moves: Sequence[chess.Move],
    style: Style,
    rng: Random,
    *,
    begin: float = 0.0,
) -> list[Action]:
    """Play *moves* from *start*, both players in *style*; White's time runs from *begin*.

    Every move ends with a press, so the n-th press completes the n-th ply. The actions come
    in the order of their times.
    """
    board = start.copy()
    stood = pressed = begin
    actions: list[Action] = []
    for move in moves:
        at = pressed + rng.uniform(*style.think)
        if actions and rng.random() < style.early_reply:
            at = rng.uniform(stood, pressed)
        hands = Handling(board.piece_map(), style, rng, at=at)
        hands.move(board, move)
        actions += hands.actions
        stood = hands.at
        pressed = max(pressed, stood) + rng.uniform(*style.dwell)
        actions.append(Press(pressed, board.turn))
        board.push(move)
    return sorted(actions, key=lambda action: action.at)


def show_result(
    board: chess.Board, result: str, style: Style, rng: Random, *, at: float
) -> list[Action]:
    """Put both kings on the centre squares that tell *result*, clearing these squares first.

    Raises:
        KeyError: *result* is none that kings can tell.
    """
    hands = Handling(board.piece_map(), style, rng, at=at)
    hands.show_result(*RESULT_SQUARES[result])
    return [*hands.actions]
