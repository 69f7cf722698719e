"""A real HTTP server that takes webhooks, with signatures checked as a receiver would."""

import asyncio
import base64
import hashlib
import hmac
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.livechess import free_port

SECRET = "the secret of the tests"  # noqa: S105 - made up
PATIENCE = 60.0
OLDEST = 300


@dataclass
class Receiver:
    """What came, and how it was answered.

    ``answers`` are taken one after the other, then all is well; ``seconds``: how slow it is.
    ``took`` is called when something has come, before that is answered.
    """

    port: int
    answers: list[web.Response] = field(default_factory=list)
    seconds: float = 0.0
    came: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    refused: int = 0
    headers: list[dict[str, str]] = field(default_factory=list)
    took: Callable[[], None] = lambda: None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/secret-path"

    @property
    def facts(self) -> list[dict[str, Any]]:
        """What came, each once, in order."""
        return [body["data"] for body in dict(reversed(self.came)).values()][::-1]

    async def take(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.headers.append(dict(request.headers))
        if self.seconds:
            await asyncio.sleep(self.seconds)
        if self.answers:
            answer = self.answers.pop(0)
            if answer.status >= 300:
                self.refused += 1
                return answer
        if "webhook-id" in request.headers:
            check(request.headers, body)
        self.came.append((request.headers.get("webhook-id", ""), json.loads(body)))
        self.took()
        return web.Response()

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not true():  # noqa: ASYNC110 - the server is another task
                await asyncio.sleep(0.01)


def check(headers: Any, body: bytes) -> None:
    """Verify as the description of Standard Webhooks says."""
    name, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    assert abs(time.time() - int(timestamp)) < OLDEST
    signed = f"{name}.{timestamp}.".encode() + body
    digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


@asynccontextmanager
async def receiving(
    port: int | None = None, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Receiver]:
    receiver = Receiver(port or free_port())
    application = web.Application()
    application.router.add_post("/{tail:.*}", receiver.take)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", receiver.port, ssl_context=tls).start()
    try:
        yield receiver
    finally:
        await runner.cleanup()


def self_signed(folder: Path) -> ssl.SSLContext:
    """Return what serves with a certificate for localhost that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    private = key.private_bytes(pem, plain, serialization.NoEncryption())
    file = folder / "localhost.pem"
    file.write_bytes(private + certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
