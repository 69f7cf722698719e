"""Which tables may have the same line, and what tells their boards apart there."""

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from bridge.config.schema import Reader
from drivers.codec import DriverInfo
from drivers.errors import OptionError


def check_line(
    info: DriverInfo, port: str, unit: str | None, nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    """Report keys of a board that do not fit its line, and a board that has a table already.

    *port* is empty where it is looked for.
    """
    if info.shared:
        _check_shared(info, port, unit, nodes, reader)
        return
    if unit is not None:
        what = f"a board of the driver {info.name} has a line of its own"
        reader.report(nodes["unit"], what, "delete 'unit'")
    if port:
        reader.claim("port", port, nodes["port"])


def _check_shared(
    info: DriverInfo, port: str, unit: str | None, nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    shared = f"boards of the driver {info.name} share a line"
    if "serial" in nodes:
        reader.report(nodes["serial"], shared, "write 'unit' instead of 'serial'")
    if not port:
        reader.report(nodes.get("port", nodes["driver"]), shared, "write its 'port'")
    if unit is None:
        reader.report(nodes["driver"], shared, "write the board's 'unit'")
    elif reason := _refused(info, unit):
        reader.report(nodes["unit"], f"'unit' is '{unit}'", reason)
    elif port:
        reader.claim(f"port {port} with unit", unit, nodes["unit"])


def _refused(info: DriverInfo, unit: str) -> str:
    """Return why no board of this driver can have this unit; empty if one can."""
    from drivers.catalogue import driver

    try:
        driver(info.name)(units=unit)
    except OptionError as error:
        return str(error)
    return ""


def check_lines(tables: Iterable[tuple[Any, yaml.Node]], reader: Reader) -> None:
    """Report tables whose boards share a line and would be spoken to in different ways."""
    first: dict[str, Any] = {}
    for table, node in tables:
        other = first.setdefault(table.board.port, table)
        shared = table.board.shares_its_line or other.board.shares_its_line
        if shared and _spoken(table) != _spoken(other):
            reader.report(
                node,
                f"tables {other.table} and {table.table} have one port, "
                "and different drivers or options",
                "write the same for all boards of a line",
            )


def _spoken(table: Any) -> tuple[str, Mapping[str, str]]:
    return table.board.driver, table.board.options
