"""Cloud files of a hall that a daemon follows: later than the game, and all of it at last."""

import asyncio
from functools import partial
from pathlib import Path

import chess
import pytest

from tests.bridge.cloud_reader import Game, read_game, read_index, read_tournament
from tests.halls import Daemon, Seat, at, eventually, game_file, seated, verdict, write_config
from tests.livechess import free_port
from tests.web import visiting

ID = "0d2f4c6a-8b1e-4f3a-9c5d-7e6f8a9b0c1d"
HELD = 2
"""Plies of the delay below."""


def shown(folder: Path) -> Game | None:
    return read_game(folder / "cloud")


def sans(seat: Seat) -> list[str]:
    board = chess.Board()
    return [board.san_and_push(chess.Move.from_uci(move)) for move in seat.played.moves]


async def watched(folder: Path, seat: Seat, lengths: set[int], done: asyncio.Event) -> None:
    """Look again and again, and see nothing that is younger than the delay."""
    while not done.is_set():
        game = shown(folder)
        if game is not None:
            assert game.sans == sans(seat)[: len(game.sans)]
            held = len(seat.moves) if seat.plies == len(seat.moves) else seat.plies - HELD
            assert len(game.sans) <= max(0, held)
            lengths.add(len(game.sans))
        await asyncio.sleep(0.05)


async def served_as_written(port: int, folder: Path) -> None:
    """A viewer gets the files, and no others."""
    async with visiting(f"http://127.0.0.1:{port}") as visitor:
        assert (await visitor.json(f"/meta/{ID}"))["host"] == f"127.0.0.1:{port}"
        for name in ("tournament.json", "round-1/index.json", "round-1/game-1.json"):
            answer = await visitor.get(f"/get/{ID}/{name}?poll")
            assert await answer.read() == (folder / name).read_bytes()
        await visitor.get(f"/get/{ID}/round-1/game-2.json", 404)


async def followed(folder: Path) -> tuple[Seat, set[int]]:
    """Play a game while the daemon is killed once; return how many moves were to be seen."""
    seat = Seat(folder / "board")
    port, delay = free_port(), "delay: {moves: 1}"
    cloud = f"cloud: {{folder: cloud, id: {ID}, {delay}}}\nweb: {{port: {port}, {delay}}}"
    config = write_config(folder, [at(seat.port.path), "port: /dev/absent"], cloud)
    lengths: set[int] = set()
    done = asyncio.Event()
    async with seated([seat]):
        async with Daemon(config) as daemon:
            await daemon.live()
            watch = asyncio.create_task(watched(folder, seat, lengths, done))
            assert [each.count for each in read_tournament(folder / "cloud").rounds] == [2]
            await seat.plays(6)
            await eventually(lambda: max(lengths, default=0) >= 2, "the second move")
        before = shown(folder)
        assert before is not None
        async with Daemon(config) as daemon:
            await daemon.live()
            again = shown(folder)
            assert again is not None
            assert again.sans[: len(before.sans)] == before.sans
            await seat.plays()
            await eventually(lambda: (game := shown(folder)) and not game.live, "the end")
            done.set()
            await watch
            pairings = partial(read_index, folder / "cloud")
            await eventually(lambda: pairings().pairings[0].result == "1-0", "the result")
            await served_as_written(port, folder / "cloud")
            assert await daemon.end() == 0
    return seat, lengths


@pytest.mark.timeout(120)
def test_a_round_is_shown_later_than_it_is_played(tmp_path: Path) -> None:
    seat, lengths = asyncio.run(followed(tmp_path))
    assert len(lengths) > 3
    game = shown(tmp_path)
    assert game is not None
    assert game.sans == sans(seat)
    assert game.clocks == [clock_ms // 1000 for clock_ms in seat.played.clock_ms]
    assert (game.result, game.clock) == ("WHITEWIN", None)
    assert game.replayed().is_checkmate()
    first, second = read_index(tmp_path / "cloud").pairings
    assert [(each.result, each.live) for each in (first, second)] == [("1-0", False), ("*", True)]
    assert read_game(tmp_path / "cloud", 2) is None
    assert verdict(tmp_path, seat).differences == ()
    assert game_file(tmp_path).exists()
