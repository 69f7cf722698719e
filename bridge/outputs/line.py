"""The line to one client of a WebSocket: frames are made once for all, and written at once.

aiohttp keeps the connection; what it would do for each client and frame (a header, a copy, a task
that is woken) is most of the work where thousands are told the same, so frames go to the transport
as they are. They are not compressed.
"""

import asyncio
import logging
import struct

from aiohttp import WebSocketError
from aiohttp.web import WebSocketResponse

logger = logging.getLogger(__name__)

MOST_UNSENT = 131_072
"""Bytes that may wait for a slow client; the buffers of the system hold more."""
CALLS_WAIT_AT = MOST_UNSENT // 4
"""With so many waiting, a client's next call is not read before some were taken."""
LOOK_AGAIN = 0.02
"""Seconds between looks whether a slow client has taken something."""

_WHOLE_TEXT = 0x81
_ONE_BYTE, _TWO_BYTES = 126, 127


def framed(text: bytes) -> bytes:
    """Return a text as the frame of a server (RFC 6455, section 5.2)."""
    size = len(text)
    if size < _ONE_BYTE:
        return struct.pack("!BB", _WHOLE_TEXT, size) + text
    if size < 65536:
        return struct.pack("!BBH", _WHOLE_TEXT, _ONE_BYTE, size) + text
    return struct.pack("!BBQ", _WHOLE_TEXT, _TWO_BYTES, size) + text


class Line:
    """Writes to one client and never waits; one that does not take its frames is cut off."""

    def __init__(self, socket: WebSocketResponse, transport: asyncio.Transport, name: str) -> None:
        """Write to *transport*, over which *socket* speaks; *name* begins what is logged."""
        self._socket = socket
        self._transport = transport
        host, port = transport.get_extra_info("peername", ("?", 0))[:2]
        self._name = f"{name}: the client at {host} port {port}"

    def put(self, frame: bytes) -> None:
        """Write a frame; for a client that has gone it is dropped."""
        if self._socket.closed or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > MOST_UNSENT:
            logger.info("%s does not take its frames and is cut off", self._name)
            self._transport.abort()
        else:
            self._transport.write(frame)

    async def room(self) -> None:
        """Wait until the client has taken most of what was written, or is gone."""
        unsent = self._transport.get_write_buffer_size
        while unsent() > CALLS_WAIT_AT:  # noqa: ASYNC110 - aiohttp keeps the event to itself
            await asyncio.sleep(LOOK_AGAIN)

    def end(self) -> None:
        """Say why the client was let go, if that was for what it sent."""
        error = self._socket.exception()
        if isinstance(error, WebSocketError):
            logger.info("%s is let go for what it sent: %s", self._name, error)
