"""The alerts that stand at a table: one for each cause, with what the catalogue says of it."""

from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet

from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.laws.standard import STANDARD
from bridge.core.model import AlertCleared, AlertRaised, Clearing, Colour, Severity
from bridge.core.table.told import Told

SETUP_CODES = frozenset({"WRONG_SETUP", "CHESS960_SETUP_MISMATCH", "BOARD_ROTATED"})
"""Alerts about how the men were set up."""
ILLEGAL_CODES = frozenset(
    {
        "ILLEGAL_MOVE",
        "KING_LEFT_IN_CHECK",
        "KING_CAPTURED",
        "CASTLING_ILLEGAL",
        "EN_PASSANT_ILLEGAL",
        "EN_PASSANT_INCOMPLETE",
        "PROMOTION_NOT_REPLACED",
        "PROMOTION_INVALID",
        "WRONG_SIDE_MOVED",
        "STARTED_WITH_BLACK",
    }
)
"""Alerts about a move that may not be; one cause has only one of them."""
OF_A_MOVE = ILLEGAL_CODES | {"CLOCK_PRESSED_WITHOUT_MOVE", "POSITION_UNRESOLVED"}
"""Alerts that the next move ends, or putting the men right."""
UNRESOLVED = "POSITION_UNRESOLVED"
CALM = 4
"""So many plies in a row must be explained before a record that was lost is sure again: until then
the same cause shows again and again."""
_WITH_THE_GAME = frozenset(
    {
        "remedy_window",
        "at_once",
        "restored",
        "ruling",
        "resumed",
        "press_or_next_move",
        "corrected",
        "period_end",
        "man_touched",
        "opponent_touches",
        "flag",
        "one_completed_move",
        "wrong_array_moves",
    }
)
"""Deadlines that are over when the game is."""
_BEYOND_A_GAME = frozenset({"repaired", "reconnected", "start", "arrival", "quiet", "other_seat"})
"""Deadlines that another game does not end."""


def _none(_: Colour) -> int:
    return 0


class Alerts:
    """The alerts that stand, by their codes.

    ``rules`` are those the table plays by: what they do not know is not raised. ``started``:
    a game is on. ``offences``: how many illegal moves of a side the arbiter has confirmed in it.
    """

    def __init__(self, told: Told) -> None:
        self.rules = STANDARD
        self.started = False
        self.offences: Callable[[Colour], int] = _none
        self._told = told
        self._stand: set[str] = set()
        self._kept: set[str] = set()
        self._raised: Counter[str] = Counter()
        self._calm = 0  # plies since the board could not be explained

    def __contains__(self, code: str) -> bool:
        return code in self._stand

    def begin(self) -> None:
        """Another game begins: nothing that was left of the last one is asked any more."""
        left = {c for c in self._stand if CATALOGUE[c].until not in _BEYOND_A_GAME}
        left -= SETUP_CODES | {"RESULT_MISSING"}
        self.clear_all(left, "another game begins", how="expired")
        self.started = True
        self._kept.clear()
        self._raised.clear()

    def raise_(self, code: str, severity: Severity | None, text: str, **fields: object) -> None:
        """Raise an alert unless it stands; no *severity*: that of the catalogue."""
        if code == UNRESOLVED:
            self._calm = 0
        kind, book = CATALOGUE[code], self.rules.book
        if code in self._stand or book not in kind.books:
            return
        self._stand.add(code)
        self._raised[code] += 1
        fields.setdefault("article", kind.cited.under(book))
        self._told.state(
            AlertRaised,
            code=code,
            severity=severity or kind.grade(book),
            text=text,
            visibility=kind.seen_by(started=self.started),
            until=kind.lapses(self.rules),
            count=self._raised[code],
            **fields,
        )

    def raise_again(
        self, code: str, severity: Severity | None, text: str, **fields: object
    ) -> None:
        """Raise an alert for another cause than the one that it may stand for."""
        self._stand.discard(code)
        self.raise_(code, severity, text, **fields)

    def repeat(self, alert: AlertRaised, severity: Severity | None = None) -> None:
        """Raise an alert as it was told before, with another *severity* if one is given."""
        self.raise_(
            alert.code,
            severity or alert.severity,
            alert.text,
            illegal=alert.illegal,
            reason=alert.reason,
            article=alert.article,
            remedy=alert.remedy,
            by=alert.by,
            san_tried=alert.san_tried,
            restore=alert.restore,
            confidence=alert.confidence,
        )

    def worsen(self, code: str, severity: Severity) -> None:
        """Tell an alert that stands once more, with another *severity*: it is the same one."""
        if code in self._stand and self._told.raised[code].severity != severity:
            self._stand.discard(code)
            self._raised[code] -= 1
            self.repeat(self._told.raised[code], severity)

    def raise_instead(
        self, code: str, severity: Severity | None, text: str, **fields: object
    ) -> None:
        """Raise an alert of an illegal move; another one of the same cause gives way to it."""
        if code in self._stand - self._kept:
            self._raised[code] -= 1  # it is the same one, by better evidence
        self.clear_all(ILLEGAL_CODES - self._kept - {code}, f"it was {code}", how="withdrawn")
        self.raise_again(code, severity, text, **fields)

    def keep(self, codes: AbstractSet[str]) -> None:
        """Let those of *codes* that stand, stand until the game ends, whatever is played on."""
        self._kept |= self._stand & codes

    def clear(self, code: str, text: str, how: Clearing = "over") -> None:
        """Clear an alert if it stands."""
        if code in self._stand:
            self._stand.discard(code)
            self._kept.discard(code)
            self._told.state(AlertCleared, code=code, text=text, how=how)

    def clear_all(self, codes: AbstractSet[str], text: str, how: Clearing = "over") -> None:
        """Clear those of *codes* that stand."""
        for code in sorted(self._stand & codes):
            self.clear(code, text, how)

    def of_moves(self) -> frozenset[str]:
        """Return the alerts that the next move, or putting the men right, ends."""
        return frozenset((self._stand & OF_A_MOVE) - self._kept)

    def play_goes_on(self, text: str) -> None:
        """Clear what the next move ends."""
        self._calm += 1
        if self._stand:
            lasts = {UNRESOLVED} if self._calm < CALM else set()
            self.clear_all(self.of_moves() - lasts, text)

    def clear_of_moves(self, text: str) -> None:
        """Clear what putting the men right, or a ruling, ends."""
        if self._stand:
            self.clear_all(self.of_moves(), text)

    def game_over(self) -> None:
        """Clear what is nobody's concern any more."""
        self.started = False
        gone = {code for code in self._stand if CATALOGUE[code].until in _WITH_THE_GAME}
        self.clear_all(gone | SETUP_CODES | {"RESULT_MISSING"}, "the game is over")
