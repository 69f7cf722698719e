"""The disk becomes read-only in the middle of a game, as the kernel makes one that fails."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from testbed.power_cut.trace import can_trace
from tests.halls import (
    Daemon,
    Seat,
    at,
    eventually,
    game_file,
    seated,
    verdict,
    write_config,
    written,
)

CHANGES = "pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat"


@contextlib.asynccontextmanager
async def read_only(daemon: Daemon) -> AsyncIterator[None]:
    """Let a daemon change nothing on its disk; what it has opened stays open."""
    options = ["-qq", "-f", "-e", f"trace={CHANGES}", "-e", f"inject={CHANGES}:error=EROFS"]
    tracer = await asyncio.create_subprocess_exec(
        "strace", "-p", str(daemon.pid), *options, "-o", "/dev/null"
    )
    try:
        status = Path(f"/proc/{daemon.pid}/status")
        await eventually(
            lambda: (
                f"TracerPid:\t{tracer.pid}\n" in status.read_text("ascii")
                or tracer.returncode is not None
            ),
            "the tracer",
        )
        if tracer.returncode is not None:
            pytest.skip("strace may not trace what runs already")
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            tracer.send_signal(signal.SIGINT)  # it lets the daemon go
        await tracer.wait()


@pytest.mark.timeout(120)
@pytest.mark.skipif(not can_trace(), reason="strace is missing, or not allowed to trace")
def test_the_game_goes_on_while_the_disk_is_read_only(tmp_path: Path) -> None:
    async def play() -> Seat:
        seat = Seat(tmp_path / "usb-board")
        daemon = Daemon(write_config(tmp_path, [at(seat.port.path)]))
        async with seated([seat]), daemon:
            await daemon.live()
            await seat.plays(3)
            await eventually(lambda: "Nf3" in game_file(tmp_path).read_text("utf-8"), "the file")
            async with read_only(daemon):
                await seat.plays(5)
                await eventually(lambda: daemon.log("the disk refuses to write"), "a message")
                assert "Nf3" in game_file(tmp_path).read_text("utf-8"), "the old file stays"
            await eventually(lambda: daemon.log("everything is written again"), "the disk")
            await seat.plays()
            await written(tmp_path, seat)
            assert await daemon.end() == 0
        return seat

    seat = asyncio.run(play())
    assert verdict(tmp_path, seat).differences == ()
