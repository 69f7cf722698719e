"""udev rules for what may be a board, from what drivers declare.

USB ids only make a device a candidate, so nothing here may harm a stranger: rights, names, and
settings that cost a little power.
"""

from collections.abc import Iterable, Iterator, Sequence

from drivers.codec import DriverInfo

FTDI = 0x0403
"""Whose chips hold short answers back for 16 ms unless told otherwise (kernel: ftdi_sio.c)."""

_HEAD = """\
# Access to electronic chess boards; written by "python -m drivers.catalogue udev".
#
# Whoever sits at the machine, and the group dialout, may open the port, or the device itself where
# a board is a USB HID device and has no port. All such ports have a name below /dev/eboard, by the
# USB socket. ModemManager must stay away from ports: it probes with "AT", and a DGT board takes the
# byte 54 ("T") for a command that switches it to draughts, which it remembers without power. Boards
# are not put to sleep, and FTDI chips do not hold short answers back.
# USB ids only make a device a candidate: some are shared by unrelated devices.
"""
_TTY = 'SUBSYSTEM=="tty", SUBSYSTEMS=="usb"'
_DEVICE = 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device"'
_GRANT = 'GROUP="dialout", MODE="0660", TAG+="uaccess"'
_NAME = 'ENV{ID_PATH_TAG}=="?*", SYMLINK+="eboard/$env{ID_PATH_TAG}"'
_AWAKE = 'TEST=="power/control", ATTR{power/control}="on"'
_FTDI_PORT = 'SUBSYSTEM=="usb-serial", TEST=="latency_timer"'
_FAST = 'ATTR{latency_timer}="1"'

Ids = tuple[int, int | None]


def rules(infos: Iterable[DriverInfo]) -> str:
    """Return the rules for all these drivers; ids that several of them share come once."""
    infos = list(infos)
    whole_vendors = {ids for info in infos for ids in info.fingerprint.usb_ids if ids[1] is None}
    drivers: dict[Ids, list[DriverInfo]] = {}
    for info in infos:
        for vendor, product in info.fingerprint.usb_ids:
            ids = (vendor, None) if (vendor, None) in whole_vendors else (vendor, product)
            drivers.setdefault(ids, []).append(info)
    blocks = (_block(ids, drivers[ids]) for ids in sorted(drivers, key=_by_number))
    return _HEAD + "".join(blocks)


def _by_number(ids: Ids) -> tuple[int, int]:
    return ids[0], ids[1] or 0


def _block(ids: Ids, infos: Sequence[DriverInfo]) -> str:
    lines = [f"# {title}" for title in dict.fromkeys(info.title for info in infos)]
    if any(info.line is not None for info in infos):
        lines += _port_rules(ids)
    if any(info.hid is not None for info in infos):
        lines += _device_rules(ids)
    lines.append(f'ACTION=="add", {_DEVICE}, {_match("ATTR", ids)}, {_AWAKE}')
    return "\n".join(["", *lines, ""])


def _port_rules(ids: Ids) -> Iterator[str]:
    device = _match("ATTRS", ids)
    yield f'ACTION!="remove", SUBSYSTEMS=="usb", {device}, ENV{{ID_MM_DEVICE_IGNORE}}="1"'
    yield f'ACTION!="remove", {_TTY}, {device}, {_GRANT}'
    yield f'ACTION!="remove", {_TTY}, {device}, {_NAME}'
    if ids[0] == FTDI:
        yield f'ACTION!="remove", {_FTDI_PORT}, {device}, {_FAST}'


def _device_rules(ids: Ids) -> Iterator[str]:
    yield f'ACTION!="remove", {_DEVICE}, {_match("ATTR", ids)}, {_GRANT}'


def _match(attribute: str, ids: Ids) -> str:
    """Return what matches these ids, at the device itself or, with ``ATTRS``, above it too."""
    vendor, product = ids
    device = f'{attribute}{{idVendor}}=="{vendor:04x}"'
    return device if product is None else f'{device}, {attribute}{{idProduct}}=="{product:04x}"'
