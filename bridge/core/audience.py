"""Who may be told what: the one gate that every output asks (alert catalogue, 1.2 and 5).

The arbiter sees everything. An operator sees play, what concerns equipment and set-up, and of
anything else only that a board needs the arbiter. Players and public see play, and of alerts what
the catalogue allows them, which is nothing: not what was suspected, not that a clock was not
pressed, not that a draw could be claimed.
"""

from typing import Literal

import msgspec

from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.model import (
    CALLS,
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    LinkChanged,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    SquaresMarked,
    StartFound,
    StateExplained,
    Visibility,
)

Audience = Literal["arbiter", "operator", "players", "public"]

_CLASSES: dict[Audience, frozenset[Visibility]] = {
    "arbiter": frozenset({"A", "O", "P", "X"}),
    "operator": frozenset({"O", "P", "X"}),
    "players": frozenset({"P", "X"}),
    "public": frozenset({"X"}),
}
_OF_PLAY = (
    ClockUpdated,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MoveSettled,
    MoveTimed,
    MovesCorrected,
    PositionAdopted,
    SetupCorrected,
    StartFound,
)
"""What anybody may see."""
_AT_THE_BOARD = (BoardChanged, LinkChanged, MoveProvisional, SquaresMarked, StateExplained)
"""What an operator may see beside play."""
_NEEDED = "ARBITER_NEEDED"


def for_audience(fact: Fact, audience: Audience) -> Fact | None:
    """Return what *audience* may see of *fact*, ``None`` if nothing."""
    if audience == "arbiter":
        return fact
    if isinstance(fact, _OF_PLAY):
        return _of_play_for(fact, audience)
    if isinstance(fact, AlertRaised):
        return _raised_for(fact, audience)
    if audience != "operator":
        return None
    if isinstance(fact, AlertCleared):
        return _cleared_for_operator(fact)
    return fact if isinstance(fact, _AT_THE_BOARD) else None


def is_silent(fact: Fact) -> bool:
    """Whether nobody may act on *fact*: it is kept for the arbiter, and never pops up."""
    if isinstance(fact, AlertRaised):
        return fact.severity == "silent"
    return isinstance(fact, AlertCleared) and CATALOGUE[fact.code].severity == "silent"


def _of_play_for(fact: Fact, audience: Audience) -> Fact:
    """Return what was played without what was seen of it: that may be a forgotten press."""
    if audience == "operator" or not isinstance(fact, MoveSettled) or not fact.because:
        return fact
    return msgspec.structs.replace(fact, because="")


def _raised_for(alert: AlertRaised, audience: Audience) -> AlertRaised | None:
    if alert.visibility in _CLASSES[audience]:
        return alert
    if audience != "operator" or alert.severity not in CALLS:
        return None
    return AlertRaised(
        table=alert.table,
        game=alert.game,
        at=alert.at,
        wall=alert.wall,
        evidence=alert.evidence,
        code=_NEEDED,
        severity="notice",
        text="the board needs the arbiter",
        visibility="O",
    )


def _cleared_for_operator(cleared: AlertCleared) -> AlertCleared | None:
    if cleared.code == _NEEDED:
        return cleared  # it has passed this gate before
    kind = CATALOGUE[cleared.code]
    if {kind.visibility, kind.before_start} & _CLASSES["operator"]:
        return cleared
    if kind.severity in CALLS:
        return msgspec.structs.replace(cleared, code=_NEEDED, text="", how="over")
    return None
