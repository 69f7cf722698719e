"""What goes wrong, where and when: drawn at random, or read from a file.

A file is a list in YAML, times in seconds after the first move::

    - {at: 30, what: unplug, tables: [3], seconds: 5}
    - {at: 60, what: receiver, seconds: 3600}
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
import yaml

Kind = Literal[
    "unplug",
    "hub",
    "hang",
    "noise",
    "no clock",
    "other clock",
    "still clock",
    "silent clock",
    "exchange",
    "storm",
    "adapter",
    "bluetoothd",
    "receiver",
    "files",
    "outputs",
    "kill",
]
HIDING: tuple[Kind, ...] = ("unplug", "hub", "hang", "exchange", "storm", "adapter", "bluetoothd")
"""While these last, nobody knows what happens on the board."""

OF_THE_RADIO: tuple[Kind, ...] = ("storm", "adapter", "bluetoothd")
"""These concern all tables on the radio: links are lost one after another, the adapter hangs, the
Bluetooth service is killed."""

OF_THE_HALL: tuple[Kind, ...] = ("receiver", "files", "outputs")
"""These concern no table: the receiver of webhooks is down, the games cannot be written, neither
that nor anything else can be delivered."""

OF_ALL: tuple[Kind, ...] = ("kill",)
"""These concern everything: the daemon is killed, and started again by somebody."""

KILLED_FOR = (1.0, 10.0)
"""Seconds until there is another daemon."""

LONGEST = 0.125
CALM = 0.8
"""No fault lasts longer than such a part of the time, and none begins behind this one: who waits
longer and longer for a server comes back in time."""

REST = 30.0
"""Seconds for a table to be left alone after a fault."""

EXCHANGED = 2
HUB = 7
"""How many boards hang on one hub."""

_SHARES: dict[Kind, float] = {
    "unplug": 6,
    "hub": 1,
    "hang": 3,
    "noise": 4,
    "no clock": 2,
    "other clock": 1,
    "still clock": 1,
    "silent clock": 1,
    "exchange": 1,
    "storm": 0.7,
    "adapter": 0.7,
    "bluetoothd": 0.3,
    "receiver": 0.3,
    "files": 0.3,
    "outputs": 0.4,
}
_LASTS: dict[Kind, tuple[float, float]] = {
    "unplug": (0.5, 60.0),
    "hub": (1.0, 10.0),
    "hang": (3.0, 60.0),
    "noise": (10.0, 120.0),
    "no clock": (10.0, 300.0),
    "other clock": (0.0, 0.0),
    "still clock": (10.0, 300.0),
    "silent clock": (10.0, 300.0),
    "exchange": (5.0, 30.0),
    "storm": (10.0, 60.0),
    "adapter": (5.0, 90.0),
    "bluetoothd": (0.5, 30.0),
    "receiver": (30.0, 3600.0),
    "files": (10.0, 600.0),
    "outputs": (1800.0, 3600.0),
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


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The tables of a hall: those with cables from 1 on, then so many on the radio.

    ``exchangeable`` are those that know their boards by serial numbers.
    """

    cabled: int
    radio: int = 0
    exchangeable: Sequence[int] = ()

    @property
    def on_the_radio(self) -> tuple[int, ...]:
        """Tables whose boards are on the radio."""
        return tuple(range(self.cabled + 1, self.cabled + self.radio + 1))

    def places(self, fault: Fault) -> tuple[int, ...]:
        """Return the tables that a fault concerns; 0 stands for the hall as a whole."""
        if fault.what in OF_ALL:
            return tuple(range(1, self.cabled + self.radio + 1))
        if fault.what in OF_THE_RADIO:
            return self.on_the_radio
        return fault.tables or (0,)


def read(path: Path, tables: Tables) -> list[Fault]:
    """Return the plan in a file.

    Raises:
        PlanError: it is none for these tables.
    """
    try:
        faults = msgspec.convert(yaml.safe_load(path.read_text("utf-8")), list[Fault], strict=False)
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise PlanError(f"{path}: {error}") from error
    faults.sort(key=lambda fault: fault.at)
    free = defaultdict[int, float](float)
    for fault in faults:
        _check(fault, tables, f"{path}: {fault.what} at {fault.at:g}")
        places = tables.places(fault)
        if any(free[place] > fault.at for place in places):
            raise PlanError(f"{path}: {fault.what} at {fault.at:g}: another fault lasts until then")
        free.update(dict.fromkeys(places, fault.ends))
    return faults


def _check(fault: Fault, tables: Tables, where: str) -> None:
    if bool(fault.tables) == (fault.what in OF_THE_HALL + OF_THE_RADIO + OF_ALL):
        raise PlanError(f"{where}: which tables?")
    if fault.what in OF_THE_RADIO and not tables.radio:
        raise PlanError(f"{where}: no table is on the radio")
    last = tables.cabled + (tables.radio if fault.what == "unplug" else 0)
    if any(not 1 <= table <= last for table in fault.tables):
        raise PlanError(f"{where}: only tables 1 to {last} can have that")
    if fault.what == "exchange" and len(fault.tables) != EXCHANGED:
        raise PlanError(f"{where}: two boards are exchanged")


def drawn(tables: Tables, *, seconds: float, every: float, seed: int) -> list[Fault]:
    """Return a plan for so many seconds in which each table has a fault *every* so often."""
    rng = Random(seed)
    free = defaultdict[int, float](float)
    faults: list[Fault] = []
    shares = {
        kind: share for kind, share in _SHARES.items() if tables.radio or kind not in OF_THE_RADIO
    }
    at = 0.0
    while (at := at + rng.expovariate((tables.cabled + tables.radio) / every)) < CALM * seconds:
        what = rng.choices([*shares], [*shares.values()])[0]
        lasts = min(rng.uniform(*_LASTS[what]), LONGEST * seconds)
        fault = Fault(at=at, what=what, seconds=lasts, tables=_tables(what, tables, rng))
        places = tables.places(fault)
        if any(free[place] > at for place in places):
            continue
        faults.append(fault)
        free.update(dict.fromkeys(places, at + lasts + REST))
    return faults


def with_kills(faults: Sequence[Fault], number: int, *, seconds: float, seed: int) -> list[Fault]:
    """Return a plan with as many kills at random moments, and no other fault while they last.

    Outputs may be down meanwhile.
    """
    rng = Random(f"kills {seed}")
    kills: list[Fault] = []
    for at in sorted(rng.uniform(0.0, CALM * seconds) for _ in range(number)):
        after = kills[-1].ends + REST if kills else 0.0
        kills.append(Fault(at=max(at, after), what="kill", seconds=rng.uniform(*KILLED_FOR)))
    kept = [
        fault
        for fault in faults
        if fault.what in OF_THE_HALL
        or not any(kill.at < fault.ends + REST and fault.at < kill.ends + REST for kill in kills)
    ]
    return sorted([*kept, *kills], key=lambda fault: fault.at)


def _tables(what: Kind, tables: Tables, rng: Random) -> tuple[int, ...]:
    match what:
        case "hub":
            first = rng.randrange(0, tables.cabled, HUB) + 1
            return tuple(range(first, min(first + HUB, tables.cabled + 1)))
        case "exchange":
            return tuple(rng.sample(tables.exchangeable, EXCHANGED))
        case "unplug":
            return (rng.randint(1, tables.cabled + tables.radio),)
        case _ if what in OF_THE_HALL + OF_THE_RADIO:
            return ()
        case _:
            return (rng.randint(1, tables.cabled),)
