"""The demo's hall: boards wait for a host, play, and the truth is written down."""

import asyncio
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
import serial

from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Mode, Passport
from drivers.simulated.hands import Style
from drivers.simulated.performance import stage
from drivers.simulated.scenario import (
    BEGIN_AFTER,
    PROGRAMMES,
    DemoBoard,
    Programme,
    demo_boards,
    perform,
)

HASTY = Style(
    think=(0, 0.01),
    travel=(0.01, 0.02),
    regrip=(0.01, 0.02),
    swap=(0.01, 0.02),
    dwell=(0.01, 0.02),
    ghost=(0.01, 0.02),
)


async def written(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not is_there(path):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def is_there(path: Path) -> bool:
    return path.exists()


def read_truth(folder: Path) -> list[dict[str, Any]]:
    boards: list[dict[str, Any]] = json.loads((folder / "truth.json").read_text())["boards"]
    return boards


def short_board() -> DemoBoard:
    game = chess.pgn.read_game(io.StringIO('[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1'))
    assert game is not None
    control = TimeControl(base=60, increment=1)
    performance = stage(game, passport=Passport(), control=control, style=HASTY, seed=1)
    return DemoBoard(
        name="board-1",
        serial="00042",
        game="fool",
        programme=Programme(style=HASTY, control=control),
        performance=performance,
    )


def test_the_demo_has_four_boards_that_all_end_in_time() -> None:
    for seed in range(10):
        boards = demo_boards(seed)
        assert [board.game for board in boards] == list(PROGRAMMES)
        assert sum(board.programme.rotated for board in boards) == 2
        assert len({board.serial for board in boards}) == 4
        assert max(board.performance.lasts for board in boards) < 110


def test_games_can_be_chosen() -> None:
    boards = demo_boards(1, ["opera", "opera"])
    assert [(board.name, board.game) for board in boards] == [
        ("board-1", "opera"),
        ("board-2", "opera"),
    ]
    with pytest.raises(KeyError):
        demo_boards(1, ["unknown"])


def test_play_begins_when_a_host_has_listened_for_a_while() -> None:
    board = short_board()
    assert not board.look(at=1.0)
    board.performance.receive(b"\x42", at=2.0)
    assert board.performance.board.mode is Mode.IDLE
    assert not board.look(at=3.0)
    board.performance.receive(b"\x4b", at=3.5)
    assert not board.look(at=4.0)
    board.performance.receive(b"\x40", at=4.5)
    assert not board.look(at=5.0)
    board.performance.receive(b"\x4b", at=5.5)
    assert not board.look(at=6.0)
    assert not board.look(at=6.0 + BEGIN_AFTER - 0.1)
    assert board.look(at=6.0 + BEGIN_AFTER)
    assert not board.look(at=9.0)
    assert board.performance.begun_at == 6.0 + BEGIN_AFTER


def test_a_hall_plays_for_a_host_and_ends_by_itself(tmp_path: Path) -> None:
    async def run() -> None:
        hall = asyncio.create_task(perform([short_board()], tmp_path, stop=asyncio.Event()))
        await written(tmp_path / "truth.json")
        assert read_truth(tmp_path)[0]["moves"] == []
        with serial.Serial(str(tmp_path / "dev" / "board-1"), 9600, timeout=0) as host:
            host.write(b"\x4b")
            await asyncio.wait_for(hall, 60)

    asyncio.run(run())
    (board,) = read_truth(tmp_path)
    assert board == {
        "name": "board-1",
        "serial": "00042",
        "game": "fool",
        "rotated": False,
        "time_control": "60+1",
        "moves": ["f2f3", "e7e5", "g2g4", "d8h4"],
        "clock_ms": board["clock_ms"],
        "result": "0-1",
        "finished": True,
    }
    assert len(board["clock_ms"]) == 4
    assert not list((tmp_path / "dev").iterdir())


def test_a_hall_that_lingers_stays_until_it_is_stopped(tmp_path: Path) -> None:
    async def run() -> None:
        board = short_board()
        stop = asyncio.Event()
        board.performance.begin(at=asyncio.get_running_loop().time() - 60)
        hall = asyncio.create_task(perform([board], tmp_path, stop=stop, linger=True))
        await written(tmp_path / "truth.json")
        assert read_truth(tmp_path)[0]["finished"]
        await asyncio.sleep(0.5)
        assert (tmp_path / "dev" / "board-1").is_symlink()
        stop.set()
        await asyncio.wait_for(hall, 60)

    asyncio.run(run())
    assert not list((tmp_path / "dev").iterdir())


def test_the_process_shows_its_ports_and_ends_cleanly_when_interrupted(tmp_path: Path) -> None:
    arguments = ["--folder", str(tmp_path), "--games", "opera", "special", "--seed", "7"]
    process = subprocess.Popen(
        [sys.executable, "-m", "drivers.simulated", *arguments],
        cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "truth.json").exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert sorted(path.name for path in (tmp_path / "dev").iterdir()) == ["board-1", "board-2"]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert not list((tmp_path / "dev").iterdir())
    assert [board["game"] for board in read_truth(tmp_path)] == ["opera", "special"]
