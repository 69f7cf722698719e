"""The group of set-ups."""

from typing import Any

import chess

from benchmarks.verdicts.cases import Answer, Case
from benchmarks.verdicts.rules import Rules
from bridge.core.laws.setups import Classified, classify
from drivers.cells import cells_of

_WINDOW_CLOSED = "A.5.1.2"
"""A case that rests on this article alone is set after the ten moves that it names."""
_CHESS960 = "II.2"


def _classified(case: Case) -> Classified:
    article = str(case.given["article"]["fide"])
    drawn = case.given.get("chess960") or article.startswith(_CHESS960)
    return classify(
        cells_of(chess.BaseBoard(case.given["placement"])),
        None if drawn else chess.Board(),
        claimable=article != _WINDOW_CLOSED,
    )


def _kind(case: Case, _: Rules) -> str:
    wrong = _classified(case).wrong
    return "" if wrong is None else ", ".join(wrong.kinds)


def _decision(case: Case, _: Rules) -> dict[str, Any]:
    castling = _classified(case).castling
    return {"castling_rights": castling if castling in ("KQkq", "-") else f"{castling} only"}


SETUP: dict[str, Answer] = {
    "setup": lambda case, _: _classified(case).setup,
    "kind": _kind,
    "decision": _decision,
}
