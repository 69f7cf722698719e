"""Engine output: the lines that the outside world would have been told, from facts."""

from collections.abc import Iterable
from typing import Any

import msgspec

from bridge.core.audience import is_silent
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    PositionAdopted,
    StartFound,
    StateExplained,
)


class OutputWriter:
    """Turns facts into engine output lines."""

    def __init__(self, *, provisional: bool = False, explain: bool = False) -> None:
        self._provisional = provisional
        self._explain = explain

    def lines(self, facts: Iterable[Fact]) -> list[str]:
        """Return the lines for *facts*, without line ends."""
        made = [self._line(fact) for fact in facts]
        return [msgspec.json.encode(line).decode() for line in made if line]

    def _line(self, fact: Fact) -> dict[str, Any] | None:
        t = round(fact.at, 6)
        match fact:
            case MoveSettled():
                line = {"t": t, "move": fact.uci, "ply": fact.ply, "san": fact.san}
                return self._because(line, fact, basis=fact.basis, seen=fact.because)
            case MoveProvisional() if self._provisional:
                return {"t": t, "provisional": fact.uci}
            case MovesCorrected():
                return {"t": t, "retract": fact.count, "reason": fact.reason}
            case AlertRaised() | AlertCleared() if is_silent(fact) and not self._explain:
                return None
            case AlertRaised():
                return self._because(_alert_line(t, fact), fact, text=fact.text)
            case AlertCleared():
                return {"t": t, "cleared": fact.code}
            case GameEnded(result="*") | PositionAdopted() | StartFound() | StateExplained():
                return {"t": t, "state": _state(fact)}
            case GameEnded():
                return {"t": t, "result": fact.result, "by": fact.by}
            case GameStarted() if fact.game > 1 or t > 0:
                return {"t": t, "new_game": True, "fen": fact.fen}
            case _:
                return None

    def _because(self, line: dict[str, Any], fact: Fact, **why: str) -> dict[str, Any]:
        if self._explain:
            line["because"] = {**why, "readings": fact.evidence}
        return line


def _state(fact: GameEnded | PositionAdopted | StartFound | StateExplained) -> str:
    match fact:
        case GameEnded():
            return f"the game ended without a result: {fact.by}"
        case PositionAdopted():
            return f"play goes on from {fact.fen} after ply {fact.ply}: {fact.reason}"
        case StartFound():
            return f"the game began from {fact.fen}, as is shown by now: the moves are the same"
        case StateExplained():
            return fact.text


def _alert_line(t: float, fact: AlertRaised) -> dict[str, Any]:
    line: dict[str, Any] = {
        "t": t,
        "alert": fact.code,
        "illegal": fact.illegal,
        "severity": fact.severity,
        "by": fact.by,
        "reason": fact.reason,
        "article": fact.article,
        "san_tried": fact.san_tried,
        "restore": fact.restore,
        "text": fact.text,
    }
    return {key: value for key, value in line.items() if value not in (None, "")}
