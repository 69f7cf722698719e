"""Programs made for LiveChess follow boards of the daemon: boards on ptys, clients on sockets."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path

import chess

from benchmarks.differ import Differ
from bridge.config import load
from bridge.daemon.service import Service
from tests.halls import PATIENCE, Seat, at, eventually, seated, write_config
from tests.livechess import (
    PLACED,
    START,
    Client,
    Frame,
    client,
    free_port,
    listed,
    played,
)

SITE = "https://lichess.org"
PACE = 0.12
SPECIAL = [
    *("e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "a6a5", "d6c7", "a5a4", "c7d8n", "e8d8"),
    *("g1f3", "b8c6", "f1e2", "c8d7", "e1g1"),
]
"""En passant, an under-promotion with a capture, castling."""

Act = Callable[[int, list[Seat]], Coroutine[None, None, None]]


def served(folder: Path, act: Act, *games: Sequence[str]) -> None:
    """Run the daemon with a board for each of *games*, and *act* beside it."""
    asyncio.run(_served(folder, act, games))


async def _served(folder: Path, act: Act, games: Sequence[Sequence[str]]) -> None:
    port = free_port()
    seats = [
        Seat(folder / f"board{number}", serial=f"4501{number}", moves=moves, pace=PACE)
        for number, moves in enumerate(games, start=1)
    ]
    boards = [f"{at(seat.port.path)}, serial: '{seat.serial}'" for seat in seats]
    config = write_config(folder, boards, f"livechess: {{port: {port}}}")
    async with asyncio.timeout(PATIENCE), seated(seats), _running(Service(load(config))):
        await eventually(lambda: _reachable(port), "the server listens")
        await act(port, seats)


def _reachable(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextlib.asynccontextmanager
async def _running(service: Service) -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(service.run(stop))
    try:
        yield
    finally:
        stop.set()
        await task


async def ready(one: Client, *, boards: int = 1) -> list[Frame]:
    """Ask for the list until all boards stand ready, as programs do."""
    while True:
        boards_now: list[Frame] = (await one.ask("eboards"))["param"]
        if [board["board"] for board in boards_now if board["state"] == "ACTIVE"] == [
            PLACED
        ] * boards:
            return boards_now
        await asyncio.sleep(0.05)


async def gone_board(port: int) -> Frame:
    """Wait until the only board answers no more."""
    while True:
        (board,) = await listed(port)
        if board["state"] == "NOTRESPONDING":
            return board
        await asyncio.sleep(0.05)


def test_1_a_page_made_for_livechess_follows_a_game(tmp_path: Path) -> None:
    async def act(port: int, seats: list[Seat]) -> None:
        async with client(port, host="localhost", origin=SITE) as page:
            (board,) = await ready(page)
            assert board["serialnr"] == "45011"
            assert board.keys() == {
                *("serialnr", "source", "state", "battery", "comment", "board", "flipped", "clock")
            }
            first = (await page.subscribe("45011"))["param"]
            assert first["board"] == PLACED
            assert first.keys() >= {"serialnr", "flipped", "clock"}
            begun = (await page.set_up())["param"]
            assert begun == {
                "serialnr": "45011",
                "board": PLACED,
                "start": START,
                "san": [],
                "match": True,
            }
            # One scan of the board may see both ends of a quick move, and the far one first.
            await seats[0].lifts(chess.D2)
            lifted = await page.until(lambda param: param.get("match") is False)
            assert lifted[-1]["board"] == "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR"
            playing = asyncio.create_task(seats[0].plays())
            params = await page.until(played("d4"))
            await playing
            assert params[-1] == {
                "serialnr": "45011",
                "start": START,
                "san": ["d4"],
                "match": True,
            }
            told = [param["clock"] for param in params if param.get("clock")]
            assert any(clock["run"] for clock in told)
            assert all(isinstance(clock["white"], int) for clock in told)

    served(tmp_path, act, ["d2d4"])


def test_4_two_boards_do_not_mix(tmp_path: Path) -> None:
    async def act(port: int, seats: list[Seat]) -> None:
        async with client(port) as one, client(port) as other:
            await ready(one, boards=2)
            await one.subscribe("45011", feed=1)
            await other.subscribe("45012", feed=1)
            playing = asyncio.gather(*(seat.plays() for seat in seats))
            for page, sans, serial in ((one, ["e4"], "45011"), (other, ["d4"], "45012")):
                params = await page.until(played(*sans))
                assert {param["serialnr"] for param in params} == {serial}
            await playing

    served(tmp_path, act, ["e2e4"], ["d2d4"])


def test_6_a_board_that_is_unplugged_and_comes_back(tmp_path: Path) -> None:
    async def act(port: int, seats: list[Seat]) -> None:
        (seat,) = seats
        async with client(port) as page:
            await ready(page)
            await page.subscribe("45011")
            await seat.plays(1)
            await page.until(played("e4"))
            seat.port.unplug()
            gone = await gone_board(port)
            assert (gone["source"], gone["battery"]) == (None, None)
            assert (await page.ask("eboards"))["param"] == [gone], "the connection stays"
            page.frames.clear()
            seat.port.plug()
            back = (await page.next())["param"]
            assert back.keys() >= {"board", "flipped", "clock"}
            assert back["board"] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
            playing = asyncio.create_task(seat.plays())
            await page.until(played("e4", "e5"))
            await playing

    served(tmp_path, act, ["e2e4", "e7e5"])


def test_7_special_moves_are_one_move_each(tmp_path: Path) -> None:
    async def act(port: int, seats: list[Seat]) -> None:
        differ = Differ()
        async with client(port) as page:
            await ready(page)
            differ.take((await page.subscribe("45011"))["param"])
            playing = asyncio.create_task(seats[0].plays())
            while len(differ.san) < len(SPECIAL):
                differ.take((await page.next())["param"])
            await playing
        assert [move.uci() for move in differ.board.move_stack] == SPECIAL
        assert [differ.san[ply] for ply in (4, 8, 14)] == ["exd6", "cxd8=N", "O-O"]

    served(tmp_path, act, SPECIAL)


def test_8_no_moves_before_the_given_position_stands(tmp_path: Path) -> None:
    async def act(port: int, seats: list[Seat]) -> None:
        wanted = chess.Board()
        for uci in SPECIAL[:2]:
            wanted.push_uci(uci)
        async with client(port) as page:
            await ready(page)
            await page.subscribe("45011")
            first = (await page.set_up(wanted.fen()))["param"]
            assert (first["start"], first["san"], first["match"]) == (wanted.fen(), [], False)
            playing = asyncio.create_task(seats[0].plays(4))
            params = await page.until(lambda param: param.get("san"))
            assert params[-1]["san"] == ["e5"]
            assert not any(param.get("san") for param in params[:-1])
            assert any(param.get("match") for param in params[:-1]), "it stood"
            await page.until(played("e5", "d5"))
            await playing

    served(tmp_path, act, SPECIAL)
