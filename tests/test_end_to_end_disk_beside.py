"""A daemon waits for its disk beside the event loop, from the first file to the last."""

import asyncio
import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from testbed.power_cut.trace import can_trace
from tests.brokers import Broker
from tests.halls import (
    Daemon,
    Seat,
    at,
    eventually,
    moves_differ,
    seated,
    verdict,
    write_config,
    written_moves,
)
from tests.livechess import free_port

CALLS = "%file,fsync,fdatasync,write,pwrite64,pread64,ftruncate"
NOBODY = "http://127.0.0.1:9"
HOOKS = f"webhooks: [{{url: '{NOBODY}/x', name: screens, audience: arbiter}}]"

pytestmark = pytest.mark.skipif(
    not can_trace(), reason="strace is missing, or not allowed to trace"
)


def traced(folder: Path) -> list[str]:
    """A wrapper that writes down what a program in *folder* asks of the disk."""
    wrapper = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-y"]
    return [*wrapper, "-o", str(folder / "trace"), "-e", f"trace={CALLS}"]


def asked_of_the_disk(folder: Path) -> list[str]:
    """The calls about what the program keeps in *folder*."""
    kept = re.compile(rf"{re.escape(str(folder))}/(data|games|cloud)\b")
    trace = (folder / "trace").read_text("utf-8", "replace")
    return [line for line in trace.splitlines() if kept.search(line)]


def synced(asked: list[str]) -> Iterator[str]:
    """The databases that somebody waited for."""
    for line in asked:
        file = re.search(r"/(\w+)\.sqlite3", line)
        if file is not None and "sync(" in line:
            yield file[1]


def test_the_loop_asks_nothing_of_the_disk(tmp_path: Path) -> None:
    """Opening, recording, sending, taking the configuration anew, closing: others wait for it."""
    (tmp_path / "token").write_text("lip_test", "utf-8")
    (tmp_path / "token").chmod(0o600)

    async def play() -> tuple[Seat, int]:
        seat = Seat(tmp_path / "usb-board", pace=0.05)
        config = write_config(
            tmp_path,
            [at(seat.port.path)],
            f"web: {{port: {free_port()}}}",
            f"livechess: {{port: {free_port()}}}",
            f"cloud: {{folder: {json.dumps(str(tmp_path / 'cloud'))}}}",
            HOOKS,
            f"lichess: {{server: '{NOBODY}', token_file: token, rounds: {{'1': abcdefgh}}}}",
        )
        daemon = Daemon(config, wrapper=traced(tmp_path))
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
    asked = asked_of_the_disk(tmp_path)
    assert {*synced(asked)} == {"journal", "outbox", "checkpoints"}
    assert any(" write(" in line and "/captures/" in line for line in asked)
    assert [line for line in asked if line.startswith(f"{loop} ")] == []


def test_no_loop_of_a_hub_and_a_node_asks_anything_of_the_disk(tmp_path: Path) -> None:
    folders = {command: tmp_path / command for command in ("hub", "node")}

    async def play() -> dict[str, int]:
        seat = Seat(tmp_path / "usb-board", pace=0.05)
        async with Broker(tmp_path / "broker") as broker, seated([seat]):
            machines: dict[str, Daemon] = {}
            for command, folder in folders.items():
                folder.mkdir()
                board = f"{at(seat.port.path)}}}, node: {{north"
                more = [f"scale: {{event: open, servers: ['{broker.url}']}}"]
                if command == "hub":
                    more.append(HOOKS)
                text = write_config(folder, [board], *more).read_text("utf-8")
                config = folder / "event.yaml"
                config.write_text(text.replace("node: {north}", "node: north"), "utf-8")
                machines[command] = Daemon(
                    config, "--name", "north", command=command, wrapper=traced(folder)
                )
            hub, node = machines.values()
            async with hub, node:
                await node.live()
                await seat.plays()
                whole = len(seat.moves)
                await eventually(
                    lambda: len(written_moves(folders["hub"])) == whole, "the whole game"
                )
                assert await hub.end() == 0
                assert await node.end() == 0
        return {command: machine.pid for command, machine in machines.items()}

    for command, loop in asyncio.run(play()).items():
        asked = asked_of_the_disk(folders[command])
        assert {*synced(asked)} >= {"journal", "outbox"}, command
        assert [line for line in asked if line.startswith(f"{loop} ")] == [], command
