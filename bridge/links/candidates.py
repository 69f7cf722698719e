"""What is connected to this machine and may be a board: serial ports, USB devices, radio.

Nothing is opened here. Names and ids only say whom to ask first and with which driver: makers
share USB chips, and a name can be given to anything. A board is what answers like one.
"""

import contextlib
import fnmatch
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.codec import DriverInfo
from drivers.errors import AddressError

if TYPE_CHECKING:
    from serial.tools.list_ports_common import ListPortInfo

BY_ID = Path("/dev/serial/by-id")
BY_PATH = Path("/dev/serial/by-path")
USB_DEVICES = Path("/sys/bus/usb/devices")

BY_NAME = 3
"""It is called as boards of the driver are."""

BY_MODEL = 2
"""It has the USB ids of the driver's boards, which others may have as well."""

BY_MAKER = 1
"""Only the vendor of its chip, or the service that it offers, is one the driver names."""

UNLIKELY = 0
"""Nothing speaks for it, and nothing against it."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """Something that may be a board.

    ``addresses`` are all under which it can be opened, the one least likely to change first.
    ``labels`` are names by which drivers may know it. ``socket`` is the USB socket it is plugged
    into, ``note`` what a person should know about its address. ``inode`` tells a device that
    was plugged in anew from the one before it. ``named``: a person has named it, so that it is
    asked although nothing speaks for it.
    """

    kind: str
    addresses: tuple[str, ...]
    labels: tuple[str, ...] = ()
    usb: tuple[int, int] | None = None
    services: tuple[str, ...] = ()
    socket: str | None = None
    note: str = ""
    inode: tuple[int, int] | None = None
    named: bool = False

    @property
    def address(self) -> str:
        """Its most stable address."""
        return self.addresses[0]

    def likeness(self, info: DriverInfo) -> int | None:
        """Return how much it looks like a board of this driver; ``None``: it cannot be one.

        Strangers on the radio and among USB devices are never asked, but any serial port may
        have a board behind an adapter of some other maker.
        """
        marks = info.fingerprint
        if not self._is_reachable(info):
            return None
        names = marks.ble_names if self.kind == "ble" else marks.port_names
        if any(fnmatch.fnmatchcase(label, name) for label in self.labels for name in names):
            return BY_NAME
        if self.usb in marks.usb_ids:
            return BY_MODEL
        if (self.usb and (self.usb[0], None) in marks.usb_ids) or (
            set(self.services) & set(marks.ble_services)
        ):
            return BY_MAKER
        return UNLIKELY if self.kind == "serial" or self.named else None

    def _is_reachable(self, info: DriverInfo) -> bool:
        match self.kind:
            case "serial" | "tcp":
                return info.line is not None and self.kind in info.transports
            case "usb":
                return info.hid is not None and self.kind in info.transports
            case "ble":
                return info.gatt is not None and self.kind in info.transports
            case "simulated":
                return info.name in self.labels
            case _:  # a capture has its driver's name in it; all else the transports refuse
                return True


def candidate_at(address: str) -> Candidate:
    """Return what a person means by *address*, which may be a path."""
    if address.startswith("/"):
        address = f"serial:{address}"
    kind, _, place = address.partition(":")
    label = place.partition("/")[0] if kind == "simulated" else Path(place).name
    return Candidate(kind=kind, addresses=(address,), labels=(label,), named=True)


def serial_candidates(patterns: Iterable[str] = ()) -> list[Candidate]:
    """Return the serial ports of this machine, and those of shell *patterns*. Blocks for some ms.

    Raises:
        AddressError: pyserial is not installed.
    """
    try:
        from serial.tools.list_ports import comports
    except ModuleNotFoundError:
        raise AddressError(
            "looking for serial boards needs pyserial: pip install 'eboard-bridge[serial]'"
        ) from None
    listed = {Path(port.device).resolve(): port for port in comports()}
    twins = Counter(_usb_identity(port) for port in listed.values() if port.vid is not None)
    paths: dict[Path, list[str]] = {}
    for path in _paths(listed.values(), patterns):
        paths.setdefault(path.resolve(), []).append(str(path))
    return [
        _serial_candidate(device, names, listed.get(device), twins)
        for device, names in paths.items()
    ]


def _paths(listed: Iterable["ListPortInfo"], patterns: Iterable[str]) -> Iterator[Path]:
    """Yield every path of every port, for each port the one least likely to change first.

    A link that leads nowhere is what was left of a port.
    """
    globs = [BY_ID.glob("*"), BY_PATH.glob("*")]
    globs += [Path("/").glob(pattern.removeprefix("/")) for pattern in patterns]
    for paths in globs:
        yield from sorted(path for path in paths if path.exists())
    yield from (Path(port.device) for port in listed)


def _usb_identity(port: "ListPortInfo") -> tuple[int | None, int | None, str | None, str | None]:
    """Return what udev makes a name below by-id of; the interface is what it ends with."""
    interface = (port.location or "").partition(":")[2]
    return port.vid, port.pid, port.serial_number, interface


def _serial_candidate(
    device: Path,
    names: list[str],
    port: "ListPortInfo | None",
    twins: "Counter[tuple[int | None, int | None, str | None, str | None]]",
) -> Candidate:
    names = list(dict.fromkeys(names))
    labels = [Path(name).name for name in names]
    usb, socket, note = None, None, ""
    if port is not None and port.vid is not None and port.pid is not None:
        usb = port.vid, port.pid
        socket = (port.location or "").partition(":")[0] or None
        # As udev would name it, for machines without udev.
        told = (port.manufacturer, port.product, port.serial_number)
        words = "_".join(word.replace(" ", "_") for word in told if word)
        labels.append(f"usb-{words}-if00")
        if twins[_usb_identity(port)] > 1:
            # The name by-id belongs to whichever of them was plugged in last.
            names.sort(key=lambda name: Path(name).parent == BY_ID)
            shared = "the same USB serial number" if port.serial_number else "no USB serial number"
            note = f"another such device here has {shared} too: known by its USB socket"
    inode = None
    with contextlib.suppress(OSError):
        status = device.stat()
        inode = status.st_ino, status.st_ctime_ns
    return Candidate(
        kind="serial",
        addresses=tuple(f"serial:{name}" for name in names),
        labels=tuple(dict.fromkeys(labels)),
        usb=usb,
        socket=socket,
        note=note,
        inode=inode,
    )


def usb_candidates(infos: Iterable[DriverInfo]) -> list[Candidate]:
    """Return the USB HID devices with ids of these drivers. Blocks for some ms.

    Raises:
        AddressError: pyusb or libusb is not installed.
    """
    try:
        from drivers.transports.usb_devices import usb_devices
    except ModuleNotFoundError:
        raise AddressError(
            "looking for USB boards needs pyusb: pip install 'eboard-bridge[usb]'"
        ) from None
    found = []
    for device in usb_devices(infos):
        told = {name: _attribute(device.port, name) for name in ("product", "serial", "devnum")}
        ids = f"usb:{device.vendor:04x}:{device.product:04x}"
        by_serial = (f"{ids}/{told['serial']}",) if told["serial"] else ()
        number = int(told["devnum"] or 0)
        found.append(
            Candidate(
                kind="usb",
                addresses=(device.address, *by_serial, ids),
                labels=(told["product"],) if told["product"] else (),
                usb=(device.vendor, device.product),
                socket=device.port,
                inode=(number, number),
            )
        )
    return found


def _attribute(port: str, name: str) -> str:
    """Return what the kernel has read of a USB device, empty where it told nothing."""
    try:
        text = (USB_DEVICES / port / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return text.strip()


async def ble_candidates(seconds: float) -> list[Candidate]:
    """Return the Bluetooth LE devices that are heard within *seconds*, the strongest first.

    Raises:
        AddressError: bleak is not installed.
        DriverError: the radio cannot be used; the message says what to do.
    """
    try:
        from drivers.transports.radio import listen
    except ModuleNotFoundError:
        raise AddressError(
            "looking for Bluetooth boards needs bleak: pip install 'eboard-bridge[ble]'"
        ) from None
    return [
        Candidate(
            kind="ble",
            addresses=(f"ble:{one.address}", *([f"ble:{one.name}"] if one.name else [])),
            labels=(one.name,) if one.name else (),
            services=one.services,
        )
        for one in await listen(seconds)
    ]
