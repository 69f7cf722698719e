"""Machines in network namespaces of their own, joined by one switch, which can be pulled out."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

SWITCH = "ebswitch"
NET = "10.77.0"
HERE = f"{NET}.254"


MOST = 16
"""As many machines there are at most."""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def clear() -> None:
    """Remove what a run has left that was broken off."""
    names = [("netns", "delete", f"eb{number}") for number in range(1, MOST + 1)]
    for words in (*names, ("link", "delete", SWITCH)):
        with contextlib.suppress(subprocess.CalledProcessError):  # it is not there
            ip(*words)


class Machine:
    """A network namespace with one address."""

    def __init__(self, number: int) -> None:
        self.host = f"{NET}.{number}"
        self._space, self._plug, inner = f"eb{number}", f"ebv{number}", f"ebi{number}"
        self.wrapper = ["ip", "netns", "exec", self._space]
        ip("netns", "add", self._space)
        ip("link", "add", self._plug, "type", "veth", "peer", "name", inner, "netns", self._space)
        ip("link", "set", self._plug, "master", SWITCH, "up")
        ip("-n", self._space, "address", "add", f"{self.host}/24", "dev", inner)
        ip("-n", self._space, "link", "set", inner, "up")
        ip("-n", self._space, "link", "set", "lo", "up")

    def pull_out(self) -> None:
        ip("link", "set", self._plug, "down")

    def plug_in(self) -> None:
        ip("link", "set", self._plug, "up")

    def remove(self) -> None:
        ip("netns", "delete", self._space)


@contextlib.contextmanager
def machines(count: int) -> Iterator[list[Machine]]:
    clear()
    ip("link", "add", SWITCH, "type", "bridge")
    made: list[Machine] = []
    try:
        ip("address", "add", f"{HERE}/24", "dev", SWITCH)
        ip("link", "set", SWITCH, "up")
        made.extend(Machine(number) for number in range(1, count + 1))
        yield made
    finally:
        for machine in made:
            machine.remove()
        ip("link", "delete", SWITCH)


class Kept:
    """A program of ours that is started again whenever it ends, as systemd does it."""

    def __init__(self, machine: Machine, folder: Path, *command: str) -> None:
        self.folder = folder
        self.pause = 1.0
        self.starts = 0
        self._command = [*machine.wrapper, sys.executable, "-m", *command]
        self._process: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None

    @property
    def log(self) -> Path:
        return self.folder / "log"

    async def __aenter__(self) -> "Kept":
        self.folder.mkdir(parents=True, exist_ok=True)
        self._keeping = asyncio.create_task(self._keep())
        return self

    async def _keep(self) -> None:
        while True:
            self.starts += 1
            with self.log.open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log
                )
            await self._process.wait()
            await asyncio.sleep(self.pause)

    def kill(self, *, pause: float) -> None:
        self.pause = pause
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def __aexit__(self, *_: object) -> None:
        assert self._keeping is not None
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(20.0):
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()


def may_make_machines() -> bool:
    """Whether namespaces can be made here."""
    if os.geteuid() != 0:
        return False
    try:
        ip("netns", "add", "ebtry")
        ip("netns", "delete", "ebtry")
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def lines_of(log: Path, words: str) -> int:
    """How many lines of a log have these words."""
    return log.read_text("utf-8").count(words) if log.exists() else 0


def last_epoch(log: Path) -> int:
    """The epoch under which a hub has led last, as its log has it."""
    words = [line for line in log.read_text("utf-8").splitlines() if " leads, epoch " in line]
    return int(words[-1].rpartition(" ")[2]) if words else 0


def leading(hubs: Sequence[Kept]) -> Kept:
    return max(hubs, key=lambda hub: last_epoch(hub.log) if hub.log.exists() else 0)
