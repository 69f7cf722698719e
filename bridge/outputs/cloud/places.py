"""Which game of a round has which number: readers know games by it, so it never changes.

The places of a round are the names of tables; where a name comes again, that place is for the next
game of the table.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bridge.core.scoresheet.record import GameRecord


def counted(records: Iterable[GameRecord]) -> list[GameRecord]:
    """Return the games of a table in a round that have a place each.

    A board that was set up, and set up again before a move was made, was no game: only the last
    one of those is, if none was played.
    """
    games = sorted(records, key=lambda record: record.game)
    played = [game for game in games if game.plies or game.result != "*"]
    return played or games[-1:]


def arranged(
    places: Sequence[str], tables: Iterable[str], games: Mapping[str, Sequence[GameRecord]]
) -> list[str]:
    """Return the places with those added that are missing.

    *tables* are those that have a place without a game as well, in board order; *games* are those
    of each table that have one. Further games come in the order in which they began to be played.
    """
    result = [*places, *(table for table in tables if table not in places)]
    there = Counter(result)
    more = [
        (_began(game), table)
        for table, several in games.items()
        for game in several[there[table] :]
    ]
    return result + [table for _, table in sorted(more)]


def _began(game: GameRecord) -> float:
    return game.plies[0].wall if game.plies else game.started
