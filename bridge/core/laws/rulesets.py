"""Rule sets as data: what differs between the classic code and the FIDE regimes of play.

A :class:`RuleSet` is read from a file of ``bridge/config/laws`` by ``bridge.config.rulesets``,
where an event may override each parameter. The functions of this package do not take a rule set
but the single values they need, so that each says what it depends on.

Sources: FIDE Laws of Chess in force from 1 January 2023 (A and B: Appendices, III: Guidelines III);
the classic code's places are named by their tables and headings.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from bridge.core.laws.articles import Book
from bridge.core.timecontrol import Period, TimeControl

Rate = Literal["standard", "rapid", "blitz"]

EVENT_REGULATIONS = "event regulations"
"""The article of a parameter that an event has overridden."""

_RAPID_BELOW = 60 * 60
_BLITZ_UP_TO = 10 * 60
_MOVES_COUNTED = 60
"""A.1 and B.1 count the time for sixty moves: base time and sixty increments."""


class Says(NamedTuple):
    """The sentence for the user, and the range of a parameter that is a number."""

    sentence: str
    low: int = 0
    high: int = 0


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The parameters of the Laws a game is played under; ``None``: there is no such rule.

    ``articles`` names, for each parameter, where its value stands. ``rate`` is the rate of play
    the set is made for, ``None`` for any. ``book`` is what its articles are cited from. ``home``:
    it is for games at home, where a board may help its players, and for no tournament.
    """

    name: str
    title: str
    rate: Rate | None
    book: Book
    articles: dict[str, str]
    home: bool = False

    illegal_move_completed_by: Annotated[
        Literal["press", "reply"], Says("What completes an illegal move, so that it is dealt with.")
    ]
    remedy_window: Annotated[
        Literal["end_of_game", "opponents_next_move"],
        Says("Until when an illegal move is put right; after that it stands."),
    ]
    unknown_position: Annotated[
        Literal["replay", "last_identifiable"],
        Says("How the game goes on when the position before the error is unknown."),
    ]
    illegal_move_minutes: Annotated[int, Says("Minutes the opponent gets.", 0, 60)]
    illegal_moves_that_lose: Annotated[
        int | None, Says("The illegal move, counted from 1, that loses the game.", 1, 9)
    ]
    unwinnable_illegal_loss: Annotated[
        Literal["draw", "loss"],
        Says("The result of losing by illegal moves if the opponent cannot mate."),
    ]
    increment_after_illegal_move: Annotated[
        Literal["taken_back", "kept"],
        Says("What becomes of the increment gained by pressing after an illegal move."),
    ]
    promotion_not_replaced: Annotated[
        Literal["cancel", "queen_and_illegal"],
        Says("What becomes of a pawn left on the last rank at the press."),
    ]
    press_without_move: Annotated[
        Literal["by_analogy", "illegal_move"], Says("How a press without a move is treated.")
    ]
    both_kings_in_check: Annotated[
        Literal["illegal_move", "wait_then_draw"],
        Says("What follows when both kings stand in check, or a pawn on its last rank, unnoticed."),
    ]
    draw_claims: Annotated[
        Literal["on_demand", "now_or_announced"],
        Says("Whether a draw is claimed on the position only or with an announced move too."),
    ]
    claim_moves: Annotated[
        int, Says("Moves by each without capture or pawn move before a claim.", 1, 200)
    ]
    long_balance_moves: Annotated[
        int | None, Says("The same in the classic code's five balances.", 1, 200)
    ]
    automatic_repetitions: Annotated[
        int | None, Says("Occurrences of a position that end the game as a draw.", 2, 99)
    ]
    automatic_moves: Annotated[
        int | None, Says("Moves by each without progress that end the game as a draw.", 1, 200)
    ]
    dead_position: Annotated[Literal["draw", "goes_on"], Says("What a dead position leads to.")]
    flag_draw: Annotated[
        Literal["bare_king", "any_series"],
        Says("When a flag only draws: against a bare king, or if no series of moves can mate."),
    ]
    resignation_draw: Annotated[
        Literal["never", "any_series"],
        Says("Whether resigning only draws when no series of moves can mate."),
    ]
    agreement_after_moves: Annotated[
        int, Says("Moves by each before which no draw may be agreed.", 0, 200)
    ]
    wrong_claim_minutes: Annotated[int, Says("Minutes a wrong draw claim costs.", 0, 60)]
    wrong_claim_clock: Annotated[
        Literal["claimant", "opponent"],
        Says("Whose time a wrong claim changes: the claimant's, who loses it, or the opponent's."),
    ]
    wrong_array: Annotated[
        Literal["replay", "new_game"], Says("What follows a wrong initial position.")
    ]
    wrong_array_moves: Annotated[
        int | None, Says("Moves by each after which a wrong initial position stands.", 1, 200)
    ]
    clock_setting_moves: Annotated[
        int | None,
        Says("Moves by each after which a wrong setting of the clock stands.", 1, 200),
    ]
    colours_reversed_moves: Annotated[
        int | None, Says("Moves by both after which reversed colours stand.", 1, 200)
    ]
    colours_reversed_percent: Annotated[
        int | None, Says("Percent of the period after which reversed colours stand.", 1, 100)
    ]
    default_minutes: Annotated[int, Says("Minutes of absence at the start that lose.", 0, 600)]
    players_record: Annotated[
        Literal["must", "need_not"], Says("Whether players must record the moves.")
    ]
    record_exempt_below: Annotated[
        int | None, Says("Seconds below which a player may stop recording.", 1, 3600)
    ]
    record_exempt_increment_below: Annotated[
        int | None, Says("Seconds of increment from which nobody may stop recording.", 1, 3600)
    ]
    record_exempt_for: Annotated[
        Literal["moment", "rest_of_period"], Says("How long recording may stop.")
    ]
    player_stops_clock: Annotated[
        Literal["resignation", "arbiter_only", "arbiter_or_flag"],
        Says("What a player may stop both clocks for."),
    ]
    both_flags: Annotated[
        Literal["continue", "draw_in_last_period"],
        Says("What follows when both flags are down and the first is unknown."),
    ]
    guidelines_iii: Annotated[
        Literal["announced", "not_announced"],
        Says("Whether draws may be claimed in a quickplay finish without increment."),
    ]
    adjusted_times: Annotated[
        Literal["proportion", "judgement"],
        Says("How times are set when a game ran on after an irregularity."),
    ]
    floor_minutes: Annotated[int | None, Says("Minutes that remain after adjusting.", 1, 60)]
    floor_minutes_a_move: Annotated[
        int | None, Says("Minutes for each move to the control that remain after adjusting.", 1, 60)
    ]

    @property
    def changed(self) -> tuple[str, ...]:
        """The parameters that an event has overridden."""
        return tuple(name for name, place in self.articles.items() if place == EVENT_REGULATIONS)


