"""A hall without hardware: simulated boards as ports, followed like real ones."""

import asyncio
from pathlib import Path

import chess
import chess.pgn
import pytest

from bridge.config import parse
from bridge.daemon.service import Service
from drivers.simulated import exhibition, games
from drivers.simulated.hands import BLITZ

HALL = """\
data: {folder: data}
pgn: {folder: games}
tables:
  - {table: dgt, board: {port: simulated:dgt}}
  - {table: second, board: {port: simulated:dgt/2}}
  - {table: row, board: {driver: dgt_bus, port: simulated:dgt_bus, unit: "1025"}}
  - {table: second in the row, board: {driver: dgt_bus, port: simulated:dgt_bus, unit: "1026"}}
  - {table: millennium, board: {driver: millennium, port: simulated:millennium}, clock: false}
"""
ENOUGH = 3
PATIENCE = 90.0


def test_boards_that_play_by_themselves_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exhibition, "SET_UP_FOR", 2.0)
    monkeypatch.setattr(exhibition, "Style", lambda: BLITZ)
    service = Service(parse(HALL, tmp_path / "hall.yaml"))

    async def run() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(service.run(stop))
        async with asyncio.timeout(PATIENCE):
            while min(map(len, found(tmp_path).values()), default=0) < ENOUGH:  # noqa: ASYNC110 - files call nobody
                await asyncio.sleep(0.2)
        stop.set()
        await task

    asyncio.run(run())
    for table, moves in found(tmp_path).items():
        number = 2 if table.startswith("second") else 1
        game = games.load(games.names()[number % len(games.names())])
        played = [move.uci() for move in game.mainline_moves()]
        assert moves == played[: len(moves)]


def found(folder: Path) -> dict[str, list[str]]:
    """The moves of each table, as soon as all have a file."""
    files = {path.stem.rpartition("-")[0]: path for path in folder.glob("games/*/*-1.pgn")}
    if len(files) < 5:
        return {}
    moves = {}
    for table, path in files.items():
        with path.open(encoding="utf-8") as file:
            game = chess.pgn.read_game(file)
        moves[table] = [] if game is None else [move.uci() for move in game.mainline_moves()]
    return moves
