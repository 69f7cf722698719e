"""The Bluetooth LE radio of this machine: who is heard, whose turn it is, whether it works at all.

bleak speaks to bluetoothd over D-Bus. What it leaves to its users is here: all adapters of the
machine, with one scan each for everybody who looks for a board and one connection at a time, and
the news that bluetoothd is gone.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from bleak import BleakAdapter, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData

from drivers.transports.bluetoothd import Service, name_of
from drivers.transports.troubles import TROUBLE, explain
from drivers.transports.turns import ScanNotWantedError, Turns

UNHEARD = 2.0
"""Seconds after which a board that is not heard is looked for among those that are connected to
this machine already, as after a crash; such boards do not advertise."""

GLANCE = 0.5
"""Seconds for which is scanned also while others wait to connect: a board that is back shall wait
behind those that were back before, and not behind those that came later. And seconds for which a
board that one adapter hears is left to another that has fewer boards."""

LOOK_AGAIN = 5.0
"""Seconds after which adapters are noticed that were plugged in or switched on."""

COMES_OR_GOES = 0.05
"""Seconds until it is looked again for an adapter of which bleak knows and bluetoothd does not."""

# Its debug lines show every byte that is written, and a board's key may be among them.
logging.getLogger("bleak").setLevel(logging.INFO)

logger = logging.getLogger(__name__)

Hear = Callable[[BLEDevice, AdvertisementData], None]
Wanted = Callable[[BLEDevice], bool]


@dataclass(frozen=True, kw_only=True)
class Advertised:
    """A Bluetooth LE device in reach.

    ``services`` are UUIDs in small letters, ``rssi`` is the strength in dBm; it is ``None`` for a
    device that is connected to this machine already and therefore does not advertise.
    """

    address: str
    name: str | None
    services: tuple[str, ...]
    rssi: int | None


async def listen(seconds: float) -> list[Advertised]:
    """Return the devices that are heard within *seconds*, the strongest first.

    Raises:
        PortMissingError: there is no radio, or it is switched off.
        PortDeniedError: we may not use it.
        LinkLostError: it does not work.
    """
    try:
        return await radio().listen(seconds)
    except TROUBLE as error:
        raise explain("Bluetooth", error) from None


async def adapters() -> list[str]:
    """Return the names of the Bluetooth adapters that are on, such as ``hci0``.

    Raises:
        PortMissingError: D-Bus does not run.
        LinkLostError: it does not work.
    """
    service = radio().service
    try:
        async with service.watched(lambda: None):
            return await service.adapters()
    except TROUBLE as error:
        raise explain("Bluetooth", error) from None


def radio() -> "Radio":
    """Return the radio of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _RADIOS:
        _RADIOS[loop] = Radio()
    return _RADIOS[loop]


