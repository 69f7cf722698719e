"""What people change at the hub that leads, written by every hub into a file of its own.

It stands in the stream of readings, so all hubs take it in the same place among them. So who takes
over, or is started again, goes by the same rounds, boards and nodes.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import nats.js.errors
from nats.js import JetStreamContext

from bridge.config.editing import with_boards, with_nodes, with_round
from bridge.daemon.configured import may_have_pairings
from bridge.outputs.controls import Controls, NotPossibleError
from bridge.scale.connection import Grumbler
from bridge.scale.messages import BoardsGiven, Change, MessageError, said
from bridge.scale.names import Names
from bridge.store.files import replace_file

MOST_TEXT = 500_000
"""Bytes of a file with pairings that can be told: a broker takes messages of up to a megabyte."""


async def changes_of(stream: JetStreamContext, names: Names) -> list[tuple[Change, int]]:
    """Return all changes that the stream has, and where they stand.

    Raises:
        nats.errors.Error, TimeoutError: the brokers do not tell now.
    """
    found: list[tuple[Change, int]] = []
    position = 0
    while True:
        try:
            message = await stream.get_msg(
                names.readings_stream, seq=position + 1, subject=names.changes, next=True
            )
        except nats.js.errors.NotFoundError:
            return found
        position = message.seq or position + 1
        try:
            told = said(message.data or b"")
        except MessageError:  # the ledger parks it, and tells
            continue
        if isinstance(told, Change):
            found.append((told, position))


class Changes:
    """Writes changes of other hubs, in their order.

    Args:
        own: what can be done with the file of this hub.
        after: the place in the stream up to which the file has them.
        is_own: whether a hub with that epoch is this one, which has written before it told.
    """

    def __init__(self, own: Controls, after: int, is_own: Callable[[int], bool]) -> None:
        self._own = own
        self._after = after
        self._is_own = is_own
        self._queue = asyncio.Queue[Change]()
        self._grumbler = Grumbler("hub")

    @property
    def trouble(self) -> str:
        """Why the file of this hub is not as that of the hub that leads, in words."""
        return self._grumbler.trouble

    def take(self, change: Change, position: int) -> None:
        """Take what stands at *position*; what was taken before is passed over."""
        if position > self._after:
            self._after = position
            if not self._is_own(change.epoch):
                self._queue.put_nowait(change)

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            change = await self._queue.get()
            try:
                await self._own.change(partial(edited, change))
            except NotPossibleError as error:
                self._grumbler.note(f"the hub that leads has another configuration: {error}")
            else:
                self._grumbler.note("")


def edited(change: Change, text: str, path: Path) -> str:
    """Return the configuration *text* with a change; pairings are written beside its *path*.

    Raises:
        ConfigError: it would not be right.
        OSError: the pairings cannot be written.
    """
    if isinstance(change, BoardsGiven):
        nodes = {table: node for table, (_, node) in change.moved.items()}
        return with_nodes(with_boards(text, change.boards, path), nodes, path)
    name = change.pairings
    if name is not None and change.text is not None and may_have_pairings(name):
        replace_file(path.parent / name, change.text)
    return with_round(text, path, group=change.group, round_=change.round, pairings=name)
