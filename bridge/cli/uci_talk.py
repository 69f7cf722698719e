"""The edge of ``uci``: a link to the board, standard input and output, and the time."""

import asyncio
import contextlib
import math
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bridge.cli.frame import say
from bridge.cli.recording import where
from bridge.core.model import LinkChange
from bridge.links.keeper import Keeper
from bridge.outputs.uci import Conversation, Seat
from drivers.codec import Codec
from drivers.events import Event

LAST_LIGHT_SECONDS = 1.0
"""How long a board has at the end to put its lamps out: a codec may not speak of them at once."""


@dataclass(frozen=True)
class Player:
    """Who plays: the board's driver, its port or ``auto``, and what is known of the board."""

    driver: type[Codec]
    port: str
    seat: Seat
    serial: str | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)


async def talk(player: Player) -> None:
    """Answer the program until it quits or goes away.

    Raises:
        BrokenPipeError: nobody reads what is said.
    """
    table = _Table(player)
    link = asyncio.create_task(table.keeper.run())
    threading.Thread(target=table.read_all, name="standard input", daemon=True).start()
    try:
        await table.over
    finally:
        await table.put_out()
        link.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await link


class _Table:
    """Brings together who speaks and who listens, all on one event loop.

    ``over`` is done when the program has quit, or fails as writing to it has.
    """

    def __init__(self, player: Player) -> None:
        self._conversation = Conversation(player.driver.info.title, player.seat)
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._is_broken)
        self._timer: asyncio.TimerHandle | None = None
        self._lit: frozenset[int] = frozenset()
        self._has_lit = False
        self.over: asyncio.Future[None] = self._loop.create_future()
        self.keeper = Keeper(
            "board",
            where(player.port, player.driver, player.serial),
            player.driver,
            now=time.monotonic,
            deliver=self._take,
            serial=player.serial,
            options=player.options,
        )

    def read_all(self) -> None:
        """Hand over line after line; runs in a thread, as a program may be silent for hours."""
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            for line in sys.stdin:
                self._loop.call_soon_threadsafe(self._hear, line)
            self._loop.call_soon_threadsafe(self._end, None)

    async def put_out(self) -> None:
        """Leave no square lit behind."""
        if self._has_lit:
            self.keeper.light(())
            await asyncio.sleep(LAST_LIGHT_SECONDS)

    def _take(self, event: Event | LinkChange) -> None:
        """Take what the link to the board says."""
        self._say(self._conversation.take(event, at=time.monotonic()))

    def _hear(self, line: str) -> None:
        self._say(self._conversation.hear(line, at=time.monotonic()))
        if self._conversation.ended:
            self._end(None)

    def _tick(self) -> None:
        self._say(self._conversation.tick(at=time.monotonic()))

    def _say(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                say(line)
            sys.stdout.flush()
        except OSError as error:
            self._end(error)
        if self._conversation.lit != self._lit:
            self._lit, self._has_lit = self._conversation.lit, True
            self.keeper.light(self._lit)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        wake_at = self._conversation.wake_at
        if wake_at < math.inf:
            self._timer = self._loop.call_later(max(0.0, wake_at - time.monotonic()), self._tick)

    def _is_broken(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End with a traceback by a mistake of ours, as nothing would ever be answered again."""
        loop.default_exception_handler(context)
        self._end(context.get("exception"))

    def _end(self, error: Exception | None) -> None:
        if self.over.done():
            return
        if error is None:
            self.over.set_result(None)
        else:
            self.over.set_exception(error)
