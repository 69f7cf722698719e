"""Setting a table up for one game of a board stream after the other."""

from collections.abc import Iterable

import msgspec

from bridge.core.model import Fact, GameEnded, MoveSettled, Reading
from bridge.core.stream.reading import StreamReader
from bridge.core.table import Table


class Setups:
    """Tells *table* the setups of a stream as *reader* has read them: the first it knows already.

    A start position may be put up without a result, which then ends the game before it: so it is
    known once that game has a move.
    """

    def __init__(self, reader: StreamReader, table: Table) -> None:
        self._reader, self._table = reader, table
        self._game = 1
        self._begun = set[int]()

    def follow(self, last: Reading, facts: Iterable[Fact]) -> list[Fact]:
        """Set the table up for the game behind the one that *facts* are of, if the stream says how.

        *facts* are what the table made of *last*.
        """
        # One that had no move was only put up on the way to another.
        self._begun.update(f.game for f in facts if isinstance(f, GameEnded | MoveSettled))
        game = len(self._begun) + 1
        if game == self._game:
            return []
        self._game = game
        setup = self._reader.setup(game)
        if setup is None or setup == self._table.setup:
            return []
        return self._table.apply(msgspec.structs.replace(last, payload=setup))
