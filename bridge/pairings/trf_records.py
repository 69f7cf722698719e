"""The records of a tournament report file: which columns say what.

FIDE's TRF16 and TRF26, whose player records are the same column for column; columns are counted
from 1 as in the specification.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from bridge.pairings.fields import Cell
from bridge.pairings.model import Findings, Person
from bridge.pairings.texts import shown, tidy

RANK = 5, 8
TITLE = 11, 13
NAME = 15, 47
RATING = 49, 52
FEDERATION = 54, 56
FIDE_ID = 58, 68
FIRST_ROUND = 92
ROUND_WIDTH = 10
MOST_ROUNDS = 99
COLOUR, RESULT = 5, 7
"""Where colour and result stand behind the opponent of a round."""

_SCORES = {"1": 1.0, "+": 1.0, "W": 1.0, "F": 1.0, "U": 1.0, "=": 0.5, "D": 0.5, "H": 0.5}
_FORFEITS = {"+", "-"}


class Seat(NamedTuple):
    """What a player's record says of one round; ``colour`` is empty where it says none."""

    opponent: int
    colour: str
    result: str
    line: int
    column: int

    @property
    def score(self) -> float:
        """What the round was worth, as FIDE counts it."""
        return _SCORES.get(self.result, 0.0)

    @property
    def is_unplayed(self) -> bool:
        """Whether nobody sat down: no colours, and won or lost by forfeit."""
        return not self.colour and self.result in _FORFEITS


@dataclass
class Entry:
    """One player: starting rank, person, and a seat for each round that is not free."""

    rank: int
    person: Person
    line: int
    seats: dict[int, Seat] = field(default_factory=dict)

    def score(self, before: int) -> float:
        """Return the points from all rounds before one."""
        return sum(seat.score for number, seat in self.seats.items() if number < before)


class Record:
    """One line, read by columns; it may be shorter than it should be."""

    def __init__(self, text: str, line: int, findings: Findings) -> None:
        self._text, self.line, self._findings = text, line, findings

    @property
    def length(self) -> int:
        """How many columns the line has."""
        return len(self._text)

    def part(self, first: int, last: int) -> str:
        """Return the text of columns, without blanks around it."""
        return self._text[first - 1 : last].strip()

    def cell(self, columns: tuple[int, int], label: str) -> Cell:
        """Return columns as a field."""
        return Cell(
            self._text[columns[0] - 1 : columns[1]],
            line=self.line,
            column=columns[0],
            label=label,
            findings=self._findings,
        )

    def number(self, first: int, last: int, label: str) -> int:
        """Return a whole number, 0 where nothing stands."""
        text = self.part(first, last)
        if not text:
            return 0
        if not (text.isascii() and text.isdigit()):
            what = f"{label} is '{shown(text)}'"
            self._findings.refuse(self.line, first, what, "look whether the columns are shifted")
            return 0
        return int(text)

    def list_of(self, first: int, width: int = 5) -> list[int]:
        """Return the numbers that stand four wide at every fifth column, those left out as 0."""
        return [
            self.number(column, column + 3, "starting rank")
            for column in range(first, self.length + 1, width)
        ]

    def seats(self) -> dict[int, Seat]:
        """Return what a player's record says of the rounds in which somebody is met."""
        seats = {}
        end = FIRST_ROUND + MOST_ROUNDS * ROUND_WIDTH
        columns = range(FIRST_ROUND, min(self.length + 1, end), ROUND_WIDTH)
        for number, column in enumerate(columns, 1):
            result = self.part(column + RESULT, column + RESULT).upper()
            colour = self.part(column + COLOUR, column + COLOUR).lower()
            opponent = self.number(column, column + 3, f"opponent of round {number}")
            if colour not in ("w", "b", "-", ""):
                what = f"colour of round {number} is '{shown(colour)}'"
                self._findings.refuse(self.line, column + COLOUR, what, "write w, b or -")
            seats[number] = Seat(opponent, colour.strip("-"), result, self.line, column)
        return seats


def record(text: str, line: int, findings: Findings) -> Record:
    """Return a line as a record; a player's whose columns were counted in bytes is set right."""
    if text.startswith("001") and not text.isascii() and not _fits(text):
        by_bytes = text.encode().decode("latin-1")
        if _fits(by_bytes):
            name = by_bytes[NAME[0] - 1 : NAME[1]].encode("latin-1").decode(errors="ignore")
            rest = by_bytes[NAME[1] :].encode("latin-1").decode(errors="ignore")
            width = NAME[1] - NAME[0] + 1
            text = text[: NAME[0] - 1] + name.ljust(width) + rest
    return Record(text, line, findings)


def entry(player: Record, findings: Findings) -> Entry | None:
    """Return the player of a record; one without a rank is refused."""
    rank = player.number(*RANK, "starting rank")
    if not rank:
        if not player.part(*RANK):
            findings.refuse(player.line, RANK[0], "no starting rank", "export the file anew")
        return None
    person = Person(
        name=player.cell(NAME, "name").name() or f"No. {rank}",
        title=player.cell(TITLE, "title").title(),
        elo=player.cell(RATING, "rating").rating(),
        fide_id=player.cell(FIDE_ID, "FIDE id").fide_id(),
        federation=player.cell(FEDERATION, "federation").federation(),
    )
    return Entry(rank, person, player.line, player.seats())


def team_name(team: Record, first: int, last: int) -> str:
    """Return the name of a team."""
    return team.cell((first, last), "team").name()


def _fits(text: str) -> bool:
    """Whether a rating stands where it should, with blanks around it."""
    rating = text[RATING[0] - 1 : RATING[1]].strip()
    around = text[RATING[0] - 2 : RATING[0] - 1] + text[RATING[1] : RATING[1] + 1]
    return (not rating or (rating.isascii() and rating.isdigit())) and not tidy(around)
