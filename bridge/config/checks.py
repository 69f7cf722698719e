"""What only the sections of a configuration together can tell to be wrong."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from bridge.config.devices import ANY_PORT
from bridge.config.lines import check_lines
from bridge.config.schema import Reader


def check_config(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    """Report tables that could take each other's board, and names of what is not there."""
    _check_boards(values, nodes, reader)
    check_lines(zip(values.get("tables", ()), _items(nodes), strict=False), reader)
    _check_groups(values, nodes, reader)
    _check_first(values, nodes, reader)
    _check_uploads(values, nodes, reader)
    _check_lichess(values, nodes, reader)


def _check_boards(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    """Two tables that would both take any board could swap their games unnoticed."""
    first: dict[str, str] = {}
    for table, node in zip(values.get("tables", ()), _items(nodes), strict=False):
        for driver, what, remedy in _any_of(table):
            other = first.setdefault(driver, table.table)
            if other != table.table:
                text = f"tables {other} and {table.table} would both take any {what}"
                reader.report(node, text, remedy)


def _any_of(table: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the drivers of which a table takes any device, with words for that."""
    clock = table.own_clock
    if table.board.port == ANY_PORT and table.board.serial is None:
        yield table.board.driver, "board", "give each its board's serial number or port"
    if clock is not None and clock.port == ANY_PORT:
        yield clock.driver, "clock", "give each its clock's port"


def _check_groups(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    """A table of a group that is not there would be played under other rules than meant."""
    if "groups" in nodes and "groups" not in values:
        return
    known = [group.group for group in values.get("groups", ())]
    for table, node in zip(values.get("tables", ()), _items(nodes), strict=False):
        if table.group is not None and table.group not in known:
            near = difflib.get_close_matches(table.group, known, n=1)
            reader.report(
                next(value for name, value in node.value if name.value == "group"),
                f"there is no group '{table.group}'",
                f"did you mean '{near[0]}'?"
                if near
                else f"add '- group: {table.group}' to 'groups'",
            )


def _check_first(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    livechess = values.get("livechess")
    if livechess is None or livechess.first is None or "tables" not in values:
        return
    if livechess.first not in [table.table for table in values["tables"]]:
        reader.report(
            next(value for name, value in nodes["livechess"].value if name.value == "first"),
            f"there is no table '{livechess.first}'",
            "name one of the tables",
        )


def _check_lichess(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    lichess = values.get("lichess")
    if lichess is not None and lichess.tournament is None and not lichess.rounds:
        reader.report(
            nodes["lichess"],
            "'lichess' names neither a tournament nor rounds",
            "write one of them; 'eboard-bridge lichess create' makes a tournament",
        )


def _check_uploads(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    if (
        any(upload.files == "cloud" for upload in values.get("uploads", ()))
        and "cloud" not in nodes
    ):
        reader.report(
            nodes["uploads"], "cloud files are to be copied, and none are written", "add 'cloud'"
        )


def _items(nodes: Mapping[str, yaml.Node]) -> list[yaml.Node]:
    return list(nodes["tables"].value) if "tables" in nodes else []
