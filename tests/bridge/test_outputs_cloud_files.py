"""The folder of a tournament: readers find every game in its place, whole at every moment."""

import asyncio
import json
import random
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import chess.pgn
import msgspec
import pytest

from bridge.core.model import ClockUpdated, Fact, MovesCorrected, TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.cloud.files import CloudFiles, CloudFolder, Seat
from tests.bridge.cloud_reader import read_game, read_index, read_tournament
from tests.bridge.left_errors import errors_left_by
from tests.bridge.scoresheets import WALL, Telling, book, ended, line, settled, started, timed

PATIENCE = 20


def setup(table: str, number: int | None = None, *, round_: str = "3") -> TableSetup:
    return TableSetup(
        event="Harbour Open",
        round=round_,
        date="2026.09.21",
        board=number,
        white=f"White, {table}",
        black=f"Black, {table}",
        time_control="5400+30",
    )


def seats(*tables: str, round_: str = "3") -> list[Seat]:
    return [
        Seat(table, setup(table, number, round_=round_), f"4501{number}")
        for number, table in enumerate(tables, 1)
    ]


def play(sans: str, table: str, game: int = 1, *, at: float = 0.0, round_: str = "3") -> list[Fact]:
    """Return the facts of a game, ``at`` seconds later than others."""
    facts = line(sans, table, game, setup=setup(table, round_=round_))
    return [msgspec.structs.replace(fact, wall=fact.wall + at) for fact in facts]


def update(folder: CloudFolder, *facts: Iterable[Fact]) -> None:
    folder.update(book(*(fact for several in facts for fact in several)).records())


def places(root: Path, round_: int = 3) -> list[list[str] | None]:
    """Return the moves of each place, ``None`` where there is no game yet."""
    count = len(read_index(root, round_).pairings)
    games = [read_game(root, number + 1, round_) for number in range(count)]
    return [None if game is None else game.sans for game in games]


def names(root: Path, round_: int = 3) -> list[str]:
    """Return who has the white pieces, by places."""
    return [each.white.name if each.white else "" for each in read_index(root, round_).pairings]


# --- the folder ---------------------------------------------------------------------------------


def test_before_the_round_all_pairings_are_there_and_no_game(tmp_path: Path) -> None:
    CloudFolder(tmp_path, seats("1", "2", "3")).update(())
    assert places(tmp_path) == [None, None, None]
    assert names(tmp_path) == ["1 White", "2 White", "3 White"]
    assert read_index(tmp_path, 3).date == "2026-09-21"
    assert {(each.result, each.live) for each in read_index(tmp_path, 3).pairings} == {("*", True)}
    told = read_tournament(tmp_path)
    assert [(each.count, each.live) for each in told.rounds] == [(0, 0), (0, 0), (3, 3)]
    assert told.eboards == ["45011", "45012", "45013"]
    assert told.name == "Harbour Open"


def test_a_game_stands_at_its_board_whenever_it_begins(tmp_path: Path) -> None:
    folder = CloudFolder(tmp_path, seats("1", "2", "3"))
    update(folder, play("e4", "3"))
    assert places(tmp_path) == [None, None, ["e4"]]
    update(folder, play("d4", "1"))
    assert places(tmp_path) == [["d4"], None, ["e4"]]
    game = read_game(tmp_path, 3, 3)
    assert game is not None
    assert game.serial_nr == "45013"


def pgn_sans(path: Path) -> list[list[str]]:
    """Return the moves of each game in a PGN file."""
    with path.open(encoding="utf-8") as file:
        games = iter(lambda: chess.pgn.read_game(file), None)
        return [[node.san() for node in game.mainline()] for game in games]


def test_the_round_is_there_as_pgn_too_under_the_same_numbers(tmp_path: Path) -> None:
    folder = CloudFolder(tmp_path, seats("1", "2", "10"))
    update(folder, play("e4 e5", "10"))
    assert sorted(path.name for path in tmp_path.rglob("*.pgn")) == ["game-3.pgn", "games.pgn"]
    update(folder, play("d4", "1"), play("c4", "2"))
    each = [pgn_sans(tmp_path / f"round-3/game-{number}.pgn") for number in (1, 2, 3)]
    assert each == [[["d4"]], [["c4"]], [["e4", "e5"]]]
    assert pgn_sans(tmp_path / "round-3/games.pgn") == [["d4"], ["c4"], ["e4", "e5"]]
    other = CloudFolder(tmp_path, seats("1", "2"))
    (tmp_path / "round-3/boards.json").unlink()
    other.update(())
    assert not list(tmp_path.rglob("*.pgn"))


