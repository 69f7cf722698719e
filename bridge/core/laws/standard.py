"""Standard play under FIDE's Laws: what holds where nobody said by which rules a game is played."""

import msgspec

from bridge.core.laws.rulesets import RuleSet
from bridge.core.model import TableSetup

STANDARD = RuleSet(
    title="FIDE Laws of Chess 2023, standard play",
    articles={},
    name="fide_std",
    rate="standard",
    book="fide",
    illegal_move_completed_by="press",
    remedy_window="end_of_game",
    unknown_position="last_identifiable",
    illegal_move_minutes=2,
    illegal_moves_that_lose=2,
    unwinnable_illegal_loss="draw",
    increment_after_illegal_move="taken_back",
    promotion_not_replaced="queen_and_illegal",
    press_without_move="illegal_move",
    both_kings_in_check="illegal_move",
    draw_claims="now_or_announced",
    claim_moves=50,
    long_balance_moves=None,
    automatic_repetitions=5,
    automatic_moves=75,
    dead_position="draw",
    flag_draw="any_series",
    resignation_draw="any_series",
    agreement_after_moves=1,
    wrong_claim_minutes=2,
    wrong_claim_clock="opponent",
    wrong_array="new_game",
    wrong_array_moves=None,
    clock_setting_moves=None,
    colours_reversed_moves=10,
    colours_reversed_percent=None,
    default_minutes=0,
    players_record="must",
    record_exempt_below=300,
    record_exempt_increment_below=30,
    record_exempt_for="rest_of_period",
    player_stops_clock="arbiter_only",
    both_flags="draw_in_last_period",
    guidelines_iii="not_announced",
    adjusted_times="judgement",
    floor_minutes=5,
    floor_minutes_a_move=1,
)
"""The values of the shipped set ``fide_std``; a test compares them."""


def rules_of(setup: TableSetup) -> RuleSet:
    """Return the rules that a setup carries; what it does not say is as in standard play.

    A journal may be older than a parameter.

    Raises:
        msgspec.ValidationError: they are no rules.
    """
    return msgspec.convert(msgspec.to_builtins(STANDARD) | setup.rules, RuleSet)
