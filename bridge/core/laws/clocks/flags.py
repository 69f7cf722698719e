"""What a fallen flag means, and two of them (6.4, 6.8, 6.9)."""

from typing import Literal, NamedTuple

from bridge.core.laws.clocks.times import other
from bridge.core.model import Colour

Winnable = Literal["can", "cannot", "undetermined"]
"""Whether a side can still win by the rule set's measure; never a guess."""

Outcome = Literal["game_over", "period_met", "loss", "draw_no_mate", "undetermined"]


class FlagVerdict(NamedTuple):
    """What the flag decides and the words of the suggestion.

    ``winner`` is ``None`` unless a flag decides for a side.
    """

    outcome: Outcome
    winner: Colour | None
    text: str


def completed_moves(made: int, *, pressed: bool, ended_game: bool = False) -> int:
    """Return the completed ones of a player's *made* moves (6.2.1).

    The last one is complete with the press, or at once if it ended the game.
    """
    return made if pressed or ended_game or not made else made - 1


def flag_fall(
    fallen: Colour,
    *,
    game_over: str | None,
    completed: int,
    control_move: int | None,
    opponent: Winnable,
) -> FlagVerdict:
    """Judge the flag of one side.

    A result reached on the board stands, even with the move unpressed; a period whose moves are
    completed is met, whatever the display showed. Only then the flag decides.

    Args:
        fallen: whose flag it is.
        game_over: how the game ended before, in words, or ``None``.
        completed: moves the side has completed.
        control_move: the move number of its control, ``None`` where all moves are to be made.
        opponent: whether the opponent can win by the measure of the rule set.
    """
    if game_over is not None:
        return FlagVerdict("game_over", None, f"{game_over} stands: the flag fell later")
    if control_move is not None and completed >= control_move:
        return FlagVerdict(
            "period_met", None, "no loss: the requirement of the period was met, next period added"
        )
    winner = other(fallen)
    name = winner.capitalize()
    if opponent == "can":
        return FlagVerdict("loss", winner, f"loss on time: {name} can still mate")
    if opponent == "cannot":
        return FlagVerdict("draw_no_mate", None, f"draw: {name} cannot mate by any legal moves")
    return FlagVerdict(
        "undetermined", None, f"undetermined whether {name} can still mate: the arbiter judges"
    )


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
