"""Processes of a benchmark, and what they leave in a folder for each other."""

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path


def unwind_on_sigterm() -> None:
    """Let SIGTERM end this process as an exception does, so that what it has started ends too."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))


@contextlib.contextmanager
def running(
    module: str, arguments: Sequence[str], log: Path
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a module of ours until left; what it complains of goes into the file *log*."""
    command = [sys.executable, "-m", module, *arguments]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stderr=file)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def wait_for(path: Path, process: "subprocess.Popen[bytes]", patience: float) -> None:
    """Wait until there is a file.

    Raises:
        RuntimeError: the process ended, or the time is over.
    """
    deadline = time.monotonic() + patience
    while not path.exists():
        ended = process.poll() is not None
        if path.exists():
            return
        if ended or time.monotonic() > deadline:
            raise RuntimeError(f"{path.name} never came; see the logs in {path.parent}")
        time.sleep(0.05)


def leave(path: Path, data: bytes) -> None:
    """Write a file that is whole as soon as it is there."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(data)
    fresh.replace(path)


def free_port() -> int:
    """Return a TCP port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
