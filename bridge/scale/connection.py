"""The connection of this machine to the brokers: kept for ever, whatever happens to them."""

import asyncio
import contextlib
import logging
import random
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.js import JetStreamContext

from bridge.config import ScaleSettings
from bridge.scale.ending import end, until_set

RETRY = 0.5
"""Seconds between two tries to reach a broker."""
PING_SECONDS = 1
MOST_PINGS = 2
"""A broker that does not answer so many pings is taken for gone: within 3 s, so that the hub that
leads finds another one before its lease is over. Less would take busy machines for gone."""
CONNECT_SECONDS = 1.5
"""How long a broker may take to greet, before another one is tried."""
ANSWER_SECONDS = 2.0
"""How long a broker may take to keep what it is told, before it is told again."""

FAILURES = (nats.errors.Error, TimeoutError, OSError)
"""What a request may end with; all of them pass, and what was asked is asked again."""

_FULL = (10077, 10047, 10023, 10122)
"""Error codes of JetStream: the stream, or the server's storage, has no room."""

logger = logging.getLogger(__name__)

_Done = TypeVar("_Done")


class ScaleError(Exception):
    """This machine cannot take part in the event; the message says why."""


class ClearTextError(nats.errors.Error):
    """A broker does not encrypt, and it has to; it was told nothing."""


class BehindError(nats.errors.Error):
    """Not all was told that there is; the message says of what."""


class _Configured(Client):
    """A client of the brokers that are configured, and of no other.

    A broker names others of its cluster, and does so before anything is encrypted. nats-py would
    tell its password to each of them: in the clear, where the one that is configured need not
    encrypt because it is on this machine.
    """

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        alone = {key: value for key, value in info.items() if key != "connect_urls"}
        await super()._process_info(alone, initial_connection)

    async def _process_connect_init(self) -> None:
        """Greet a broker; nats-py forgets the connection of one that does not greet back."""
        try:
            await super()._process_connect_init()
        except BaseException:
            if self._transport is not None:
                self._transport.close()  # type: ignore[no-untyped-call]
            raise

    async def _attempt_reconnect(self) -> None:
        """Come back at once; where TLS is on, nats-py gives the broker 30 s to say goodbye first.

        One that has no power says nothing.
        """
        writer = getattr(self._transport, "_io_writer", None)
        if isinstance(writer, asyncio.StreamWriter):
            writer.transport.abort()
        await super()._attempt_reconnect()


class _Encrypting(_Configured):
    """A client that says nothing in the clear: nats-py leaves that to the server, also with tls."""

    def _connect_command(self) -> bytes:
        if not self._server_info.get("tls_required"):
            raise ClearTextError("a broker does not encrypt, and 'scale' asks for that")
        return super()._connect_command()


class Grumbler:
    """Logs a trouble once, until it is another one or over; ``trouble`` is what it is now."""

    def __init__(self, name: str) -> None:
        self.trouble = ""
        self._name = name

    def note(self, trouble: str) -> None:
        """Take what is wrong now; nothing where it is empty."""
        if trouble and trouble != self.trouble:
            logger.warning("%s: %s", self._name, trouble)
        self.trouble = trouble


class Troubled(Protocol):
    """A part that says in words what is wrong with it, nothing while all is well."""

    @property
    def trouble(self) -> str:
        """What is wrong."""


