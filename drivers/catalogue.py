"""Which drivers there are, and what is derived from what they declare.

Drivers are found by entry points of the group ``eboard_bridge.drivers``, ours like everybody
else's. ``python -m drivers.catalogue udev`` and ``… readme`` print the udev rules and the table
of the README.
"""

import argparse
import difflib
import logging
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isclass

from drivers import udev
from drivers.codec import Codec, DriverInfo
from drivers.errors import UnknownDriverError
from drivers.transports import simulated

GROUP = "eboard_bridge.drivers"

logger = logging.getLogger(__name__)

_README_HEAD = """\
| Board | Driver | Transports | Senses | Clock | Lamps | Evidence | Sources | Tested |
|---|---|---|---|---|---|---|---|---|
"""


def all_drivers() -> dict[str, type[Codec]]:
    """Return the installed drivers by name, sorted.

    An entry point that cannot be loaded, that is no driver, or whose name another one has
    already, is logged and left out: one broken package must not stop every board in the hall.
    """
    drivers: dict[str, type[Codec]] = {}
    for entry in _entries(GROUP, tuple(sys.path)):
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
    return [entry.name for entry in _entries(simulated.GROUP, tuple(sys.path))]


def udev_rules() -> str:
    """Return udev rules that let the daemon open the boards and keep ModemManager away."""
    return udev.rules(found.info for found in all_drivers().values())


def readme_table() -> str:
    """Return the markdown table of boards, its last line ended."""
    return _README_HEAD + "".join(_row(found.info) for found in all_drivers().values())


@cache
def _entries(group: str, _path: tuple[str, ...]) -> list[EntryPoint]:
    """Return the entry points by name. To look through all packages takes milliseconds.

    Every table of a hall asks; what is installed changes only where packages are looked for.
    """
    return sorted(entry_points(group=group), key=lambda entry: entry.name)


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


def _row(info: DriverInfo) -> str:
    cells = (
        info.title,
        f"`{info.name}`",
        ", ".join(info.transports),
        info.sensing,
        "yes" if info.has_clock else "no",
        "yes" if info.lamps else "no",
        info.evidence,
        info.sources,
        ", ".join(info.tested) or "alone",
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