def test_boards_stand_in_order_however_they_are_configured(tmp_path: Path) -> None:
    several = [
        Seat("hall", setup("hall"), "h"),
        *reversed(seats("B", "A")),
        Seat("T9", setup("T9"), "9"),
    ]
    several.append(Seat("T10", setup("T10"), "10"))
    CloudFolder(tmp_path, several).update(())
    assert names(tmp_path) == ["B White", "A White", "T9 White", "T10 White", "hall White"]


def test_another_game_of_a_table_comes_behind_all_boards(tmp_path: Path) -> None:
    folder = CloudFolder(tmp_path, seats("1", "2"))
    first = [*play("e4", "1"), ended("1-0", "kings", "1"), *play("d4", "2")]
    update(folder, first, play("", "1", 2, at=50))
    assert places(tmp_path) == [["e4"], ["d4"]]
    update(folder, first, play("c4 c5", "1", 2, at=50))
    assert places(tmp_path) == [["e4"], ["d4"], ["c4", "c5"]]
    assert names(tmp_path) == ["1 White", "2 White", "1 White"]
    assert [each.result for each in read_index(tmp_path, 3).pairings] == ["1-0", "*", "*"]
    assert read_tournament(tmp_path).rounds[2].count == 3


def test_a_board_that_was_set_up_again_before_a_move_keeps_its_place(tmp_path: Path) -> None:
    folder = CloudFolder(tmp_path, seats("1", "2"))
    update(folder, play("", "1"))
    assert places(tmp_path) == [[], None]
    update(folder, play("", "1"), play("", "1", 2), play("e4", "1", 3))
    assert places(tmp_path) == [["e4"], None]


def test_places_stay_after_a_restart_whatever_is_configured_then(tmp_path: Path) -> None:
    folder = CloudFolder(tmp_path, seats("1", "2", "3"))
    facts = [
        *play("e4", "3"),
        *play("d4", "1"),
        *play("c4", "3", 2, at=9),
        *play("b4", "1", 2, at=5),
    ]
    update(folder, facts)
    before = [["d4"], None, ["e4"], ["b4"], ["c4"]]
    assert places(tmp_path) == before
    swapped = seats("3", "2", "4", "1")
    later = CloudFolder(tmp_path, swapped)
    update(later, facts)
    assert places(tmp_path) == [*before, None]
    assert names(tmp_path)[-1] == "4 White"
    update(later, facts, play("a4", "2"), play("h4", "4"))
    assert places(tmp_path) == [["d4"], ["a4"], *before[2:], ["h4"]]


def test_a_table_that_is_configured_no_longer_keeps_its_place_empty(tmp_path: Path) -> None:
    update(CloudFolder(tmp_path, seats("1", "2", "3")), play("e4", "3"))
    update(CloudFolder(tmp_path, seats("1", "3")), play("e4", "3"))
    assert places(tmp_path) == [None, None, ["e4"]]
    empty = read_index(tmp_path, 3).pairings[1]
    assert (empty.white, empty.black, empty.live) == (None, None, False)


def test_until_a_game_has_begun_boards_may_still_change_places(tmp_path: Path) -> None:
    CloudFolder(tmp_path, seats("1", "2")).update(())
    CloudFolder(tmp_path, seats("2", "1")).update(())
    assert names(tmp_path) == ["2 White", "1 White"]


def test_games_of_an_earlier_event_do_not_stay(tmp_path: Path) -> None:
    update(CloudFolder(tmp_path, seats("1", "2")), play("e4", "2"))
    CloudFolder(tmp_path, seats("1", "2")).update(())
    assert places(tmp_path) == [None, None]


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b"\xff", b'["\xff"]'])
def test_places_that_cannot_be_read_are_given_anew(tmp_path: Path, text: bytes) -> None:
    update(CloudFolder(tmp_path, seats("1", "2")), play("e4", "2"))
    (tmp_path / "round-3/boards.json").write_bytes(text)
    update(CloudFolder(tmp_path, seats("1", "2")), play("e4", "2"))
    assert places(tmp_path) == [None, ["e4"]]
    assert json.loads((tmp_path / "round-3/boards.json").read_bytes()) == ["1", "2"]


def test_the_round_before_stays_as_it_was_and_may_still_grow(tmp_path: Path) -> None:
    first = [*play("e4 e5", "2", round_="2"), *play("d4", "1", round_="2", at=3)]
    update(CloudFolder(tmp_path, seats("1", "2", "3", round_="2")), first)
    folder = CloudFolder(tmp_path, seats("2", "1"))
    late = [*play("e4 e5 Nf3", "2", round_="2"), *first[3:]]
    update(folder, late, play("c4", "2", 2))
    assert places(tmp_path, 2) == [["d4"], ["e4", "e5", "Nf3"], None]
    assert places(tmp_path, 3) == [["c4"], None]
    assert [each.count for each in read_tournament(tmp_path).rounds] == [0, 3, 2]


