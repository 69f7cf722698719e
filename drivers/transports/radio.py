"""The Bluetooth LE radio of this machine: who is heard, whose turn it is, whether it works at all.

bleak speaks to bluetoothd over D-Bus. What it leaves to its users is here: one scan for
everybody who looks for a board, one connection at a time, and the news that bluetoothd is gone.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from bleak import BleakAdapter, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakDeviceNotFoundError,
    BleakError,
)
from dbus_fast.errors import DBusFastError

from drivers.errors import DriverError, LinkLostError, PortDeniedError, PortMissingError
from drivers.transports.bluetoothd import Service

UNHEARD = 2.0
"""Seconds after which a board that is not heard is looked for among those that are connected to
this machine already, as after a crash; such boards do not advertise."""

GLANCE = 0.5
"""Seconds for which is scanned also while others wait to connect: a board that is back shall wait
behind those that were back before, and not behind those that came later."""

TROUBLE = (BleakError, DBusFastError, OSError, EOFError)
"""What bleak and the bus raise where radio, service or board do not do what they are asked."""

_DBUS = "org.freedesktop.DBus"
_NO_SERVICE = (
    f"{_DBUS}.Error.ServiceUnknown",
    f"{_DBUS}.Error.NameHasNoOwner",
    f"{_DBUS}.Error.NoReply",
    f"{_DBUS}.Error.Spawn",
    "org.freedesktop.systemd1.",
)
_START_SERVICE = (
    "the Bluetooth service does not run: start it (Debian: sudo apt install bluez; "
    "sudo systemctl start bluetooth)"
)
_SWITCH_ON = (
    "the Bluetooth adapter is switched off: rfkill unblock bluetooth; bluetoothctl power on"
)
_DENIED = (
    "this user may not use Bluetooth; add the user to the group bluetooth "
    "(sudo usermod -aG bluetooth USER, then log in again)"
)
_REASONS = {
    BleakBluetoothNotAvailableReason.NO_BLUETOOTH: "there is no Bluetooth adapter: plug one in",
    BleakBluetoothNotAvailableReason.NO_BLE_CENTRAL_ROLE: (
        "the Bluetooth adapter knows no Bluetooth LE: plug in one of version 4.0 or later"
    ),
    BleakBluetoothNotAvailableReason.POWERED_OFF: _SWITCH_ON,
}

# Its debug lines show every byte that is written, and a board's key may be among them.
logging.getLogger("bleak").setLevel(logging.INFO)

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


def explain(subject: str, error: BaseException) -> DriverError:
    """Return one of :data:`TROUBLE` by what a person should do about it."""
    match error:
        case BleakBluetoothNotAvailableError() if error.reason in _REASONS:
            return PortMissingError(f"{subject}: {_REASONS[error.reason]}")
        case BleakBluetoothNotAvailableError():
            return PortDeniedError(f"{subject}: {_DENIED}")
        case BleakDeviceNotFoundError():
            return PortMissingError(f"{subject}: is not in reach any more: is it switched on?")
        case BleakDBusError(dbus_error="org.bluez.Error.NotReady"):
            return PortMissingError(f"{subject}: {_SWITCH_ON}")
        case BleakDBusError(dbus_error="org.freedesktop.DBus.Error.AccessDenied"):
            return PortDeniedError(f"{subject}: {_DENIED}")
        case BleakDBusError() if error.dbus_error.startswith(_NO_SERVICE):
            return PortMissingError(f"{subject}: {_START_SERVICE}")
        case BleakDBusError():
            return LinkLostError(f"{subject}: {error.dbus_error_details or error.dbus_error}")
        case FileNotFoundError() | ConnectionError() | EOFError():
            return PortMissingError(f"{subject}: D-Bus does not run, without it no Bluetooth")
        case _:
            return LinkLostError(f"{subject}: {str(error) or type(error).__name__}")


def radio() -> "Radio":
    """Return the radio of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _RADIOS:
        _RADIOS[loop] = Radio()
    return _RADIOS[loop]


class Radio:
    """One adapter for all lines of an event loop.

    A connection cannot be made while the adapter scans, and two at a time often fail. So a scan
    serves everybody who listens, and pauses while somebody has his :meth:`turn`.
    """

    def __init__(self) -> None:
        self.service = Service()
        self._turn = asyncio.Lock()
        self._queued = 0
        self._give_way = asyncio.Event()
        self._listeners: list[Hear] = []
        self._scan: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Have the adapter for oneself: first come, first served."""
        self._queued += 1
        self._give_way.set()
        try:
            await self._turn.acquire()
        finally:
            self._queued -= 1
        try:
            yield
        finally:
            self._turn.release()

    async def find(self, wanted: Wanted, seconds: float) -> BLEDevice | None:
        """Return the first device that is *wanted*, or ``None`` after *seconds*. Raises TROUBLE."""
        found: asyncio.Future[BLEDevice] = asyncio.get_running_loop().create_future()

        def hear(device: BLEDevice, _: AdvertisementData) -> None:
            if not found.done() and wanted(device):
                found.set_result(device)

        with self._listening(hear) as scan:
            for patience in (UNHEARD, seconds - UNHEARD):
                either: set[asyncio.Future[Any]] = {found, scan}
                await asyncio.wait(either, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                if found.done():
                    return found.result()
                if scan.done():
                    scan.result()
                for device in await _connected():
                    if wanted(device):
                        return device
                await self._end_old_links()
        return None

    async def _end_old_links(self) -> None:
        """Let boards be heard that a bluetoothd that ended has left connected to nobody."""
        if self.service.has_ended:
            async with self.turn():
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

        with self._listening(hear) as scan:
            await asyncio.wait({scan}, timeout=seconds)
            if scan.done():
                scan.result()
        for device in await _connected():
            heard[device.address] = Advertised(
                address=device.address, name=device.name, services=(), rssi=None
            )
        return sorted(heard.values(), key=lambda one: (-(one.rssi or 0), one.address))

    @contextlib.contextmanager
    def _listening(self, hear: Hear) -> Iterator[asyncio.Task[None]]:
        """Be told of what is heard; the task that is yielded ends only with what went wrong."""
        self._listeners.append(hear)
        if self._scan is None or self._scan.done():
            self._scan = asyncio.create_task(self._listen())
            # Whoever listens sees what went wrong; perhaps nobody does any more.
            self._scan.add_done_callback(lambda scan: scan.cancelled() or scan.exception())
        try:
            yield self._scan
        finally:
            self._listeners.remove(hear)
            if not self._listeners:
                self._give_way.set()

    async def _listen(self) -> None:
        async with self.service.watched(self._give_way.set):
            while self._listeners:
                async with self._turn:
                    self._give_way.clear()
                    async with BleakScanner(self._hear):
                        await asyncio.sleep(GLANCE if self._queued else 0.0)
                        if not self._queued:
                            await self._give_way.wait()

    def _hear(self, device: BLEDevice, told: AdvertisementData) -> None:
        for hear in tuple(self._listeners):
            hear(device, told)


async def _connected() -> list[BLEDevice]:
    return await (await BleakAdapter.get()).get_connected_devices()


_RADIOS: WeakKeyDictionary[asyncio.AbstractEventLoop, Radio] = WeakKeyDictionary()