class Radio:
    """All adapters of this machine, for all lines of an event loop.

    Whoever looks for a board is told of it by any adapter. So a scan serves everybody who listens,
    and pauses while somebody connects with its adapter.
    """

    def __init__(self) -> None:
        self.service = Service()
        self._turns = Turns()
        self._adapters: list[str] = []
        self._listeners: list[Hear] = []
        self._scans: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def meeting(self, wanted: Wanted, seconds: float) -> AsyncIterator[BLEDevice | None]:
        """Find the first device that is *wanted*, and have its adapter for oneself to connect.

        It is ``None`` if there was none for *seconds*. Raises TROUBLE.
        """
        heard: dict[str, BLEDevice] = {}
        news = asyncio.Event()

        def hear(device: BLEDevice, _: AdvertisementData) -> None:
            if wanted(device):
                heard[_adapter_of(device)] = device
                news.set()
                self._turns.hand_out()

        adapter = None
        with self._listening(hear) as scans:
            await self._find(wanted, heard, news, scans, seconds)
            if heard:
                await self._hear_better(heard, news)
                adapter = await self._turns.take(heard.keys())
        try:
            yield None if adapter is None else heard[adapter.name]
        finally:
            if adapter is not None:
                self._turns.give_back(adapter)

    @contextlib.contextmanager
    def linked(self, device: BLEDevice) -> Iterator[None]:
        """Be known to have a link with the adapter that heard *device*."""
        adapter = self._turns.adapter(_adapter_of(device))
        adapter.links += 1
        try:
            yield
        finally:
            adapter.links -= 1

    async def _find(
        self,
        wanted: Wanted,
        heard: dict[str, BLEDevice],
        news: asyncio.Event,
        scans: asyncio.Task[None],
        seconds: float,
    ) -> None:
        """Wait until a device is heard, or was found among those that are connected already."""
        for patience in (UNHEARD, seconds - UNHEARD):
            await _either(news, scans, patience)
            if heard:
                return
            if scans.done():
                scans.result()
            found = [device for device in await self._connected() if wanted(device)]
            if found:
                heard[_adapter_of(found[0])] = found[0]
                return
            await self._end_old_links()

    async def _hear_better(self, heard: Mapping[str, BLEDevice], news: asyncio.Event) -> None:
        """Wait a moment for an adapter that has fewer boards."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GLANCE):
                while self._turns.is_easier(heard.keys()):
                    news.clear()
                    await news.wait()

    async def _end_old_links(self) -> None:
        """Let boards be heard that a bluetoothd that ended has left connected to nobody."""
        async with contextlib.AsyncExitStack() as stack:
            for name in self._adapters if self.service.has_ended else ():
                stack.callback(self._turns.give_back, await self._turns.take({name}))
            if self.service.has_ended:
                await self.service.renew()

    async def listen(self, seconds: float) -> list[Advertised]:
        """Return what is heard within *seconds*, as :func:`listen`, but raises TROUBLE."""
        heard: dict[str, Advertised] = {}

        def hear(device: BLEDevice, told: AdvertisementData) -> None:
            heard[device.address] = Advertised(
                address=device.address,
                name=device.name,
                services=tuple(sorted(told.service_uuids)),
                rssi=told.rssi,
            )

        with self._listening(hear) as scans:
            await asyncio.wait({scans}, timeout=seconds)
            if scans.done():
                scans.result()
        for device in await self._connected():
            heard[device.address] = Advertised(
                address=device.address, name=device.name, services=(), rssi=None
            )
        return sorted(heard.values(), key=lambda one: (-(one.rssi or 0), one.address))

    @contextlib.contextmanager
    def _listening(self, hear: Hear) -> Iterator[asyncio.Task[None]]:
        """Be told of what is heard; the task that is yielded ends only with what went wrong."""
        self._listeners.append(hear)
        if self._scans is None or self._scans.done():
            self._scans = asyncio.create_task(self._listen())
            # Whoever listens sees what went wrong; perhaps nobody does any more.
            self._scans.add_done_callback(lambda scans: scans.cancelled() or scans.exception())
        try:
            yield self._scans
        finally:
            self._listeners.remove(hear)
            if not self._listeners:
                self._turns.end_scans()

    async def _listen(self) -> None:
        """Scan with all adapters, also with those that come, until nobody listens or none works."""
        scans: dict[str, asyncio.Task[None]] = {}
        async with self.service.watched(self._turns.end_scans):
            try:
                while self._listeners:
                    await self._begin(scans)
                    await asyncio.wait(scans.values(), timeout=LOOK_AGAIN)
                    # One that has ended without an error ended because nobody listened then.
                    errors = [scan.exception() for scan in scans.values() if scan.done()]
                    failed = [error for error in errors if error is not None]
                    if len(failed) == len(scans):
                        raise failed[0]
            finally:
                for scan in scans.values():
                    scan.cancel()
                await asyncio.gather(*scans.values(), return_exceptions=True)

    async def _begin(self, scans: dict[str, asyncio.Task[None]]) -> None:
        """Let all adapters scan that are there now."""
        while not (names := await self.service.adapters()):
            await BleakAdapter.get()  # says what is missing
            await asyncio.sleep(COMES_OR_GOES)
        self._adapters = names
        for name in names:
            if name in scans and scans[name].done() and (error := scans[name].exception()):
                logger.debug("%s: does not scan: %s", name, error)
            if name not in scans or scans[name].done():
                scans[name] = asyncio.create_task(self._scan(name))

    async def _scan(self, name: str) -> None:
        with contextlib.suppress(ScanNotWantedError):
            while self._listeners:
                adapter = await self._turns.take({name}, scans=True)
                try:
                    async with BleakScanner(self._hear, bluez={"adapter": name}):
                        await asyncio.sleep(GLANCE if self._turns.is_wanted(name) else 0.0)
                        if not self._turns.is_wanted(name):
                            await adapter.give_way.wait()
                finally:
                    self._turns.give_back(adapter)

    def _hear(self, device: BLEDevice, told: AdvertisementData) -> None:
        for hear in tuple(self._listeners):
            hear(device, told)

    async def _connected(self) -> list[BLEDevice]:
        devices: list[BLEDevice] = []
        for name in self._adapters:
            devices += await (
                await BleakAdapter.get(bluez={"adapter": name})
            ).get_connected_devices()
        return devices


def _adapter_of(device: BLEDevice) -> str:
    return name_of(device.details["path"])


async def _either(event: asyncio.Event, task: asyncio.Task[None], seconds: float) -> None:
    """Wait for *seconds* at most until *event* is set or *task* has ended."""
    waiting = asyncio.create_task(event.wait())
    either: set[asyncio.Future[Any]] = {waiting, task}
    try:
        await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


_RADIOS: WeakKeyDictionary[asyncio.AbstractEventLoop, Radio] = WeakKeyDictionary()
