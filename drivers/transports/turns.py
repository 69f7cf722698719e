"""Whose turn it is with each of several Bluetooth adapters.

An adapter cannot connect while it scans, and two connections at a time often fail. So each has one
user at a time. Whoever wants to connect is content with any adapter that hears his board; a scan
has its own adapter while nobody wants to connect with that.
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field


class ScanNotWantedError(Exception):
    """Nobody listens any more."""


@dataclass(eq=False)
class Adapter:
    """One adapter. ``links`` is how many boards are connected with it."""

    name: str
    links: int = 0
    taken: bool = False
    scans: bool = False
    give_way: asyncio.Event = field(default_factory=asyncio.Event)
    """Set where a scan shall end."""


@dataclass(eq=False)
class _Waiter:
    adapters: Collection[str]
    scans: bool
    granted: asyncio.Future[Adapter]


class Turns:
    """The adapters and who waits for them: first come, first served."""

    def __init__(self) -> None:
        self._adapters: dict[str, Adapter] = {}
        self._queue: list[_Waiter] = []

    def adapter(self, name: str) -> Adapter:
        """Return the adapter with a name."""
        return self._adapters.setdefault(name, Adapter(name))

    def is_wanted(self, name: str) -> bool:
        """Whether somebody waits to connect with an adapter."""
        return any(name in one.adapters for one in self._queue if not one.scans)

    def is_easier(self, adapters: Collection[str]) -> bool:
        """Whether an adapter that is not of *adapters* scans and has fewer boards than those.

        Adapters carry few boards, some of them seven. So they are filled alike.
        """
        fewest = min(self.adapter(name).links for name in adapters)
        return any(
            one.scans and one.links < fewest
            for one in self._adapters.values()
            if one.name not in adapters
        )

    def end_scans(self) -> None:
        """Ask all scans to end, and let none begin that waits."""
        for adapter in self._adapters.values():
            adapter.give_way.set()
        for waiter in [one for one in self._queue if one.scans and not one.granted.done()]:
            self._queue.remove(waiter)
            waiter.granted.set_exception(ScanNotWantedError())

    async def take(self, adapters: Collection[str], *, scans: bool = False) -> Adapter:
        """Have the first of *adapters* that is free; they may become more meanwhile.

        Whoever adds one calls :meth:`hand_out`; whoever has one calls :meth:`give_back`.

        Raises:
            ScanNotWantedError: it was for a scan, and scans were asked to end.
        """
        waiter = _Waiter(adapters, scans, asyncio.get_running_loop().create_future())
        self._queue.append(waiter)
        self.hand_out()
        try:
            return await waiter.granted
        except asyncio.CancelledError:
            if waiter in self._queue:
                self._queue.remove(waiter)
                self.hand_out()
            elif waiter.granted.exception() is None:
                self.give_back(waiter.granted.result())
            raise

    def give_back(self, adapter: Adapter) -> None:
        """Let others have an adapter."""
        adapter.taken = adapter.scans = False
        self.hand_out()

    def hand_out(self) -> None:
        """Grant what is free, and ask as many scans to end as others wait for."""
        asked: set[str] = set()
        for waiter in [one for one in self._queue if not one.granted.done()]:
            own = sorted(map(self.adapter, waiter.adapters), key=lambda one: one.links)
            free = next((one for one in own if not one.taken), None)
            if free is not None:
                free.taken, free.scans = True, waiter.scans
                free.give_way.clear()
                self._queue.remove(waiter)
                waiter.granted.set_result(free)
            elif not waiter.scans:
                scanning = [one for one in own if one.scans and one.name not in asked]
                for one in scanning[:1]:
                    asked.add(one.name)
                    one.give_way.set()
