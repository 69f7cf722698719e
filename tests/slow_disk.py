"""A daemon that follows a game while each sync of its disk takes long."""

import asyncio
from pathlib import Path

import pytest

from bridge.daemon.status import Status, ask
from testbed.power_cut.trace import can_trace
from tests.halls import Daemon, Seat, at, seated, verdict, write_config

SYNCS_OF_A_MOVE = 4
"""More than a reading, its deadline and a file take, one after another."""


def follow(folder: Path, sync_seconds: float) -> Status:
    """See that the game is exact; return how the daemon was at the end."""
    if not can_trace():
        pytest.skip("strace is missing, or not allowed to trace")
    slow = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"]
    slow += ["-e", "trace=fsync,fdatasync"]
    slow += ["-e", f"inject=fsync,fdatasync:delay_exit={sync_seconds * 1e6:.0f}"]

    async def play() -> tuple[Seat, Status]:
        seat = Seat(folder / "usb-board")
        daemon = Daemon(write_config(folder, [at(seat.port.path)]), wrapper=slow)
        async with seated([seat]), daemon:
            await daemon.live()
            await asyncio.sleep(SYNCS_OF_A_MOVE * sync_seconds)
            await seat.plays()
            await asyncio.sleep(SYNCS_OF_A_MOVE * sync_seconds)
            status = await asyncio.to_thread(ask, folder / "data")
            assert await daemon.end() == 0
        return seat, status

    seat, status = asyncio.run(play())
    assert verdict(folder, seat).differences == ()
    return status
