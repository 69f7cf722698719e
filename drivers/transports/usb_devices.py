"""USB HID devices: which there are, and how one is taken from the kernel and given back.

Everything here blocks. pyusb needs libusb-1.0, which Debian has as ``libusb-1.0-0``.
"""

import errno
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import usb.backend.libusb1
import usb.core
import usb.util

from drivers.codec import DriverInfo, HidSettings
from drivers.errors import (
    AddressError,
    DriverError,
    LinkLostError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
)
from drivers.transports.hid_device import HidDevice

HANDOVER = 1.5
"""Seconds for which a busy device is tried again: our own last reader may still be on its way out,
as when discovery looked at it a moment ago."""

_HID = 3  # class code of interfaces

_PORT = re.compile(r"\d+-\d+(\.\d+)*")
_IDS = re.compile(r"(?P<vendor>[\da-fA-F]{4}):(?P<product>[\da-fA-F]{4})(/(?P<serial>.+))?")


@dataclass(frozen=True, kw_only=True)
class UsbDevice:
    """A device that is plugged in; ``port`` is where, as Linux names it: ``1-1.4``."""

    vendor: int
    product: int
    port: str

    @property
    def address(self) -> str:
        """Its address: that of the socket, since a board need not have a serial number."""
        return f"usb:{self.port}"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which device an address means; ``ids`` are ``(vendor, product)``, product None for any."""

    ids: tuple[tuple[int, int | None], ...]
    port: str | None = None
    serial: str | None = None

    def fits(self, device: Any) -> bool:
        """Whether *device* may be it, by what can be seen without opening it."""
        return self.port in (None, _port(device)) and any(
            device.idVendor == vendor and product in (None, device.idProduct)
            for vendor, product in self.ids
        )


def usb_devices(infos: Iterable[DriverInfo]) -> list[UsbDevice]:
    """Return the plugged-in HID devices with USB ids of these drivers, without opening them.

    Raises:
        AddressError: libusb is not installed.
    """
    wanted = Wanted(ids=tuple(i for info in infos if info.hid for i in info.fingerprint.usb_ids))
    found = [
        UsbDevice(vendor=device.idVendor, product=device.idProduct, port=_port(device))
        for device in _all_devices()
        if wanted.fits(device) and _has_hid(device)
    ]
    return sorted(found, key=lambda device: [int(n) for n in re.findall(r"\d+", device.port)])


def wanted_device(address: str, place: str, info: DriverInfo) -> Wanted:
    """Return what *place* of an address means.

    Raises:
        AddressError: it is neither a port nor USB ids.
    """
    if _PORT.fullmatch(place):
        # Whatever stands in that socket must not lose its driver unless it may be a board.
        return Wanted(ids=info.fingerprint.usb_ids, port=place)
    ids = _IDS.fullmatch(place)
    if ids is None:
        raise AddressError(
            f"{address!r}: not usb:PORT such as usb:1-1.4, and not usb:VENDOR:PRODUCT or "
            "usb:VENDOR:PRODUCT/SERIAL with ids of four hexadecimal digits"
        )
    pair = int(ids["vendor"], 16), int(ids["product"], 16)
    return Wanted(ids=(pair,), serial=ids["serial"])


def take(address: str, wanted: Wanted, settings: HidSettings) -> HidDevice:
    """Find the device and take its interface of the wanted usage page.

    Raises:
        PortMissingError: it is not plugged in.
        PortBusyError: another program holds it.
        PortDeniedError: this user may not open it.
        LinkLostError: it is there and cannot be used, or several fit.
        AddressError: libusb is not installed.
    """
    until = time.monotonic() + HANDOVER
    while True:
        try:
            return _take(address, wanted, settings)
        except usb.core.USBError as error:
            if error.errno != errno.EBUSY or time.monotonic() >= until:
                raise _explain(address, error) from None
        time.sleep(HANDOVER / 30)


def _take(address: str, wanted: Wanted, settings: HidSettings) -> HidDevice:
    device = _find(address, wanted)
    busy: usb.core.USBError | None = None
    try:
        interfaces = [each for each in device.get_active_configuration() if _is_hid(each)]
    except usb.core.USBError:
        usb.util.dispose_resources(device)
        raise
    for interface in interfaces:
        held = HidDevice(device, interface)
        try:
            held.claim()
        except usb.core.USBError as error:
            held.release()
            if error.errno != errno.EBUSY:
                raise
            busy = error
            continue
        if held.speaks(settings.usage_page):
            return held
        held.release()
    if busy is not None:
        raise busy
    raise LinkLostError(
        f"{address}: no interface of it has usage page {settings.usage_page:04x}; is it a board?"
    )


def _find(address: str, wanted: Wanted) -> Any:
    devices = [device for device in _all_devices() if wanted.fits(device)]
    if wanted.serial is not None:
        devices = [device for device in devices if _serial_number(device) == wanted.serial]
    if not devices:
        raise PortMissingError(
            f"{address}: there is no such device; plug the board in and switch it on"
        )
    if len(devices) > 1:
        ports = ", ".join(f"usb:{_port(device)}" for device in devices)
        raise LinkLostError(f"{address}: several devices fit; write one of {ports}")
    return devices[0]


def _serial_number(device: Any) -> str | None:
    """Ask for a serial number; boards need not have one."""
    try:
        languages = usb.util.get_langids(device) if device.iSerialNumber else ()
        if not languages:
            return None
        number: str = usb.util.get_string(device, device.iSerialNumber, languages[0])
        return number
    finally:
        usb.util.dispose_resources(device)


def _all_devices() -> list[Any]:
    backend = usb.backend.libusb1.get_backend()
    if backend is None:
        raise AddressError(
            "USB boards need the library libusb-1.0 (Debian: sudo apt install libusb-1.0-0)"
        )
    return list(usb.core.find(find_all=True, backend=backend))


def _port(device: Any) -> str:
    return f"{device.bus}-{'.'.join(map(str, device.port_numbers or (0,)))}"


def _has_hid(device: Any) -> bool:
    try:
        return any(_is_hid(interface) for configuration in device for interface in configuration)
    except usb.core.USBError:
        return False  # it went a moment ago, or has no configuration that could be read


def _is_hid(interface: Any) -> bool:
    return (interface.bInterfaceClass, interface.bAlternateSetting) == (_HID, 0)


def _explain(address: str, error: Any) -> DriverError:
    """Return the error by what a person should do about it."""
    match error.errno:
        case errno.EBUSY:
            return PortBusyError(
                f"{address}: another program holds this board; end it (a second eboard-bridge, a "
                "program of the board's maker)"
            )
        case errno.EACCES | errno.EPERM:
            return PortDeniedError(
                f"{address}: this user may not open the board; install the udev rules (Debian: "
                "sudo cp udev/70-eboard-bridge.rules /etc/udev/rules.d/), plug the board in "
                "again, and add the user to the group dialout"
            )
        case errno.ENODEV | errno.ENOENT:
            return PortMissingError(f"{address}: the board was just unplugged")
        case _:
            return LinkLostError(f"{address}: cannot be opened: {error.strerror}")
