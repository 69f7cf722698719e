"""How a key of the configuration is described, read and checked.

A setting is a dataclass field whose metadata is made by :func:`key`: kind of value, one
sentence, example. Reading, the messages of ``check-config`` and ``config/example.yaml`` are all
derived from that. Values are read from YAML nodes, not from constructed objects: so every
message has a line and a column, ``round: 1.10`` stays ``1.10`` and a player may be called No.
"""

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import yaml

from bridge.config.problems import Problem

INVALID: Final = object()
"""Stands for a value that was reported as a problem."""

_KEY = "eboard-bridge key"
_SHORTEST_LOOK = 0.6
"""Similarity from which a known key is offered for an unknown one (difflib's default)."""


class Reader:
    """What reading a file has found so far.

    ``machine`` is the one of which is read now: ports are called the same on others.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.machine = ""
        self.problems: list[Problem] = []
        self._claimed: dict[tuple[str, object], int] = {}

    def report(self, node: yaml.Node, what: str, remedy: str) -> None:
        """Add a problem at the place of *node*."""
        mark = node.start_mark
        self.problems.append(
            Problem(
                file=self.file,
                line=mark.line + 1,
                column=mark.column + 1,
                what=what,
                remedy=remedy,
            )
        )

    def claim(self, label: str, value: object, node: yaml.Node) -> None:
        """Report *value* if an earlier key of that *label* has it too; a port, of that machine."""
        claimed = (label, (self.machine if label.startswith("port") else "", value))
        first = self._claimed.get(claimed)
        if first is None:
            self._claimed[claimed] = node.start_mark.line + 1
        else:
            self.report(node, f"{label} {value} is used on line {first} too", "change one of them")


class Kind(Protocol):
    """A kind of value: how it is described and how it is read."""

    @property
    def expects(self) -> str:
        """What to write, as words that can follow 'write'."""

    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return the value of key *name*, or report what is wrong and return ``INVALID``."""


@dataclass(frozen=True)
class Key:
    """The description of one setting.

    ``says`` is one sentence for the user. ``example`` is YAML for the example file; sections
    and lists of sections need none. No two keys with the same ``unique`` label may have the
    same value, unless it is the default. ``alone``: the example does not go together with those
    of the keys beside it, so it stands in the file as a comment.
    """

    kind: Kind
    says: str
    example: str = ""
    unique: str = ""
    alone: bool = False


def key(
    kind: Kind, says: str, *, example: str = "", unique: str = "", alone: bool = False
) -> dict[str, Key]:
    """Return the metadata of a dataclass field that is a setting."""
    return {_KEY: Key(kind, says, example, unique, alone)}


@dataclass(frozen=True)
class Setting:
    """A described field of a settings class; ``default`` is ``MISSING`` where it is required."""

    name: str
    key: Key
    default: object

    @property
    def required(self) -> bool:
        """Whether the file must have this key."""
        return self.default is dataclasses.MISSING


def settings_of(cls: type) -> dict[str, Setting]:
    """Return the settings of a dataclass by name, in the order they are declared."""
    return {
        field.name: Setting(field.name, field.metadata[_KEY], _default(field))
        for field in dataclasses.fields(cls)
    }


def _default(field: dataclasses.Field[Any]) -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


@dataclass(frozen=True)
class Scalar:
    """One value. ``convert`` raises ``ValueError`` with the reason, empty if it is obvious."""

    expects: str
    convert: Callable[[str], object]

    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return the converted text."""
        if not isinstance(node, yaml.ScalarNode):
            return _wrong_shape(node, name, reader, self.expects)
        if is_empty(node):
            return _wrong(node, f"'{name}' is empty", f"write {self.expects}, or delete it", reader)
        if not node.tag.startswith("tag:yaml.org,2002:"):
            return _wrong(node, f"'{name}' has the YAML type {node.tag}", "delete the type", reader)
        if not node.value.isprintable():
            return _wrong(
                node, f"'{name}' has a line break or control character", "write one line", reader
            )
        try:
            return self.convert(node.value.strip())
        except ValueError as error:
            reason = f": {error}" if str(error) else ""
            return _wrong(
                node, f"'{name}' is '{node.value}'{reason}", f"write {self.expects}", reader
            )


@dataclass(frozen=True)
class Section:
    """A mapping whose keys are the settings of ``cls``.

    ``check`` looks at what only several keys together can tell; it gets the valid values, the
    nodes of all keys and the reader to report to. ``machine`` is the key that names the machine of
    the whole section, if one does.
    """

    cls: type
    expects: str
    check: Callable[[Mapping[str, Any], Mapping[str, yaml.Node], Reader], None] | None = None
    machine: str = ""

    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return an instance of ``cls``, ``INVALID`` when a key it needs is."""
        if not isinstance(node, yaml.MappingNode):
            return _wrong_shape(node, name, reader, self.expects)
        settings = settings_of(self.cls)
        nodes = unique_keys(node, reader)
        for wrong in nodes.keys() - settings.keys():
            what, remedy = _unknown(wrong, name, list(settings))
            reader.report(key_node(node, wrong), what, remedy)
        if self.machine:
            named = nodes.get(self.machine)
            reader.machine = named.value if isinstance(named, yaml.ScalarNode) else ""
        values = self._values(settings, nodes, reader)
        for setting in settings.values():
            if setting.required and setting.name not in nodes:
                reader.report(
                    node, f"'{setting.name}' is missing", f"write {setting.key.kind.expects}"
                )
                values[setting.name] = INVALID
        valid = {name: value for name, value in values.items() if value is not INVALID}
        if self.check is not None:
            self.check(valid, nodes, reader)
        return self.cls(**valid) if len(valid) == len(values) else INVALID

    @staticmethod
    def _values(
        settings: dict[str, Setting], nodes: dict[str, yaml.Node], reader: Reader
    ) -> dict[str, Any]:
        values = {}
        for name in nodes.keys() & settings.keys():
            setting = settings[name]
            value = setting.key.kind.read(nodes[name], name, reader)
            if setting.key.unique and value is not INVALID and value != setting.default:
                reader.claim(setting.key.unique, value, nodes[name])
            values[name] = value
        return values


