"""What engine output lines say in the end: games, moves, results and alerts."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from bridge.core.stream import OutputWriter, infer

ROUNDING = 5e-6
"""Times of the output are rounded to microseconds."""


@dataclass
class GameTold:
    """One game as it was told; ``moves`` in UCI, without those that were withdrawn."""

    moves: list[str] = field(default_factory=list)
    result: str = "*"
    by: str = ""


@dataclass
class Outcome:
    """All games of a stream, and what was said beside the moves."""

    games: list[GameTold] = field(default_factory=lambda: [GameTold()])
    alerts: list[dict[str, Any]] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    retracted: int = 0

    @property
    def illegal(self) -> list[str]:
        """Codes of the completed illegal moves."""
        return [alert["alert"] for alert in self.alerts if alert["illegal"]]

    @property
    def codes(self) -> set[str]:
        """Codes of all other alerts."""
        return {alert["alert"] for alert in self.alerts if not alert["illegal"]}

    @property
    def warnings(self) -> set[str]:
        """Those of them that call the arbiter to the board."""
        return {
            alert["alert"]
            for alert in self.alerts
            if not alert["illegal"] and alert["severity"] in ("warning", "critical")
        }


def engine_lines(stream: Iterable[str]) -> list[str]:
    """Return the engine output for the lines of a board stream."""
    return list(infer(stream, name="stream", writer=OutputWriter()))


def outcome(lines: Iterable[str]) -> Outcome:
    """Read engine output lines."""
    told = Outcome()
    for line in lines:
        _take(told, json.loads(line))
    return told


def _take(told: Outcome, line: dict[str, Any]) -> None:
    game = told.games[-1]
    match line:
        case {"new_game": True}:
            if game.moves or game.result != "*":
                told.games.append(GameTold())
        case {"move": uci, "ply": ply}:
            game.moves.append(uci)
            assert ply == len(game.moves), line
        case {"retract": count}:
            assert count <= len(game.moves), line
            del game.moves[-count:]
            told.retracted += count
        case {"result": result, "by": by}:
            assert game.by == "", line
            game.result, game.by = result, by
        case {"alert": _}:
            told.alerts.append(line)
        case {"cleared": code}:
            told.cleared.append(code)
        case {"state": text}:
            told.states.append(text)


def is_shifted(now: Iterable[str], later: Iterable[str], shift: float) -> bool:
    """Whether *later* says the same as *now*, but for *shift* seconds.

    A game that begins with the stream is said only where that is not at the time 0.
    """
    first = [json.loads(line) for line in now]
    read = (json.loads(line) for line in later)
    second = [line for line in read if not ("new_game" in line and line["t"] == shift)]
    return len(first) == len(second) and all(
        {**one, "t": 0} == {**other, "t": 0} and abs(one["t"] + shift - other["t"]) < ROUNDING
        for one, other in zip(first, second, strict=True)
    )


def as_text(stream: Iterable[str], lines: Iterable[str]) -> str:
    """Return a stream and its output, in the order of time, for whom a test failed."""
    entries = [(json.loads(line)["t"], 0, line) for line in stream]
    entries += [(json.loads(line)["t"], 1, f"    ---> {line}") for line in lines]
    return "\n".join(text for _, _, text in sorted(entries, key=lambda entry: entry[:2]))
