"""The Bluetooth service of this machine, bluetoothd, beside what bleak tells of it.

When bluetoothd is killed, the kernel keeps its links, and the next bluetoothd is told that they are
ended when it ends them, but the kernel (6.1) does not end them. So the boards are connected to
nobody and advertise no more. Switching the adapter off and on ends such links.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
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
        bus = await self._connected_bus()
        ask = Message(
            destination=_BLUEZ,
            path=device,
            interface=f"{_DBUS}.Properties",
            member="Get",
            signature="ss",
            body=[_BATTERY, "Percentage"],
        )
        reply = await bus.call(ask)
        if reply.message_type is MessageType.ERROR:
            return None
        return int(reply.body[0].value)

    async def renew(self) -> None:
        """Switch adapters off and on, which ends all links, if no device is served by now."""
        self.has_ended = False
        objects = await self._objects()
        devices = [each[_DEVICE] for each in objects.values() if _DEVICE in each]
        if any(each["Connected"].value and each["ServicesResolved"].value for each in devices):
            return
        for path, interfaces in objects.items():
            if _ADAPTER in interfaces and interfaces[_ADAPTER]["Powered"].value:
                logger.warning("Bluetooth is switched off and on: its service had ended")
                await self._switch(path, powered=False)
                await self._switch(path, powered=True)

    async def _switch(self, adapter: str, *, powered: bool) -> None:
        bus = await self._connected_bus()
        for _ in range(SWITCH_TRIES):
            switch = Message(
                destination=_BLUEZ,
                path=adapter,
                interface=f"{_DBUS}.Properties",
                member="Set",
                signature="ssv",
                body=[_ADAPTER, "Powered", Variant("b", powered)],
            )
            if (await bus.call(switch)).message_type is not MessageType.ERROR:
                return
            await asyncio.sleep(SWITCH_AGAIN_AFTER)  # one that is still at the last switch is busy

    async def _objects(self) -> dict[str, dict[str, dict[str, Any]]]:
        bus = await self._connected_bus()
        objects = Message(
            destination=_BLUEZ,
            path="/",
            interface=f"{_DBUS}.ObjectManager",
            member="GetManagedObjects",
        )
        reply = await bus.call(objects)
        # A service that is gone serves nobody.
        return {} if reply.message_type is MessageType.ERROR else reply.body[0]

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