@dataclass(frozen=True)
class Either:
    """A short form, one scalar, or a long form, a mapping."""

    scalar: Scalar
    section: Section

    @property
    def expects(self) -> str:
        """Both forms."""
        return f"{self.scalar.expects} or {self.section.expects}"

    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return what the form that was used gives."""
        long = isinstance(node, yaml.MappingNode)
        return (self.section if long else self.scalar).read(node, name, reader)


@dataclass(frozen=True)
class Items:
    """A list of values of one kind, read to a tuple."""

    item: Kind
    expects: str

    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return the valid items; an invalid one is reported and makes the list ``INVALID``."""
        if not isinstance(node, yaml.SequenceNode):
            return _wrong_shape(node, name, reader, self.expects)
        if not node.value:
            return _wrong(node, f"'{name}' is an empty list", f"write {self.expects}", reader)
        items = tuple(self.item.read(item, name, reader) for item in node.value)
        return INVALID if INVALID in items else items


@dataclass(frozen=True)
class Named:
    """A mapping with names of the user's choice; ``refuse`` says why a name will not do."""

    value: Scalar
    expects: str
    refuse: Callable[[str], str]

    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return a dict of names and values."""
        if not isinstance(node, yaml.MappingNode):
            return _wrong_shape(node, name, reader, self.expects)
        values = {}
        for entry, value in unique_keys(node, reader).items():
            if reason := self.refuse(entry):
                reader.report(key_node(node, entry), f"'{entry}' in '{name}'", reason)
            values[entry] = self.value.read(value, entry, reader)
        return INVALID if INVALID in values.values() else values


def is_empty(node: yaml.Node) -> bool:
    """Whether nothing stands there, or YAML's ``~`` for nothing."""
    return (
        isinstance(node, yaml.ScalarNode)
        and node.tag == "tag:yaml.org,2002:null"
        and node.value in {"", "~"}
    )


def unique_keys(node: yaml.MappingNode, reader: Reader) -> dict[str, yaml.Node]:
    """Return the entries of a mapping by key; a key that comes twice or is no text is reported."""
    entries: dict[str, yaml.Node] = {}
    lines: dict[str, int] = {}
    for name, value in node.value:
        if not isinstance(name, yaml.ScalarNode):
            reader.report(name, "a key is a list or a mapping", "write a single word before ':'")
        elif name.value in entries:
            first = lines[name.value]
            reader.report(
                name, f"'{name.value}' is given twice, first on line {first}", "delete one of them"
            )
        else:
            entries[name.value] = value
            lines[name.value] = name.start_mark.line + 1
    return entries


def key_node(node: yaml.MappingNode, name: str) -> yaml.Node:
    """Return the node of a key that the mapping has."""
    found: yaml.Node = next(key for key, _ in node.value if key.value == name)
    return found


_MEANT = {"address": "port", "device": "port"}
"""Keys that other programs, and people, call otherwise."""


def _unknown(wrong: str, section: str, known: list[str]) -> tuple[str, str]:
    place = f" in '{section}'" if section else ""
    normal = wrong.lower().replace("-", "_").replace(" ", "_")
    near = difflib.get_close_matches(normal, known, n=1, cutoff=_SHORTEST_LOOK)
    near = near or [meant for meant in (_MEANT.get(normal),) if meant in known]
    remedy = f"did you mean '{near[0]}'?" if near else f"known keys: {', '.join(known)}"
    return f"unknown key '{wrong}'{place}", remedy


def _wrong(node: yaml.Node, what: str, remedy: str, reader: Reader) -> object:
    reader.report(node, what, remedy)
    return INVALID


def _wrong_shape(node: yaml.Node, name: str, reader: Reader, expects: str) -> object:
    if isinstance(node, yaml.ScalarNode):
        what = "empty" if is_empty(node) else f"'{node.value}'"
    else:
        what = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
    subject = f"'{name}'" if name else "the file"
    return _wrong(node, f"{subject} is {what}", f"write {expects}", reader)
