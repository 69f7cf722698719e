"""What an arbiter may want to order about an alert: offered, never done by itself."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from bridge.core.model import (
    AcceptAlert,
    AlertRaised,
    Colour,
    ConfirmOffence,
    DismissAlert,
    LetStand,
    NotePresence,
    Order,
    RestorePosition,
    Result,
    SetResult,
)
from bridge.core.scoresheet.record import GameRecord

_WINS: dict[Colour, Result] = {"white": "1-0", "black": "0-1"}
_OTHER: dict[Colour, Colour] = {"white": "black", "black": "white"}


class Measure(NamedTuple):
    """An order in words, for a button."""

    text: str
    order: Order


def measures(alert: AlertRaised, record: GameRecord | None) -> list[Measure]:
    """Return what may be ordered about *alert*; *record* is the game that it is about."""
    found: list[Measure] = []
    if alert.illegal and record is not None:
        found += _illegal(alert, record)
    elif alert.code in _BY_CODE:
        found += _BY_CODE[alert.code](alert)
    found.append(Measure("dealt with", AcceptAlert(code=alert.code)))
    found.append(Measure("raised for nothing", DismissAlert(code=alert.code)))
    return found


def _illegal(alert: AlertRaised, record: GameRecord) -> Iterator[Measure]:
    if alert.by is not None:
        offence = ConfirmOffence(colour=alert.by, ply=len(record.plies))
        yield Measure(f"count an illegal move of {alert.by}", offence)
    ply = _ply_of(alert.restore, record)
    if ply is not None:
        wanted = f"position after {record.plies[ply - 1].numbered}" if ply else "start position"
        yield Measure(f"go back to the {wanted}", RestorePosition(ply=ply))
    yield Measure("let it stand and play on", LetStand())


def _ply_of(fen: str | None, record: GameRecord) -> int | None:
    """Return after which ply the position of *fen* stood, the last one if it did more often."""
    if fen is None:
        return None
    wanted = fen.split()[:4]
    plies = range(len(record.plies), -1, -1)
    return next((ply for ply in plies if record.position(ply).split()[:4] == wanted), None)


def _flag(alert: AlertRaised) -> Iterator[Measure]:
    if alert.by is not None:
        wins = SetResult(result=_WINS[_OTHER[alert.by]], because="flag")
        yield Measure(f"{_OTHER[alert.by]} wins on time", wins)
    yield Measure("draw", SetResult(result="1/2-1/2", because="flag"))


def _draw(_: AlertRaised) -> Iterator[Measure]:
    yield Measure("draw", SetResult(result="1/2-1/2"))


def _dead(_: AlertRaised) -> Iterator[Measure]:
    yield Measure("draw", SetResult(result="1/2-1/2", because="dead"))


def _claim(_: AlertRaised) -> Iterator[Measure]:
    yield Measure("draw by claim", SetResult(result="1/2-1/2", because="claim"))


def _late(alert: AlertRaised) -> Iterator[Measure]:
    if alert.by is not None:
        yield Measure(f"{alert.by} is there", NotePresence(colour=alert.by))
        absent = NotePresence(colour=alert.by, present=False)
        yield Measure(f"{alert.by} is not there", absent)


_BY_CODE: dict[str, Callable[[AlertRaised], Iterator[Measure]]] = {
    "FLAG_FALL": _flag,
    "BOTH_FLAGS": _flag,
    "FIVEFOLD": _draw,
    "SEVENTY_FIVE": _draw,
    "RESIGNATION_DRAWN": _draw,
    "DEAD_POSITION": _dead,
    "DRAW_CLAIM_CHECK": _claim,
    "LATE_ARRIVAL": _late,
}
