"""The state of a table as bytes, and back: what is told after that is what would have been told.

It holds only for the very code that wrote it, which :func:`code_of` names. Nothing but the classes
and functions of the core comes out of such bytes, whoever has written them: none of those reads,
writes or starts anything.
"""

import functools
import hashlib
import importlib
import io
import pickle
import sys
from pathlib import Path
from typing import Any

import chess
import msgspec
from msgspec import NODEFAULT

import bridge.core
import drivers
from bridge.core.table import Table

_OURS = ("bridge.core.", "drivers.events")
_OTHERS = {
    ("builtins", "frozenset"),
    ("builtins", "set"),
    ("chess", "Board"),
    ("chess", "Move"),
    ("chess", "_BoardState"),
    ("collections", "Counter"),
    ("collections", "OrderedDict"),
    ("collections", "defaultdict"),
    ("collections", "deque"),
    ("functools", "partial"),
}


class FrozenError(Exception):
    """Bytes are no state of a table that this code has written."""


def code_of() -> str:
    """Return what tells this code from any other; empty where its sources cannot be read."""
    digest = hashlib.sha256()
    for name in (sys.version, chess.__version__, msgspec.__version__):
        digest.update(name.encode())
    files = [Path(__file__)]
    for package in (bridge.core, drivers):
        files += sorted(Path(package.__path__[0]).rglob("*.py"))
    try:
        for file in files:
            digest.update(file.read_bytes())
    except OSError:
        return ""
    return digest.hexdigest()


def freeze(table: Table) -> bytes | None:
    """Return the state of a table; none where it cannot be told in bytes, as rulings cannot."""
    try:
        return pickle.dumps(table, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError):
        return None


def thaw(state: bytes) -> Table:
    """Return the table that :func:`freeze` was given.

    Raises:
        FrozenError: it cannot be had of these bytes.
    """
    try:
        table = _Thawing(io.BytesIO(state)).load()
    except Exception as error:  # whatever is wrong with them
        raise FrozenError(str(error)) from error
    if not isinstance(table, Table):
        raise FrozenError(f"that is no table: {type(table)}")
    return table


class _Thawing(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return what a state may be made of."""
        if (module, name) == ("builtins", "getattr"):
            return _method
        if (module, name) == ("msgspec._utils", "rebuild"):
            return _rebuilt
        if (module, name) in _OTHERS:
            return getattr(importlib.import_module(module), name)
        if module.startswith(_OURS) and module in sys.modules:
            found = getattr(sys.modules[module], name, None)
            if getattr(found, "__module__", None) == module:
                return found
        raise FrozenError(f"a table has no {module}.{name}")


def _rebuilt(kind: type[msgspec.Struct], values: dict[str, Any]) -> msgspec.Struct:
    """Return a struct of the core; what is a default is the very object that JSON leaves out."""
    default = _defaults(kind).get
    said = {name: value for name, value in values.items() if value != default(name, NODEFAULT)}
    return kind(**said)


@functools.cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    found = {field.name: field.default for field in msgspec.structs.fields(kind)}
    return {name: value for name, value in found.items() if value is not NODEFAULT}


def _method(owner: object, name: str) -> Any:
    """Return a method of an object of the core."""
    kind = type(owner)
    if not kind.__module__.startswith(_OURS) or name.startswith("__"):
        raise FrozenError(f"a table has no {kind.__name__}.{name}")
    if not callable(getattr(kind, name, None)):
        raise FrozenError(f"{kind.__name__}.{name} is no method")
    return getattr(owner, name)
