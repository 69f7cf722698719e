"""What a display at zero means before anybody asks who can still win (6.4, 6.8, 6.9)."""

from typing import Literal

from bridge.core.model import Colour

Meaning = Literal["game_over", "period_met", "overstepped"]
"""``overstepped``: only now the flag decides, by what the opponent can still do."""


def completed_moves(made: int, *, pressed: bool, ended_game: bool = False) -> int:
    """Return the completed ones of a player's *made* moves (6.2.1).

    The last one is complete with the press, or at once if it ended the game.
    """
    return made if pressed or ended_game or not made else made - 1


def flag_means(*, game_over: bool, completed: int, control_move: int | None) -> Meaning:
    """Tell what a fallen flag means.

    A result reached on the board stands, even with the move unpressed. A period whose moves are
    completed is met, whatever the display showed.

    Args:
        game_over: whether the game ended before.
        completed: moves the side has completed.
        control_move: the move number of its control, ``None`` where all moves are to be made.
    """
    if game_over:
        return "game_over"
    met = control_move is not None and completed >= control_move
    return "period_met" if met else "overstepped"


def both_flags(
    *, first: Colour | None, last_period: bool, rule: Literal["continue", "draw_in_last_period"]
) -> Literal["first_flag_decides", "continue", "draw"]:
    """Tell what follows when both displays are at zero (III.3.1).

    ``first``: whose flag fell first if the clock marks it; then it is a flag like any other. Where
    the game continues the next move opens the next period.
    """
    if first is not None:
        return "first_flag_decides"
    return "draw" if last_period and rule == "draw_in_last_period" else "continue"
