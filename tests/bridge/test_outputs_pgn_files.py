"""PGN files: the right games under safe names, whole at every moment, whatever the disk does."""

import asyncio
import io
import logging
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import chess.pgn
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.model import Fact, MovesCorrected, StateExplained, TableSetup
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.bus import Bus
from bridge.outputs.pgn_files import PgnFiles, PgnFolder, file_name
from tests.bridge.left_errors import errors_left_by
from tests.bridge.scoresheets import (
    WALL,
    Telling,
    book,
    ended,
    line,
    random_game,
    settled,
    started,
    timed,
)

PATIENCE = 20


def round_setup(number: str = "3", board: int | None = None) -> TableSetup:
    return TableSetup(round=number, board=board)


def names(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def moves(text: str) -> list[list[str]]:
    """Return the SAN of every game in a text that must be whole."""
    games = []
    stream = io.StringIO(text)
    while game := chess.pgn.read_game(stream):
        assert game.errors == []
        games.append([node.san() for node in game.mainline()])
    return games


def update(folder: PgnFolder, *facts: Iterable[Fact]) -> None:
    folder.update(book(*(fact for several in facts for fact in several)).records())


# --- the folder ---------------------------------------------------------------------------------


def test_a_file_for_each_game_and_one_for_the_round(tmp_path: Path) -> None:
    facts = [
        *line("e4 e5", "1", setup=round_setup()),
        *line("d4", "2", setup=round_setup()),
        *line("c4", "2", setup=round_setup("4")),
    ]
    records = [book(*facts[:3]), book(*facts[3:5]), book(*facts[5:])]
    for sheets in records[:2]:
        PgnFolder(tmp_path).update(sheets.records())
    PgnFolder(tmp_path).update(records[2].records())
    update(PgnFolder(tmp_path), facts[:5])
    assert names(tmp_path) == {"3/1-1.pgn", "3/2-1.pgn", "3/games.pgn", "4/2-1.pgn", "4/games.pgn"}
    assert moves((tmp_path / "3/1-1.pgn").read_text()) == [["e4", "e5"]]
    assert moves((tmp_path / "3/games.pgn").read_text()) == [["e4", "e5"], ["d4"]]
    assert (tmp_path / "3/1-1.pgn").read_text() == to_pgn(records[0].records()[0])


def test_games_stand_in_the_order_of_boards(tmp_path: Path) -> None:
    update(
        PgnFolder(tmp_path),
        line("a3", "hall", setup=round_setup()),
        line("b3", "T10", setup=round_setup()),
        line("c3", "T9", setup=round_setup()),
        line("d3", "A", setup=round_setup(board=10)),
        line("e3", "B", setup=round_setup(board=2)),
        line("f3", "B", 2, setup=round_setup(board=2)),
    )
    assert moves((tmp_path / "3/games.pgn").read_text()) == [
        ["e3"],
        ["f3"],
        ["d3"],
        ["c3"],
        ["b3"],
        ["a3"],
    ]


def test_the_first_game_is_there_at_once_and_later_ones_from_their_first_move(
    tmp_path: Path,
) -> None:
    folder = PgnFolder(tmp_path)
    update(folder, line("", setup=round_setup()))
    assert moves((tmp_path / "3/1-1.pgn").read_text()) == [[]]
    update(folder, line("", game=2, setup=round_setup()))
    assert names(tmp_path) == {"3/1-1.pgn", "3/games.pgn"}
    update(folder, line("d4", game=2, setup=round_setup()))
    assert moves((tmp_path / "3/games.pgn").read_text()) == [[], ["d4"]]
    update(folder, line("", game=2, setup=round_setup()))
    assert moves((tmp_path / "3/1-2.pgn").read_text()) == [[]]


def test_the_first_game_of_the_next_round_is_there_at_once(tmp_path: Path) -> None:
    folder = PgnFolder(tmp_path)
    update(folder, line("e4", setup=round_setup("1")), line("", game=2, setup=round_setup("2")))
    assert names(tmp_path) == {"1/1-1.pgn", "1/games.pgn", "2/1-2.pgn", "2/games.pgn"}


@pytest.mark.parametrize("number", ["?", "-", ""])
def test_a_round_nobody_named(tmp_path: Path, number: str) -> None:
    update(PgnFolder(tmp_path), line("e4", setup=round_setup(number)))
    assert names(tmp_path) == {"unknown/1-1.pgn", "unknown/games.pgn"}


def test_groups_that_are_kept_apart_have_folders_of_their_own(tmp_path: Path) -> None:
    apart = TableSetup(section="Juniors / U12", round="3", board=1)
    update(
        PgnFolder(tmp_path),
        line("e4", "1", setup=round_setup(board=1)),
        line("d4", "J", setup=apart),
    )
    (folder,) = (path.name for path in tmp_path.iterdir() if path.name != "3")
    assert folder.startswith("Juniors_U12~")
    assert moves((tmp_path / "3/games.pgn").read_text()) == [["e4"]]
    assert moves((tmp_path / folder / "3/games.pgn").read_text()) == [["d4"]]


def test_what_is_right_already_is_not_written_again(tmp_path: Path) -> None:
    facts = [list(line("e4", str(table), setup=round_setup())) for table in range(1, 6)]
    update(PgnFolder(tmp_path), *facts)
    before = {path: path.stat().st_ino for path in tmp_path.rglob("*.pgn")}
    again = PgnFolder(tmp_path)
    update(again, *facts)
    again.update(())
    assert {path: path.stat().st_ino for path in tmp_path.rglob("*.pgn")} == before
    update(again, line("e4 e5", "3", setup=round_setup()))
    changed = {path.name for path, number in before.items() if path.stat().st_ino != number}
    assert changed == {"3-1.pgn", "games.pgn"}


def test_a_draft_left_by_a_crash_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "3").mkdir()
    (tmp_path / "3/.1-1.pgn.tmp").write_text("half a ga")
    update(PgnFolder(tmp_path), line("e4", setup=round_setup()))
    assert names(tmp_path) == {"3/1-1.pgn", "3/games.pgn"}


