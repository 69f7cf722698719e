"""What the service manager is told: systemd waits for it, and starts anew whoever falls silent.

Facts: ``sd_notify(3)``. Where nobody asks to be told (``NOTIFY_SOCKET``), nothing is sent.
"""

import asyncio
import logging
import os
import socket
import time
from collections.abc import Mapping

logger = logging.getLogger(__name__)

_ABSTRACT = "@"
_TELLS_PER_LIMIT = 3
"""How often the watchdog is told within the time that it waits."""


class Supervision:
    """Tells the service manager of *environment* how the daemon is."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._place = environment.get("NOTIFY_SOCKET", "").replace(_ABSTRACT, "\0", 1)
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.is_ready = False
        """Whether it was said that the daemon serves."""
        self._limit = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 if meant else 0.0

    def ready(self, status: str) -> None:
        """Say that the daemon serves, again where it has read its configuration; how, in words."""
        self.is_ready = True
        self._tell("READY=1", f"STATUS={status}")

    def reloading(self) -> None:
        """Say that the configuration is read again."""
        self._tell("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._tell("STOPPING=1")

    async def watch(self) -> None:
        """Let the watchdog hear of the event loop for as long as it turns; never returns.

        A full disk or a board that is silent is no reason to be started anew: only a loop that
        stands still is.
        """
        while self._limit:
            self._tell("WATCHDOG=1")
            await asyncio.sleep(self._limit / _TELLS_PER_LIMIT)
        await asyncio.Event().wait()

    def _tell(self, *lines: str) -> None:
        if not self._place:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.setblocking(False)
                channel.connect(self._place)
                channel.send("\n".join(lines).encode())
        except OSError as error:
            logger.warning("the service manager cannot be told %s: %s", lines[0], error)
