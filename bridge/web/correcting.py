"""What a correction of the moves would make of a game, looked at before it is ordered."""

from collections.abc import Iterable
from typing import Any

import chess
from aiohttp import web

from bridge.core.model import CorrectMoves
from bridge.core.table.rulings.bench import RefusedError
from bridge.core.table.rulings.corrected import Corrected, breaks, corrected
from bridge.core.table.rulings.line import Line, Step, line_of
from bridge.outputs.feed import Feed
from bridge.web.entrance import Entrance
from bridge.web.games import Move
from bridge.web.messages import answer
from bridge.web.records import GAME, record_of

MOST_MOVES = 1000
LONGEST_MOVE = 10
_LARGEST = 6
"""Digits of a number of plies."""


class Correcting:
    """Answers arbiters who try a correction; nothing is changed by that.

    Args:
        entrance: knows who asks.
        feed: has the games.
    """

    def __init__(self, entrance: Entrance, feed: Feed) -> None:
        self._entrance = entrance
        self._feed = feed

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [web.get(f"{GAME}/correction", self._try)]

    async def _try(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, "arbiter")
        line, order = line_of(record_of(request, self._feed)), _asked(request)
        try:
            done = corrected(line, order)
        except RefusedError as error:
            return answer({"error": str(error)}, status=409)
        return answer(_described(line, order, done))


def _asked(request: web.Request) -> CorrectMoves:
    """Return the order that is tried."""
    query = request.query
    moves = tuple(query.get("moves", "").split())
    rest = query.get("rest", "keep")
    if len(moves) > MOST_MOVES or any(len(move) > LONGEST_MOVE for move in moves):
        raise web.HTTPBadRequest(text="these are no moves of a game")
    if rest not in ("keep", "drop"):
        raise web.HTTPBadRequest(text="'rest' is 'keep' or 'drop'")
    return CorrectMoves(
        first=_number(query.get("first", "1")),
        count=_number(query.get("count", "0")),
        moves=moves,
        rest="keep" if rest == "keep" else "drop",
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _LARGEST):
        raise web.HTTPBadRequest(text="'first' and 'count' are numbers of plies")
    return int(text)


def _described(line: Line, order: CorrectMoves, done: Corrected) -> dict[str, Any]:
    board = line.after((*done.before, *done.moves))
    ply = None if done.broken is None else {"ply": breaks(order, done), "san": done.broken.san}
    return {
        "plies": _moves(done.steps),
        "moves": [step.san for step in done.moves],
        "fen": board.fen(),
        "destinations": _destinations(board),
        "breaks": ply,
    }


def _moves(steps: Iterable[Step]) -> list[Move]:
    """Return *steps* as the moves of a game, each with the position that follows it."""
    moves: list[Move] = []
    for step in steps:
        if step.move is not None:
            moves.append(Move(uci=step.move.uci(), san=step.san, fen=step.fen))
        elif moves:
            last = moves.pop()
            moves.append(Move(uci=last.uci, san=last.san, fen=step.fen))
    return moves


def _destinations(board: chess.Board) -> dict[str, list[str]]:
    """Return by square to which others its man may move."""
    found: dict[str, dict[str, None]] = {}
    for move in board.legal_moves:
        targets = found.setdefault(chess.square_name(move.from_square), {})
        targets[chess.square_name(move.to_square)] = None
    return {origin: list(targets) for origin, targets in found.items()}