def test_a_failure_in_one_round_does_not_keep_back_another(tmp_path: Path) -> None:
    (tmp_path / "1").write_text("a file where the folder should be")
    folder = PgnFolder(tmp_path)
    with pytest.raises(OSError, match="1"):
        update(folder, line("e4", setup=round_setup("1")), line("d4", "2", setup=round_setup("2")))
    assert moves((tmp_path / "2/games.pgn").read_text()) == [["d4"]]
    (tmp_path / "1").unlink()
    folder.update(())
    assert moves((tmp_path / "1/games.pgn").read_text()) == [["e4"]]


def test_what_could_not_be_written_is_not_kept_by_its_error(tmp_path: Path) -> None:
    """A disk may be full for an hour, and is tried every second."""
    for name in ("1", "2"):
        (tmp_path / name).write_text("a file where the folder should be")
    folder = PgnFolder(tmp_path)
    games = line("e4", setup=round_setup("1")), line("d4", "2", setup=round_setup("2"))
    assert errors_left_by(lambda: update(folder, *games)) == 0


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["1", "A-12", "top.board_3", "3.1"])
def test_plain_names_stay(name: str) -> None:
    assert file_name(name) == name


@pytest.mark.parametrize(
    ("name", "readable"),
    [("Łódź 3", "odz_3"), ("../../etc/passwd", "etc_passwd"), ("", ""), ("..", ""), ("棋", "")],
)
def test_other_names_stay_readable(name: str, readable: str) -> None:
    assert re.fullmatch(rf"{readable}~[0-9a-f]{{12}}", file_name(name))


awkward = st.text(st.sampled_from("aA1.-_~/\\ \x00\nłä棋\ud800"), max_size=8) | st.text()


@given(st.sets(awkward, min_size=2, max_size=8))
def test_no_two_names_meet_and_none_leaves_the_folder(several: set[str]) -> None:
    safe = [file_name(name) for name in several]
    assert len(set(safe)) == len(several)
    for name in safe:
        assert re.fullmatch(r"[A-Za-z0-9_.~-]{1,80}", name)
        assert not name.startswith(".")
        assert file_name(name) != name or "~" not in name


