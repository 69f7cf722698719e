"""Search for a helpmate: legal moves of both sides that end in mate."""

import heapq
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import NamedTuple

import chess

from bridge.core.laws.repetition import identity
from bridge.core.laws.winnability.aims import Aim, Wanted, mate_aim, steps
from bridge.core.laws.winnability.budget import Budget
from bridge.core.laws.winnability.material import cannot_by_material
from bridge.core.laws.winnability.mates import Scene, mates
from bridge.core.laws.winnability.routes import FAR

Line = tuple[chess.Move, ...]

MATES = 4
MATES_AMONG_MANY = 2
MANY = 9
"""How many mates are aimed at in one position, by whether it has so many men."""
STEPS = 3
"""How many captures or promotions are tried where no mate was found."""
POSITIONS_OF_AIM = 40
POSITIONS_AMONG_MANY = 20
"""How many positions are looked at for one aim, by the same."""
SCENE = 20
MATE_IN_ONE = 5
"""How many positions cost as much as looking for the aims of one, and for a move that mates."""
OF_A_MAN = 2
SPARE = 6
SPARE_OF_MATED = 4
"""How many moves are looked at of a man that is not wanted, of all those of each side."""


class _Node(NamedTuple):
    """A position on the way to an aim."""

    board: chess.Board
    line: Line
    men: tuple[Wanted, ...]


def helpmate(board: chess.Board, side: chess.Color, budget: Budget, line: Line = ()) -> Line | None:
    """Return a legal line after which *side* has mated, *line* before it, or ``None``.

    Where no mate can be aimed at, a capture or promotion is played first.
    """
    budget.spend(SCENE)
    scene = Scene(board, side, budget)
    for mate in islice(mates(scene), MATES_AMONG_MANY if _many(board) else MATES):
        node = _towards(scene, mate_aim(scene, mate))
        if node is not None:
            return line + node.line
    for aim in islice(steps(scene), STEPS):
        if budget.left <= 0:
            break
        node = _towards(scene, aim)
        if node is not None and cannot_by_material(node.board, side) is None:
            found = helpmate(node.board, side, budget, line + node.line)
            if found is not None:
                return found
    return None


def _many(board: chess.Board) -> bool:
    return chess.popcount(board.occupied) >= MANY


def _towards(scene: Scene, aim: Aim) -> _Node | None:
    """Return where *aim* is reached, or ``None`` where it was not found."""
    start = _Node(scene.board, (), aim.men)
    waiting: list[tuple[int, int, int, _Node, chess.Move | None]] = [(0, 0, 0, start, None)]
    seen: set[Hashable] = set()
    count = 0
    most = POSITIONS_AMONG_MANY if _many(scene.board) else POSITIONS_OF_AIM
    while waiting and len(seen) < most and scene.budget.spend():
        *_, parent, move = heapq.heappop(waiting)
        node = parent if move is None else _after(parent, move)
        key = identity(node.board)
        if key in seen:
            continue
        seen.add(key)
        found = _finish(scene, node, aim)
        if found is not None:
            return found
        for plies, child in _children(node, aim):
            count += 1
            heapq.heappush(waiting, (len(node.line) + 2 * plies, plies, count, node, child))
    return None


def _after(parent: _Node, move: chess.Move) -> _Node:
    board = parent.board.copy(stack=False)
    board.push(move)
    return _Node(board, (*parent.line, move), tuple(man.after(move) for man in parent.men))


def _finish(scene: Scene, node: _Node, aim: Aim) -> _Node | None:
    """Return the node at which the aim is reached: *node*, or that after the mating move."""
    board = node.board
    if aim.kind == "step":
        return node if not aim.moves(node.men)[0] and any(board.legal_moves) else None
    if board.turn != aim.side:
        return node if board.is_checkmate() else None
    if aim.moves(node.men) != (1, 0):
        return None
    scene.budget.spend(MATE_IN_ONE)
    line = mate_in_one(board)
    return None if line is None else _Node(board, node.line + line, node.men)


def mate_in_one(board: chess.Board) -> Line | None:
    """Return the move that mates on *board*, or ``None``."""
    for move in board.legal_moves:
        if board.gives_check(move):
            board.push(move)
            mated = board.is_checkmate()
            board.pop()
            if mated:
                return (move,)
    return None


def _children(node: _Node, aim: Aim) -> Iterator[tuple[int, chess.Move]]:
    """Yield moves and how many plies are needed after each: all of the men that are wanted."""
    board = node.board
    needed = aim.moves(node.men)
    taken = [man.square for man in node.men]
    wanted = chess.SquareSet(taken).mask
    closed = aim.kind == "mate" or board.turn != aim.side
    for move in board.generate_legal_moves(wanted):
        if move.promotion not in (None, aim.becomes) or (closed and move.to_square in taken):
            continue
        moves = aim.moves_after(node.men, needed, move)
        if max(moves) < FAR:
            yield aim.plies(not board.turn, moves), move
    if max(needed) < FAR:
        plies = aim.plies(not board.turn, needed)
        spare = SPARE if board.turn == aim.side else SPARE_OF_MATED
        for move in islice(_spare_moves(board, ~wanted, taken), spare):
            yield plies, move


def _spare_moves(
    board: chess.Board, men: chess.Bitboard, taken: list[chess.Square]
) -> Iterator[chess.Move]:
    """Yield a few moves of each man that is not wanted anywhere, to wait or to make way."""
    count = [0] * 64
    for move in board.generate_legal_moves(men & chess.BB_ALL):
        if move.to_square in taken or move.promotion not in (None, chess.QUEEN):
            continue
        count[move.from_square] += 1
        if count[move.from_square] <= OF_A_MAN:
            yield move
