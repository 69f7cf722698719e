"""A bluetoothd that is none: org.bluez on a D-Bus, enough of it that bleak takes it for real.

What it does at the edges is what bluetoothd 5.66 was seen to do: a lost link is one signal,
GATT objects outlive it, subscriptions live until the D-Bus connection that made them closes, and
a notification is signalled once for each of them.
"""

import asyncio
import select
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from copy import deepcopy
from typing import Any, Self

from dbus_fast import BusType, Message, MessageFlag, MessageType, Variant
from dbus_fast.aio import MessageBus

from testbed.fake_ble import CHARACTERISTIC, DEVICE, BlueZError, Characteristic, FakeDevice, Service

ADAPTER = "org.bluez.Adapter1"
OBJECTS = "org.freedesktop.DBus.ObjectManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
BATTERY = "org.bluez.Battery1"
DBUS = "org.freedesktop.DBus"
HCI0 = "/org/bluez/hci0"
ADVERTISING_TICK = 0.01

Reply = tuple[str, list[Any]]
NOTHING: Reply = ("", [])
Interfaces = dict[str, dict[str, Variant]]


class FakeBlueZ:
    """Adapters and the devices around them. ``calls`` lists what was called, as (path, member).

    ``advertise_every``: seconds between two advertisements of a device. ``busy``: how often an
    adapter will not be switched. ``adapters``: how many there are, ``hci0`` the first.
    """

    def __init__(self, *, advertise_every: float = ADVERTISING_TICK, adapters: int = 1) -> None:
        self._advertise_every = advertise_every
        self.busy = 0
        self.devices: dict[str, FakeDevice] = {}
        self.calls: list[tuple[str, str]] = []
        self._adapters = {f"/org/bluez/hci{n}": _adapter(n) for n in range(adapters)}
        self._scanners: set[tuple[str, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._outbox: deque[Message] = deque()
        self._bus: MessageBus | None = None
        self._works = asyncio.Event()
        self._works.set()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.crash()

    async def start(self) -> None:
        """Come up; after a crash nothing is known of any device."""
        for device in self.devices.values():
            device.begin_anew()
        self._scanners.clear()
        self._bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
        self._bus.add_message_handler(self._on_message)
        rule = "type='signal',member='NameOwnerChanged'"
        await self._bus.call(
            Message(
                destination=DBUS,
                path="/org/freedesktop/DBus",
                interface=DBUS,
                member="AddMatch",
                signature="s",
                body=[rule],
            )
        )
        await self._bus.request_name("org.bluez")
        for path, adapter in self._adapters.items():
            self.added(path, {ADAPTER: adapter})
        for device in self.devices.values():
            if device.held:
                device.be_known()
        self._spawn(self._advertise())

    async def crash(self) -> None:
        """End as by kill -9: the name goes, and nothing is signalled."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        bus, self._bus = self._bus, None
        self._outbox.clear()
        if bus is not None:
            bus.disconnect()
            while bus.connected:  # noqa: ASYNC110 - dbus-fast tells it in no better way
                await asyncio.sleep(0)

    def add_device(
        self,
        address: str,
        name: str,
        services: Sequence[Service],
        *,
        heard_by: Sequence[str] | None = None,
    ) -> FakeDevice:
        """Put a device into reach, of all adapters if not told otherwise.

        It advertises all of its services.
        """
        first: FakeDevice | None = None
        for adapter in self._adapters if heard_by is None else heard_by:
            path = f"{adapter}/dev_{address.replace(':', '_')}"
            device = FakeDevice(self, path, address, name, deepcopy(services), first)
            self.devices[path] = device
            first = first or device
        assert first is not None
        return first

    @property
    def powered(self) -> bool:
        """Whether the first adapter is there and switched on."""
        return self._is_on(HCI0)

    def set_powered(self, on: bool, adapter: str = HCI0) -> None:
        """Switch an adapter on or off; off drops every link."""
        if not on:
            for device in self._devices_of(adapter):
                device.part()
                device.let_go()
            self._end_scans(adapter)
        changed = {"Powered": Variant("b", on)}
        self._adapters[adapter].update(changed)
        self.changed(adapter, ADAPTER, changed)

    def hang(self) -> None:
        """Let no adapter do or say anything, with links that look as before."""
        self._works.clear()

    def come_round(self) -> None:
        """Let all adapters work again, reset by the kernel: every link is lost."""
        self._works.set()
        for adapter in self._adapters:
            self.set_powered(False, adapter)
            self.set_powered(True, adapter)

    def add_adapter(self) -> str:
        """Plug another adapter in, which hears what is put into reach from now on."""
        path = f"/org/bluez/hci{len(self._adapters)}"
        self._adapters[path] = _adapter(len(self._adapters))
        self.added(path, {ADAPTER: self._adapters[path]})
        return path

    def remove_adapter(self, adapter: str = HCI0) -> None:
        """Pull an adapter out."""
        for device in self._devices_of(adapter):
            device.part()
            device.forget()
        self._end_scans(adapter)
        del self._adapters[adapter]
        self.removed(adapter, [ADAPTER])

    def _is_on(self, adapter: str) -> bool:
        return adapter in self._adapters and bool(self._adapters[adapter]["Powered"].value)

    def _devices_of(self, adapter: str) -> list[FakeDevice]:
        return [one for path, one in self.devices.items() if path.startswith(f"{adapter}/")]

    def _end_scans(self, adapter: str) -> None:
        self._scanners = {one for one in self._scanners if one[0] != adapter}

    async def connections(self) -> int:
        """Return how many connections the bus has."""
        assert self._bus is not None
        reply = await self._bus.call(
            Message(
                destination=DBUS, path="/org/freedesktop/DBus", interface=DBUS, member="ListNames"
            )
        )
        return sum(name.startswith(":") for name in reply.body[0])

    # --- signals ------------------------------------------------------------------------------

    def changed(
        self,
        path: str,
        interface: str,
        properties: Mapping[str, Variant],
        invalidated: Sequence[str] = (),
    ) -> None:
        """Signal that properties have changed."""
        body = [interface, dict(properties), list(invalidated)]
        self._emit(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", body)

    def added(self, path: str, interfaces: Interfaces) -> None:
        """Signal a new object."""
        self._emit("/", OBJECTS, "InterfacesAdded", "oa{sa{sv}}", [path, interfaces])

    def removed(self, path: str, interfaces: list[str]) -> None:
        """Signal that an object is gone."""
        self._emit("/", OBJECTS, "InterfacesRemoved", "oas", [path, interfaces])

    def _emit(self, path: str, interface: str, member: str, kinds: str, body: list[Any]) -> None:
        if self._works.is_set():
            self._send(Message.new_signal(path, interface, member, kinds, body))

    def _send(self, message: Message) -> None:
        if self._bus is not None:
            self._outbox.append(message)
            if len(self._outbox) == 1:
                self._flush()

    def _flush(self) -> None:
        """Send what the socket takes: dbus-fast takes a full one for an error."""
        writable = select.poll()
        while self._outbox and self._bus is not None and self._bus.connected:
            assert self._bus._fd is not None
            writable.register(self._bus._fd, select.POLLOUT)
            if not writable.poll(0):
                asyncio.get_running_loop().call_later(0.001, self._flush)
                return
            self._bus.send(self._outbox[0])
            self._outbox.popleft()

    # --- what is in the air -------------------------------------------------------------------

    async def _advertise(self) -> None:
        """While somebody scans, devices become objects, and their strength changes."""
        strength = -50
        while True:
            await asyncio.sleep(self._advertise_every)
            for adapter in {adapter for adapter, _ in self._scanners}:
                for device in self._devices_of(adapter):
                    if device.on_air:
                        strength = -40 - (strength + 41) % 40
                        device.show(strength)

    def _objects(self) -> dict[str, Interfaces]:
        objects: dict[str, Interfaces] = {
            path: {ADAPTER: adapter} for path, adapter in self._adapters.items()
        }
        for device in self.devices.values():
            objects |= device.objects()
        return objects

    # --- calls --------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _on_message(self, message: Message) -> bool | None:
        if message.message_type is MessageType.SIGNAL and message.member == "NameOwnerChanged":
            name, _, owner = message.body
            if name.startswith(":") and not owner:
                self._scanners = {one for one in self._scanners if one[1] != name}
                for device in self.devices.values():
                    device.unsubscribe(name)
            return None
        if message.message_type is not MessageType.METHOD_CALL:
            return None
        self.calls.append((message.path or "", message.member or ""))
        self._spawn(self._answer(message))
        return True

    async def _answer(self, message: Message) -> None:
        try:
            kinds, body = await self._obey(message)
            reply = Message.new_method_return(message, kinds, body)
        except BlueZError as error:
            reply = Message.new_error(message, error.name, error.text)
        except KeyError:
            text = f"Method {message.member} on {message.path} does not exist"
            reply = Message.new_error(message, f"{DBUS}.Error.UnknownObject", text)
        if not message.flags & MessageFlag.NO_REPLY_EXPECTED:
            self._send(reply)

    def _property(self, path: str, body: list[Any]) -> Reply:
        """Set whether an adapter is powered, or tell of a battery."""
        if path in self._adapters:
            if self.busy:
                self.busy -= 1
                raise BlueZError("Busy", "Operation already in progress")
            self.set_powered(body[2].value, path)
            return NOTHING
        battery = self.devices[path].battery
        if battery is None or body != [BATTERY, "Percentage"]:
            raise BlueZError("InvalidArgs", "No such interface")
        return "v", [Variant("y", battery)]

    async def _obey(self, message: Message) -> Reply:
        path, sender = message.path or "", message.sender or ""
        if message.member == "GetManagedObjects":
            return "a{oa{sa{sv}}}", [self._objects()]
        if not self._works.is_set():
            await self._works.wait()
            raise BlueZError("Failed", "Operation aborted: the adapter was reset")
        if message.interface == PROPERTIES:
            return self._property(path, message.body)
        if message.interface == ADAPTER:
            self._scan(path, message.member or "", sender)
            return NOTHING
        device = self.devices["/".join(path.split("/")[:5])]
        if not device.known:
            raise KeyError(path)
        if message.interface == DEVICE:
            if not self._is_on(path.rpartition("/")[0]):
                raise BlueZError("NotReady", "Resource Not Ready")
            if message.member == "Connect":
                await device.connect()
            else:
                device.part()
            return NOTHING
        assert message.interface == CHARACTERISTIC
        characteristic = device.characteristic(path)
        if not device.linked:
            raise BlueZError("Failed", "Not connected")
        await _use(device, characteristic, message, sender)
        return NOTHING

    def _scan(self, adapter: str, member: str, sender: str) -> None:
        if not self._is_on(adapter):
            raise BlueZError("NotReady", "Resource Not Ready")
        scanner = (adapter, sender)
        if member == "StartDiscovery":
            if scanner in self._scanners:
                raise BlueZError("InProgress", "Operation already in progress")
            self._scanners.add(scanner)
        elif member == "StopDiscovery":
            if scanner not in self._scanners:
                raise BlueZError("Failed", "No discovery started")
            self._scanners.remove(scanner)
            if not any(one == adapter for one, _ in self._scanners):
                for device in self._devices_of(adapter):
                    device.fade()


def _adapter(number: int) -> dict[str, Variant]:
    """Return what an adapter tells of itself."""
    return {
        "Address": Variant("s", f"00:11:22:33:44:{number:02X}"),
        "Name": Variant("s", "fake"),
        "Alias": Variant("s", "fake"),
        "Powered": Variant("b", True),
        "Roles": Variant("as", ["central", "peripheral"]),
        "UUIDs": Variant("as", []),
    }


async def _use(
    device: FakeDevice, characteristic: Characteristic, message: Message, sender: str
) -> None:
    match message.member:
        case "StartNotify":
            device.subscribe(characteristic, sender)
        case "WriteValue":
            data, options = message.body
            with_response = options["type"].value == "request"
            await device.take(characteristic, bytes(data), with_response)
        case _:
            raise KeyError(message.member)
