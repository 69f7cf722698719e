"""What the service manager hears, at a socket like systemd's."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.cli.run import REFRESH_SECONDS, serve
from bridge.config import load
from bridge.daemon import service
from bridge.daemon.service import Service
from bridge.daemon.source import OwnBoards, TakeUp
from bridge.daemon.supervision import Supervision
from tests.halls import eventually

CONFIG = """\
event: {name: Test, round: 1, date: 2026-11-20}
tables: [{table: "1", board: {port: /dev/absent-1}}]
"""


class Manager:
    """Who asked to be told; ``told`` are the messages."""

    def __init__(self, place: str) -> None:
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._channel.setblocking(False)
        self._channel.bind(place)
        self._told: list[str] = []

    @property
    def told(self) -> list[str]:
        while True:
            try:
                self._told.append(self._channel.recv(4096).decode())
            except BlockingIOError:
                return self._told

    @property
    def states(self) -> list[str]:
        """What it was told of, but for the watchdog."""
        return [one.partition("\n")[0] for one in self.told if one != "WATCHDOG=1"]

    def close(self) -> None:
        self._channel.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify"))
    yield made
    made.close()


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(folder / "notify"), **more}


def test_the_daemon_is_ready_reads_anew_and_stops(
    manager: Manager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(tmp_path, WATCHDOG_USEC="300000").items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG, "utf-8")

    async def run() -> None:
        task = asyncio.create_task(serve(Service(load(path)), file=path))
        await eventually(lambda: manager.told.count("WATCHDOG=1") >= 3, "the watchdog, thrice")
        os.kill(os.getpid(), 1)
        await eventually(lambda: manager.states.count("READY=1") == 2, "the second readiness")
        os.kill(os.getpid(), 15)
        await task

    asyncio.run(run())
    assert manager.states == ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"]
    assert "READY=1\nSTATUS=follows 1 tables" in manager.told


class Slow(OwnBoards):
    """Takes its time to be ready."""

    async def ready(self, stop: asyncio.Event, take_up: TakeUp) -> bool:
        await asyncio.sleep(4 * REFRESH_SECONDS)
        return await super().ready(stop, take_up)


def test_who_asks_for_a_reload_too_early_is_heard_when_the_daemon_is_ready(
    manager: Manager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(service, "SOON", 60.0)  # being ready late is no standing by
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG, "utf-8")

    async def run() -> None:
        task = asyncio.create_task(serve(Service(load(path), source=Slow), file=path))
        await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGHUP)
        await eventually(lambda: manager.states.count("READY=1") == 2, "the second readiness")
        os.kill(os.getpid(), signal.SIGTERM)
        await task

    asyncio.run(run())
    assert manager.states == ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"]


def test_a_daemon_outlives_being_asked_for_a_reload_while_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    os.mkfifo(path)
    command = [sys.executable, "-m", "bridge", "run", str(path)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as daemon:
        with path.open("w", encoding="utf-8") as file:  # now it reads for the first time
            daemon.send_signal(signal.SIGHUP)
            file.write(CONFIG)
        while is_read(path):
            time.sleep(0.001)
        path.write_text(CONFIG, "utf-8")  # and now again
        daemon.send_signal(signal.SIGTERM)
        _, said = daemon.communicate(timeout=60)
    assert daemon.returncode == 0, said


def is_read(path: Path) -> bool:
    """Whether somebody has the other end of a pipe open."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def test_a_reload_is_told_with_its_time(manager: Manager, tmp_path: Path) -> None:
    supervision = Supervision(environment(tmp_path))
    supervision.reloading()
    (told,) = manager.told
    state, clock = told.splitlines()
    assert state == "RELOADING=1"
    name, _, value = clock.partition("=")
    assert (name, value.isdigit()) == ("MONOTONIC_USEC", True)


def watched(supervision: Supervision, manager: Manager) -> bool:
    """Whether the watchdog hears anything before much else has happened."""

    async def run() -> None:
        task = asyncio.create_task(supervision.watch())
        for _ in range(100):
            await asyncio.sleep(0)
        assert not task.done()
        task.cancel()

    asyncio.run(run())
    return "WATCHDOG=1" in manager.told


@pytest.mark.parametrize(
    ("asked", "hears"),
    [
        ({"WATCHDOG_USEC": "30000000"}, True),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, True),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, False),
        ({}, False),
    ],
)
def test_only_a_watchdog_that_asked_us_is_told(
    asked: dict[str, str], hears: bool, manager: Manager, tmp_path: Path
) -> None:
    assert watched(Supervision(environment(tmp_path, **asked)), manager) == hears


def test_a_place_without_a_file_is_found() -> None:
    name = f"eboard-bridge-test-{os.getpid()}"
    manager = Manager(f"\0{name}")
    Supervision({"NOTIFY_SOCKET": f"@{name}"}).stopping()
    assert manager.told == ["STOPPING=1"]
    manager.close()


def test_where_nobody_listens_it_is_logged_and_where_nobody_asked_it_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Supervision({}).ready("well")
    assert not caplog.messages
    Supervision(environment(tmp_path)).ready("well")
    (message,) = caplog.messages
    assert "READY=1" in message
