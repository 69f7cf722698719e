"""The example configuration, written from the schema so that it cannot disagree with it."""

import dataclasses
import textwrap
from collections.abc import Iterator, Mapping

from bridge.config.schema import Either, Items, Kind, Section, Setting, settings_of
from bridge.config.settings import Config

_HEAD = """\
# Configuration of eboard-bridge: every key, what it means, and an example value.
# Only 'tables' with one '- table:' is required; delete what you do not need.
# Check it with: eboard-bridge check-config FILE
"""
_WIDTH = 96


def example() -> str:
    """Return the text of ``config/example.yaml``."""
    return "\n".join([_HEAD, *_section(Config, "", apart=True)])


def comment(setting: Setting) -> str:
    """Return what the example says about a key: its sentence, what to write, the default."""
    if _nested(setting) is not None and not setting.key.example:
        return setting.key.says
    return f"{setting.key.says} ({setting.key.kind.expects}{_default(setting.default)})"


def _default(default: object) -> str:
    if default is dataclasses.MISSING:
        return "; required"
    if default is None or default == "" or isinstance(default, (tuple, Mapping)):
        return ""
    if dataclasses.is_dataclass(default):
        return ""
    text = str(default).lower() if isinstance(default, bool) else str(default)
    return f"; default {text}"


def _section(cls: type, indent: str, *, apart: bool = False) -> Iterator[str]:
    for setting in settings_of(cls).values():
        yield from _setting(setting, indent)
        if apart:
            yield ""


def _setting(setting: Setting, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        comment(setting),
        _WIDTH,
        initial_indent=f"{indent}# ",
        subsequent_indent=f"{indent}# ",
        break_on_hyphens=False,
    )
    inner = _nested(setting)
    if setting.key.example or inner is None:
        mark = "# " if setting.key.alone else ""
        yield f"{indent}{mark}{setting.name}: {setting.key.example}"
        return
    yield f"{indent}{setting.name}:"
    if isinstance(setting.key.kind, Items):
        yield f"{indent}  -"
        yield from _section(inner, f"{indent}    ")
    else:
        yield from _section(inner, f"{indent}  ")


def _nested(setting: Setting) -> type | None:
    kind: Kind = setting.key.kind
    if isinstance(kind, Items):
        kind = kind.item
    if isinstance(kind, Either):
        kind = kind.section
    return kind.cls if isinstance(kind, Section) else None
