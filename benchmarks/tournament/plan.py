"""What goes wrong, where and when: drawn at random, or read from a file.

A file is a list in YAML, times in seconds after the first move::

    - {at: 30, what: unplug, tables: [3], seconds: 5}
    - {at: 60, what: receiver, seconds: 3600}
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
import yaml

Kind = Literal[
    "unplug", "hub", "hang", "noise", "no clock", "other clock", "exchange", "receiver", "files"
]
HIDING: tuple[Kind, ...] = ("unplug", "hub", "hang", "exchange")
"""While these last, nobody knows what happens on the board."""

OF_THE_HALL: tuple[Kind, ...] = ("receiver", "files")
"""These concern no table: the receiver of webhooks is down, the games cannot be written."""

LONGEST = 0.1
CALM = 0.8
"""No fault lasts longer than such a part of the time, and none begins behind this one: who waits
longer and longer for a server comes back in time."""

REST = 30.0
"""Seconds for a table to be left alone after a fault."""

HUB = 7
"""How many boards hang on one hub."""

_SHARES: dict[Kind, float] = {
    "unplug": 6,
    "hub": 1,
    "hang": 3,
    "noise": 4,
    "no clock": 2,
    "other clock": 1,
    "exchange": 1,
    "receiver": 0.5,
    "files": 0.5,
}
_LASTS: dict[Kind, tuple[float, float]] = {
    "unplug": (0.5, 60.0),
    "hub": (1.0, 10.0),
    "hang": (3.0, 60.0),
    "noise": (10.0, 120.0),
    "no clock": (10.0, 300.0),
    "other clock": (0.0, 0.0),
    "exchange": (5.0, 30.0),
    "receiver": (30.0, 3600.0),
    "files": (10.0, 600.0),
}


class Fault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that goes wrong ``at`` so many seconds and lasts ``seconds``."""

    at: float
    what: Kind
    seconds: float = 0.0
    tables: tuple[int, ...] = ()

    @property
    def ends(self) -> float:
        """When all is well again."""
        return self.at + self.seconds


class PlanError(Exception):
    """A plan that cannot be carried out; the message says why."""


def read(path: Path) -> list[Fault]:
    """Return the plan in a file.

    Raises:
        PlanError: it is none.
    """
    try:
        faults = msgspec.convert(yaml.safe_load(path.read_text("utf-8")), list[Fault], strict=False)
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise PlanError(f"{path}: {error}") from error
    faults.sort(key=lambda fault: fault.at)
    free = defaultdict[int, float](float)
    for fault in faults:
        if bool(fault.tables) == (fault.what in OF_THE_HALL):
            raise PlanError(f"{path}: {fault.what} at {fault.at:g}: which tables?")
        if any(free[table] > fault.at for table in fault.tables):
            raise PlanError(f"{path}: {fault.what} at {fault.at:g}: a table has another fault then")
        free.update(dict.fromkeys(fault.tables, fault.ends))
    return faults


def drawn(
    *, tables: int, seconds: float, every: float, exchangeable: Sequence[int], seed: int
) -> list[Fault]:
    """Return a plan for so many tables and seconds in which each has a fault *every* so often.

    ``exchangeable``: the tables that know their boards by serial numbers.
    """
    rng = Random(seed)
    free = defaultdict[int, float](float)
    faults: list[Fault] = []
    at = 0.0
    while (at := at + rng.expovariate(tables / every)) < CALM * seconds:
        what = rng.choices([*_SHARES], [*_SHARES.values()])[0]
        chosen = _tables(what, tables, exchangeable, rng)
        places = chosen or (_number(what),)
        if any(free[place] > at for place in places):
            continue
        lasts = min(rng.uniform(*_LASTS[what]), LONGEST * seconds)
        faults.append(Fault(at=at, what=what, seconds=lasts, tables=chosen))
        free.update(dict.fromkeys(places, at + lasts + REST))
    return faults


def _number(what: Kind) -> int:
    """Return what stands for the hall in place of a table, so that its faults do not overlap."""
    return -1 - OF_THE_HALL.index(what)


def _tables(what: Kind, tables: int, exchangeable: Sequence[int], rng: Random) -> tuple[int, ...]:
    match what:
        case "receiver" | "files":
            return ()
        case "hub":
            first = rng.randrange(0, tables, HUB) + 1
            return tuple(range(first, min(first + HUB, tables + 1)))
        case "exchange":
            return tuple(rng.sample(exchangeable, 2))
        case _:
            return (rng.randint(1, tables),)
