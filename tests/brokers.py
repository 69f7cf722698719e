"""Real NATS servers, started by the tests that need them, and machines that use them."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path

from bridge.config import ScaleSettings
from bridge.scale.connection import Connection
from bridge.scale.ending import end
from bridge.scale.names import Names
from bridge.scale.shared_outbox import Copies
from tests.livechess import free_port

NAMES = Names("open")
PATIENCE = 30.0


class Broker:
    """A ``nats-server`` with JetStream, keeping its streams in *folder*; *more* is configuration.

    ``wrapper`` runs it elsewhere, as in a network namespace.
    """

    def __init__(
        self,
        folder: Path,
        *more: str,
        port: int | None = None,
        host: str = "127.0.0.1",
        jetstream: bool = True,
        wrapper: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self.host = host
        self.port = port or free_port()
        self.url = f"nats://{host}:{self.port}"
        self._more = more
        self._jetstream = jetstream
        self._wrapper = wrapper
        self._process: asyncio.subprocess.Process | None = None

    def configure(self, *more: str) -> None:
        """Write its configuration, to be read when it is started or told to."""
        self._more = more
        self.folder.mkdir(parents=True, exist_ok=True)
        store = f'jetstream {{ store_dir: "{self.folder}/store" }}' if self._jetstream else ""
        lines = [f'listen: "{self.host}:{self.port}"', store, *more]
        (self.folder / "nats.conf").write_text("\n".join(lines) + "\n", "utf-8")

    async def start(self) -> None:
        """Start it, or start it again."""
        self.configure(*self._more)
        config = self.folder / "nats.conf"
        with (self.folder / "nats.log").open("a", encoding="utf-8") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._wrapper, "nats-server", "-c", str(config), stdout=log, stderr=log
            )
        if not self._wrapper:
            async with asyncio.timeout(PATIENCE):
                while not await self._listens():  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.02)

    async def _listens(self) -> bool:
        assert self._process is not None
        assert self._process.returncode is None, (self.folder / "nats.log").read_text("utf-8")
        try:
            _, writer = await asyncio.open_connection(self.host, self.port)
        except OSError:
            return False
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        return True

    async def end(self, number: int = signal.SIGKILL) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)
            await self._process.wait()

    def read_again(self) -> None:
        """Let it read its configuration again."""
        self.tell(signal.SIGHUP)

    def tell(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def __aenter__(self) -> "Broker":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()


def settings(broker: Broker, **more: object) -> ScaleSettings:
    return ScaleSettings(event="open", servers=(broker.url,), **more)  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def connected(broker: Broker, name: str = "north") -> AsyncIterator[Connection]:
    async with Connection(settings(broker), name) as connection:
        await connection.until_tried()
        yield connection


@contextlib.asynccontextmanager
async def doing(work: Coroutine[None, None, None]) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        await end([task])


@contextlib.asynccontextmanager
async def followed(
    connection: Connection, held: Callable[[], bool] = lambda: True
) -> AsyncIterator[Copies]:
    """What is kept of an outbox, as a hub that stands by follows it."""
    copies = Copies(connection.stream, NAMES.sent, replicas=1, held=held)
    async with doing(copies.follow(connection)):
        yield copies


async def eventually(true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - others make it true
            await asyncio.sleep(0.01)
