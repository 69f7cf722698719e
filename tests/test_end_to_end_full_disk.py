"""The disk is full in the middle of a game: nothing is lost, and everything is there afterwards."""

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.capture import parse
from tests.halls import (
    Daemon,
    Seat,
    alerts,
    at,
    eventually,
    game_file,
    readings,
    refolded_pgn,
    seated,
    verdict,
    write_config,
    written,
)


class SmallDisk:
    """A disk of its own that can be filled, as root; a limit for the daemon's files otherwise."""

    def __init__(self, folder: Path, mounted: bool) -> None:
        self.folder = folder
        self.words = "the disk is full: free some space" if mounted else "the disk refuses to write"
        self._mounted = mounted
        self._ballast = folder / "ballast"
        self._unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self, daemon: Daemon) -> None:
        if not self._mounted:
            resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (1, self._unlimited[1]))
            return
        with self._ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    def free(self, daemon: Daemon) -> None:
        if not self._mounted:
            resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, self._unlimited)
            return
        self._ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False).returncode == 0
    try:
        yield SmallDisk(folder, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


async def game_over_a_full_disk(disk: SmallDisk, seat: Seat) -> Daemon:
    daemon = Daemon(write_config(disk.folder, [at(seat.port.path)]))
    async with seated([seat]), daemon:
        await daemon.live()
        await seat.plays(3)
        await eventually(lambda: "Nf3" in game_file(disk.folder).read_text("utf-8"), "the file")
        disk.fill(daemon)
        await seat.plays(5)
        await eventually(lambda: daemon.log("journal", disk.words), "a message of the journal")
        await eventually(lambda: daemon.log("recording suspended"), "one of the captures")
        assert "Nf3" in game_file(disk.folder).read_text("utf-8"), "the old file stays"
        disk.free(daemon)
        await eventually(lambda: daemon.log("everything is written again"), "space")
        await seat.plays()
        captures = disk.folder / "data" / "captures"
        await eventually(lambda: len(list(captures.iterdir())) == 2, "another capture")
        await written(disk.folder, seat)
        assert await daemon.end() == 0
    return daemon


@pytest.mark.timeout(120)
def test_the_game_goes_on_while_the_disk_is_full(disk: SmallDisk, tmp_path: Path) -> None:
    async def play() -> tuple[Seat, Daemon]:
        seat = Seat(tmp_path / "usb-board")
        return seat, await game_over_a_full_disk(disk, seat)

    seat, daemon = asyncio.run(play())
    assert verdict(disk.folder, seat).differences == ()
    assert refolded_pgn(disk.folder) == game_file(disk.folder).read_text("utf-8")
    seqs = [reading.seq for reading in readings(disk.folder) if reading.link == "table 1"]
    assert seqs == list(range(1, len(seqs) + 1)), "nothing is missing"
    said_of_it = [each for each in alerts(disk.folder) if "DISK" in each]
    assert said_of_it[:: len(said_of_it) - 1] == ["+DISK_OR_LOG_FAULT", "-DISK_OR_LOG_FAULT"]
    quiet = ("pgn files", "DISK_OR_LOG_FAULT")
    said = [line for line in daemon.log(" WARNING ") if not any(each in line for each in quiet)]
    assert len(said) == 2, "the journal and the captures say it once each"
    files = sorted((disk.folder / "data" / "captures").iterdir())
    first, second = (parse(file.read_bytes(), name=file.name) for file in files)
    assert first.records
    assert second.header["Notes"].startswith("records are missing before this")


@pytest.mark.timeout(60)
def test_a_full_disk_keeps_nobody_from_stopping(disk: SmallDisk, tmp_path: Path) -> None:
    async def play() -> tuple[int, Daemon]:
        seat = Seat(tmp_path / "usb-board")
        daemon = Daemon(write_config(disk.folder, [at(seat.port.path)]))
        async with seated([seat]), daemon:
            await daemon.live()
            await seat.plays(1)
            disk.fill(daemon)
            await seat.plays(2)
            return await daemon.end(signal.SIGTERM), daemon

    code, daemon = asyncio.run(play())
    assert code == 2
    assert daemon.log("readings were never written", disk.words)
