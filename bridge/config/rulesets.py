"""The rule sets that are shipped, and what an event overrides of them.

A shipped file gives each parameter as ``{value: ..., article: ...}`` and may build on another set
by ``based_on``. An event's overrides are ``parameter: value``. Both are read with the checks of
the configuration: every mistake with its place, all at once, with the nearest known key.
"""

import dataclasses
import difflib
import functools
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import msgspec

from bridge.config.composing import read
from bridge.config.schema import Scalar, Section, key
from bridge.core.laws.articles import Book
from bridge.core.laws.rulesets import EVENT_REGULATIONS, PARAMETERS, Parameter, Rate, RuleSet

NO_RULE = "none"
"""How a rule that does not exist is written."""


class UnknownRuleSetError(Exception):
    """No rule set has this name; the message lists those there are."""


# --- kinds of values ----------------------------------------------------------------------------


def _kind(parameter: Parameter) -> Scalar:
    if parameter.choices:
        return _word(parameter.choices)
    expects = f"a whole number from {parameter.low} to {parameter.high}"
    if parameter.optional:
        expects += f" or {NO_RULE}"

    def convert(text: str) -> int | None:
        if parameter.optional and text == NO_RULE:
            return None
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise ValueError
        number = int(text)
        if not parameter.low <= number <= parameter.high:
            raise ValueError
        return number

    return Scalar(expects, convert)


def _word(choices: tuple[str, ...]) -> Scalar:
    def convert(text: str) -> str:
        if text in choices:
            return text
        near = difflib.get_close_matches(text.lower(), choices, n=1)
        raise ValueError(f"did you mean '{near[0]}'?" if near else "")

    return Scalar(" or ".join(choices), convert)


def _yes(text: str) -> bool:
    if text != "yes":
        raise ValueError
    return True


_TEXT = Scalar("a text", str)
_YES = Scalar("yes, or nothing", _yes)


@dataclass(frozen=True)
class _Head:
    title: str = dataclasses.field(metadata=key(_TEXT, "Title of the rule set."))
    book: Book = dataclasses.field(
        default="fide", metadata=key(_word(get_args(Book)), "Book its articles are cited from.")
    )
    rate: Rate | None = dataclasses.field(
        default=None, metadata=key(_word(get_args(Rate)), "Rate of play.")
    )
    home: bool = dataclasses.field(
        default=False, metadata=key(_YES, "Whether it is for games at home alone.")
    )
    based_on: str | None = dataclasses.field(
        default=None, metadata=key(_TEXT, "Rule set this one only differs from.")
    )


_OWN = ("title", "rate", "book", "home")
"""What a rule set never takes from the one it builds on."""


def _sourced(parameter: Parameter) -> Section:
    value = dataclasses.field(metadata=key(_kind(parameter), parameter.sentence))
    article = dataclasses.field(metadata=key(_TEXT, "Where it stands."))
    cls = dataclasses.make_dataclass(
        f"Sourced_{parameter.name}", [("value", Any, value), ("article", str, article)]
    )
    return Section(cls, "a value and its article, as in {value: 2, article: 7.5.5}")


def _any_of_them(name: str, kind: Any, bases: tuple[type, ...] = ()) -> type:
    """Return a settings class that may have each parameter; one not given is ``UNSET``."""
    fields = [
        (p.name, Any, dataclasses.field(default=msgspec.UNSET, metadata=key(kind(p), p.sentence)))
        for p in PARAMETERS
    ]
    return dataclasses.make_dataclass(name, fields, bases=bases, frozen=True)


_SHIPPED = Section(_any_of_them("Shipped", _sourced, (_Head,)), "a title and parameters")
OVERRIDES = Section(
    _any_of_them("Overrides", _kind), "parameters of the rule set, as in 'default_minutes: 30'"
)
"""A mapping of parameters as an event may write it in its configuration."""


# --- reading ------------------------------------------------------------------------------------


def names() -> tuple[str, ...]:
    """Return the names of the shipped rule sets."""
    files = (Path(file.name) for file in _folder().iterdir())
    return tuple(sorted(file.stem for file in files if file.suffix == ".yaml"))


@functools.cache
def rule_set(name: str) -> RuleSet:
    """Return a shipped rule set.

    Raises:
        UnknownRuleSetError: there is none of this name.
    """
    if name not in names():
        raise UnknownRuleSetError(f"no rule set {name!r}; there are {', '.join(names())}")
    shipped = _shipped(name)
    given = _given(shipped)
    values = {parameter: sourced.value for parameter, sourced in given.items()}
    articles = {parameter: sourced.article for parameter, sourced in given.items()}
    own = {"name": name} | {part: getattr(shipped, part) for part in _OWN}
    if shipped.based_on is None:
        return RuleSet(**own, **values, articles=articles)
    base = rule_set(shipped.based_on)
    return msgspec.structs.replace(base, **own, **values, articles=base.articles | articles)


def overridden(base: RuleSet, overrides: object) -> RuleSet:
    """Return *base* with what :data:`OVERRIDES` has read; the event is the article of that."""
    values = _given(overrides)
    articles = base.articles | dict.fromkeys(values, EVENT_REGULATIONS)
    return msgspec.structs.replace(base, **values, articles=articles)


def with_overrides(base: RuleSet, text: str, file: Path) -> RuleSet:
    """Return *base* with the parameters that the YAML *text* sets; *file* names it in messages.

    Raises:
        ConfigError: with all problems of the text at once.
    """
    return overridden(base, read(text, OVERRIDES, file))


def _folder() -> resources.abc.Traversable:
    return resources.files("bridge.config") / "laws"


def _shipped(name: str) -> Any:
    file = f"{name}.yaml"
    return read((_folder() / file).read_text(encoding="utf-8"), _SHIPPED, Path(file))


def _given(settings: object) -> dict[str, Any]:
    values = ((p.name, getattr(settings, p.name)) for p in PARAMETERS)
    return {name: value for name, value in values if value is not msgspec.UNSET}
