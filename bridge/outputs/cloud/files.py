"""The folder of a tournament as LiveChess Cloud serves it and LiveChess exports it.

``tournament.json``, and for each round ``round-R/index.json``, ``round-R/game-G.json`` and the same
game in ``round-R/game-G.pgn``, where ``G`` is the place in the index. ``round-R/games.pgn`` has all
games of the round. ``round-R/boards.json`` is ours: it keeps those places.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from bridge.core.json_errors import NOT_JSON
from bridge.core.model import ClockUpdated, Fact, TableSetup
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.bus import Bus
from bridge.outputs.cloud.documents import NOBODY, Pairing, game, index, pairing, tournament
from bridge.outputs.cloud.places import arranged, counted
from bridge.outputs.game_files import GameFiles, board_order
from bridge.outputs.kept_texts import KeptText
from bridge.outputs.pgn_files import ALL_GAMES, file_name
from bridge.store.files import Content, WrittenFiles

BOARDS = "boards.json"
UNLIKE_MS = 2000
"""A clock that shows what it showed before, but for the time passed, is not written again."""

_ROUND = re.compile(r"0*([1-9][0-9]{0,2})(?![0-9])")


def folder_of(root: Path, section: str) -> Path:
    """Return the folder of a section's tournament; groups that are not kept apart share one."""
    return root / file_name(section) if section else root


class Seat(NamedTuple):
    """A table of the round that is played; ``serial`` names its board to readers."""

    table: str
    setup: TableSetup
    serial: str


def round_number(name: str) -> int:
    """Return the number of a round: what its name begins with, 1 where it begins with none.

    >>> round_number("3"), round_number("3.2"), round_number("?")
    (3, 3, 1)
    """
    number = _ROUND.match(name.strip())
    return int(number[1]) if number else 1


def runs_on(before: ClockUpdated, after: ClockUpdated) -> bool:
    """Whether *after* shows what *before* lets expect."""
    if (before.running, before.turn) != (after.running, after.turn):
        return False
    passed = (after.wall - before.wall) * 1000 if before.running else 0.0
    white = before.white_ms - (passed if before.turn == "white" else 0)
    black = before.black_ms - (passed if before.turn == "black" else 0)
    return max(abs(white - after.white_ms), abs(black - after.black_ms)) < UNLIKE_MS


class _Texts(NamedTuple):
    """A game in both forms."""

    json: KeptText
    pgn: KeptText


