"""Claims in a quickplay finish without increment (Guidelines III)."""

from bridge.core.laws.rulesets import Rate

CLAIM_BELOW = 120
"""III.4 and III.5: less than two minutes left."""


def quickplay_bar(
    remaining: float,
    increment: float,
    *,
    announced: bool,
    rate: Rate = "standard",
    on_move: bool = True,
    flag_up: bool = True,
) -> str | None:
    """Return why a player cannot claim under Guidelines III, ``None`` where he can.

    ``announced``: the guidelines were announced beforehand (III.1); ``increment`` in seconds: with
    one they do not apply (III.2.2).
    """
    bars = (
        (not announced, "the guidelines were not announced"),
        (increment > 0, "there is an increment"),
        (rate == "blitz", "it is blitz"),
        (not on_move, "the claimant is not on the move"),
        (not flag_up, "the flag has fallen"),
        (remaining >= CLAIM_BELOW, "two minutes or more are left"),
    )
    return next((why for applies, why in bars if applies), None)
