"""Boards on which people play for ever, with everything that happens to them."""

import asyncio
import json
from pathlib import Path

import chess
import pytest

from drivers.boards.dgt import Dgt
from drivers.events import ClockReading, SquareChange
from drivers.simulated import club_evening, games
from drivers.simulated.club_evening import ClubEvening, hold
from tests.halls import eventually

LONGEST = 1500.0


def cells(board: chess.Board) -> str:
    return "".join(str(board.piece_at(square) or ".") for square in chess.SQUARES)


def shown(evening: ClubEvening) -> tuple[list[str], list[ClockReading]]:
    """Return what a host sees of the board and of its clock."""
    host = Dgt()
    evening.receive(bytes.fromhex("4b 42 41"), at=0.0)  # tell every change, the position, the clock
    placements: list[str] = []
    readings: list[ClockReading] = []
    at = 0.0
    while at < LONGEST:
        data, wake_at = evening.poll(at=at)
        for event in host.receive(data, at=at):
            if isinstance(event, SquareChange):
                placements.append(event.cells)
            elif isinstance(event, ClockReading):
                readings.append(event)
        at = max(at, min(wake_at, LONGEST))
    return placements, readings


def test_games_are_played_one_after_the_other() -> None:
    game = games.load("opera")
    placements, readings = shown(ClubEvening(game, 1, seed=7))
    start, end = cells(chess.Board()), cells(game.end().board())
    first = placements.index(start)
    ended = placements.index(end, first)
    again = placements.index(start, ended)
    assert end in placements[again:]
    fresh = [reading.left_ms for reading in readings if reading.left_ms == reading.right_ms]
    assert fresh.count(605_000) >= 2, "the clock is set anew"
    assert {reading.running for reading in readings} >= {True, False}


def test_no_two_games_are_alike() -> None:
    game = games.load("opera")
    one, other = (shown(ClubEvening(game, 1, seed=seed))[0] for seed in (1, 2))
    assert one != other


def test_cables_are_pulled_and_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_evening, "PULLED_EVERY", (0.02, 0.05))
    monkeypatch.setattr(club_evening, "PULLED_FOR", (0.02, 0.05))
    asyncio.run(_watch(tmp_path))
    boards = json.loads((tmp_path / "boards.json").read_text("utf-8"))["boards"]
    assert [(board["name"], board["game"]) for board in boards] == [
        ("board-1", "opera"),
        ("board-2", "special"),
    ]
    assert not list((tmp_path / "dev").iterdir()), "no port is left"


async def _watch(folder: Path) -> None:
    stop = asyncio.Event()
    task = asyncio.create_task(hold(["opera", "special"], folder, seed=1, stop=stop))
    port = folder / "dev" / "board-1"
    await eventually(port.is_symlink, "the port is there")
    await eventually(lambda: not port.is_symlink(), "the cable is pulled")
    await eventually(port.is_symlink, "the cable is put back")
    stop.set()
    await task