class Connection:
    """A connection that is open until it is left; ``client`` and ``stream`` are those of nats-py.

    ``trouble`` says in words what is wrong, and is empty while all is well. ``returns`` counts how
    often a broker was reached. ``gone`` is set when the brokers will not have this machine any
    more; another connection may be tried.
    """

    def __init__(self, settings: ScaleSettings, name: str) -> None:
        self.name = name
        self._grumbler = Grumbler(name)
        self._grumbler.trouble = "no broker was reached yet"
        self.gone = asyncio.Event()
        self.returns = 0
        self._options = options_of(settings, name)
        self.client = client_of(settings)
        self.stream: JetStreamContext = self.client.jetstream(timeout=ANSWER_SECONDS)
        self._connecting: asyncio.Task[None] | None = None
        self._is_left = False

    async def __aenter__(self) -> Self:
        self._connecting = asyncio.create_task(self._connect())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_left = True
        if self._connecting is not None:
            await end([self._connecting])
        with contextlib.suppress(*FAILURES):
            await self.client.close()

    @property
    def trouble(self) -> str:
        """What is wrong, in words."""
        return self._grumbler.trouble

    @property
    def is_up(self) -> bool:
        """Whether a broker is reached now."""
        return self.client.is_connected

    async def until_tried(self) -> None:
        """Return when a broker was reached, or when none will have us."""
        if self._connecting is not None:
            await self._connecting

    async def until_gone(self, *work: Coroutine[None, None, None]) -> None:
        """Do *work* until the brokers will not have us, or a part of it fails by our mistake."""
        tasks = [asyncio.create_task(each) for each in (*work, until_set(self.gone))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end(tasks)

    async def _connect(self) -> None:
        """Connect for the first time; from then on the client itself comes back."""
        try:
            await self.client.connect(
                **self._options,
                error_cb=self._failed,
                disconnected_cb=self._lost,
                reconnected_cb=self._back,
                closed_cb=self._closed,
            )
        except FAILURES as error:
            self._grumbler.note(in_words(error))
            self.gone.set()
        else:
            await self._back()

    async def _failed(self, error: Exception) -> None:
        if not isinstance(error, FAILURES):
            logger.error("%s: a fault of ours", self.name, exc_info=error)
            return
        logger.debug("%s: broker: %s", self.name, error)
        if not self.is_up or "ermissions" in str(error):
            self._grumbler.note(in_words(error))

    async def _lost(self) -> None:
        if not self._is_left:
            self._grumbler.note("the brokers are out of reach")

    async def _closed(self) -> None:
        self.gone.set()

    async def _back(self) -> None:
        self._grumbler.note("")
        self.returns += 1
        logger.info("%s: connected to broker %s", self.name, _address(self.client))


def _address(client: Client) -> str:
    url = client.connected_url
    return url.netloc.rpartition("@")[2] if url else "?"


def client_of(settings: ScaleSettings) -> Client:
    """Return a client that is not connected yet."""
    return _Encrypting() if settings.is_encrypted else _Configured()


def options_of(settings: ScaleSettings, name: str) -> dict[str, Any]:
    """Return how the machine *name* connects.

    Raises:
        ScaleError: passwords or certificates cannot be read.
    """
    options: dict[str, Any] = {
        # Each machine begins with another one. Then they take turns: one that is gone comes last.
        "servers": random.sample(settings.servers, len(settings.servers)),
        "dont_randomize": True,
        "name": f"eboard-bridge {name}",
        "inbox_prefix": f"_INBOX_{name}",
        "max_reconnect_attempts": -1,
        "reconnect_time_wait": RETRY,
        "ping_interval": PING_SECONDS,
        "max_outstanding_pings": MOST_PINGS,
        "connect_timeout": CONNECT_SECONDS,
        "pending_size": 0,  # what cannot be said now is said again by who has to say it
    }
    if settings.password_file is not None:
        options["user"] = settings.user or name
        options["password"] = _text_of(settings.password_file)
    if settings.is_encrypted:
        options["tls"] = _tls(settings)
    return options


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ScaleError(f"the password for the brokers cannot be read: {error}") from error


def _tls(settings: ScaleSettings) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=settings.ca)
        if settings.certificate is not None:
            context.load_cert_chain(settings.certificate, settings.key_file)
    except (OSError, ssl.SSLError) as error:
        raise ScaleError(f"the certificates for the brokers cannot be used: {error}") from error
    return context


async def insist(work: Callable[[], Awaitable[_Done]], grumbler: Grumbler) -> _Done:
    """Do *work* again and again until the brokers let it be done; *grumbler* has what is wrong."""
    while True:
        try:
            done = await work()
        except FAILURES as error:
            grumbler.note(in_words(error))
            await asyncio.sleep(RETRY)
        else:
            grumbler.note("")
            return done


def in_words(error: BaseException) -> str:
    """Say what a failure means to a person."""
    if getattr(error, "err_code", None) in _FULL:
        return "the brokers have no room: raise scale: max_mb, or their disk; readings wait here"
    if isinstance(error, nats.js.errors.NoStreamResponseError):
        return "the brokers keep no readings of this event: is a hub running, JetStream enabled?"
    if isinstance(error, nats.js.errors.ServiceUnavailableError | nats.errors.NoRespondersError):
        return "the brokers have no JetStream, or too few of them are up"
    if isinstance(error, ClearTextError | BehindError):
        return str(error)
    if isinstance(error, TimeoutError | nats.errors.OutboundBufferLimitError):
        return "the brokers do not answer"
    if isinstance(error, OSError):
        return f"the brokers are out of reach: {error.strerror or error}"
    return f"the brokers refuse: {error}"
