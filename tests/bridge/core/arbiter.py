"""A talk with a table at which an arbiter rules."""

from collections.abc import Iterable

from bridge.core.model import (
    AddNote,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    OffencesCounted,
    Order,
    Payload,
    PositionAdopted,
    Reading,
    Ruling,
    RulingMade,
    RulingRefused,
    RulingUndone,
    TableSetup,
)
from bridge.core.scoresheet.record import GameRecord, Scorebook
from drivers.events import Side
from tests.bridge.core.dialogue import TableTalk, in_words


def words_of(fact: Fact) -> str | None:
    """Say a fact about the record or a ruling in a few words; None for all others."""
    match fact:
        case RulingMade():
            return f"ruling {fact.number}"
        case RulingRefused():
            return f"refused {fact.number}: {fact.reason}"
        case RulingUndone():
            return f"{fact.number} undone by {fact.undone_by}"
        case OffencesCounted():
            return f"{fact.colour} {fact.count}"
        case GameAdjourned():
            return "adjourned"
        case GameResumed():
            return "goes on"
        case PositionAdopted():
            return f"after {fact.ply}. {fact.fen}"
        case GameStarted() | MoveSettled() | MoveTimed() | MovesCorrected() | GameEnded():
            return in_words(fact)
        case _:
            return None


class Arbiter(TableTalk):
    """One table, its scoresheets and an arbiter; :meth:`rules` returns what follows in words."""

    def __init__(self, setup: TableSetup | None = None, *, board: str | None = None) -> None:
        self.readings: list[Reading] = []
        super().__init__(setup, board=board)

    def _hear(self, what: str, at: float, payload: Payload) -> "Arbiter":
        seq, wall = len(self.readings) + 1, 1000 + at
        self.readings.append(
            Reading(table="7", link="b", seq=seq, at=at, wall=wall, payload=payload)
        )
        super()._hear(what, at, payload)
        return self

    def rules(self, order: Order, **guards: int | str | None) -> list[str]:
        """Give an order half a second later."""
        told = len(self.facts)
        reason = "" if isinstance(order, AddNote) else "seen"
        ruling = Ruling(by="A. Arbiter", reason=reason, order=order, **guards)  # type: ignore[arg-type]  # named by the caller
        self._hear("ruling", self._at + 0.5, ruling)
        return said(self.facts[told:])

    def refuses(self, order: Order, **guards: int | str | None) -> str:
        """Give an order that is refused; return the reason."""
        (words,) = self.rules(order, **guards)
        assert words.startswith("refused "), words
        return words.split(": ", 1)[1]

    def text(self) -> str:
        """Return the words of the last ruling."""
        return [fact for fact in self.facts if isinstance(fact, RulingMade)][-1].text

    def refusal(self) -> RulingRefused:
        """Return the last refusal."""
        return [fact for fact in self.facts if isinstance(fact, RulingRefused)][-1]

    def goes_on(self, *sans: str) -> str:
        """Play on from the position of the record, which is put up; return all moves."""
        self.puts_up()
        self.plays(self._at + 2, *sans)
        return self.moves

    def puts_up(self) -> None:
        """Put up the position of the record, with the clock stopped and started again."""
        at, board = self._at + 2, self._position()
        turn: Side = "left" if board.turn else "right"
        for run in (False, True):
            self.clock(at, 300, 300, turn, run=run)
        self.shows(at, board.board_fen()).ticks(at + 1)

    def stands(self, fen: str) -> None:
        """Put up a position."""
        self.shows(self._at + 2, fen.split(maxsplit=1)[0]).ticks(self._at + 1)

    @property
    def now(self) -> float:
        """The time up to which the table was told."""
        return self._at

    @property
    def record(self) -> GameRecord:
        """The scoresheet of the last game, which any contradiction in the facts would break."""
        book = Scorebook()
        for fact in self.facts:
            book.apply(fact)
        return book.records()[-1]

    @property
    def sans(self) -> str:
        """The moves on the scoresheet."""
        return " ".join(ply.san for ply in self.record.plies)


def said(facts: Iterable[Fact]) -> list[str]:
    """Return facts in words, without those that no ruling is about."""
    return [words for fact in facts if (words := words_of(fact))]


def played(*sans: str, setup: TableSetup | None = None) -> Arbiter:
    """A table at which these moves were played; nothing of its facts is forgotten."""
    talk = Arbiter(setup)
    talk.shows(0.0)
    talk.clock(0.5, 300, 300, "left")
    talk.plays(2.0, *sans)
    assert len(talk.sans.split()) == len(sans)
    return talk
