"""A virtual USB: what pyusb finds below it instead of libusb, devices, kernel drivers and all.

pyusb itself is the real one; :class:`VirtualUsb` answers as its libusb backend does, with the
same error numbers.
"""

import array
import errno
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
import usb.backend
import usb.backend.libusb1
from usb.core import USBError, USBTimeoutError

PACKET = 64
IN, OUT = 0x81, 0x02
ENDPOINTS = 2

MOUSE = bytes.fromhex("05 01 09 02 a1 01 c0")
BOARD = bytes.fromhex("06 00 ff 09 01 a1 01 85 01 75 08 95 40 09 02 81 02 c0")
"""Report descriptors: a mouse's first words, and numbered reports on a page of the vendor's own."""


def error(number: int) -> USBError:
    kind = USBTimeoutError if number == errno.ETIMEDOUT else USBError
    return kind({errno.ENODEV: "No such device"}.get(number, "Error"), -1, number)


@dataclass(kw_only=True)
class HidInterface:
    """One interface: its report descriptor, and who has it."""

    report_descriptor: bytes = BOARD
    has_out: bool = True
    kernel_driver: bool = True
    holder: object = None


@dataclass(kw_only=True, eq=False)
class VirtualDevice:
    """A USB device with HID interfaces, of which the last is the board's.

    ``heard`` takes the reports that a host sends, in the thread of the host. ``stalls`` is how
    often reading stalls before it works again, when the host has cleared the stall each time.
    """

    vendor: int = 0x2D80
    product: int = 0x8001
    bus: int = 1
    ports: tuple[int, ...] = (1, 4)
    serial: str | None = None
    interfaces: list[HidInterface] = field(default_factory=lambda: [HidInterface()])
    denied: bool = False
    configured: bool = True
    deaf: bool = False
    stalls: int = 0
    heard: Callable[[bytes], None] = lambda report: None
    handles: int = 0
    plugged: bool = True
    _halted: bool = False
    _packets: deque[bytes] = field(default_factory=lambda: deque(maxlen=256))
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def port(self) -> str:
        return f"{self.bus}-{'.'.join(map(str, self.ports))}"

    def report(self, data: bytes) -> None:
        """Send one report to the host, in packets."""
        with self._changed:
            for start in range(0, len(data), PACKET):
                self._packets.append(data[start : start + PACKET])
            self._changed.notify_all()

    def unplug(self) -> None:
        with self._changed:
            self.plugged = False
            self._changed.notify_all()

    def replugged(self) -> "VirtualDevice":
        """Return what the kernel sees when it is plugged in again: a device of its own."""
        interfaces = [HidInterface(report_descriptor=i.report_descriptor) for i in self.interfaces]
        return VirtualDevice(
            vendor=self.vendor,
            product=self.product,
            bus=self.bus,
            ports=self.ports,
            serial=self.serial,
            interfaces=interfaces,
        )

    def stall(self, times: int) -> None:
        with self._changed:
            self.stalls = times
            self._changed.notify_all()

    def next_packet(self, timeout_ms: int) -> bytes:
        with self._changed:
            self._changed.wait_for(self._something, timeout_ms / 1000)
            self.require()
            if self._halted or self.stalls:
                self.stalls -= not self._halted
                self._halted = True
                raise error(errno.EPIPE)
            if not self._packets:
                raise error(errno.ETIMEDOUT)
            return self._packets.popleft()

    def clear_halt(self) -> None:
        self.require()
        self._halted = False

    def require(self) -> None:
        if not self.plugged:
            raise error(errno.ENODEV)

    def _something(self) -> bool:
        return bool(self._packets) or not self.plugged or self._halted or self.stalls > 0


class _Handle:
    def __init__(self, device: VirtualDevice) -> None:
        self.device = device