def test_a_game_that_begins_anew_in_another_round_leaves_the_one_before(tmp_path: Path) -> None:
    folder = CloudFolder(tmp_path, seats("1", "2"))
    update(folder, play("e4", "1", round_="2"), play("d4", "2", round_="2"))
    update(folder, play("c4", "1"))
    assert places(tmp_path, 2)[1:] == [["d4"]]
    assert read_index(tmp_path, 2).pairings[0].white is None
    assert places(tmp_path, 3) == [["c4"], None]


def test_what_is_right_already_is_not_written_again(tmp_path: Path) -> None:
    facts = [play("e4", "1"), play("d4", "2")]
    update(CloudFolder(tmp_path, seats("1", "2")), *facts)
    before = {path: path.stat().st_ino for path in tmp_path.rglob("*.json")}
    folder = CloudFolder(tmp_path, seats("1", "2"))
    update(folder, *facts)
    assert {path: path.stat().st_ino for path in tmp_path.rglob("*.json")} == before
    update(folder, play("e4 e5", "1"))
    changed = {path.name for path, node in before.items() if path.stat().st_ino != node}
    assert changed == {"game-1.json"}


def test_what_could_not_be_written_is_not_kept_by_its_error(tmp_path: Path) -> None:
    (tmp_path / "round-2").write_text("a file where the folder should be")
    folder = CloudFolder(tmp_path, seats("1"))
    game = play("e4", "1", round_="2")
    assert errors_left_by(lambda: update(folder, game)) == 0


def test_a_failure_in_one_round_does_not_keep_back_another(tmp_path: Path) -> None:
    (tmp_path / "round-2").write_text("a file where the folder should be")
    folder = CloudFolder(tmp_path, seats("1"))
    with pytest.raises(OSError, match="round-2"):
        update(folder, play("e4", "1", round_="2"), play("d4", "1", 2))
    assert places(tmp_path) == [["d4"]]
    (tmp_path / "round-2").unlink()
    folder.update(())
    assert places(tmp_path, 2) == [["e4"]]


# --- following the bus --------------------------------------------------------------------------


class Hall(Telling):
    def files(self, root: Path, *tables: str, interval: float = 0.005) -> CloudFiles:
        return CloudFiles(root, seats(*tables), self.bus, self._records, interval=interval)

    def _records(self) -> list[GameRecord]:
        return self.book.records()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for is on the disk
            await asyncio.sleep(0.005)


def clock(at: float, white_ms: int, table: str = "1") -> ClockUpdated:
    return ClockUpdated(
        table=table,
        game=1,
        at=at,
        wall=WALL + at,
        evidence=(1, 1),
        white_ms=white_ms,
        black_ms=60_000,
        running=True,
        turn="white",
    )


def test_the_index_is_there_before_any_game(tmp_path: Path) -> None:
    async def main() -> None:
        async with Hall().files(tmp_path, "1", "2"):
            await until((tmp_path / "tournament.json").exists)
        assert places(tmp_path) == [None, None]

    asyncio.run(main())


def test_other_players_and_another_round_are_taken_while_it_runs(tmp_path: Path) -> None:
    async def main() -> None:
        hall = Hall(*play("e4", "2"))
        async with hall.files(tmp_path, "1", "2") as files:
            await until((tmp_path / "tournament.json").exists)
            files.seat([seats("1", "2")[1], Seat("1", setup("Ada"), "45011")])
            await until(lambda: names(tmp_path) == ["Ada White", "2 White"])
            files.seat(seats("2", "1", round_="4"))
            await until(lambda: len(read_tournament(tmp_path).rounds) == 4)
        assert names(tmp_path, 4) == ["2 White", "1 White"]
        assert places(tmp_path) == [None, ["e4"]]

    asyncio.run(main())


