"""Bluetooth LE boards: ``ble:AA:BB:CC:DD:EE:FF``, or ``ble:NAME`` by the name they advertise."""

import asyncio
import contextlib
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any

from bleak import BleakClient
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.device import BLEDevice

from drivers.codec import GattSettings
from drivers.errors import AddressError, LinkLostError, PortBusyError, PortMissingError
from drivers.transports.line import Clock, Line
from drivers.transports.radio import radio
from drivers.transports.troubles import TROUBLE, explain

SEARCH_SECONDS = 8.0
CONNECT_SECONDS = 15.0
"""Seconds for connecting, reading the services and subscribing; usually two are enough."""

PART_SECONDS = 5.0
WRITE_SECONDS = 5.0
WRITE_TRIES = 3
"""Writes fail now and then while a board has much to tell; the next try mostly gets through."""

WRITE_AGAIN_AFTER = 0.05
OUTBOX_MESSAGES = 256
BATTERY_EVERY = 30.0
ATT_HEADER = 3

_HARDWARE_ADDRESS = re.compile(r"[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}")

logger = logging.getLogger(__name__)


class BleLine(Line):
    """One board on the radio. What its notifying characteristics say becomes one stream.

    A chunk that is read is one notification, and what is written at once is one write, unless
    it is longer than the board takes. A task of its own has the connection from beginning to
    end and disconnects in any case, and the next opening waits for that: otherwise every
    reconnection would leave a connection to D-Bus behind, and notifications would come twice,
    three times and so on.
    """

    def __init__(self, address: str, place: str, settings: GattSettings, now: Clock) -> None:
        super().__init__(address)
        if ":" in place and not _HARDWARE_ADDRESS.fullmatch(place):
            raise AddressError(f"{address!r}: not ble:AA:BB:CC:DD:EE:FF and not ble:NAME")
        self._place = place
        self._settings = settings
        self._now = now
        self._outbox: deque[bytes] = deque()
        self._to_write = asyncio.Event()
        self._session: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Find the board, connect and subscribe, as :class:`Line` says."""
        if self._session is not None:
            await asyncio.wait({self._session})
        self._inbox.begin()
        self._outbox.clear()
        self.battery = None
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        session = self._session = asyncio.create_task(self._live(opened))
        try:
            await asyncio.wait({opened, session}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._lose("closed")
            raise
        if opened.done():
            return
        try:
            session.result()
        except asyncio.CancelledError:
            raise LinkLostError(f"{self.address}: {self._inbox.ended}") from None
        except TROUBLE as error:
            raise explain(self.address, error) from None

    def write(self, data: bytes) -> None:
        """Queue *data*, as :class:`Line` says."""
        if len(self._outbox) >= OUTBOX_MESSAGES:
            self._lose("takes nothing of what it is sent")
        if self._inbox.ended is not None:
            raise LinkLostError(f"{self.address}: {self._inbox.ended}")
        self._outbox.append(data)
        self._to_write.set()

    def close(self) -> None:
        """Close the line; the disconnection goes on by itself."""
        self._lose("closed")

    async def _live(self, opened: asyncio.Future[None]) -> None:
        """Have the board from finding it to leaving it."""
        try:
            async with (
                radio().service.watched(self._service_gone),
                contextlib.AsyncExitStack() as link,
            ):
                async with radio().meeting(self._is_wanted, SEARCH_SECONDS) as found:
                    device = await self._free(found)
                    link.enter_context(radio().linked(device))
                    client = BleakClient(device, lambda _: self._lose("the radio link is lost"))
                    link.push_async_callback(_part, client)
                    link.callback(self._inbox.end, "is not open")
                    target = await self._connect(client)
                opened.set_result(None)
                async with _beside(self._follow_battery(device.details["path"])):
                    self._inbox.end(await self._send_all(client, target))
        finally:
            self._inbox.end("is not open")

    async def _free(self, device: BLEDevice | None) -> BLEDevice:
        """Return *device* if it was found and nobody has it."""
        if device is None:
            raise PortMissingError(
                f"{self.address}: is not heard: switch it on, bring it nearer, and disconnect it "
                "from phones and other computers"
            )
        # A crash leaves a board connected, and nobody has it. To connect to one that somebody has
        # would mean to disconnect it from him in the end.
        already, path = device.details["props"]["Connected"], device.details["path"]
        if already and await radio().service.subscribed(path):
            raise PortBusyError(
                f"{self.address}: another program on this computer has it; end that one"
            )
        return device

    def _is_wanted(self, device: BLEDevice) -> bool:
        return device.name == self._place or device.address.upper() == self._place.upper()

    async def _connect(self, client: BleakClient) -> BleakGATTCharacteristic:
        """Connect and subscribe; return the characteristic that is written to.

        For those who have the adapter for themselves.
        """
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await client.connect()
                sources = [self._characteristic(client, uuid) for uuid in self._settings.notify]
                for source in sources:
                    await client.start_notify(source, self._hear)
        except TimeoutError:
            raise LinkLostError(
                f"{self.address}: does not answer within {CONNECT_SECONDS:g} s: bring it nearer, "
                "or switch it off and on"
            ) from None
        return self._characteristic(client, self._settings.write)

    def _characteristic(self, client: BleakClient, uuid: str) -> BleakGATTCharacteristic:
        found = client.services.get_characteristic(uuid)
        if found is None:
            raise LinkLostError(
                f"{self.address}: has no characteristic {uuid}: it is another board, or has "
                "another firmware"
            )
        return found

    def _hear(self, _: BleakGATTCharacteristic, data: bytearray) -> None:
        if self._inbox.full:
            self._lose("nobody reads what it says")
        if data and self._inbox.ended is None:
            self._inbox.put(self._now(), bytes(data))

    async def _send_all(self, client: BleakClient, target: BleakGATTCharacteristic) -> str:
        """Send what is queued, one write after another; return why that is not possible."""
        mtu = target.max_write_without_response_size + ATT_HEADER
        acknowledged = self._acknowledged(target)
        if mtu < self._settings.mtu:
            logger.warning(
                "%s: messages may come cut off: the link carries %d bytes, the board needs %d",
                self.address,
                mtu,
                self._settings.mtu,
            )
        while True:
            await self._to_write.wait()
            self._to_write.clear()
            while self._outbox:
                for part in self._parts(self._outbox.popleft(), mtu, acknowledged=acknowledged):
                    failure = await self._send(client, target, part)
                    if failure:
                        return failure
                    await asyncio.sleep(self._settings.pace)

    async def _follow_battery(self, path: str) -> None:
        while True:
            try:
                level = await radio().service.battery(path)
            except TROUBLE as error:
                logger.debug("%s: does not tell its battery: %s", self.address, error)
                return
            if level not in (None, self.battery):
                self.battery = level
                self.wake()
            await asyncio.sleep(BATTERY_EVERY)

    def _acknowledged(self, target: BleakGATTCharacteristic) -> bool:
        """Whether writes are acknowledged: as declared, where this firmware offers that."""
        if self._settings.response:
            return "write" in target.properties
        return "write-without-response" not in target.properties

    def _parts(self, data: bytes, mtu: int, *, acknowledged: bool) -> Iterator[bytes]:
        """Cut *data* where the board or the link takes no more at once.

        A write that is acknowledged may be longer than the link's packets: bluetoothd cuts it
        and the board puts it together.
        """
        size = self._settings.largest_write or len(data)
        if not acknowledged:
            size = min(size, mtu - ATT_HEADER)
        for begin in range(0, len(data), size):
            yield data[begin : begin + size]

    async def _send(self, client: BleakClient, target: BleakGATTCharacteristic, data: bytes) -> str:
        """Write *data*; return why it failed, or nothing."""
        response, failure = self._acknowledged(target), ""
        for _ in range(WRITE_TRIES):
            try:
                async with asyncio.timeout(WRITE_SECONDS):
                    await client.write_gatt_char(target, data, response=response)
            except TimeoutError:
                return f"took nothing for {WRITE_SECONDS:g} s"
            except TROUBLE as error:
                failure = f"cannot be written to: {error}"
                await asyncio.sleep(WRITE_AGAIN_AFTER)
            else:
                return ""
        return failure

    def _service_gone(self) -> None:
        self._lose("the Bluetooth service has ended: is bluetoothd restarted?")

    def _lose(self, why: str) -> None:
        if self._inbox.ended is None:
            self._inbox.end(why)
            if self._session is not None:
                self._session.cancel()


@contextlib.asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Have *work* done until left."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _part(client: BleakClient) -> None:
    """Disconnect, and let go of what bleak holds for *client*, whatever becomes of it."""
    try:
        async with asyncio.timeout(PART_SECONDS):
            await client.disconnect()
    except TROUBLE as error:
        logger.debug("%s: not disconnected properly: %s", client.address, error)