def test_hostile_tables_and_rounds_stay_inside(tmp_path: Path) -> None:
    root = tmp_path / "pgn"
    tables = ["../x", "..", "/etc/passwd", "a/b", "a\\b", "x" * 300, "9" * 5000, "games.pgn", ""]
    update(PgnFolder(root), *(line("e4", table, setup=round_setup("../../up")) for table in tables))
    assert {path.name for path in tmp_path.iterdir()} == {"pgn"}
    (folder,) = root.iterdir()
    assert len(list(folder.iterdir())) == len(tables) + 1
    assert moves((folder / "games.pgn").read_text()) == [["e4"]] * len(tables)


# --- following the bus --------------------------------------------------------------------------


class Tables(Telling):
    def files(self, root: Path, **settings: float) -> PgnFiles:
        return PgnFiles(root, self.bus, self.book.records, **settings)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for is on the disk
            await asyncio.sleep(0.005)


def on_disk(path: Path) -> str:
    """Return the text of a file, none while it is not there."""
    return path.read_text() if path.exists() else ""


def game_on_disk(root: Path) -> list[list[str]]:
    return moves(on_disk(root / "3/1-1.pgn"))


def test_moves_appear_while_the_game_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        tables = Tables()
        async with tables.files(tmp_path, interval=0.01):
            sans: list[str] = []
            for fact in line("e4 e5 Nf3", setup=round_setup(), clocks=(9, 8, 7)):
                tables.say(fact)
                sans = [ply.san for ply in tables.book.records()[0].plies]
                await until(lambda: game_on_disk(tmp_path) == [sans])  # noqa: B023 - at once
            tables.say(
                MovesCorrected(
                    table="1", game=1, at=9, wall=WALL, evidence=(1, 2), ply=2, count=2, reason="x"
                )
            )
            await until(lambda: game_on_disk(tmp_path) == [["e4"]])
            tables.say(ended("1-0", "kings"))
        assert '[Result "1-0"]' in (tmp_path / "3/games.pgn").read_text()

    asyncio.run(main())


def test_leaving_writes_the_rest_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        tables = Tables()
        async with tables.files(tmp_path, interval=3600, retry=3600):
            tables.say(*line("e4", setup=round_setup()))
            await until(lambda: game_on_disk(tmp_path) == [["e4"]])
            tables.say(*line("d4", setup=round_setup()))
        assert game_on_disk(tmp_path) == [["d4"]]

    asyncio.run(main())


def test_what_is_known_at_the_start_is_written_once(tmp_path: Path) -> None:
    async def main() -> None:
        tables = Tables(*line("e4 e5", setup=round_setup()), *line("d4", "2", setup=round_setup()))
        async with tables.files(tmp_path, interval=0.01):
            await until(lambda: game_on_disk(tmp_path) == [["e4", "e5"]])
            tables.say(timed(1, 61_000))
            await until(lambda: "0:01:01" in on_disk(tmp_path / "3/games.pgn"))
        assert moves((tmp_path / "3/games.pgn").read_text()) == [["e4", "e5"], ["d4"]]

    asyncio.run(main())


def test_a_burst_is_one_write(tmp_path: Path) -> None:
    async def main() -> None:
        tables = Tables()
        seen: set[int] = set()
        async with tables.files(tmp_path, interval=3600):
            tables.say(*line("e4", setup=round_setup()))
            await until(lambda: moves(on_disk(tmp_path / "3/games.pgn")) == [["e4"]])
            for seed in range(8):
                tables.say(*random_game(seed, "2"))
                seen.add((tmp_path / "3/games.pgn").stat().st_ino)
                await asyncio.sleep(0)
            assert len(seen) == 1
        assert names(tmp_path) == {"3/1-1.pgn", "3/2-1.pgn", "3/games.pgn"}

    asyncio.run(main())


def test_who_fell_behind_rebuilds_from_the_current_games(tmp_path: Path) -> None:
    async def main() -> None:
        tables = Tables()
        async with tables.files(tmp_path):
            for seed in range(15):
                tables.say(*random_game(seed, str(seed)))
            assert any(one.lagging for one in tables.bus._subscriptions)
        expected = [[ply.san for ply in record.plies] for record in tables.book.records()]
        assert sorted(moves((tmp_path / "3/games.pgn").read_text())) == sorted(expected)

    asyncio.run(main())


