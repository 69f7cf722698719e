"""What a daemon that runs tells of itself on its own machine: to who connects, one JSON object.

The socket lies beside the journal, and is for the user under whom the daemon runs.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Self

import msgspec

from bridge.core.json_errors import NOT_JSON
from bridge.links.pulse import LinkHealth
from bridge.outputs.tally import Report

PATIENCE = 5.0
"""Seconds in which an answer has to come."""

_NAME = "status.sock"

logger = logging.getLogger(__name__)


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """How a daemon is.

    ``since``: when it began (Unix time). ``unwritten``: readings that wait for the disk.
    ``troubles``: what is wrong, in words. ``lag``: how late the event loop was at worst in the
    last minute (s). ``files`` are open, ``most_files`` may be.
    """

    version: str
    pid: int
    since: float
    unwritten: int
    troubles: list[str]
    links: list[LinkHealth]
    outputs: list[Report]
    lag: float
    files: int
    most_files: int


class StatusSocket:
    """Answers from entering to leaving; where it cannot, that is logged and nothing else.

    Args:
        folder: where the journal lies.
        status: tells how the daemon is.
    """

    def __init__(self, folder: Path, status: Callable[[], Awaitable[Status]]) -> None:
        self._folder = folder
        self._status = status
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        try:
            listening = await asyncio.to_thread(_bound_in, self._folder)
            self._server = await asyncio.start_unix_server(self._answer, sock=listening)
        except OSError as error:
            logger.warning("doctor --live cannot ask: %s: %s", self._folder / _NAME, error.strerror)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            with contextlib.suppress(OSError):
                await asyncio.to_thread((self._folder / _NAME).unlink)

    async def _answer(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                writer.write(msgspec.json.encode(await self._status()))
                await writer.drain()
        except (ConnectionError, TimeoutError):
            return
        finally:
            writer.close()


def ask(folder: Path) -> Status:
    """Return how the daemon is whose journal lies in *folder*.

    Raises:
        FileNotFoundError, ConnectionRefusedError: none serves there.
        PermissionError: it is somebody else's.
        TimeoutError: it does not answer.
        ConnectionAbortedError: it answers nothing, or as another version does.
    """
    with _place(folder) as place, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
        channel.settimeout(PATIENCE)
        channel.connect(str(place))
        pieces = iter(lambda: channel.recv(65536), b"")
        try:
            return msgspec.json.decode(b"".join(pieces), type=Status)
        except NOT_JSON as error:
            raise ConnectionAbortedError(f"its answer cannot be read: {error}") from error


@contextlib.contextmanager
def _place(folder: Path) -> Iterator[Path]:
    """Yield the socket's path, which is short however long the folder's is: 108 bytes at most."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Path(f"/proc/self/fd/{descriptor}/{_NAME}")
    finally:
        os.close(descriptor)


def _bound_in(folder: Path) -> socket.socket:
    with _place(folder) as place:
        place.unlink(missing_ok=True)  # of one that was killed: nobody else has the journal
        return _bound(place)


def _bound(place: Path) -> socket.socket:
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        os.fchmod(bound.fileno(), 0o600)  # before it has a name: nobody else comes in between
        bound.bind(str(place))
    except OSError:
        bound.close()
        raise
    return bound
