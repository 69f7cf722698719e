"""Why a player may have stopped both clocks: reasons to offer, never a conclusion (6.11).

Stopping the clock is a call for the arbiter or, in the classic code, resignation "unless by a
misunderstanding": the same act. So nobody is ever said to have resigned.
"""

from typing import Literal, NamedTuple


class Signs(NamedTuple):
    """What stands or has just been seen when both sides stop."""

    pawn_on_last_rank: bool = False
    draw_claimable: bool = False
    just_irregular: bool = False
    flag_down: bool = False
    seems_over: bool = False


_REASONS = (
    "needs a piece for the promotion",
    "claims a draw",
    "complains about an illegal move or displaced men",
    "claims a win on time",
    "the game seems over",
)


class Stopped(NamedTuple):
    """Severity, reasons with the best first, and words of the rule set.

    With nothing to call for, the game is most often over and its result not shown yet: at 300
    boards that happens some hundred times a round, so it is a notice.
    """

    severity: Literal["notice", "warning", "critical"]
    reasons: tuple[str, ...]
    text: str


def stopped_by_player(
    signs: Signs, rule: Literal["resignation", "arbiter_only", "arbiter_or_flag"]
) -> Stopped:
    """Offer reasons for a clock that a player stopped."""
    reasons = tuple(why for seen, why in zip(signs, _REASONS, strict=True) if seen)
    text = "someone is calling"
    if rule != "resignation":
        calls = any(signs._replace(seems_over=False))
        return Stopped("warning" if calls else "notice", reasons, text)
    text += "; stopping counts as resigning unless by a misunderstanding"
    return Stopped("critical", reasons, text)