class CloudFolder:
    """The files in a folder; knows what it has written and writes only what has changed.

    ``planned`` may be changed at any time: the tables of the round that is played now.
    """

    def __init__(self, root: Path, seats: Sequence[Seat]) -> None:
        """*seats* are the tables of the round that is played, at least one, all of one section."""
        self._root = root
        self._section = seats[0].setup.section
        self.planned: Sequence[Seat] = seats
        self._seat(seats)
        self._games: dict[tuple[str, int], GameRecord] = {}
        self._texts: dict[tuple[str, int], _Texts] = {}
        self._places: dict[int, list[str]] = {}
        self._stale: set[int] = set()
        self._written = WrittenFiles()

    def update(self, records: Iterable[GameRecord]) -> None:
        """Write the files of games that are new or changed, and what is left from failures.

        Raises:
            OSError: some could not be written; the next update, of none at all too, tries again.
        """
        self._seat(self.planned)
        for record in records:
            if record.setup.section == self._section:
                self._enter(record)
        errors: list[OSError] = []
        for number in sorted({*self._stale, self._current}):
            try:
                self._write_round(number)
            except OSError as error:
                errors.append(error)
            else:
                self._stale.discard(number)
        if errors:
            try:
                raise errors[0]
            finally:
                errors.clear()  # what an error holds is all that was to be written
        self._write_tournament()

    def _seat(self, seats: Sequence[Seat]) -> None:
        self._seats = {seat.table: seat for seat in seats}
        self._setup = seats[0].setup
        self._current = round_number(self._setup.round)

    def _enter(self, record: GameRecord) -> None:
        key = record.table, record.game
        before = self._games.get(key)
        self._stale |= {round_number(each.setup.round) for each in (before, record) if each}
        is_over = record.ended_by is not None
        json = msgspec.json.encode(game(record, serial=self._serial(record.table)))
        self._texts[key] = _Texts(
            KeptText(json, final=is_over), KeptText(to_pgn(record).encode(), final=is_over)
        )
        self._games[key] = record
        if is_over:
            record.pack()

    def _serial(self, table: str) -> str:
        seat = self._seats.get(table)
        return table if seat is None else seat.serial

    # --- a round --------------------------------------------------------------------------------

    def _write_round(self, number: int) -> None:
        folder = self._root / f"round-{number}"
        games = self._games_of(number)
        setups = {table: several[-1].setup for table, several in games.items()}
        if number == self._current:
            setups |= {seat.table: seat.setup for seat in self._seats.values()}
        tables = sorted(setups, key=lambda table: board_order(table, setups[table].board))
        if number not in self._places:
            _remove_games(folder, keep=_known_places(folder) if games else [])
        places = arranged(self._fixed(number, folder) if games else [], tables, games)
        self._places[number] = places
        self._written.write(folder, dict(self._files(places, games, setups)))

    def _fixed(self, number: int, folder: Path) -> list[str]:
        """Return the places that readers know already; they are open until a game has begun."""
        return self._places.get(number) or _known_places(folder)

    def _games_of(self, number: int) -> dict[str, list[GameRecord]]:
        games: defaultdict[str, list[GameRecord]] = defaultdict(list)
        for record in self._games.values():
            if round_number(record.setup.round) == number:
                games[record.table].append(record)
        return {table: counted(records) for table, records in games.items()}

    def _files(
        self,
        places: Sequence[str],
        games: Mapping[str, Sequence[GameRecord]],
        setups: Mapping[str, TableSetup],
    ) -> Iterator[tuple[str, Content]]:
        """Yield the files of a round, the index last: what it names is there."""
        yield BOARDS, Content(msgspec.json.encode(places), is_final=True)
        pairings: list[Pairing] = []
        all_games: list[bytes] = []
        waiting = {table: iter(several) for table, several in games.items()}
        for place, table in enumerate(places, 1):
            record = next(waiting.get(table, iter(())), None)
            if record is not None:
                texts, is_over = self._texts[table, record.game], record.ended_by is not None
                pgn = texts.pgn.text
                yield f"game-{place}.json", Content(texts.json.text, is_over)
                yield f"game-{place}.pgn", Content(pgn, is_over)
                all_games.append(pgn)
                pairings.append(pairing(record.setup, record))
            elif table in setups and table not in places[: place - 1]:
                pairings.append(pairing(setups[table], None))
            else:
                pairings.append(NOBODY)
        date = _date(games, self._setup.date)
        is_final = not any(each.live for each in pairings)
        if all_games:
            yield ALL_GAMES, Content(b"".join(all_games), is_final)
        yield "index.json", Content(msgspec.json.encode(index(date, pairings)), is_final)

    # --- the tournament -------------------------------------------------------------------------

    def _write_tournament(self) -> None:
        counts = [len(self._places.get(number + 1, ())) for number in range(max(self._places))]
        boards = [seat.serial for seat in self._seats.values()]
        text = msgspec.json.encode(tournament(self._setup, counts, boards))
        self._written.write(self._root, {"tournament.json": Content(text, is_final=False)})


def _date(games: Mapping[str, Sequence[GameRecord]], planned: str) -> str:
    """Return the day on which a round began, which a start after midnight does not change."""
    every = [game for several in games.values() for game in several]
    return min(every, key=lambda game: game.started).setup.date if every else planned


def _known_places(folder: Path) -> list[str]:
    """Return the places of a round as they were written, none if they were not."""
    try:
        return msgspec.json.decode((folder / BOARDS).read_bytes(), type=list[str])
    except (FileNotFoundError, *NOT_JSON):
        return []


def _remove_games(folder: Path, *, keep: Sequence[str]) -> None:
    """Remove games of an earlier event from a folder in which no game of this one has begun."""
    if not keep:
        for pattern in ("game-*.json", "game-*.pgn", ALL_GAMES):
            for path in folder.glob(pattern):
                path.unlink()


class CloudFiles(GameFiles):
    """Keeps a tournament's folder up to date with the facts of a bus."""

    at_once = sys.maxsize  # places are given in view of all games, and texts are short

    def __init__(
        self,
        folder: Path,
        seats: Sequence[Seat],
        bus: Bus,
        current: Callable[[], Iterable[GameRecord]],
        *,
        interval: float = 1.0,
        retry: float = 1.0,
    ) -> None:
        """Follow ``bus`` from what ``current`` returns: all games, with every fact published."""
        self._cloud = CloudFolder(folder, seats)
        super().__init__(
            f"cloud files in {folder}",
            self._cloud,
            bus,
            current,
            interval=interval,
            retry=retry,
        )
        self._clocks: dict[str, ClockUpdated] = {}

    def seat(self, seats: Sequence[Seat]) -> None:
        """Take other tables, players or another round than were planned."""
        self._cloud.planned = seats
        self._wake.set()

    def _changed_by(self, fact: Fact) -> GameRecord | None:
        """Enter a fact; a clock that only goes on changes no file, as readers let it go on."""
        record = super()._changed_by(fact)
        if not isinstance(fact, ClockUpdated):
            return record
        before = self._clocks.get(fact.table)
        if before is not None and before.game == fact.game and runs_on(before, fact):
            return None
        self._clocks[fact.table] = fact
        return record
