"""The Bluetooth service of this machine, bluetoothd, beside what bleak tells of it.

When bluetoothd is killed, the kernel keeps its links, and the next bluetoothd is told that they are
ended when it ends them, but the kernel (6.1) does not end them. So the boards are connected to
nobody and advertise no more. Switching the adapter off and on ends such links.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

_BLUEZ = "org.bluez"
_BATTERY = "org.bluez.Battery1"
_ADAPTER = "org.bluez.Adapter1"
_CHARACTERISTIC = "org.bluez.GattCharacteristic1"
_DEVICE = "org.bluez.Device1"
_DBUS = "org.freedesktop.DBus"
_SERVICE_CHANGED = f"type='signal',sender='{_DBUS}',member='NameOwnerChanged',arg0='{_BLUEZ}'"

_Objects = dict[str, dict[str, dict[str, Any]]]
"""The properties of each interface of each object, by their D-Bus paths."""

SWITCH_TRIES = 5
SWITCH_AGAIN_AFTER = 0.5

logger = logging.getLogger(__name__)


class Service:
    """Watches bluetoothd: when it dies, bleak tells nobody and takes its links for alive."""

    def __init__(self) -> None:
        self._bus: MessageBus | None = None
        self._connecting = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []
        self.has_ended = False
        """Whether it has ended since :meth:`renew`, so that links may be left that it had."""

    @contextlib.asynccontextmanager
    async def watched(self, gone: Callable[[], None]) -> AsyncIterator[None]:
        """Call *gone* whenever bluetoothd ends.

        Raises:
            OSError, EOFError, DBusFastError: D-Bus does not run, or not for us.
        """
        self._watchers.append(gone)
        try:
            await self._connected_bus()
            yield
        finally:
            self._watchers.remove(gone)
            if not self._watchers and self._bus is not None:
                self._bus.disconnect()
                self._bus = None

    async def subscribed(self, device: str) -> bool:
        """Whether somebody gets notifications of the device at this D-Bus path.

        For those who watch: the last of them closes the connection to D-Bus.
        """
        return any(
            path.startswith(f"{device}/") and interfaces[_CHARACTERISTIC]["Notifying"].value
            for path, interfaces in (await self._objects()).items()
            if "Notifying" in interfaces.get(_CHARACTERISTIC, ())
        )

    async def battery(self, device: str) -> int | None:
        """Return the percentage in the battery of the device at this D-Bus path.

        It is that of the standard Battery Service, which bluetoothd keeps to itself; ``None`` where
        the device has none, or has not told yet. For those who watch, as :meth:`subscribed`.
        """
        told = await self._call(device, f"{_DBUS}.Properties", "Get", "ss", _BATTERY, "Percentage")
        return None if told is None else int(told[0].value)

    async def adapters(self) -> list[str]:
        """Return the names (``hci0``) of the adapters that can connect to boards and are on."""
        return [
            name_of(path)
            for path, adapter in _adapters(await self._objects())
            if "central" in adapter["Roles"].value
        ]

    async def renew(self) -> None:
        """Switch adapters off and on that serve no device by now, which ends all their links."""
        self.has_ended = False
        objects = await self._objects()
        for path, _ in _adapters(objects):
            if not _serves(path, objects):
                logger.warning("%s is switched off and on: bluetoothd had ended", name_of(path))
                await self._switch(path, powered=False)
                await self._switch(path, powered=True)

    async def _switch(self, adapter: str, *, powered: bool) -> None:
        wish = (_ADAPTER, "Powered", Variant("b", powered))
        for _ in range(SWITCH_TRIES):
            if await self._call(adapter, f"{_DBUS}.Properties", "Set", "ssv", *wish) is not None:
                return
            await asyncio.sleep(SWITCH_AGAIN_AFTER)  # one that is still at the last switch is busy

    async def _objects(self) -> _Objects:
        told = await self._call("/", f"{_DBUS}.ObjectManager", "GetManagedObjects")
        # A service that is gone serves nobody.
        return {} if told is None else told[0]

    async def _call(
        self, path: str, interface: str, member: str, signature: str = "", *body: Any
    ) -> list[Any] | None:
        """Return what bluetoothd answers, ``None`` where it refuses or is not there."""
        bus = await self._connected_bus()
        call = Message(
            destination=_BLUEZ,
            path=path,
            interface=interface,
            member=member,
            signature=signature,
            body=list(body),
        )
        reply = await bus.call(call)
        return None if reply.message_type is MessageType.ERROR else reply.body

    async def _connected_bus(self) -> MessageBus:
        async with self._connecting:
            if self._bus is None or not self._bus.connected:
                self._bus = await self._connect()
            return self._bus

    async def _connect(self) -> MessageBus:
        bus = MessageBus(bus_type=BusType.SYSTEM)
        watch = Message(
            destination=_DBUS,
            path="/org/freedesktop/DBus",
            interface=_DBUS,
            member="AddMatch",
            signature="s",
            body=[_SERVICE_CHANGED],
        )
        try:
            await bus.connect()
            bus.add_message_handler(self._hear)
            await bus.call(watch)
        except BaseException:
            bus.disconnect()
            raise
        return bus

    def _hear(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL or message.member != "NameOwnerChanged":
            return
        name, old, _ = message.body
        if name == _BLUEZ and old:
            self.has_ended = True
            for gone in tuple(self._watchers):
                gone()


def name_of(path: str) -> str:
    """Return the name of the adapter at a D-Bus path, or of that which has the device there."""
    return path.split("/")[3]


def _adapters(objects: _Objects) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the adapters that are switched on, and what they tell of themselves."""
    for path, interfaces in sorted(objects.items()):
        if _ADAPTER in interfaces and interfaces[_ADAPTER]["Powered"].value:
            yield path, interfaces[_ADAPTER]


def _serves(adapter: str, objects: _Objects) -> bool:
    """Whether somebody on this machine can speak to a device of an adapter."""
    devices = [
        interfaces[_DEVICE]
        for path, interfaces in objects.items()
        if _DEVICE in interfaces and path.startswith(f"{adapter}/")
    ]
    return any(each["Connected"].value and each["ServicesResolved"].value for each in devices)
