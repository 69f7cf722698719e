"""A board behind a TCP socket, such as a serial server in the hall: ``tcp:host:port``."""

import asyncio
import os
import socket

from drivers.errors import LinkLostError, PortMissingError
from drivers.transports.descriptor import DescriptorLine
from drivers.transports.line import Clock

CONNECT_SECONDS = 10.0


class TcpLine(DescriptorLine):
    """A TCP connection; keep-alive tells within a minute that the other side is gone."""

    def __init__(self, address: str, host: str, port: int, now: Clock) -> None:
        super().__init__(address, now)
        self._host = host
        self._port = port

    async def _open(self) -> int:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await self._connect()
        except TimeoutError:
            raise PortMissingError(
                f"{self.address}: no answer for {CONNECT_SECONDS:g} s; is the serial server on?"
            ) from None
        except ConnectionRefusedError:
            raise PortMissingError(
                f"{self.address}: nothing listens there; check the port number"
            ) from None
        except socket.gaierror as error:
            raise PortMissingError(f"{self.address}: unknown host: {error.strerror}") from None
        except OSError as error:
            raise LinkLostError(f"{self.address}: {error.strerror}") from None

    async def _connect(self) -> int:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        failure: OSError | None = None
        for family, kind, protocol, _, where in found:
            with socket.socket(family, kind, protocol) as connection:
                connection.setblocking(False)
                try:
                    await loop.sock_connect(connection, where)
                except OSError as error:
                    failure = error
                    continue
                _keep_alive(connection)
                return connection.detach()
        raise failure or OSError(0, "the host has no address")

    def _close(self, fd: int) -> None:
        os.close(fd)


def _keep_alive(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 30)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 10)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
