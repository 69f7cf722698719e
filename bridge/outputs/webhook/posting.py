"""One message on its way: signed for programs, shown on phones, and what the answer means.

Nothing said here tells the path of an address or a secret: the topic of ntfy is one, too.
"""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import aiohttp

from bridge import __version__
from bridge.config.webhooks import SECRET_VARIABLE, WebhookSettings
from bridge.core.json_errors import NOT_JSON
from bridge.core.model import AlertCleared, AlertRaised
from bridge.outputs.patience import LOOK
from bridge.outputs.webhook.messages import fact_in, key_of, push_of, signature
from bridge.store.outbox import Entry

OLDEST_PUSH = 30 * 60.0
"""Seconds after which an alert is no news for a phone."""

_REFUSALS = {400, 413, 415, 422}
"""Statuses that say: this message never will be taken, whatever comes."""


class FailedError(Exception):
    """It has to be sent again; ``after``: no sooner than in so many seconds."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


class RefusedError(Exception):
    """The receiver never will take it."""


class _Request(NamedTuple):
    url: str
    headers: dict[str, str]
    body: bytes


class Poster:
    """Sends messages of the outbox to one receiver, ``seconds`` long at most for each.

    *may_send* is asked last before each of them; until it says so, nothing is sent.
    """

    def __init__(
        self, settings: WebhookSettings, *, seconds: float, may_send: Callable[[], bool]
    ) -> None:
        """Open nothing yet; it belongs to the running event loop."""
        self._settings = settings
        self._may_send = may_send
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=seconds),
            headers={"User-Agent": f"eboard-bridge/{__version__}"},
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def send(self, entry: Entry) -> None:
        """Send a message, or nothing where it is too late for it.

        Raises:
            FailedError: it has to be sent again.
            RefusedError: it need not.
        """
        while True:
            request = await asyncio.to_thread(self._request, entry)  # it reads a file
            if request is None:
                return
            if self._may_send():
                break
            await asyncio.sleep(LOOK)  # and sign anew, as what is sent is as old as its signature
        try:
            async with self._session.post(
                request.url, data=request.body, headers=request.headers, allow_redirects=False
            ) as answer:
                status, after = answer.status, answer.headers.get("Retry-After", "")
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise FailedError(_words(error)) from None
        if status in _REFUSALS:
            raise RefusedError(f"is refused ({status})")
        if not 200 <= status < 300:
            raise FailedError(f"answers {status}", float(after) if after.isdecimal() else 0.0)

    def _request(self, entry: Entry) -> _Request | None:
        headers = {"Content-Type": "application/json"}
        if self._settings.kind == "ntfy":
            return self._push(entry, headers)
        name, now = entry.key.partition(" ")[0], int(time.time())
        try:
            signed = signature(key_of(secret_of(self._settings)), name, now, entry.content)
        except ValueError as error:
            raise FailedError(f"the secret cannot be used: {error}") from None
        headers |= {"webhook-id": name, "webhook-timestamp": str(now), "webhook-signature": signed}
        return _Request(self._settings.url, headers, entry.content)

    def _push(self, entry: Entry, headers: dict[str, str]) -> _Request | None:
        """Return what a phone is to show; nothing of what is old."""
        try:
            fact = fact_in(entry.content)
        except NOT_JSON:
            raise RefusedError("was queued by another version and cannot be read") from None
        is_old = fact.wall < time.time() - OLDEST_PUSH
        if is_old or not isinstance(fact, AlertRaised | AlertCleared):
            return None
        if self._settings.secret_file is not None:
            headers["Authorization"] = f"Bearer {secret_of(self._settings)}"
        root, _, topic = self._settings.url.rstrip("/").rpartition("/")
        return _Request(root, headers, push_of(fact, topic, self._settings.click))

    @property
    def host(self) -> str:
        """Who is sent to, for the log."""
        return urlsplit(self._settings.url).hostname or ""


def secret_of(settings: WebhookSettings) -> str:
    """Return the secret, read anew each time: so it can be changed while the program runs.

    Raises:
        FailedError: there is none that will do.
    """
    file = settings.secret_file
    secret = os.environ.get(SECRET_VARIABLE, "") if file is None else _text(file)
    if not secret.strip():
        where = f"set {SECRET_VARIABLE} or name 'secret_file'" if file is None else str(file)
        raise FailedError(f"there is no secret: {where}")
    if not secret.strip().isprintable():
        raise FailedError("the secret has more than one line")
    return secret.strip()


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise FailedError(f"{file}: {error.strerror}") from None
    except UnicodeError:
        raise FailedError(f"{file}: is no text") from None


def _words(error: Exception) -> str:
    match error:
        case TimeoutError():
            return "does not answer in time"
        case aiohttp.ClientConnectorCertificateError():
            return "its certificate is not to be trusted"
        case aiohttp.ClientConnectorError():
            number = error.os_error.errno or 0
            return os.strerror(number) if number > 0 else "its name is not known"
        case _:
            return type(error).__name__
