"""What the catalogue says of one code."""

from typing import Literal, NamedTuple

from bridge.core.laws.articles import Book, Cited
from bridge.core.laws.rulesets import RuleSet
from bridge.core.model import Severity, Visibility

Until = Literal[
    "remedy_window",
    "wrong_array_moves",
    "colours_reversed",
    "start",
    "at_once",
    "arrival",
    "settled",
    "restored",
    "corrected",
    "applied",
    "repaired",
    "resumed",
    "reconnected",
    "quiet",
    "updated",
    "ruling",
    "confirmation",
    "opponent_touches",
    "man_touched",
    "press_or_next_move",
    "one_completed_move",
    "two_minutes",
    "period_end",
    "flag",
    "end_of_game",
    "noted",
    "other_seat",
]
"""When an alert lapses; the first three are what the rule set says of that subject."""

EVERY: tuple[Book, ...] = ("fide", "a5", "classic")
FIDE: tuple[Book, ...] = ("fide", "a5")
A5: tuple[Book, ...] = ("a5",)
CLASSIC: tuple[Book, ...] = ("classic",)

_IN_WORDS: dict[Until, str] = {
    "start": "the game has begun",
    "at_once": "the arbiter has acted, at once",
    "arrival": "the player is there or the arbiter rules",
    "settled": "it is settled",
    "restored": "the men stand again",
    "corrected": "it is corrected",
    "applied": "it is applied",
    "repaired": "it works again",
    "resumed": "a clock runs again",
    "reconnected": "the link is back",
    "quiet": "the board is quiet",
    "updated": "the scoresheets are complete",
    "ruling": "the arbiter rules",
    "confirmation": "the arbiter confirms",
    "opponent_touches": "the opponent touches a man to move it",
    "man_touched": "the player to move touches a man",
    "press_or_next_move": "he presses or makes his next move",
    "one_completed_move": "one more move is completed",
    "two_minutes": "two minutes have passed",
    "period_end": "the period ends",
    "flag": "a flag falls",
    "end_of_game": "the game ends",
    "noted": "it is taken note of",
    "other_seat": "a game is played from the other seat",
}


class AlertKind(NamedTuple):
    """One code of the catalogue.

    ``severity`` holds unless ``otherwise`` names another one and when; ``severity_classic`` is in
    its place under the classic code. ``before_start`` is the wider visibility that it has until
    the game begins. ``books`` are those under which it is raised. ``reasons`` are its sub-codes.
    ``detect`` says when it is raised and ``suggest`` what the arbiter is offered. ``entries`` are
    the orders with which a person enters what no sensor tells of it.
    """

    code: str
    title: str
    severity: Severity
    visibility: Visibility
    until: Until
    cited: Cited
    detect: str
    suggest: str
    books: tuple[Book, ...] = EVERY
    reasons: tuple[str, ...] = ()
    otherwise: tuple[Severity, str] | None = None
    severity_classic: Severity | None = None
    before_start: Visibility | None = None
    entries: tuple[str, ...] = ()

    def grade(self, book: Book) -> Severity:
        """Return the severity under *book*, unless what ``otherwise`` names holds."""
        if book == "classic" and self.severity_classic is not None:
            return self.severity_classic
        return self.severity

    def seen_by(self, *, started: bool) -> Visibility:
        """Return the widest class of people who may see it."""
        return self.visibility if started or self.before_start is None else self.before_start

    def lapses(self, rules: RuleSet) -> str:
        """Return until when it stands under *rules*, as words that follow "until"."""
        if self.until == "remedy_window":
            return _remedy_window(rules)
        if self.until == "wrong_array_moves":
            return _moves_by_each(rules.wrong_array_moves)
        if self.until == "colours_reversed":
            return _colours_reversed(rules)
        return _IN_WORDS[self.until]


def _remedy_window(rules: RuleSet) -> str:
    return "the game ends" if rules.remedy_window == "end_of_game" else "the opponent moves"


def _moves_by_each(moves: int | None) -> str:
    return "the game ends" if moves is None else f"each player has made {moves} moves"


def _colours_reversed(rules: RuleSet) -> str:
    if rules.colours_reversed_moves is not None:
        return f"both players have made {rules.colours_reversed_moves} moves"
    if rules.colours_reversed_percent is not None:
        return f"{rules.colours_reversed_percent} % of the period have passed"
    return "the game ends"
