"""A daemon waits for its disk beside the event loop, from the first file to the last."""

import asyncio
import json
import os
import re
import signal
from pathlib import Path

import pytest

from testbed.power_cut.trace import can_trace
from tests.halls import Daemon, Seat, at, eventually, moves_differ, seated, verdict, write_config
from tests.livechess import free_port

CALLS = "%file,fsync,fdatasync,write,pwrite64,pread64,ftruncate"


def test_the_loop_asks_nothing_of_the_disk(tmp_path: Path) -> None:
    """Opening, recording, sending, taking the configuration anew, closing: others wait for it."""
    if not can_trace():
        pytest.skip("strace is missing, or not allowed to trace")
    trace = tmp_path / "trace"
    wrapper = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-y"]
    wrapper += ["-o", str(trace), "-e", f"trace={CALLS}"]
    (tmp_path / "token").write_text("lip_test", "utf-8")
    (tmp_path / "token").chmod(0o600)
    nobody = "http://127.0.0.1:9"

    async def play() -> tuple[Seat, int]:
        seat = Seat(tmp_path / "usb-board", pace=0.05)
        config = write_config(
            tmp_path,
            [at(seat.port.path)],
            f"web: {{port: {free_port()}}}",
            f"livechess: {{port: {free_port()}}}",
            f"cloud: {{folder: {json.dumps(str(tmp_path / 'cloud'))}}}",
            f"webhooks: [{{url: '{nobody}/x', name: screens, audience: arbiter}}]",
            f"lichess: {{server: '{nobody}', token_file: token, rounds: {{'1': abcdefgh}}}}",
        )
        daemon = Daemon(config, wrapper=wrapper)
        async with seated([seat]), daemon:
            await daemon.live()
            await seat.plays()
            await eventually(lambda: daemon.log("game 1 ended"), "the end of the game")
            with config.open("a", encoding="utf-8") as file:
                file.write("\n")
            os.kill(daemon.pid, signal.SIGHUP)
            await eventually(lambda: daemon.log("the configuration is taken"), "the configuration")
            assert await daemon.end() == 0
        return seat, daemon.pid

    seat, loop = asyncio.run(play())
    assert moves_differ(verdict(tmp_path, seat)) == []
    kept = re.compile(rf"{re.escape(str(tmp_path))}/(data|games|cloud)\b")
    asked = [line for line in trace.read_text("utf-8", "replace").splitlines() if kept.search(line)]
    synced = {
        match[1] for line in asked if "sync(" in line and (match := re.search(r"data/(\w+)", line))
    }
    assert synced >= {"journal", "outbox", "checkpoints"}
    assert any(" write(" in line and "/captures/" in line for line in asked)
    assert [line for line in asked if line.startswith(f"{loop} ")] == []