def test_a_clock_that_only_goes_on_is_not_written(tmp_path: Path) -> None:
    shown: list[int | None] = []

    async def main() -> None:
        hall = Hall(*play("e4 e5", "1"))

        def white() -> int | None:
            game = read_game(tmp_path, 1, 3)
            return game.clock.white if game and game.clock else None

        async with hall.files(tmp_path, "1"):
            for at, white_ms in ((0, 60_000), (1, 59_000), (2, 58_000), (10, 30_000), (11, 29_000)):
                hall.say(clock(at, white_ms))
                if white_ms in {60_000, 30_000}:
                    await until(lambda: white() == white_ms // 1000)  # noqa: B023 - at once
                await asyncio.sleep(0.02)
                shown.append(white())

    asyncio.run(main())
    assert shown == [60, 60, 60, 30, 30]


def test_a_clock_before_the_first_game_is_of_no_game(tmp_path: Path) -> None:
    async def main() -> None:
        hall = Hall()
        async with hall.files(tmp_path, "1"):
            hall.say(clock(0, 1000), *play("e4", "1"))
        game = read_game(tmp_path, 1, 3)
        assert game is not None
        assert (game.clock, game.sans) == (None, ["e4"])

    asyncio.run(main())


def correction(table: str, ply: int, count: int) -> MovesCorrected:
    return MovesCorrected(
        table=table, game=1, at=9, wall=WALL, evidence=(1, 2), ply=ply, count=count, reason="x"
    )


def simulated_game(table: str, seed: int) -> Iterable[Fact]:
    """Yield a game with times in which some moves are corrected at once."""
    rng = random.Random(seed)
    board = chess.Board()
    yield started(table, setup=setup(table))
    for ply in range(1, 40):
        legal = list(board.legal_moves)
        if rng.random() < 0.15:
            wrong = board.copy()
            yield settled(wrong, rng.choice(legal), ply, table)
            yield correction(table, ply, 1)
        yield settled(board, rng.choice(legal), ply, table)
        yield timed(ply, 5_400_000 - 1000 * ply, table)
        yield clock(float(ply), 5_400_000 - 20_000 * ply, table)
        if board.is_game_over():
            break
    yield ended("1/2-1/2", "kings", table)


class Poller(threading.Thread):
    """A viewer that reads all the time, as fast as it can.

    ``wrong`` is what it could not read, ``shrunk`` how often a table's game lost moves that were
    shown, ``lengths`` how many moves games had when it looked.
    """

    def __init__(self, root: Path, tables: list[str]) -> None:
        super().__init__()
        self._root, self._tables = root, tables
        self._last: dict[str, list[str]] = {table: [] for table in tables}
        self._finished = threading.Event()
        self.wrong: list[str] = []
        self.shrunk = dict.fromkeys(tables, 0)
        self.lengths: set[int] = set()

    def run(self) -> None:
        while not self._finished.is_set():
            if not (self._root / "tournament.json").exists():
                continue
            try:
                self._read()
            except Exception as error:  # noqa: BLE001 - whatever it is, no reader must see it
                self.wrong.append(repr(error))

    def _read(self) -> None:
        assert read_tournament(self._root).rounds[-1].count == len(self._tables)
        assert len(read_index(self._root, 3).pairings) == len(self._tables)
        for number, table in enumerate(self._tables, 1):
            game = read_game(self._root, number, 3)
            if game is None:
                assert not self._last[table]
                continue
            game.replayed()
            self.lengths.add(len(game.sans))
            last, self._last[table] = self._last[table], game.sans
            self.shrunk[table] += game.sans[: len(last)] != last

    def has_seen_fewer(self, lengths: int) -> bool:
        """Whether it is still to see that many lengths of games, unless it can read no more."""
        return len(self.lengths) < lengths and not self.wrong

    def finish(self) -> None:
        self._finished.set()
        self.join()


def test_whoever_polls_during_a_round_reads_whole_files_and_moves_that_only_grow(
    tmp_path: Path,
) -> None:
    """Moves are taken back where the hall took them back, and nowhere else."""
    tables = [str(number) for number in range(1, 7)]
    games = {table: list(simulated_game(table, int(table))) for table in tables}
    poller = Poller(tmp_path, tables)

    async def main() -> None:
        hall = Hall()
        async with hall.files(tmp_path, *tables, interval=0.001):
            for step in range(max(map(len, games.values()))):
                for facts in games.values():
                    hall.say(*facts[step : step + 1])
                await asyncio.sleep(0.01)
                # Now and then it is waited for: a busy machine may leave it or the writer no time.
                while poller.has_seen_fewer(min(step // 10, 4)):  # noqa: ASYNC110 - a thread
                    await asyncio.sleep(0.001)

    poller.start()
    try:
        asyncio.run(main())
    finally:
        poller.finish()
    assert poller.wrong == []
    assert len(poller.lengths) > 3, "it was read while it went on"
    for number, table in enumerate(tables, 1):
        corrections = sum(isinstance(fact, MovesCorrected) for fact in games[table])
        assert poller.shrunk[table] <= corrections
        game = read_game(tmp_path, number, 3)
        assert game is not None
        (record,) = book(*games[table]).records()
        assert game.sans == [ply.san for ply in record.plies]
        assert (game.live, game.result, game.clock) == (False, "DRAW", None)
    assert {each.result for each in read_index(tmp_path, 3).pairings} == {"1/2-1/2"}
    assert not list(tmp_path.rglob("*.tmp"))
