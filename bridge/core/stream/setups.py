"""Setting a table up for one game of a board stream after the other."""

from collections.abc import Iterable

import chess
import msgspec

from bridge.core.inference.placement import EMPTY
from bridge.core.model import Fact, GameEnded, MoveSettled, Reading
from bridge.core.stream.reading import StreamReader
from bridge.core.table import Table
from drivers.cells import START_CELLS, cells_of
from drivers.events import Snapshot, SquareChange

LEFT = 8
"""In so many squares a board differs from the array once a game is played on it."""


class Setups:
    """Tells *table* the setups of a stream as *reader* has read them: the first it knows already.

    A start position may be put up without a result, which then ends the game before it: so it is
    known once that game has a move. A game of which the board cannot tell the start position is
    passed over: the next one is expected when all men stand on their ranks again, or where they
    stand to begin it.
    """

    def __init__(self, reader: StreamReader, table: Table) -> None:
        self._reader, self._table = reader, table
        self._game, self._passed = 1, 0
        self._begun = set[int]()
        self._stood = self._left = False

    def follow(self, last: Reading, facts: Iterable[Fact]) -> list[Fact]:
        """Set the table up for the game behind the one that *facts* are of, if the stream says how.

        *facts* are what the table made of *last*.
        """
        if self._is_passed(last):
            self._passed += 1
        # One that had no move was only put up on the way to another.
        self._begun.update(f.game for f in facts if isinstance(f, GameEnded | MoveSettled))
        game = len(self._begun) + self._passed + 1
        if game == self._game:
            return []
        self._game = game
        setup = self._reader.setup(game)
        if setup is None or setup == self._table.setup:
            return []
        return self._table.apply(msgspec.structs.replace(last, payload=setup))

    def _is_passed(self, last: Reading) -> bool:
        """Whether an array stands again after a game whose start position nobody could tell."""
        setup = self._table.setup
        untold = setup.chess960 and setup.start_fen is None and setup.sensing == "occupancy"
        if not untold or not isinstance(last.payload, Snapshot | SquareChange):
            return False
        away = _away(last.payload.cells)
        passed = self._left and (away == 0 or self._stands_next(last.payload.cells))
        self._stood = self._stood or away == 0
        self._left = self._stood and not passed and (self._left or away >= LEFT)
        return passed

    def _stands_next(self, cells: str) -> bool:
        """Whether men stand, from either seat, where the next game begins from a told position."""
        setup = self._reader.setup(self._game + 1)
        if setup is None or setup.start_fen is None:
            return False
        array = cells_of(chess.Board(setup.start_fen))
        return 0 in (_away(cells, array), _away(cells[::-1], array))


def _away(cells: str, array: str = START_CELLS) -> int:
    """Return in how many squares *cells* and *array*, 32 men on their ranks, differ."""
    return sum((cells[s] == EMPTY) != (array[s] == EMPTY) for s in chess.SQUARES)
