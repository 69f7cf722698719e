"""Changes a configuration's text: which boards tables have, and the round. The rest stays."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from bridge.config.loading import parse

_BOARD_KEYS = ("driver", "port", "serial", "unit")
"""What says which board it is; the other keys of a board are kept."""

Boards = Mapping[str, Mapping[str, str]]


def stanza(boards: Boards) -> str:
    """Return a configuration of these tables alone: table, then keys of its board."""
    lines = [f"  {line}" for table, board in boards.items() for line in _table(table, board)]
    return "\n".join(["tables:", *lines, ""])


def with_boards(text: str, boards: Boards, file: Path) -> str:
    """Return the configuration *text* in which these tables have these boards.

    Tables that are not there are added. Comments and everything else stay.

    Raises:
        ConfigError: it cannot be read, or would not be right afterwards.
    """
    root = _composed(text, file)
    edits = sorted(_edits(text, root, boards), reverse=True)
    for begin, end, new in edits:
        text = text[:begin] + new + text[end:]
    parse(text, file)
    return text


def with_nodes(text: str, nodes: Mapping[str, str], file: Path) -> str:
    """Return the configuration *text* in which these tables, which are there, are at these nodes.

    Raises:
        ConfigError: it cannot be read, or would not be right afterwards.
    """
    for table, node in nodes.items():
        root = _composed(text, file)
        tables = None if root is None else _value(root, "tables")
        items = tables.value if isinstance(tables, yaml.SequenceNode) else []
        item = next((item for item in items if _name(item) == table), None)
        if item is not None:
            begin, end, new = _setting(item, "node", json.dumps(node))
            text = text[:begin] + new + text[end:]
    parse(text, file)
    return text


def with_round(
    text: str, file: Path, *, group: str, round_: str, pairings: str | None = None
) -> str:
    """Return the configuration *text* in which a group, or the event where it is "", has a round.

    With *pairings*, those come from this file. Comments and everything else stay.

    Raises:
        ConfigError: it cannot be read, or would not be right afterwards.
    """
    for key, value in (("round", round_), ("pairings", pairings)):
        if value is not None:
            root, quoted = _composed(text, file), json.dumps(value, ensure_ascii=False)
            begin, end, new = _setting(_section(root, group), key, quoted)
            text = text[:begin] + new + text[end:]
    parse(text, file)
    return text


def _composed(text: str, file: Path) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        parse(text, file)  # says what is wrong, and where
        raise  # pragma: no cover - what cannot be composed cannot be parsed


def _setting(section: yaml.Node | None, key: str, value: str) -> "Edit":
    """Return what sets a key: in place of what it was, or at the beginning of its section.

    Where there is no section, it is that of the event.
    """
    if not isinstance(section, yaml.MappingNode):
        return 0, 0, f"event: {{{key}: {value}}}\n"
    old = _value(section, key)
    if old is not None:
        return int(old.start_mark.index), _end(old), value
    first = section.value[0][0].start_mark
    gap = ", " if section.flow_style else "\n" + " " * first.column
    return int(first.index), int(first.index), f"{key}: {value}{gap}"


def _section(root: yaml.Node | None, name: str) -> yaml.Node | None:
    """Return the section of a group, or of the event where the name is empty."""
    if root is None or not name:
        return root and _value(root, "event")
    groups = _value(root, "groups")
    items = groups.value if isinstance(groups, yaml.SequenceNode) else []
    named = (item for item in items if _is_called(item, "group", name))
    return next(named, None)


def _is_called(item: yaml.Node, key: str, name: str) -> bool:
    value = _value(item, key)
    return isinstance(value, yaml.ScalarNode) and value.value == name


Edit = tuple[int, int, str]


def _edits(text: str, root: yaml.Node | None, boards: Boards) -> Iterator[Edit]:
    tables = None if root is None else _value(root, "tables")
    if tables is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        yield len(text), len(text), gap + stanza(boards)
        return
    if not isinstance(tables, yaml.SequenceNode) or not tables.value:
        return  # what is wrong with it is said when the result is checked
    known = {_name(item): item for item in tables.value if isinstance(item, yaml.MappingNode)}
    for table, board in boards.items():
        if table in known:
            yield _give(text, known[table], board)
    missing = {table: board for table, board in boards.items() if table not in known}
    if missing:
        yield _add(text, tables, missing)


def _give(text: str, table: yaml.MappingNode, board: Mapping[str, str]) -> Edit:
    """Return what replaces or adds the board of a table that is there."""
    old = _value(table, "board")
    if old is not None:
        begin, end = old.start_mark.index, _end(old)
        entries = old.value if isinstance(old, yaml.MappingNode) else []
        kept = {key.value: _flow(value) for key, value in entries if key.value not in _BOARD_KEYS}
        new = _mapping({key: json.dumps(value) for key, value in board.items()} | kept)
        return begin, end, new if text[begin - 1].isspace() else f" {new}"
    name = _value(table, "table") or table
    if table.flow_style:
        return _end(name), _end(name), f", board: {_quoted(board)}"
    at = _line_end(text, name)
    return at, at, f"\n{' ' * table.start_mark.column}board: {_quoted(board)}"


def _add(text: str, tables: yaml.SequenceNode, boards: Boards) -> Edit:
    """Return what adds tables behind the last one."""
    if tables.flow_style:
        at = _end(tables.value[-1])
        items = (
            _mapping({"table": json.dumps(table), "board": _quoted(board)})
            for table, board in boards.items()
        )
        return at, at, "".join(f", {item}" for item in items)
    at = _line_end(text, tables)
    indent = " " * tables.start_mark.column
    lines = (indent + line for table, board in boards.items() for line in _table(table, board))
    return at, at, "".join(f"\n{line}" for line in lines)


def _table(table: str, board: Mapping[str, str]) -> list[str]:
    return [f"- table: {json.dumps(table)}", f"  board: {_quoted(board)}"]


def _quoted(board: Mapping[str, str]) -> str:
    return _mapping({key: json.dumps(value, ensure_ascii=False) for key, value in board.items()})


def _mapping(entries: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"


def _flow(node: yaml.Node) -> str:
    """Return a node in one line; texts in quotes, as every value of a configuration is text."""
    if isinstance(node, yaml.MappingNode):
        return _mapping({key.value: _flow(value) for key, value in node.value})
    if isinstance(node, yaml.SequenceNode):
        return "[" + ", ".join(map(_flow, node.value)) + "]"
    return json.dumps(node.value, ensure_ascii=False)


def _name(table: yaml.Node) -> str | None:
    name = _value(table, "table")
    return name.value if isinstance(name, yaml.ScalarNode) else None


def _value(node: yaml.Node, key: str) -> yaml.Node | None:
    """Return the value of a key of a mapping."""
    if not isinstance(node, yaml.MappingNode):
        return None
    found: Iterator[yaml.Node] = (value for name, value in node.value if name.value == key)
    return next(found, None)


def _end(node: yaml.Node) -> int:
    """Return where a node's text ends; a block's own mark stands before what comes after it."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(node, yaml.MappingNode) else last)


def _line_end(text: str, node: yaml.Node) -> int:
    """Return the end of the line on which a node ends, behind a comment."""
    found = text.find("\n", _end(node))
    return len(text) if found < 0 else found
