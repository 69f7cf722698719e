"""Which drivers there are, and what is derived from what they declare.

Drivers are found by entry points of the group ``eboard_bridge.drivers``, ours like everybody
else's. ``python -m drivers.catalogue udev`` and ``… readme`` print the udev rules and the table
of the README.
"""

import argparse
import difflib
import logging
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from inspect import isclass

from drivers.codec import Codec, DriverInfo
from drivers.errors import UnknownDriverError
from drivers.transports import simulated

GROUP = "eboard_bridge.drivers"

logger = logging.getLogger(__name__)

_UDEV_HEAD = """\
# Access to electronic chess boards; written by "python -m drivers.catalogue udev".
#
# Whoever sits at the machine, and the group dialout, may open the port, or the device itself where
# a board is a USB HID device and has no port. ModemManager must stay away from ports: it
# probes with "AT", and a DGT board takes the byte 54 ("T") for a command that switches it to
# draughts, which it remembers without power.
# USB ids only make a device a candidate: some are shared by unrelated devices.
"""
_TTY = 'SUBSYSTEM=="tty", SUBSYSTEMS=="usb"'
_DEVICE = 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device"'
_GRANT = 'GROUP="dialout", MODE="0660", TAG+="uaccess"'
_README_HEAD = """\
| Board | Driver | Transports | Senses | Clock | Evidence | Sources |
|---|---|---|---|---|---|---|
"""


def all_drivers() -> dict[str, type[Codec]]:
    """Return the installed drivers by name, sorted.

    An entry point that cannot be loaded, that is no driver, or whose name another one has
    already, is logged and left out: one broken package must not stop every board in the hall.
    """
    drivers: dict[str, type[Codec]] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        found = _load(entry)
        if found is None:
            continue
        if entry.name in drivers:
            logger.warning("driver %s is installed twice, left out: %s", entry.name, entry.value)
            continue
        drivers[entry.name] = found
    return drivers


def driver(name: str) -> type[Codec]:
    """Return the driver called *name*.

    Raises:
        UnknownDriverError: there is none; the message names the nearest one there is.
    """
    drivers = all_drivers()
    if name in drivers:
        return drivers[name]
    near = difflib.get_close_matches(name, drivers, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(drivers)}"
    raise UnknownDriverError(f"there is no driver {name!r}; {hint}")


def simulated_boards() -> list[str]:
    """Return the names of the drivers of which there is a simulated board, sorted."""
    return sorted(entry.name for entry in entry_points(group=simulated.GROUP))


def udev_rules() -> str:
    """Return udev rules that let the daemon open the boards and keep ModemManager away."""
    return _UDEV_HEAD + "".join(_board_rules(found.info) for found in all_drivers().values())


def readme_table() -> str:
    """Return the markdown table of boards, its last line ended."""
    return _README_HEAD + "".join(_row(found.info) for found in all_drivers().values())


def _load(entry: EntryPoint) -> type[Codec] | None:
    try:
        found = entry.load()
    except Exception:
        # Importing foreign code may raise anything at all.
        logger.exception("driver %s cannot be loaded, left out: %s", entry.name, entry.value)
        return None
    if not (isclass(found) and issubclass(found, Codec) and hasattr(found, "info")):
        logger.warning("driver %s is no driver, left out: %s", entry.name, entry.value)
        return None
    if found.info.name != entry.name:
        logger.warning("driver %s calls itself %s, left out", entry.name, found.info.name)
        return None
    return found


def _board_rules(info: DriverInfo) -> str:
    lines: list[str] = []
    for ids in info.fingerprint.usb_ids:
        if info.line is not None:
            lines += _port_rules(*ids)
        if info.hid is not None:
            lines.append(f'ACTION!="remove", {_DEVICE}, {_with_ids("ATTR", *ids)}, {_GRANT}')
    return "\n".join(["", f"# {info.title}", *lines, ""]) if lines else ""


def _port_rules(vendor: int, product: int | None) -> Iterator[str]:
    device = _with_ids("ATTRS", vendor, product)
    yield f'ACTION!="remove", SUBSYSTEMS=="usb", {device}, ENV{{ID_MM_DEVICE_IGNORE}}="1"'
    yield f'ACTION!="remove", {_TTY}, {device}, {_GRANT}'


def _with_ids(attribute: str, vendor: int, product: int | None) -> str:
    """Return what matches these ids, at the device itself or, with ``ATTRS``, above it too."""
    device = f'{attribute}{{idVendor}}=="{vendor:04x}"'
    return device if product is None else f'{device}, {attribute}{{idProduct}}=="{product:04x}"'


def _row(info: DriverInfo) -> str:
    cells = (
        info.title,
        f"`{info.name}`",
        ", ".join(info.transports),
        info.sensing,
        "yes" if info.has_clock else "no",
        info.evidence,
        info.sources,
    )
    return f"| {' | '.join(cells)} |\n"


def main(arguments: list[str] | None = None) -> None:
    """Print what was asked for."""
    printers = {"udev": udev_rules, "readme": readme_table}
    parser = argparse.ArgumentParser(prog="python -m drivers.catalogue", description=__doc__)
    parser.add_argument("what", choices=printers)
    sys.stdout.write(printers[parser.parse_args(arguments).what]())


if __name__ == "__main__":
    main()
