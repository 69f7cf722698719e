"""One board as LiveChess tells of it, from facts that an operator may see."""

from collections.abc import Iterable

from bridge.config import TableSettings
from bridge.core.inference.placement import (
    EMPTY,
    cells_from_placement,
    fits,
    placement_of,
    turned,
)
from bridge.core.model import BoardChanged, ClockUpdated, Fact, LinkChanged
from bridge.core.scoresheet.record import GameRecord
from bridge.core.table import Table
from bridge.outputs.livechess.protocol import Board, ClockTimes, State
from bridge.outputs.overview import TableView
from drivers.events import PIECES

_NAMED = frozenset(PIECES + EMPTY)


class Seat:
    """What is known of one board: what stands on it, its clock and the game.

    ``record`` is the game that is on or was last; it changes while the game goes on. *table* is
    only asked for what the board says of itself and how it lies, which nobody may know who is told
    later: ``None``.
    """

    def __init__(self, settings: TableSettings, table: Table | None) -> None:
        self.name = settings.table
        self.record: GameRecord | None = None
        self.cells = ""
        self.clock: ClockUpdated | None = None
        self._link: LinkChanged | None = None
        self._board = settings.board
        self._table = table

    def begin(self, view: TableView, records: Iterable[GameRecord]) -> None:
        """Take the state as it is now, *records* being the games of this table."""
        self.cells, self.clock, self._link = view.cells, view.clock, view.link
        self.record = max(records, key=lambda record: record.game, default=None)

    def apply(self, fact: Fact) -> None:
        """Take what a fact says of the board; the game is entered by others."""
        match fact:
            case BoardChanged():
                self.cells = fact.cells
            case ClockUpdated():
                self.clock = fact
            case LinkChanged():
                self._link = fact
            case _:
                pass

    @property
    def serialnr(self) -> str:
        """The number under which programs know the board: its own, else the table's name."""
        told = self._table.serial if self._table else None
        return self._board.serial or told or self.name

    @property
    def state(self) -> State | None:
        """Whether the board answers."""
        if self._link is None:
            return None
        return "ACTIVE" if self._link.state == "live" else "NOTRESPONDING"

    @property
    def rotated(self) -> bool:
        """Whether the board lies with White at its far side."""
        return self._table is not None and self._table.rotated

    def times(self) -> ClockTimes | None:
        """Return the clock as it was read last."""
        clock = self.clock
        if clock is None:
            return None
        return ClockTimes(
            white=clock.white_ms // 1000,
            black=clock.black_ms // 1000,
            run=clock.turn == "white" if clock.running and clock.turn else None,
            time=round(clock.wall * 1000),
        )

    def shown(self) -> str:
        """Return what stands on the board, in letters of men; empty where nobody knows.

        A board that tells only where men stand shows the last settled position.
        """
        if _NAMED.issuperset(self.cells):
            return self.cells
        return "" if self.record is None else cells_after(self.record)

    def agrees(self, cells: str) -> bool:
        """Whether the board shows *cells*, as far as it can tell."""
        return bool(self.cells) and all(map(fits, self.cells, cells))

    def board(self) -> Board:
        """Return the board's entry in the list of boards."""
        state, battery = self.state, self._table.battery if self._table else None
        is_there = state == "ACTIVE"
        return Board(
            serialnr=self.serialnr,
            source=self._board.port.rpartition("/")[2] if is_there else None,
            state=state,
            battery=f"{battery}%" if is_there and battery is not None else None,
            comment=None,
            board=placement(self.shown()),
            flipped=self.rotated,
            clock=self.times(),
        )


def placement(cells: str) -> str | None:
    """Return *cells* as the first field of a FEN, ``None`` where nothing is known."""
    return placement_of(cells) if cells else None


def seen_from(cells: str, *, turn: bool) -> str:
    """Return *cells* as a board shows them whose orientation is set wrong, or right."""
    return turned(cells) if turn else cells


def cells_after(record: GameRecord) -> str:
    """Return the cells of the position after the last settled move."""
    return cells_from_placement(record.position(len(record.plies)).split()[0])
