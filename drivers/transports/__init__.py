"""Ways to a device, by the address: serial, USB, radio, TCP, a replay, a simulated board."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

from drivers.codec import DriverInfo
from drivers.errors import AddressError
from drivers.transports.line import Clock, Line
from drivers.transports.memory import memory_pair
from drivers.transports.replay import ReplayLine, load_capture
from drivers.transports.simulated import SimulatedLine, make_board
from drivers.transports.tcp import TcpLine

__all__ = ["Clock", "Line", "load_capture", "memory_pair", "open_line"]

Options = dict[str, str]


def open_line(address: str, info: DriverInfo, *, now: Clock = time.monotonic) -> Line:
    """Return the line that *address* means, not opened yet.

    Args:
        address: ``serial:/dev/ttyACM0?baud=9600``, ``usb:1-1.4`` (a socket), ``usb:2d80:8001`` or
            ``usb:2d80:8001/SERIAL`` (USB ids), ``ble:AA:BB:CC:DD:EE:FF`` or ``ble:NAME``,
            ``tcp:host:port``, ``replay:FILE?speed=1`` (a factor, or ``max``), or
            ``simulated:dgt/2`` (the second simulated board of that driver).
        info: how the driver speaks to its boards; the address may override the serial speed.
        now: the clock for times of arrival.

    Raises:
        AddressError: no transport understands the address; the message says why.
    """
    kind, colon, rest = address.partition(":")
    build = _KINDS.get(kind)
    if build is None or not colon:
        known = ", ".join(f"{name}:" for name in _KINDS)
        raise AddressError(f"{address!r}: an address begins with one of {known}")
    place, _, query = rest.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    if not place:
        raise AddressError(f"{address!r}: nothing behind {kind}:")
    line = build(address, place, options, info, now)
    if options:
        raise AddressError(f"{address!r}: {kind}: has no option {min(options)!r}")
    return line


def _serial(address: str, place: str, options: Options, info: DriverInfo, now: Clock) -> Line:
    try:
        from drivers.transports.serial import SerialLine
    except ModuleNotFoundError:
        raise AddressError(
            f"{address!r}: serial ports need pyserial: pip install 'eboard-bridge[serial]'"
        ) from None
    settings = info.line
    if settings is None:
        raise AddressError(f"{address!r}: a {info.name} board has no serial line")
    if "baud" in options:
        baud = options.pop("baud")
        if not baud.isdecimal() or int(baud) == 0:
            raise AddressError(f"{address!r}: baud must be a whole number, not {baud!r}")
        settings = replace(settings, baud=int(baud))
    return SerialLine(address, place, settings, now)


def _usb(address: str, place: str, options: Options, info: DriverInfo, now: Clock) -> Line:
    del options
    try:
        from drivers.transports.usb import UsbLine
        from drivers.transports.usb_devices import wanted_device
    except ModuleNotFoundError:
        raise AddressError(
            f"{address!r}: USB boards need pyusb: pip install 'eboard-bridge[usb]'"
        ) from None
    if info.hid is None:
        raise AddressError(f"{address!r}: a {info.name} board is no USB HID device")
    return UsbLine(address, wanted_device(address, place, info), info.hid, now)


def _ble(address: str, place: str, options: Options, info: DriverInfo, now: Clock) -> Line:
    del options
    try:
        from drivers.transports.ble import BleLine
    except ModuleNotFoundError:
        raise AddressError(
            f"{address!r}: Bluetooth LE needs bleak: pip install 'eboard-bridge[ble]'"
        ) from None
    if info.gatt is None:
        raise AddressError(f"{address!r}: a {info.name} board has no Bluetooth LE")
    return BleLine(address, place, info.gatt, now)


def _tcp(address: str, place: str, options: Options, info: DriverInfo, now: Clock) -> Line:
    del options, info
    host, colon, port = place.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise AddressError(f"{address!r}: not tcp:HOST:PORT with a port from 1 to 65535")
    return TcpLine(address, host.removeprefix("[").removesuffix("]"), int(port), now)


def _replay(address: str, place: str, options: Options, info: DriverInfo, now: Clock) -> Line:
    del info
    text = options.pop("speed", "1")
    try:
        speed = math.inf if text == "max" else float(text)
    except ValueError:
        speed = 0.0
    if not speed > 0:
        raise AddressError(f"{address!r}: speed must be above 0, or max, not {text!r}")
    return ReplayLine(address, Path(place), speed, now)


def _simulated(address: str, place: str, options: Options, info: DriverInfo, now: Clock) -> Line:
    del options
    name, slash, number = place.partition("/")
    if slash and not number.isdecimal():
        raise AddressError(f"{address!r}: not simulated:{name}/NUMBER")
    if name != info.name:
        raise AddressError(f"{address!r}: such a board does not speak like driver {info.name}")
    return SimulatedLine(address, make_board(name, int(number or 1)), now)


_KINDS: dict[str, Callable[[str, str, Options, DriverInfo, Clock], Line]] = {
    "serial": _serial,
    "usb": _usb,
    "ble": _ble,
    "tcp": _tcp,
    "replay": _replay,
    "simulated": _simulated,
}
