"""PGN files of the games, whole at every moment: one a game, and one a round.

``ROUND/TABLE-GAME.pgn`` and ``ROUND/games.pgn`` in board order, in a folder of the group where that
is kept apart. The first game of each table of
a round is there from its start, without moves too; a later one, which may be no more than a
board set up again, from its first move on.
"""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.bus import Bus
from bridge.outputs.game_files import BoardOrder, GameFiles, board_order
from bridge.outputs.kept_texts import KeptText
from bridge.store.files import Content, WrittenFiles, sync_folder

ALL_GAMES = "games.pgn"
NO_ROUND = "unknown"

_CLEAN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_READABLE = 40


def set_aside(folder: Path, stamp: str) -> Path | None:
    """Rename a folder with games that no journal tells of any more; return its new name."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return None
    kept = folder.with_name(f"{folder.name}.before-{stamp}")
    folder.rename(kept)
    sync_folder(kept.parent)
    return kept


class PgnFolder:
    """The files in a folder; knows what it has written and writes only what has changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._games: dict[tuple[str, int], _Game] = {}
        self._first: dict[tuple[str, str], int] = {}
        self._stale: set[str] = set()
        self._written = WrittenFiles()

    def update(self, records: Iterable[GameRecord]) -> None:
        """Write the files of games that are new or changed, and what is left from failures.

        Raises:
            OSError: some could not be written; the next update, of none at all too, tries again.
        """
        for record in records:
            key, game = (record.table, record.game), _game(record)
            before, self._games[key] = self._games.get(key), game
            self._stale |= {each.folder for each in (before, game) if each}
            place = game.folder, record.table
            self._first[place] = min(self._first.get(place, record.game), record.game)
        errors: list[OSError] = []
        for folder, files in self._files().items():
            try:
                self._written.write(self._root / folder, files)
            except OSError as error:
                errors.append(error)
            else:
                self._stale.discard(folder)
        if errors:
            try:
                raise errors[0]
            finally:
                errors.clear()  # what an error holds is all that was to be written

    def _files(self) -> dict[str, dict[str, Content]]:
        """Return what has to be there, by folder and name, of folders that are out of date."""
        rounds: defaultdict[str, list[_Game]] = defaultdict(list)
        for (table, number), game in self._games.items():
            if game.folder not in self._stale:
                continue
            is_first = number == self._first[game.folder, table]
            is_there = self._root / game.folder / game.name in self._written
            if game.has_moves or is_first or is_there:
                rounds[game.folder].append(game)
        return {folder: dict(_contents(sorted(games))) for folder, games in rounds.items()}


class PgnFiles(GameFiles):
    """Keeps PGN files in a folder up to date with the facts of a bus."""

    def __init__(
        self,
        folder: Path,
        bus: Bus,
        current: Callable[[], Iterable[GameRecord]],
        *,
        interval: float = 1.0,
        retry: float = 1.0,
    ) -> None:
        """Follow ``bus`` from what ``current`` returns: all games, with every fact published."""
        super().__init__(
            f"pgn files in {folder}",
            PgnFolder(folder),
            bus,
            current,
            interval=interval,
            retry=retry,
        )


class _Game(NamedTuple):
    """A game as a file; sorts by board, then by table as people count, then by game."""

    order: tuple[BoardOrder, int]
    folder: str
    name: str
    kept: KeptText
    has_moves: bool
    is_over: bool


def file_name(name: str) -> str:
    """Return a name that is safe in any folder, for another name another one.

    A name of plain ASCII stays; of others what is readable stays, with a digest behind ``~``.

    >>> file_name("12"), file_name("../Süd")
    ('12', 'Sud~7a88870b308b')
    """
    if _CLEAN_NAME.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^A-Za-z0-9_-]+", "_", plain).strip("_-")[:_READABLE]
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{readable}~{digest}"


def _game(record: GameRecord) -> _Game:
    setup, is_over = record.setup, record.ended_by is not None
    folder = NO_ROUND if setup.round in {"", "?", "-"} else file_name(setup.round)
    return _Game(
        order=(board_order(record.table, setup.board), record.game),
        folder=f"{file_name(setup.section)}/{folder}" if setup.section else folder,
        name=f"{file_name(record.table)}-{record.game}.pgn",
        kept=KeptText(to_pgn(record).encode(), final=is_over),
        has_moves=bool(record.plies),
        is_over=is_over,
    )


def _contents(games: Sequence[_Game]) -> Iterator[tuple[str, Content]]:
    """Yield the files of a folder: each game, and all together."""
    texts = [game.kept.text for game in games]
    for game, text in zip(games, texts, strict=True):
        yield game.name, Content(text, game.is_over)
    yield ALL_GAMES, Content(b"".join(texts), all(game.is_over for game in games))
