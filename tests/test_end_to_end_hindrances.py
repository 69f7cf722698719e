"""What keeps the daemon from its work is told as alerts of the tables that it concerns."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import chess
import pytest

from bridge.config import load
from bridge.daemon import hindrances
from bridge.daemon.service import Service
from bridge.outputs.overview import TableView
from tests.halls import Daemon, Seat, alerts, at, eventually, seated, write_config
from tests.livechess import free_port

NAMES = 'white: {name: "Kramer, Anna"}, black: {name: "Weiss, Ada"}'
"""Nothing is broadcast of players without names."""
BISHOP = chess.Piece.from_symbol("B")


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits a minute for a broadcast here."""
    monkeypatch.setattr(hindrances, "LOOK_EVERY", 0.1)
    monkeypatch.setattr(hindrances, "STALLED", 0.5)


def told(folder: Path, code: str, table: int = 1) -> list[str]:
    """How *code* was raised (+) and cleared (-) at a table."""
    return [each for each in alerts(folder, table) if each[1:] == code]


async def moves(seat: Seat, origin: chess.Square, target: chess.Square) -> None:
    """Carry a bishop, whether he may go there or not."""
    await seat.lifts(origin)
    seat.board.put(target, BISHOP, at=seat._now())
    await seat._rest()


def followed(
    folder: Path,
    act: Callable[[TableView, Seat], Awaitable[None]],
    more: str,
    moves: Sequence[str],
) -> None:
    """Let a daemon in this process follow a board of which *act* has the hands."""

    async def run() -> None:
        seat = Seat(folder / "board", moves=moves)
        config = write_config(folder, [at(seat.port.path)], more)
        config.write_text(config.read_text("utf-8").replace("number: 1,", f"number: 1, {NAMES},"))
        service = Service(load(config))
        stop, view = asyncio.Event(), service.overview.tables["1"]
        running = asyncio.create_task(service.run(stop))
        async with seated([seat]):
            await eventually(lambda: view.cells, "what stands on the board")
            await act(view, seat)
            stop.set()
            await running

    asyncio.run(run())


def test_the_same_board_at_two_ports(tmp_path: Path) -> None:
    async def run() -> None:
        one, other = (Seat(tmp_path / name, serial="31234") for name in ("one", "other"))
        daemon = Daemon(write_config(tmp_path, [at(seat.port.path) for seat in (one, other)]))
        async with daemon, seated([one]):
            await daemon.live()
            async with seated([other]):
                await eventually(lambda: told(tmp_path, "DUPLICATE_DEVICE", 2), "the alert")
            assert await daemon.end() == 0

    asyncio.run(run())
    assert told(tmp_path, "DUPLICATE_DEVICE", 1) == []


def test_captures_that_cannot_be_written(tmp_path: Path) -> None:
    captures = tmp_path / "data" / "captures"
    captures.parent.mkdir()
    captures.write_text("no folder")

    async def run(wanted: Sequence[str]) -> None:
        seat = Seat(tmp_path / "board")
        daemon = Daemon(write_config(tmp_path, [at(seat.port.path)]))
        async with daemon, seated([seat]):
            await daemon.live()
            await eventually(lambda: told(tmp_path, "DISK_OR_LOG_FAULT") == wanted, str(wanted))
            await daemon.end()

    asyncio.run(run(["+DISK_OR_LOG_FAULT"]))
    captures.unlink()
    asyncio.run(run(["+DISK_OR_LOG_FAULT", "-DISK_OR_LOG_FAULT"]))


@pytest.mark.usefixtures("soon")
def test_a_broadcast_that_reaches_nobody(tmp_path: Path) -> None:
    (tmp_path / "lichess.token").write_text("lip_of_this_test")
    server = f"server: 'http://127.0.0.1:{free_port()}'"

    async def act(view: TableView, seat: Seat) -> None:
        await seat.plays()
        await eventually(lambda: "BROADCAST_STALLED" in view.alerts, "the alert")
        await eventually(
            lambda: "cannot be reached" in view.alerts["BROADCAST_STALLED"].text,
            "why nothing leaves",
        )

    lichess = f"lichess: {{{server}, token_file: lichess.token, rounds: {{1: AbCd1234}}}}"
    followed(tmp_path, act, lichess, ["e2e4"])


@pytest.mark.usefixtures("soon")
def test_an_illegal_move_is_held_back_from_the_broadcast(tmp_path: Path) -> None:
    async def act(view: TableView, seat: Seat) -> None:
        await seat.plays()
        await moves(seat, chess.F1, chess.F3)
        seat._press(chess.WHITE)
        await seat._rest()
        await eventually(lambda: "BROADCAST_HELD" in view.alerts, "the alert")
        assert "ILLEGAL_MOVE" in view.alerts
        assert (view.alerts["BROADCAST_HELD"].severity, len(view.moves)) == ("notice", 2)
        await moves(seat, chess.F3, chess.F1)
        await eventually(lambda: "BROADCAST_HELD" not in view.alerts, "its end")

    followed(
        tmp_path,
        act,
        "cloud: {folder: cloud, id: 0d2f4c6a-8b1e-4f3a-9c5d-7e6f8a9b0c1d}",
        ["e2e4", "e7e5"],
    )
