"""Faults of the beginning that are found during the game: what the rules do about them.

A wrong array, a board that lies wrong, reversed colours (FIDE Laws 7.2, 7.3, A.5.1.2; classic code:
impossible positions). The arbiter decides; this is what he is offered.
"""

from typing import Literal, NamedTuple

from bridge.core.laws.rulesets import RuleSet

Decision = Literal["correct", "new_game", "goes_on", "transfer", "arbiter"]
"""Put it right, begin anew, go on as it is, transfer the position to a board that lies right, or
what the rules leave to the arbiter."""


class Moves(NamedTuple):
    """Moves that each player has completed."""

    white: int
    black: int

    @property
    def by_both(self) -> int:
        """Moves that both have made."""
        return min(self.white, self.black)

    @property
    def none(self) -> bool:
        """Whether nobody has moved yet."""
        return self.white == self.black == 0


class FoundLate(NamedTuple):
    """What is offered; ``castling_lost``: kings and rooks that stood wrong may not castle."""

    decision: Decision
    text: str
    castling_lost: bool = False


def wrong_array(moves: Moves, rules: RuleSet, *, started: bool) -> FoundLate:
    """Tell what follows a wrong array; *started*: White's clock has run."""
    if not started and moves.none:
        return FoundLate("correct", "put the men right before the game begins")
    limit = rules.wrong_array_moves
    if limit is not None and moves.by_both >= limit:
        text = (
            f"each player has made {limit} moves: the game goes on, and a king or rook that stood "
            "wrong may not castle"
        )
        return FoundLate("goes_on", text, castling_lost=True)
    text = f"begin a new game with full times; made are {_made(moves)}"
    return FoundLate("new_game", text)


def rotated_board(moves: Moves, rules: RuleSet, *, started: bool) -> FoundLate:
    """Tell what follows a board that lies a quarter turn; it never costs the game."""
    if not started and moves.none:
        return FoundLate("correct", "turn the board before the game begins")
    limit = rules.wrong_array_moves
    if limit is not None and moves.by_both >= limit:
        return FoundLate("goes_on", f"each player has made {limit} moves: the game goes on")
    return FoundLate("transfer", "transfer the position to a board that lies right and go on")


def wrong_setup(code: str, moves: Moves, rules: RuleSet, *, started: bool) -> FoundLate:
    """Tell what follows the wrong set-up of which the alert *code* tells; else as above."""
    found = rotated_board if code == "BOARD_ROTATED" else wrong_array
    return found(moves, rules, started=started)


def colours_reversed(moves: Moves, rules: RuleSet, *, share_used: float | None = None) -> FoundLate:
    """Tell what follows from a game that was begun with reversed colours.

    Args:
        moves: completed by each.
        rules: either counts moves or time, or leaves it open.
        share_used: how much of the period's time has passed, from 0 to 1; ``None`` where it is
            not known. The classic code asks for it.
    """
    if moves.none and not share_used:
        return FoundLate("correct", "let the players change places before the game begins")
    if rules.colours_reversed_moves is not None:
        return _by_moves(moves, rules.colours_reversed_moves)
    if rules.colours_reversed_percent is not None:
        return _by_time(share_used, rules.colours_reversed_percent)
    text = f"the game goes on, unless the arbiter decides otherwise; made are {_made(moves)}"
    return FoundLate("goes_on", text)


def share_of_period(white_used: float, black_used: float, period: float) -> float:
    """Return how much of the time to the control has passed, both clocks taken together.

    Args:
        white_used: seconds of the period that White has used.
        black_used: the same of Black.
        period: seconds each player has for the period, more than 0.
    """
    return (white_used + black_used) / (2 * period)


def _by_moves(moves: Moves, limit: int) -> FoundLate:
    if moves.by_both < limit:
        return FoundLate("new_game", f"a new game; made are {_made(moves)}, fewer than {limit}")
    text = f"both have made {limit} moves: the game goes on; correct the names in the record"
    return FoundLate("goes_on", text)


def _by_time(share_used: float | None, percent: int) -> FoundLate:
    if share_used is None:
        text = f"the arbiter judges whether {percent} % of the time to the control have passed"
        return FoundLate("arbiter", text)
    passed = f"{100 * share_used:.0f} % of the time to the control have passed"
    if 100 * share_used >= percent:
        return FoundLate("goes_on", f"{passed}: the game goes on; correct the names in the record")
    return FoundLate(
        "arbiter", f"{passed}: the arbiter may order a new game if the schedule allows"
    )


def _made(moves: Moves) -> str:
    return f"{moves.white} by White and {moves.black} by Black"