def test_a_fact_that_cannot_be_is_passed_over_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        tables = Tables()
        async with tables.files(tmp_path):
            tables.bus.publish(timed(7, 1000, "2"))
            tables.bus.publish(
                StateExplained(table="2", game=1, at=1, wall=WALL, evidence=(1, 1), text="waits")
            )
            tables.say(*line("e4", setup=round_setup()))
        assert game_on_disk(tmp_path) == [["e4"]]

    asyncio.run(main())
    assert "table 2, game 1: MoveTimed before the game started" in caplog.text


def test_a_mistake_of_ours_is_logged_and_leaving_still_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        bus = Bus()
        known: list[Iterable[GameRecord]] = [()]
        async with PgnFiles(tmp_path, bus, known.pop):
            for _ in range(2000):
                bus.publish(timed(1, 1000))

    asyncio.run(main())
    assert f"pgn files in {tmp_path}: a mistake of ours; it begins again" in caplog.text


def test_a_mistake_in_writing_is_logged_and_leaving_still_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        move = settled(chess.Board(), chess.Move.from_uci("e2e4"), 1)
        tables = Tables(started(), msgspec.structs.replace(move, fen="no position"))
        async with tables.files(tmp_path):
            await until(lambda: "a mistake of ours; it begins again" in caplog.text)

    asyncio.run(main())
    assert "IndexError" in caplog.text


def test_a_folder_that_cannot_be_written_is_said_once_and_used_when_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bridge.outputs.game_files")
    root = tmp_path / "pgn"
    root.write_text("a file where the folder should be")
    counted: list[int] = []

    async def main() -> None:
        tables = Tables()
        files = tables.files(root, retry=0.005, interval=0.005)
        tries = files._folder.update

        def counting(records: Iterable[GameRecord]) -> None:
            counted.append(1)
            tries(records)

        files._folder.update = counting  # type: ignore[method-assign]
        async with files:
            tables.say(*line("e4", setup=round_setup()))
            await until(lambda: len(counted) > 5)
            root.unlink()
            await until(lambda: game_on_disk(root) == [["e4"]])
            await until(lambda: "written again" in caplog.text)

    asyncio.run(main())
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_leaving_ends_although_nothing_can_be_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root = tmp_path / "pgn"
    root.write_text("a file where the folder should be")

    async def main() -> None:
        tables = Tables(*line("e4", setup=round_setup()))
        async with tables.files(root, retry=3600):
            pass

    asyncio.run(main())
    assert "cannot be written" in caplog.text


def test_what_was_written_and_failed_is_counted(tmp_path: Path) -> None:
    root = tmp_path / "pgn"
    root.write_text("a file where the folder should be")

    async def main() -> None:
        tables = Tables(*line("e4", setup=round_setup()))
        files = tables.files(root, retry=0.01)
        async with files:
            await until(lambda: files.tally.failed > 1)
            assert "Not a directory" in files.tally.trouble
            assert (files.tally.delivered, files.waiting) == (0, 1)
            root.unlink()
            await until(lambda: not files.tally.trouble)
            assert (files.tally.delivered, files.waiting) == (1, 0)

    asyncio.run(main())


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    stop = threading.Event()
    seen: list[int] = []
    wrong: list[str] = []

    def read() -> None:
        while not stop.is_set():
            for path in tmp_path.glob("3/*.pgn"):
                text = path.read_text(encoding="utf-8")
                try:
                    games = moves(text)
                    assert text.endswith("\n\n")
                    assert len(games) == text.count("[Event ")
                    assert len(games) == len(re.findall(r" ?(?:1-0|0-1|1/2-1/2|\*)\n\n", text))
                except AssertionError:
                    wrong.append(text)
                seen.append(sum(map(len, games)))

    reader = threading.Thread(target=read)
    reader.start()

    async def main() -> None:
        tables = Tables()
        games = [list(random_game(seed, str(seed)))[:60] for seed in range(8)]
        async with tables.files(tmp_path, interval=0.001):
            for facts in zip(*(game for game in games if len(game) == 60), strict=True):
                tables.say(*facts)
                await asyncio.sleep(0.02)

    try:
        asyncio.run(main())
    finally:
        stop.set()
        reader.join()
    assert wrong == []
    assert len(set(seen)) > 10
    assert [path.name for path in tmp_path.iterdir()] == ["3"]
