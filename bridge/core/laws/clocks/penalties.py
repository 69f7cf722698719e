"""Penalties in time and the readings that result (7.5.5, 9.5.3, A.3; classic draw claims)."""

from typing import Literal, NamedTuple

from bridge.core.laws.clocks.times import Times, other, shown
from bridge.core.laws.winnability import CanMate
from bridge.core.model import Colour

MINUTE = 60

Consequence = Literal["none", "time", "loss", "draw", "loss_or_draw"]
"""What an illegal move costs; ``loss_or_draw`` where it is open whether the opponent can mate."""


class WrongClaim(NamedTuple):
    """The readings after a wrong draw claim; ``loses``: whom his own added minutes cost the game.

    The reading of somebody who oversteps is negative: it says by how much.
    """

    times: Times
    loses: Colour | None
    text: str


def wrong_claim(
    times: Times, claimant: Colour, *, minutes: int, clock: Literal["claimant", "opponent"]
) -> WrongClaim:
    """Apply the cost of a wrong draw claim to the readings *times*.

    The announced move must be played in any case.
    """
    if clock == "opponent":
        times = times.plus(other(claimant), minutes * MINUTE)
        return WrongClaim(times, None, f"game continues, {_given(minutes)} to the opponent")
    times = times.plus(claimant, -minutes * MINUTE)
    if times.of(claimant) > 0:
        text = f"game continues, claimant has {shown(times.of(claimant))} left"
        return WrongClaim(times, None, text)
    return WrongClaim(times, claimant, "claimant loses on time")


class IllegalMove(NamedTuple):
    """What a confirmed illegal move leads to; ``minutes`` go to the opponent."""

    leads_to: Consequence
    minutes: int
    text: str


def illegal_move(
    nth: int,
    *,
    minutes: int,
    loses_at: int | None,
    unwinnable: Literal["draw", "loss"] = "draw",
    opponent: CanMate = "undetermined",
) -> IllegalMove:
    """Tell what the *nth* confirmed illegal move of a player leads to.

    Args:
        nth: counted from 1; several irregularities of one move count once.
        minutes: time for the opponent, 0 where the rules know no fixed penalty.
        loses_at: the illegal move that loses, ``None`` where they are not counted.
        unwinnable: the result in place of a loss if the opponent cannot mate.
        opponent: whether he can.
    """
    if loses_at is not None and nth >= loses_at:
        return _loss(opponent, unwinnable)
    if not minutes:
        return IllegalMove("none", 0, "restore, touch-move")
    following = f"; number {loses_at} loses" if loses_at is not None else ""
    text = f"{_given(minutes)} to the opponent; restore, touch-move{following}"
    return IllegalMove("time", minutes, text)


def _loss(opponent: CanMate, unwinnable: Literal["draw", "loss"]) -> IllegalMove:
    if unwinnable == "loss" or opponent == "can":
        return IllegalMove("loss", 0, "loss")
    if opponent == "cannot":
        return IllegalMove("draw", 0, "draw: the opponent cannot mate")
    return IllegalMove("loss_or_draw", 0, "loss (draw if the opponent cannot mate)")


def after_illegal_move(
    times: Times,
    offender: Colour,
    *,
    minutes: int,
    increment: float,
    rule: Literal["taken_back", "kept"],
) -> Times:
    """Return the readings to set: the opponent's minutes, and the increment the press won.

    Taking the increment back is guidance of the Arbiters' Manual, not law.
    """
    times = times.plus(other(offender), minutes * MINUTE)
    return times.plus(offender, -increment) if rule == "taken_back" else times


def _given(minutes: int) -> str:
    return f"+{minutes} minute{'' if minutes == 1 else 's'}"
