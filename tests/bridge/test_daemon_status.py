"""A daemon that runs tells how it is, to its own user alone."""

import asyncio
import logging
import os
import socket
from pathlib import Path

import pytest

from bridge import __version__
from bridge.daemon import status
from bridge.daemon.status import Status, StatusSocket, ask
from bridge.links.pulse import LinkHealth
from bridge.outputs.tally import Report

WELL = Status(
    version=__version__,
    pid=os.getpid(),
    since=1000.0,
    unwritten=3,
    troubles=["the disk is full"],
    links=[
        LinkHealth(
            table="7", device="board", state="live", detail="", silent=0.5, noise=7, battery=None
        )
    ],
    outputs=[Report("pgn", 5, 0, 0, "", 2000.0)],
    lag=0.002,
    files=20,
    most_files=1024,
)


async def well() -> Status:
    return WELL


def place(folder: Path) -> Path:
    return folder / "status.sock"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose path is longer than the name of a socket may be."""
    made = tmp_path / ("long " * 30)
    made.mkdir()
    return made


def test_it_tells_what_is_so_and_leaves_nothing(folder: Path) -> None:
    async def act() -> None:
        async with StatusSocket(folder, well):
            assert await asyncio.to_thread(ask, folder) == WELL
            assert await asyncio.to_thread(ask, folder) == WELL
            assert place(folder).stat().st_mode & 0o777 == 0o600

    asyncio.run(act())
    assert list(folder.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        ask(folder)


def test_the_socket_of_one_that_was_killed_is_replaced(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        left.bind("status.sock")
    with pytest.raises(ConnectionRefusedError):
        ask(folder)

    async def act() -> None:
        async with StatusSocket(folder, well):
            assert await asyncio.to_thread(ask, folder) == WELL

    asyncio.run(act())


def test_one_that_stands_still_is_not_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "PATIENCE", 0.05)
    with socket.socket(socket.AF_UNIX) as deaf:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            deaf.bind("status.sock")
        deaf.listen()
        with pytest.raises(TimeoutError):
            ask(folder)


@pytest.mark.parametrize("answer", [b"", b"{}", b'{"version": "\xff"}', b'{"x":' * 3000])
def test_an_answer_that_cannot_be_read_is_said_so(folder: Path, answer: bytes) -> None:
    async def says(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    async def act() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            server = await asyncio.start_unix_server(says, "status.sock")
        async with server:
            with pytest.raises(ConnectionAbortedError, match="its answer cannot be read"):
                await asyncio.to_thread(ask, folder)

    asyncio.run(act())


def test_who_goes_without_an_answer_harms_nobody(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "PATIENCE", 0.05)

    async def for_ever() -> Status:
        await asyncio.Event().wait()
        return WELL

    async def act() -> None:
        async with StatusSocket(folder, for_ever):
            reader, writer = await asyncio.open_unix_connection(
                f"/proc/self/fd/{os.open(folder, os.O_PATH)}/status.sock"
            )
            assert await reader.read() == b""
            writer.close()

    asyncio.run(act())


def test_where_none_can_be_made_the_daemon_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def act() -> None:
        async with StatusSocket(tmp_path / "away", well):
            pass

    with caplog.at_level(logging.WARNING):
        asyncio.run(act())
    assert "doctor --live cannot ask" in caplog.text
