"""A Bluetooth LE device as bluetoothd would show it, for :mod:`testbed.fake_bluez`."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from dbus_fast import Variant

from drivers.codec import DriverInfo

DEVICE = "org.bluez.Device1"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
GENERIC_ATTRIBUTE = "00001801-0000-1000-8000-00805f9b34fb"

Interfaces = dict[str, dict[str, Variant]]


class BlueZError(Exception):
    """What bluetoothd answers instead of a result."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name, self.text = f"org.bluez.Error.{name}", text


class Bus(Protocol):
    """What a device needs of the daemon that shows it."""

    def changed(
        self,
        path: str,
        interface: str,
        properties: Mapping[str, Variant],
        invalidated: Sequence[str] = (),
    ) -> None: ...

    def added(self, path: str, interfaces: Interfaces) -> None: ...

    def removed(self, path: str, interfaces: list[str]) -> None: ...


@dataclass
class Characteristic:
    """``flags`` are bluetoothd's words, such as ``notify`` and ``write-without-response``."""

    uuid: str
    flags: tuple[str, ...]
    path: str = ""
    subscribers: set[str] = field(default_factory=set)


@dataclass
class Service:
    """A service and its characteristics."""

    uuid: str
    characteristics: list[Characteristic]
    path: str = ""


class FakeDevice:
    """One device. Faults are attributes: what answers a connection or a write, and how late.

    A device that several adapters hear is an object for each; ``same`` is the one that has the
    attributes.
    """

    def __init__(
        self,
        bus: Bus,
        path: str,
        address: str,
        name: str,
        services: Sequence[Service],
        same: "FakeDevice | None" = None,
    ) -> None:
        self.path = path
        self._board = same or self
        self._objects: list[FakeDevice] = [] if same is None else same._objects
        self._objects.append(self)
        self.advertising = True
        self.known = False
        self.mtu = 247
        self.connect_error: BlueZError | None = None
        self.connect_delay = 0.0
        self.write_error: BlueZError | None = None
        self.write_delay = 0.0
        self.battery: int | None = None
        self.held = False
        self.on_write: Callable[[bytes], None] = lambda _: None
        self.on_subscribe: Callable[[], None] = lambda: None
        self.on_drop: Callable[[], None] = lambda: None
        self.writes: list[tuple[bytes, bool]] = []
        self._bus = bus
        self._resolved_once = False
        self._services = services
        self._properties = {
            "Address": Variant("s", address),
            "AddressType": Variant("s", "random"),
            "Name": Variant("s", name),
            "Alias": Variant("s", name),
            "Paired": Variant("b", False),
            "Connected": Variant("b", False),
            "ServicesResolved": Variant("b", False),
            "Adapter": Variant("o", path.rpartition("/")[0]),
            "UUIDs": Variant("as", [service.uuid for service in services]),
        }
        handle = 10
        for service in self._services:
            service.path, handle = f"{path}/service{handle:04x}", handle + 1
            for one in service.characteristics:
                one.path, handle = f"{service.path}/char{handle:04x}", handle + 3

    @property
    def connected(self) -> bool:
        """Whether a link is up, with any adapter."""
        return any(one.linked for one in self._objects)

    @property
    def linked(self) -> bool:
        """Whether a link is up with the adapter of this object."""
        return bool(self._properties["Connected"].value)

    @property
    def on_air(self) -> bool:
        """Whether it can be heard."""
        free = not any(one.linked or one.held for one in self._objects)
        return self._board.advertising and free

    @property
    def subscribed(self) -> bool:
        """Whether somebody gets its notifications."""
        return any(one.subscribers for one in self._characteristics())

    def characteristic(self, path: str) -> Characteristic:
        """Return the characteristic at a D-Bus path."""
        return {one.path: one for one in self._characteristics()}[path]

    def notify(self, data: bytes) -> None:
        """Notify by the first characteristic that can; signalled once for each subscription."""
        for shown in self._objects:
            source = next(one for one in shown._characteristics() if "notify" in one.flags)
            for _ in source.subscribers if shown.linked else ():
                self._bus.changed(source.path, CHARACTERISTIC, {"Value": Variant("ay", data)})

    def drop(self) -> None:
        """Lose the link: one signal, and nothing is forgotten."""
        for one in self._objects:
            one.part()

    def part(self) -> None:
        """Lose the link with the adapter of this object."""
        if self.linked:
            self._set(ServicesResolved=Variant("b", False), Connected=Variant("b", False))
            self._board.on_drop()

    def leave(self) -> None:
        """Go out of reach."""
        self.drop()
        self.advertising = False

    def forget(self) -> None:
        """Have bluetoothd forget the device, as it does with those it has not heard for long."""
        if not self.known:
            return
        self.begin_anew()
        for path, interfaces in self._gatt().items():
            self._bus.removed(path, list(interfaces))
        self._bus.removed(self.path, [DEVICE])

    def begin_anew(self) -> None:
        """Be unknown to a bluetoothd that has just started.

        The kernel holds the link of one that was killed; the device does not advertise then.
        """
        self.held = self.held or self.linked
        self.known = self._resolved_once = False
        self._properties["Connected"] = self._properties["ServicesResolved"] = Variant("b", False)
        for one in self._characteristics():
            one.subscribers.clear()

    def let_go(self) -> None:
        """Lose a link that the kernel held."""
        if self.held:
            self.held = False
            self._board.on_drop()

    def show(self, strength: int) -> None:
        """Be heard by a scan."""
        self._properties["RSSI"] = Variant("n", strength)
        if self.known:
            self._bus.changed(self.path, DEVICE, {"RSSI": self._properties["RSSI"]})
        else:
            self.be_known()

    def be_known(self) -> None:
        """Become an object."""
        self.known = True
        self._bus.added(self.path, {DEVICE: self._properties})

    def fade(self) -> None:
        """Lose the strength that was heard, as at the end of every scan."""
        if self._properties.pop("RSSI", None) and self.known:
            self._bus.changed(self.path, DEVICE, {}, ["RSSI"])

    def objects(self) -> dict[str, Interfaces]:
        """Return its D-Bus objects, as far as bluetoothd knows them."""
        if not self.known:
            return {}
        gatt = self._gatt() if self._resolved_once else {}
        return {self.path: {DEVICE: self._properties}, **gatt}

    async def connect(self) -> None:
        """Answer a call of Connect."""
        board = self._board
        await asyncio.sleep(board.connect_delay)
        if board.connect_error is not None:
            raise board.connect_error
        if self.linked:
            return
        if not board.advertising or self.connected:
            raise BlueZError("Failed", "le-connection-abort-by-local")
        self._set(Connected=Variant("b", True))
        await asyncio.sleep(0)
        if not self._resolved_once:
            self._resolved_once = True
            for path, interfaces in self._gatt().items():
                self._bus.added(path, interfaces)
        services = [GENERIC_ATTRIBUTE, *(service.uuid for service in self._services)]
        self._set(UUIDs=Variant("as", services), ServicesResolved=Variant("b", True))

    def subscribe(self, source: Characteristic, client: str) -> None:
        """Take a subscription."""
        if "notify" not in source.flags:
            raise BlueZError("NotSupported", "Operation is not supported")
        source.subscribers.add(client)
        self._bus.changed(source.path, CHARACTERISTIC, {"Notifying": Variant("b", True)})
        self._board.on_subscribe()

    def unsubscribe(self, client: str) -> None:
        """End what a client subscribed to that has left D-Bus."""
        for one in self._characteristics():
            if client in one.subscribers:
                one.subscribers.remove(client)
                if not one.subscribers:
                    self._bus.changed(one.path, CHARACTERISTIC, {"Notifying": Variant("b", False)})

    async def take(self, target: Characteristic, data: bytes, with_response: bool) -> None:
        """Take a write."""
        board = self._board
        await asyncio.sleep(board.write_delay)
        flag = "write" if with_response else "write-without-response"
        if flag not in target.flags:
            raise BlueZError("NotSupported", "Operation is not supported")
        if board.write_error is not None:
            raise board.write_error
        board.writes.append((data, with_response))
        board.on_write(data)

    def _characteristics(self) -> list[Characteristic]:
        return [one for service in self._services for one in service.characteristics]

    def _set(self, **changed: Variant) -> None:
        self._properties.update(changed)
        self._bus.changed(self.path, DEVICE, changed)

    def _gatt(self) -> dict[str, Interfaces]:
        objects: dict[str, Interfaces] = {}
        for service in self._services:
            objects[service.path] = {
                SERVICE: {
                    "UUID": Variant("s", service.uuid),
                    "Device": Variant("o", self.path),
                    "Primary": Variant("b", True),
                }
            }
            for one in service.characteristics:
                properties: dict[str, Any] = {
                    "UUID": Variant("s", one.uuid),
                    "Service": Variant("o", service.path),
                    "Flags": Variant("as", list(one.flags)),
                    "MTU": Variant("q", self._board.mtu),
                    "Notifying": Variant("b", bool(one.subscribers)),
                }
                objects[one.path] = {CHARACTERISTIC: properties}
        return objects


def services_of(info: DriverInfo, service: str = "0000fff0-0000-1000-8000-00805f9b34fb") -> Service:
    """Return the service that a board of this driver has."""
    assert info.gatt is not None
    write = "write" if info.gatt.response else "write-without-response"
    flags: dict[str, tuple[str, ...]] = dict.fromkeys(info.gatt.notify, ("notify",))
    flags[info.gatt.write] = (*flags.get(info.gatt.write, ()), write)
    return Service(
        info.fingerprint.ble_services[0] if info.fingerprint.ble_services else service,
        [Characteristic(uuid, can) for uuid, can in flags.items()],
    )
