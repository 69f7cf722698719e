"""Boards that come and go, on real ptys."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.links import candidates, watching
from bridge.links.claims import Claims
from bridge.links.discovery import Finder
from bridge.links.probing import Found
from bridge.links.watching import Change, Watch
from drivers.boards.dgt import Dgt
from drivers.simulated.dgt import DgtBoard, Passport
from tests.ptys import Pty, plugged, power

PATIENCE = 15.0


@pytest.fixture(autouse=True)
def only_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    monkeypatch.setattr(candidates, "BY_ID", tmp_path / "by-id")
    monkeypatch.setattr(candidates, "BY_PATH", tmp_path / "by-path")


class Told:
    """What a watch has told, to be waited for."""

    def __init__(self) -> None:
        self.changes: asyncio.Queue[Change] = asyncio.Queue()

    async def next(self) -> tuple[str, str, str]:
        change = await asyncio.wait_for(self.changes.get(), PATIENCE)
        answer = change.answer
        about = answer.serial if isinstance(answer, Found) else answer.reason
        return change.what, Path(answer.address).name, about or ""


@contextlib.asynccontextmanager
async def watching_in(folder: Path, seconds: float = 1.0):  # type: ignore[no-untyped-def]
    told = Told()
    finder = Finder(
        [Dgt], now=time.monotonic, claims=Claims(), patterns=[f"{folder}/usb-*"], seconds=seconds
    )
    watch = Watch(finder, now=time.monotonic, tell=told.changes.put_nowait)
    task = asyncio.create_task(watch.run())
    try:
        yield told
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Callable[[str], Pty]]:
    with contextlib.ExitStack() as stack:
        yield lambda name: stack.enter_context(plugged(tmp_path / name))


def board(port: Pty, serial: str) -> None:
    passport = Passport(serial=serial, long_serial=f"30000{serial}")
    power(port, DgtBoard(passport), time.monotonic)


def test_a_board_comes_goes_and_comes_back(hall: Callable[[str], Pty], tmp_path: Path) -> None:
    async def run() -> None:
        first = hall("usb-1")
        board(first, "30001")
        async with watching_in(tmp_path, 5.0) as told:
            assert await told.next() == ("came", "usb-1", "30001")
            second = hall("usb-2")
            board(second, "30002")
            assert await told.next() == ("came", "usb-2", "30002")
            first.unplug()
            assert await told.next() == ("went", "usb-1", "30001")
            first.plug()
            board(first, "30003")
            assert await told.next() == ("came", "usb-1", "30003")

    asyncio.run(run())


def test_another_device_behind_the_same_name(hall: Callable[[str], Pty], tmp_path: Path) -> None:
    async def run() -> None:
        port = hall("usb-1")
        board(port, "30001")
        async with watching_in(tmp_path, 5.0) as told:
            assert await told.next() == ("came", "usb-1", "30001")
            with plugged(tmp_path / "elsewhere") as other:
                board(other, "30002")
                (tmp_path / "new").symlink_to(other.node)
                (tmp_path / "new").replace(port.link)
                assert await told.next() == ("went", "usb-1", "30001")
                assert await told.next() == ("came", "usb-1", "30002")
                port.link.unlink()
                assert (await told.next())[0] == "went"
                port.link.symlink_to(port.node)

    asyncio.run(run())


def test_what_goes_while_it_is_asked_is_not_mentioned(
    hall: Callable[[str], Pty], tmp_path: Path
) -> None:
    async def run() -> None:
        async with watching_in(tmp_path, 60.0) as told:
            silent = hall("usb-1")
            while not silent.received():  # noqa: ASYNC110 - a port gives no sign
                await asyncio.sleep(0.05)
            silent.unplug()
            board(hall("usb-2"), "30002")
            assert await told.next() == ("came", "usb-2", "30002")

    asyncio.run(run())


def test_the_same_board_at_another_port(hall: Callable[[str], Pty], tmp_path: Path) -> None:
    async def run() -> None:
        board(hall("usb-1"), "30001")
        async with watching_in(tmp_path, 5.0) as told:
            assert await told.next() == ("came", "usb-1", "30001")
            board(hall("usb-2"), "30001")
            what, port, about = await told.next()
            assert (what, port) == ("came", "usb-2")
            assert about == f"the board at serial:{tmp_path}/usb-1"

    asyncio.run(run())


def test_a_board_that_is_switched_on_later(
    hall: Callable[[str], Pty], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "ASK_AGAIN", 0.1)
    monkeypatch.setattr("bridge.links.discovery.REMEMBERED", 0.1)

    async def run() -> None:
        port = hall("usb-DGT_DGT_Chessboard-if00")  # called as these boards are
        async with watching_in(tmp_path, 0.5) as told:
            what, _, about = await told.next()
            assert (what, about.partition(":")[0]) == ("came", "no dgt board answers")
            board(port, "30001")
            assert await told.next() == ("changed", "usb-DGT_DGT_Chessboard-if00", "30001")

    asyncio.run(run())


def test_an_answer_that_stays_the_same_is_told_once(
    hall: Callable[[str], Pty], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "ASK_AGAIN", 0.1)
    monkeypatch.setattr("bridge.links.discovery.REMEMBERED", 0.1)

    async def run() -> None:
        port = hall("usb-DGT_DGT_Chessboard-if00")
        async with watching_in(tmp_path, 0.2) as told:
            assert (await told.next())[0] == "came"
            port.received()
            while not port.received():  # noqa: ASYNC110 - a port gives no sign
                await asyncio.sleep(0.05)
            port.unplug()
            assert (await told.next())[0] == "went"

    asyncio.run(run())