class VirtualUsb(usb.backend.IBackend):  # type: ignore[misc] # pyusb brings no types
    """The devices of a machine, as libusb tells of them."""

    def __init__(self) -> None:
        self.devices: list[VirtualDevice] = []

    def plug(self, device: VirtualDevice) -> VirtualDevice:
        self.devices.append(device)
        return device

    def unplug(self, device: VirtualDevice) -> None:
        self.devices.remove(device)
        device.unplug()

    def enumerate_devices(self) -> list[VirtualDevice]:
        return list(self.devices)

    def get_device_descriptor(self, dev: VirtualDevice) -> SimpleNamespace:
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x0200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=dev.vendor,
            idProduct=dev.product,
            bcdDevice=0x0100,
            iManufacturer=0,
            iProduct=0,
            iSerialNumber=3 if dev.serial is not None else 0,
            bNumConfigurations=1,
            address=2,
            bus=dev.bus,
            port_number=dev.ports[-1] if dev.ports else 0,
            port_numbers=dev.ports or None,
            speed=2,
        )

    def get_configuration_descriptor(self, dev: VirtualDevice, config: int) -> SimpleNamespace:
        if config:
            raise IndexError(config)
        if not dev.plugged:
            raise error(errno.ENOENT)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=2,
            wTotalLength=0,
            bNumInterfaces=len(dev.interfaces),
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=50,
            extra_descriptors=[],
        )

    def get_interface_descriptor(
        self, dev: VirtualDevice, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        if config or alt:
            raise IndexError(alt)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=intf,
            bAlternateSetting=alt,
            bNumEndpoints=1 + dev.interfaces[intf].has_out,
            bInterfaceClass=3,
            bInterfaceSubClass=0,
            bInterfaceProtocol=0,
            iInterface=0,
            extra_descriptors=[],
        )

    def get_endpoint_descriptor(
        self, dev: VirtualDevice, ep: int, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        del dev, alt, config
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=(IN, OUT)[ep] + ENDPOINTS * intf,
            bmAttributes=3,
            wMaxPacketSize=PACKET,
            bInterval=4,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=[],
        )

    def open_device(self, dev: VirtualDevice) -> _Handle:
        dev.require()
        if dev.denied:
            raise error(errno.EACCES)
        dev.handles += 1
        return _Handle(dev)

    def close_device(self, dev_handle: _Handle) -> None:
        dev_handle.device.handles -= 1

    def get_configuration(self, dev_handle: _Handle) -> int:
        return int(dev_handle.device.configured)

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.device.require()
        interface = dev_handle.device.interfaces[intf]
        if interface.kernel_driver or interface.holder is not None:
            raise error(errno.EBUSY)
        interface.holder = dev_handle

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.device.require()
        dev_handle.device.interfaces[intf].holder = None

    def is_kernel_driver_active(self, dev_handle: _Handle, intf: int) -> bool:
        dev_handle.device.require()
        return dev_handle.device.interfaces[intf].kernel_driver

    def detach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.device.interfaces[intf].kernel_driver = False

    def attach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.device.require()
        if dev_handle.device.interfaces[intf].holder is not None:
            raise error(errno.EBUSY)
        dev_handle.device.interfaces[intf].kernel_driver = True

    def intr_read(
        self, dev_handle: _Handle, ep: int, intf: int, buff: "array.array[int]", timeout: int
    ) -> int:
        del ep
        self._require_claim(dev_handle, intf)
        packet = dev_handle.device.next_packet(timeout)
        if len(packet) > len(buff):
            raise error(errno.EOVERFLOW)
        buff[: len(packet)] = array.array("B", packet)
        return len(packet)

    def intr_write(
        self, dev_handle: _Handle, ep: int, intf: int, data: "array.array[int]", timeout: int
    ) -> int:
        del ep, timeout
        self._require_claim(dev_handle, intf)
        return self._hear(dev_handle.device, data)

    def ctrl_transfer(
        self,
        dev_handle: _Handle,
        bmRequestType: int,  # noqa: N803 - as the base class has it
        bRequest: int,  # noqa: N803
        wValue: int,  # noqa: N803
        wIndex: int,  # noqa: N803
        data: "array.array[int]",
        timeout: int,
    ) -> int:
        del timeout
        device = dev_handle.device
        device.require()
        if bmRequestType & 0x1F == 1:
            self._require_claim(dev_handle, wIndex)
        match bmRequestType, bRequest, wValue:
            case 0x80, 6, 0x0300:
                answer = bytes.fromhex("04 03 09 04")
            case 0x80, 6, 0x0303 if device.serial is not None:
                text = device.serial.encode("utf-16-le")
                answer = bytes((len(text) + 2, 3)) + text
            case 0x81, 6, 0x2200:
                answer = device.interfaces[wIndex].report_descriptor
            case 0x21, 9, _:
                return self._hear(device, data, number=wValue & 0xFF)
            case _:
                raise error(errno.EPIPE)
        data[: len(answer)] = array.array("B", answer)
        return len(answer)

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        del ep
        dev_handle.device.clear_halt()

    def _require_claim(self, handle: _Handle, interface: int) -> None:
        handle.device.require()
        if handle.device.interfaces[interface].holder is not handle:
            raise error(errno.EBUSY)

    def _hear(
        self, device: VirtualDevice, data: "array.array[int]", number: int | None = None
    ) -> int:
        if device.deaf:
            raise error(errno.ETIMEDOUT)
        if number is not None:
            assert number == data[0], "the number of a report stands twice"
        device.heard(data.tobytes())
        return len(data)


@contextmanager
def virtual_usb() -> Iterator[VirtualUsb]:
    """Let pyusb find a virtual USB where it looks for libusb, and check that all was given back."""
    with pytest.MonkeyPatch.context() as patch:
        bus = VirtualUsb()
        patch.setattr(usb.backend.libusb1, "get_backend", lambda: bus)
        yield bus


def usb_threads() -> list[str]:
    """Return the threads of open USB lines."""
    return [
        each.name for each in threading.enumerate() if each.name in ("usb-reader", "usb-writer")
    ]
