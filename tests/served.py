"""Simulated boards on ptys for commands: a loop in another thread serves them."""

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import chess

from drivers.simulated.pty import PtyPort
from drivers.transports.simulated import Device

PATIENCE = 30.0
_HASTILY = (
    "import sys; from bridge.cli import main; from bridge.links import discovery;"
    "discovery.LISTEN_SECONDS = 0.1; sys.exit(main())"
)
HASTY = (sys.executable, "-c", _HASTILY)
"""The command, which listens for a moment only where no board speaks by itself."""

_T = TypeVar("_T")


class Settable(Device, Protocol):
    """A simulated board on which men can be put up."""

    def set_up(self, men: dict[chess.Square, chess.Piece], *, at: float) -> None:
        """Put the men up."""


class Served:
    """Boards that are plugged in, each with what happens to it in the thread of its loop."""

    def __init__(self) -> None:
        self.ports: list[PtyPort] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def plug(
        self, path: Path, board: Settable, men: dict[chess.Square, chess.Piece] | None = None
    ) -> PtyPort:
        """Plug a board in that has the start position, or these men, on it."""

        async def plug() -> PtyPort:
            board.set_up(chess.Board().piece_map() if men is None else men, at=self._loop.time())
            port = PtyPort(path, board)
            port.plug()
            return port

        self.ports.append(self._do(plug()))
        return self.ports[-1]

    def act(self, port: PtyPort, deed: Callable[[float], None]) -> None:
        """Let something happen at the board of a port, at the time that it is given."""

        async def act() -> None:
            deed(self._loop.time())
            port.wake()

        self._do(act())

    def close(self) -> None:
        async def close() -> None:
            for port in self.ports:
                port.close()

        self._do(close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


@contextlib.contextmanager
def served() -> Iterator[Served]:
    """Serve boards until this is left."""
    boards = Served()
    try:
        yield boards
    finally:
        boards.close()
