"""The conversation of ``bless``: boards are watched while somebody walks from table to table."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from bridge.cli.frame import CannotError, complain
from bridge.cli.progress import spinner, until_stopped
from bridge.core.model import LinkChange
from bridge.links.claims import Claims, tells_boards_apart
from bridge.links.discovery import Finder
from bridge.links.keeper import Keeper
from bridge.links.probing import Found
from bridge.links.signals import Sign
from drivers.catalogue import all_drivers
from drivers.events import Event

LOOK_EVERY = 0.1
SETTLED = 3.0
"""Seconds after which boards have told what stands on them."""


@dataclass(eq=False)
class Board:
    """A board that is watched; ``table`` is what it was blessed for."""

    found: Found
    unit: str | None
    sign: Sign
    table: str | None = None

    def __str__(self) -> str:
        """Name it for people."""
        number = self.unit or next(iter(self.found.serials), "")
        return " ".join(filter(None, (self.found.driver, number, f"at {self.found.address}")))

    def settings(self) -> dict[str, str]:
        """Return the keys of a configuration that mean this board and no other."""
        chosen = {"driver": self.found.driver}
        serial = next(filter(tells_boards_apart, self.found.serials), None)
        if self.unit is not None:
            return {**chosen, "port": self.found.address, "unit": self.unit}
        if serial is None or self.found.twins:
            return {**chosen, "port": self.found.address}
        return {**chosen, "serial": serial}


async def bless(
    tables: Sequence[str], addresses: Sequence[str], options: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """Ask for the board of each table; return those that were found until somebody stopped.

    *options* are those of boards, by the names of drivers.

    Raises:
        CannotError: no board answers.
        AddressError: an address means nothing.
    """
    drivers = all_drivers()
    finder = Finder(list(drivers.values()), now=time.monotonic, claims=Claims(), options=options)
    with spinner("looking for boards") as show:
        answers = await finder.discover(addresses)
        boards = [
            Board(answer, unit, Sign(tells_squares=info.sensing != "events"))
            for answer in answers
            if isinstance(answer, Found)
            for info in (drivers[answer.driver].info,)
            for unit in (answer.units or (None,))
        ]
        if not boards:
            raise CannotError("no board answers; 'eboard-bridge discover' says why")
        complain("1 board answers" if len(boards) == 1 else f"{len(boards)} boards answer")
        asking = asyncio.create_task(_Walk(boards, show).ask_for(tables))
        with _kept(boards, options):
            await until_stopped(lambda: None, task=asking)
            asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asking
    given = {board.table: board.settings() for board in boards if board.table is not None}
    return {table: given[table] for table in tables if table in given}


@contextlib.contextmanager
def _kept(boards: Sequence[Board], options: Mapping[str, Mapping[str, str]]) -> Iterator[None]:
    """Keep a link to each board, and let its sign see what it says."""
    drivers, claims = all_drivers(), Claims()
    tasks = []
    for address in dict.fromkeys(board.found.address for board in boards):
        here = [board for board in boards if board.found.address == address]
        keeper = Keeper(
            address,
            address,
            drivers[here[0].found.driver],
            now=time.monotonic,
            deliver=partial(_deliver, here),
            claims=claims,
            options=options.get(here[0].found.driver),
        )
        tasks.append(asyncio.create_task(keeper.run()))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


def _deliver(boards: Sequence[Board], event: Event | LinkChange) -> None:
    for board in boards:
        if isinstance(event, LinkChange):
            if event.state != "live":
                board.sign.lose()
        elif board.unit in (None, event.unit):
            board.sign.take(event)


class _Walk:
    """Somebody goes from table to table and lifts kings."""

    def __init__(self, boards: Sequence[Board], show: Callable[[str], None]) -> None:
        self._boards = boards
        self._show = show
        self._said = ""

    async def ask_for(self, tables: Sequence[str]) -> None:
        """Ask for the board of each table."""
        await asyncio.sleep(SETTLED)
        for board in self._boards:
            if board.sign.sight in ("unknown", "other"):
                complain(f"{board}: not in the start position; it cannot be chosen like this")
        for table in tables:
            complain(f"table {table}: lift the white king on its board")
            self._show(f"table {table}: waiting for a king")
            board = await self._wait_for_one()
            board.table = table
            complain(f"table {table}: {board}; put the king back")
            while board.sign.sight == "king up":  # noqa: ASYNC110 - a sign calls nobody
                await asyncio.sleep(LOOK_EVERY)

    async def _wait_for_one(self) -> Board:
        """Return the only board whose king is up, once it has no table yet."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            lifted = [board for board in self._boards if board.sign.sight == "king up"]
            if len(lifted) > 1:
                self._say(f"kings are up on {len(lifted)} boards: put all back, then lift one")
            elif lifted and lifted[0].table is not None:
                self._say(f"{lifted[0]}: this board is table {lifted[0].table} already")
            elif lifted and lifted[0].sign.given(time.monotonic()):
                return lifted[0]
            elif not lifted:
                self._said = ""

    def _say(self, text: str) -> None:
        if text != self._said:
            self._said = text
            complain(text)
