"""Who must record the moves, and when the record has to be completed (8.4, 8.5; A.2)."""

from typing import Literal

Duty = Literal["must_record", "may_stop", "exempt_for_period", "need_not"]


def recording_duty(
    remaining: float,
    increment: float,
    *,
    players_record: Literal["must", "need_not"],
    below: int | None,
    increment_below: int | None,
    lasts: Literal["moment", "rest_of_period"],
    was_exempt: bool = False,
) -> Duty:
    """Tell whether a player must record.

    Args:
        remaining: seconds on his clock.
        increment: seconds added with each move.
        players_record: whether the rules demand recording at all.
        below: seconds below which he may stop, ``None``: never.
        increment_below: the increment from which he may never stop, ``None``: any.
        lasts: whether an exemption ends when his time rises again, or with the period.
        was_exempt: he was below before in this period.
    """
    if players_record == "need_not":
        return "need_not"
    if below is None or (increment_below is not None and increment >= increment_below):
        return "must_record"
    for_period = lasts == "rest_of_period"
    if remaining < below or (was_exempt and for_period):
        return "exempt_for_period" if for_period else "may_stop"
    return "must_record"


def update_due(
    *, white_exempt: bool, black_exempt: bool
) -> Literal["both", "white", "black"] | None:
    """Tell whose scoresheets are to be completed after a flag fell or a period ended (8.5).

    Both: the arbiter stops the clock (8.5.1). One: before moving again, with his clock running
    (8.5.2). Only now may the number of moves be told.
    """
    if white_exempt and black_exempt:
        return "both"
    if white_exempt:
        return "white"
    return "black" if black_exempt else None