class Parameter(NamedTuple):
    """One parameter: the values it may have and a sentence for the user.

    ``choices`` are words; where there are none it is a whole number from ``low`` to ``high``.
    ``optional``: there may be no such rule.
    """

    name: str
    sentence: str
    choices: tuple[str, ...]
    low: int
    high: int
    optional: bool


def _parameters() -> Iterator[Parameter]:
    for name, hint in get_type_hints(RuleSet, include_extras=True).items():
        if get_origin(hint) is Annotated:
            kind, says = get_args(hint)
            values = get_args(kind)
            choices = values if get_origin(kind) is Literal else ()
            yield Parameter(name, says.sentence, choices, says.low, says.high, type(None) in values)


PARAMETERS = tuple(_parameters())
"""Every parameter of :class:`RuleSet`, in the order it is declared."""


# --- rates of play ------------------------------------------------------------------------------


def rate_of_play(base: float, increment: float = 0) -> Rate:
    """Classify a time limit, in seconds, by base time and sixty increments (A.1, B.1).

    >>> rate_of_play(10 * 60, 1)
    'rapid'
    """
    allotted = base + _MOVES_COUNTED * increment
    if allotted >= _RAPID_BELOW:
        return "standard"
    return "rapid" if allotted > _BLITZ_UP_TO else "blitz"


def rate_of_time_control(control: TimeControl) -> Rate | None:
    """Classify a time control; ``None`` without a clock.

    Where the colours have different times the slower one decides (A.1 speaks of each player).
    """
    if not control.periods:
        return None
    colours = (control.periods_of("white"), control.periods_of("black"))
    return rate_of_play(max(_allotted(periods) for periods in colours))


def _allotted(periods: tuple[Period, ...]) -> int:
    """Return the seconds for sixty moves; the last period repeats."""
    seconds, moves, index = 0, 0, 0
    while moves < _MOVES_COUNTED:
        period = periods[min(index, len(periods) - 1)]
        played = _MOVES_COUNTED - moves
        if period.moves is not None:
            played = min(played, period.moves)
        seconds += period.seconds + played * period.increment
        moves += played
        index += 1
    return seconds


def rule_set_name(rate: Rate, *, supervised: bool) -> str:
    """Return the shipped rule set of a rate of play.

    ``supervised``: rapid with an arbiter for at most three games (A.4), blitz with one for each
    game (B.2). An event says so itself, it cannot be seen.
    """
    if rate == "standard":
        return "fide_std"
    if rate == "rapid":
        return "rapid_a4" if supervised else "rapid_a5"
    return "blitz_b2" if supervised else "blitz_b3"
