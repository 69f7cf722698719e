"""Bluetooth devices on a radio that the kernel takes for a controller of its own.

bumble plays the controller behind ``/dev/vhci`` and the devices; kernel, bluetoothd and bleak do
not know. Needs root.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData, PhysicalTransport
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue
from bumble.gatt import Service as GattService
from bumble.hci import Address, OwnAddressType
from bumble.host import Host
from bumble.link import LocalLink
from bumble.profiles.battery_service import BatteryService
from bumble.transport import open_transport

from testbed.fake_ble import Service

MODULES = "hci_vhci", "rfcomm", "uhid", "aes_generic", "ecb", "cmac", "algif_skcipher"
"""What bluetoothd needs of the kernel, and what its security is made of."""

ADAPTER = "F0:00:00:00:00:AA"
GENERALLY_DISCOVERABLE = bytes([6])
_READABLE = Characteristic.READABLE | Characteristic.WRITEABLE
_PROPERTIES = {
    "notify": Characteristic.Properties.NOTIFY,
    "write": Characteristic.Properties.WRITE,
    "write-without-response": Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
}


class _Ether(LocalLink):  # type: ignore[misc]  # bumble brings no types
    """A link that tells who really sent: bumble takes the random address in any case."""

    def send_acl_data(
        self, sender_controller: Any, destination_address: Any, transport: Any, data: bytes
    ) -> None:
        if transport != PhysicalTransport.LE:
            super().send_acl_data(sender_controller, destination_address, transport, data)
            return
        receiver = self.find_le_controller(destination_address)
        for one in sender_controller.le_connections.values():
            if receiver is not None and one.peer_address == destination_address:
                asyncio.get_running_loop().call_soon(
                    receiver.on_link_acl_data, one.self_address, transport, data
                )


class AirDevice:
    """One device on the air, as :class:`testbed.fake_ble.Wireless` says."""

    def __init__(self, ether: LocalLink, address: str, name: str, services: Sequence[Service]):
        self.mtu = 247
        self.battery: int | None = None
        self.on_write: Callable[[bytes], None] = lambda _: None
        self.on_drop: Callable[[], None] = lambda: None
        self.on_subscribe: Callable[[], None] = lambda: None
        self._advertising = True
        controller = Controller(name, link=ether, public_address=address)
        self._device = Device(name, address=Address(address), host=Host(controller, controller))
        self._services = services
        self._connection: Any = None
        self._source: Any = None
        self._orders: asyncio.Queue[Callable[[], Any]] = asyncio.Queue()
        self._task = asyncio.create_task(self._live())

    @property
    def advertising(self) -> bool:
        return self._advertising

    @advertising.setter
    def advertising(self, wanted: bool) -> None:
        self._advertising = wanted
        self._orders.put_nowait(self._advertise)

    @property
    def connected(self) -> bool:
        return self._connection is not None

    def notify(self, data: bytes) -> None:
        self._orders.put_nowait(lambda: self._device.notify_subscribers(self._source, data))

    def drop(self) -> None:
        self._orders.put_nowait(self._disconnect)

    def leave(self) -> None:
        self.advertising = False
        self.drop()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _live(self) -> None:
        """Be switched on, and do one thing after the other."""
        self._device.on("connection", self._connected)
        self._device.gatt_server.max_mtu = self.mtu
        self._device.add_services([self._service(one) for one in self._services])
        if self.battery is not None:
            self._device.add_service(BatteryService(lambda _: self.battery))
        uuids = b"".join(bytes(UUID(one.uuid)) for one in self._services)
        self._device.advertising_data = bytes(
            AdvertisingData(
                [
                    (AdvertisingData.FLAGS, GENERALLY_DISCOVERABLE),
                    (AdvertisingData.COMPLETE_LOCAL_NAME, self._device.name.encode()),
                ]
            )
        )
        self._device.scan_response_data = bytes(
            AdvertisingData([(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, uuids)])
        )
        await self._device.power_on()
        await self._advertise()
        while True:
            await (await self._orders.get())()

    async def _advertise(self) -> None:
        if self._advertising:
            await self._device.start_advertising(
                own_address_type=OwnAddressType.PUBLIC, auto_restart=False
            )
        else:
            await self._device.stop_advertising()

    async def _disconnect(self) -> None:
        if self._connection is not None:
            await self._connection.disconnect()

    def _connected(self, connection: Any) -> None:
        self._connection = connection
        connection.on("disconnection", self._disconnected)

    def _disconnected(self, _: int) -> None:
        self._connection = None
        self.on_drop()
        self._orders.put_nowait(self._advertise)

    def _service(self, service: Service) -> GattService:
        made = [self._characteristic(one.uuid, one.flags) for one in service.characteristics]
        sources = [one for one in made if one.properties & Characteristic.Properties.NOTIFY]
        self._source = sources[0]
        self._source.on("subscription", lambda *_: self.on_subscribe())
        return GattService(service.uuid, made)

    def _characteristic(self, uuid: str, flags: Sequence[str]) -> Characteristic:
        properties = Characteristic.Properties(0)
        for flag in flags:
            properties |= _PROPERTIES[flag]
        value = CharacteristicValue(write=lambda _, data: self.on_write(bytes(data)))
        return Characteristic(uuid, properties, _READABLE, value)


async def _load_modules() -> None:
    loading = await asyncio.create_subprocess_exec("modprobe", "--all", *MODULES)
    assert await loading.wait() == 0, "the kernel lacks a module"


class Air:
    """A radio with one adapter of this machine, and devices around it."""

    def __init__(self) -> None:
        self._ether = _Ether()
        self._devices: list[AirDevice] = []
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> "Air":
        await _load_modules()
        wire = await self._stack.enter_async_context(await open_transport("vhci"))
        self._adapter = Controller(
            "adapter",
            host_source=wire.source,
            host_sink=wire.sink,
            link=self._ether,
            public_address=ADAPTER,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        for device in self._devices:
            await device.close()
        await self._stack.aclose()

    def add_device(self, address: str, name: str, services: Sequence[Service]) -> AirDevice:
        """Put a device into reach; it is heard in a moment."""
        device = AirDevice(self._ether, address, name, services)
        self._devices.append(device)
        return device
