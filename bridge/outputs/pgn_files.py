"""PGN files of the games, whole at every moment: one a game, and one a round.

``ROUND/TABLE-GAME.pgn`` and ``ROUND/games.pgn`` in board order. The first game of each table of
a round is there from its start, without moves too; a later one, which may be no more than a
board set up again, from its first move on.
"""

import asyncio
import hashlib
import logging
import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import GameRecord, Scorebook, ScoresheetError
from bridge.outputs.bus import Bus, Lagged, Subscription
from bridge.store.files import replace_file, sync_folder

logger = logging.getLogger(__name__)

ALL_GAMES = "games.pgn"
NO_ROUND = "unknown"

GAMES_AT_ONCE = 16
REST_AFTER_WORK = 4.0
"""Rest after writing some of many games, as a multiple of the time it took."""

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


class _File(NamedTuple):
    """What a file has to hold. Only what is final waits for the disk.

    A game in progress is in the journal, and is written from it again after a power cut.
    """

    text: bytes
    is_final: bool


class PgnFolder:
    """The files in a folder; knows what it has written and writes only what has changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._games: dict[tuple[str, int], _Game] = {}
        self._first: dict[tuple[str, str], int] = {}
        self._written: dict[Path, bytes] = {}

    def update(self, records: Iterable[GameRecord]) -> None:
        """Write the files of games that are new or changed, and what is left from failures.

        Raises:
            OSError: some could not be written; the next update, of none at all too, tries again.
        """
        for record in records:
            game = _game(record)
            self._games[record.table, record.game] = game
            place = game.folder, record.table
            self._first[place] = min(self._first.get(place, record.game), record.game)
        errors: list[OSError] = []
        for folder, files in self._files().items():
            try:
                self._write(self._root / folder, files)
            except OSError as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def _files(self) -> dict[str, dict[str, _File]]:
        """Return what has to be there, by folder and name."""
        rounds: defaultdict[str, list[_Game]] = defaultdict(list)
        for (table, number), game in self._games.items():
            is_first = number == self._first[game.folder, table]
            is_there = self._root / game.folder / game.name in self._written
            if game.has_moves or is_first or is_there:
                rounds[game.folder].append(game)
        return {
            folder: {game.name: _File(game.text, game.is_over) for game in games}
            | {
                ALL_GAMES: _File(
                    b"".join(game.text for game in sorted(games)),
                    all(game.is_over for game in games),
                )
            }
            for folder, games in rounds.items()
        }

    def _write(self, folder: Path, files: dict[str, _File]) -> None:
        changed = {
            path: file
            for name, file in files.items()
            if self._known(path := folder / name) != file.text
        }
        if not changed:
            return
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            sync_folder(folder.parent)
        for path, file in changed.items():
            replace_file(path, file.text, durable=file.is_final)
            self._written[path] = file.text
        if any(file.is_final for file in changed.values()):
            sync_folder(folder)

    def _known(self, path: Path) -> bytes | None:
        """Return what the file holds; after a restart most of them are right already."""
        if path not in self._written:
            try:
                self._written[path] = path.read_bytes()
            except FileNotFoundError:
                return None
        return self._written[path]


class PgnFiles:
    """Keeps a folder up to date with the facts of a bus, from entering to leaving.

    A change is written at once, further ones after ``interval`` seconds. When files cannot be
    written, it says so once and tries again every ``retry`` seconds. Leaving writes the rest.
    """

    def __init__(
        self,
        folder: Path,
        bus: Bus,
        current: Callable[[], Iterable[GameRecord]],
        *,
        interval: float = 1.0,
        retry: float = 1.0,
    ) -> None:
        """Follow ``bus`` from what ``current`` returns: all games, with every fact published.

        ``current`` is called on entering and again whenever facts were missed.
        """
        self._root = folder
        self._folder = PgnFolder(folder)
        self._bus = bus
        self._current = current
        self._interval = interval
        self._retry = retry
        self._book = Scorebook()
        self._changed: dict[tuple[str, int], GameRecord] = {}
        self._wake = asyncio.Event()
        self._ended = asyncio.Event()
        self._failing = False

    async def __aenter__(self) -> Self:
        self._subscription = self._bus.subscribe()
        self._rebuild()
        self._tasks = [
            asyncio.create_task(self._follow(self._subscription)),
            asyncio.create_task(self._keep_writing()),
        ]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._subscription.close()
        await asyncio.gather(*self._tasks)

    def _rebuild(self) -> None:
        self._book = Scorebook(self._current())
        self._changed = {(record.table, record.game): record for record in self._book.records()}
        self._wake.set()

    async def _follow(self, facts: Subscription) -> None:
        try:
            async for fact in facts:
                if isinstance(fact, Lagged):
                    self._rebuild()
                    continue
                try:
                    record = self._book.apply(fact)
                except ScoresheetError:
                    # A mistake of ours at one table is no reason to leave the others behind.
                    logger.exception("pgn files: a fact was passed over")
                    continue
                if record is not None:
                    self._changed[record.table, record.game] = record
                    self._wake.set()
        except Exception:
            logger.exception("pgn files: the games are no longer followed")
        finally:
            self._ended.set()
            self._wake.set()

    async def _keep_writing(self) -> None:
        try:
            ended = False
            while not ended:
                await self._wake.wait()
                ended = self._ended.is_set()
                self._wake.clear()
                await self._rest(await self._write(all_at_once=ended))
        except Exception:
            logger.exception("pgn files: no longer written")

    async def _write(self, *, all_at_once: bool) -> float:
        """Write games that changed and return how long to rest; never many without a rest.

        Writing is work for the interpreter, which the boards need more.
        """
        waiting = list(self._changed)
        keys = waiting if all_at_once else waiting[:GAMES_AT_ONCE]
        records = [self._changed.pop(key).copy() for key in keys]
        began = time.monotonic()
        try:
            await asyncio.to_thread(self._folder.update, records)
        except OSError as error:
            if not self._failing:
                logger.warning("pgn files in %s cannot be written: %s", self._root, error)
            self._failing = True
            self._wake.set()
            return self._retry
        if self._failing:
            logger.info("pgn files in %s are written again", self._root)
        self._failing = False
        if not self._changed:
            return self._interval
        self._wake.set()
        return REST_AFTER_WORK * (time.monotonic() - began)

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        except TimeoutError:
            return


class _Game(NamedTuple):
    """A game as a file; sorts by board, then by table as people count, then by game."""

    order: tuple[float, tuple[tuple[int, str], ...], int]
    folder: str
    name: str
    text: bytes
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
    setup = record.setup
    board = float("inf") if setup.board is None else setup.board
    return _Game(
        order=(board, tuple(_as_people_count(record.table)), record.game),
        folder=NO_ROUND if setup.round in {"", "?", "-"} else file_name(setup.round),
        name=f"{file_name(record.table)}-{record.game}.pgn",
        text=to_pgn(record).encode(),
        has_moves=bool(record.plies),
        is_over=record.ended_by is not None,
    )


def _as_people_count(name: str) -> Iterator[tuple[int, str]]:
    for digits, letters in re.findall(r"([0-9]{1,18})|([^0-9]+)", name):
        yield (int(digits), "") if digits else (-1, letters)
