"""What is going on at each table, at one glance: the latest of everything, from facts alone."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    Fact,
    GameEnded,
    GameResumed,
    GameStarted,
    LinkChanged,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    SetupCorrected,
    StateExplained,
)
from bridge.core.scoresheet.plies import numbered


@dataclass
class TableView:
    """One table. ``moves`` are numbered; ``standing`` is the move that is not settled yet.

    ``waits_for`` says what the table waits for between games, in words. ``cells`` are what stands
    on the board, 64 letters in White's coordinates; empty while nothing is known.
    """

    table: str
    white: str = "?"
    black: str = "?"
    game: int = 0
    moves: list[str] = field(default_factory=list)
    standing: str | None = None
    clock: ClockUpdated | None = None
    link: LinkChanged | None = None
    cells: str = ""
    alerts: dict[str, AlertRaised] = field(default_factory=dict)
    result: GameEnded | None = None
    waits_for: str = ""

    @property
    def last_move(self) -> str:
        """The last settled move with its number, as players write it."""
        return self.moves[-1] if self.moves else ""

    def apply(self, fact: Fact) -> None:
        """Take a fact of this table."""
        match fact:
            case GameStarted():
                self.white, self.black, self.game = fact.setup.white, fact.setup.black, fact.game
                self.moves, self.standing, self.result, self.waits_for = [], None, None, ""
            case MoveSettled():
                self.moves.append(numbered(fact.san, fact.fen))
                self.standing = None
            case MoveProvisional():
                self.standing = fact.san
            case MovesCorrected():
                del self.moves[fact.ply - 1 :]
            case GameEnded():
                self.result, self.standing = fact, None
            case GameResumed():
                self.result = None
            case _:
                self._apply_state(fact)

    def _apply_state(self, fact: Fact) -> None:
        """Take what is true of the table besides its moves."""
        match fact:
            case SetupCorrected():
                self.white, self.black = fact.setup.white, fact.setup.black
            case StateExplained():
                self.waits_for = fact.text
            case ClockUpdated():
                self.clock = fact
            case LinkChanged():
                self.link = fact
            case BoardChanged():
                self.cells = fact.cells
            case AlertRaised():
                self.alerts[fact.code] = fact
            case AlertCleared():
                self.alerts.pop(fact.code, None)
            case _:
                pass


class Overview:
    """The tables that are shown, in order; facts of other tables are passed over."""

    def __init__(self, tables: Iterable[TableView]) -> None:
        self.tables = {view.table: view for view in tables}

    def apply(self, fact: Fact) -> None:
        """Take a fact of any table."""
        view = self.tables.get(fact.table)
        if view is not None:
            view.apply(fact)
