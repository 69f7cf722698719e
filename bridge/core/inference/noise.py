"""Legal moves behind squares that show something wrong.

A man may be lifted to be adjusted, knocked over, misread, or stand on a dead square while a move
is made elsewhere. Such squares are explained, not a wall: each costs something to believe, and
the move whose explanation costs least is taken if nothing cheaper explains the board.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import chess

from bridge.core.inference.ahead import came_first
from bridge.core.inference.hypotheses import PROMOTION, TOGETHER, Node, Stage, unseen_capture
from bridge.core.inference.placement import BIT, EMPTY, changes_of, occupied, shown_by
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight

AWAY = 2.5
"""A man that should stand somewhere is not seen."""
KING_AWAY = 6.0
"""Kings are seldom knocked over: the hand is castling, or showing the result."""
CASTLES = 4.0
"""A rook is away with which the king may castle: beside his step that is no accident."""
DEAD = 0.5
"""A square that was found to see nothing sees nothing."""
MISREAD = 4.0
"""A man is seen as another one."""
GHOST = 5.0
"""A man is seen where none should be."""
DISPLACED = 4.5
"""A man was knocked over and put back on the next square, ..."""
KING_DISPLACED = 7.0
"""... as kings are seldom, ..."""
TAKEN_UP = 5.7
"""... or left it before anybody moved who might knock it over, ..."""
SET_ASIDE = 6.5
"""... or farther off, as hardly anything but a move brings it there, ..."""
MOVED_TOO = 7.1
"""... above all if it is its player's who has just moved, and left when that man had come."""
PUSHED = 1.25
"""So many scans may pass between the squares that a man leaves and comes to who is pushed."""
NOT_LEFT = 6.0
"""The square that the man should have left still shows it."""
NOT_THERE = 4.0
"""The man is not seen on the square to which it went."""
OUGHT_TO_SHOW = 9.0
"""What a careless player leaves undone: a pawn not replaced, one not removed en passant."""
TOO_MUCH = 9.0
"""Explanations that cost more are not worth naming."""
MOST_WRONG_BESIDE = 6
"""A board that differs in more squares than this beside the move is not explained by noise."""


class Noisy(NamedTuple):
    """A move, the squares that must be wrong for it, and what that costs."""

    node: Node
    move: chess.Move
    wrong: int
    cost: float


def noisy_moves(stage: Stage, sight: Sight, beside: int = 0) -> list[Noisy]:
    """Return the legal moves from *stage* that the board may show, the cheapest first.

    What squares of *beside* show matters only where the move itself changes them.
    """
    found = []
    for node in stage.nodes:
        shown = node.position.shown
        mask = sight.differs(shown)
        if mask.bit_count() > MOST_WRONG_BESIDE + 4:
            continue
        for move in _moves_touching(node.position.board, mask):
            if _is_somebody_else(node.position, move, mask, sight):
                continue
            noisy = _noisy(node, move, mask, sight, beside)
            if noisy is not None and _is_hidden(noisy, sight, stage.since):
                if _came_to_stand_elsewhere(noisy, sight):
                    continue
                noisy = noisy._replace(cost=noisy.cost + unseen_capture(node.position, move))
            if noisy is not None and noisy.cost <= TOO_MUCH:
                found.append(noisy)
    return sorted(found, key=lambda noisy: noisy.cost)


def _moves_touching(board: chess.Board, mask: int) -> Iterator[chess.Move]:
    """Yield the legal moves from and to squares of *mask*, castling and en passant in any case.

    Both change squares on which they neither begin nor end.
    """
    origins = mask | board.kings & board.occupied_co[board.turn]
    yield from board.generate_legal_moves(origins)
    targets = mask if board.ep_square is None else mask | BIT[board.ep_square]
    yield from board.generate_legal_moves(~origins & chess.BB_ALL, targets)


def _noisy(node: Node, move: chess.Move, mask: int, sight: Sight, beside: int) -> Noisy | None:
    """Return what must be wrong if *move* was made; None if it is not worth thinking of."""
    position = node.position
    changes = changes_of(position.board, move)
    cost, wrong, touched = node.cost + PROMOTION[move.promotion] / 4, 0, 0
    rest = mask
    for square, letter in changes:
        bit = BIT[square]
        rest &= ~bit
        if sight.excused & bit:
            continue
        there = sight.shown[square]
        if there == shown_by(letter, position.sensing):
            touched |= mask & bit
            continue
        wrong |= bit
        cost += (
            DEAD
            if sight.dead & bit and there == EMPTY
            else _undone(position.board, move, square, there, letter)
        )
    if not touched or cost > TOO_MUCH:
        return None
    if not _is_seen(position, move, wrong, sight) and _is_seen_elsewhere(
        position, move, rest, sight
    ):
        return None
    if wrong & BIT[move.to_square] and _is_another(position, move.to_square, rest, sight):
        return None
    if wrong & BIT[move.from_square] and _comes_from_elsewhere(position, move, rest, sight):
        return None
    rest &= ~beside
    wrong |= rest
    cost += _cost_beside(rest, position, sight, move)
    if _castles_rather(position.board, move, rest, sight):
        cost += CASTLES
    return Noisy(node, move, wrong, cost)


def _is_seen(position: Position, move: chess.Move, wrong: int, sight: Sight) -> bool:
    """Whether the man of *move* is shown where it leads; squares of *wrong* do not show him.

    One with a name is not, where a square that is not believed goes on showing somebody else.
    """
    target, there = move.to_square, sight.shown[move.to_square]
    if there == EMPTY or wrong & BIT[target]:
        return False
    if position.sensing != "identity" or not sight.excused & BIT[target]:
        return True
    return move.promotion is not None or there == position.cells[move.from_square]


def _castles_rather(board: chess.Board, move: chess.Move, rest: int, sight: Sight) -> bool:
    """Whether *move* is half of castling: the other half is shown too.

    The king steps towards a rook who is not seen; or the rook goes, and the king is shown where he
    castles to, though perhaps also where he came from.
    """
    if board.is_castling(move):
        return False
    if board.kings & BIT[move.from_square]:
        return goes_towards(move, rest & board.castling_rights & ~occupied(sight.shown))
    return _shows_castled_king(board, move.from_square, sight.shown)


def _shows_castled_king(board: chess.Board, rook: chess.Square, shown: str) -> bool:
    """Whether a king is *shown* where he comes by castling with the *rook*."""
    if not board.castling_rights & BIT[rook]:
        return False
    castlings = (changes_of(board, move) for move in board.generate_castling_moves())
    return any(
        (rook, EMPTY) in made and any(shown[at] == man for at, man in made if man in "Kk")
        for made in castlings
    )


def goes_towards(move: chess.Move, rooks: int) -> bool:
    """Whether *move* is on the line to one of *rooks*, short of it."""
    lines = (chess.between(move.from_square, rook) for rook in chess.scan_forward(rooks))
    return any(BIT[move.to_square] & line for line in lines)


def _is_somebody_else(position: Position, move: chess.Move, mask: int, sight: Sight) -> bool:
    """Whether who stands where *move* leads was there before its man left."""
    if position.sensing != "occupancy" or not mask & BIT[move.to_square]:
        return False
    there = sight.shown[move.to_square] != EMPTY and sight.shown[move.from_square] == EMPTY
    return there and came_first(sight, move)


def _is_seen_elsewhere(position: Position, move: chess.Move, rest: int, sight: Sight) -> bool:
    """Whether the man of *move*, not seen where that leads, came to stand on a square of *rest*.

    Where men have no names, so he may on one of an opponent's man that was filled again since.
    """
    if position.sensing != "identity":
        filled = occupied(sight.shown)
        theirs = position.board.occupied_co[not position.board.turn] & filled & ~BIT[move.to_square]
        if sight.last_change(theirs) >= sight.changed[move.from_square]:
            return True
        return _newcomers(position, move, rest & filled, sight) > 0
    man = position.cells[move.from_square]
    return any(sight.shown[square] == man for square in chess.scan_forward(rest))


def _comes_from_elsewhere(position: Position, move: chess.Move, rest: int, sight: Sight) -> bool:
    """Whether who came where *move* leads, whose man has not left, came from a square of *rest*."""
    came = sight.changed[move.to_square]
    return position.sensing != "identity" and any(
        sight.emptied[square] <= came
        for square in chess.scan_forward(rest & ~occupied(sight.shown))
    )


def _is_hidden(noisy: Noisy, sight: Sight, since: float) -> bool:
    """Whether it is a capture that its square does not show, while a man stands somewhere else.

    The victim was not taken off it, or came back before the taker left his own.
    """
    position, target = noisy.node.position, noisy.move.to_square
    if position.sensing != "occupancy" or position.cells[target] == EMPTY:
        return False
    if noisy.wrong & BIT[target] or not noisy.wrong & occupied(sight.shown):
        return False
    return sight.emptied[target] <= since or came_first(sight, noisy.move)


def _came_to_stand_elsewhere(noisy: Noisy, sight: Sight) -> bool:
    """Whether it was rather the mover's man that came where one should not be seen, than noise."""
    wrong = noisy.wrong & ~BIT[noisy.move.to_square]
    gone = (wrong & ~occupied(sight.shown)).bit_count()
    return _newcomers(noisy.node.position, noisy.move, wrong, sight) > gone


def _newcomers(position: Position, move: chess.Move, squares: int, sight: Sight) -> int:
    """Return on how many of *squares*, empty in *position*, the man of *move* may stand instead."""
    return sum(
        position.cells[square] == EMPTY
        and not came_first(sight, chess.Move(move.from_square, square))
        for square in chess.scan_forward(squares)
    )


def _undone(
    board: chess.Board, move: chess.Move, square: chess.Square, there: str, wanted: str
) -> float:
    """Return the cost of a square of the move itself that does not show what it should."""
    if move.promotion is not None and square == move.to_square:
        return OUGHT_TO_SHOW if there != EMPTY else NOT_THERE
    if wanted == EMPTY:
        return OUGHT_TO_SHOW if square != move.from_square else NOT_LEFT
    if there == EMPTY:
        return NOT_THERE
    piece = board.piece_at(square)
    return NOT_LEFT if piece is not None and piece.symbol() == there else MISREAD


def _is_another(position: Position, square: chess.Square, rest: int, sight: Sight) -> bool:
    """Whether who stands on *square* is somebody who has left one of *rest*, and not misread."""
    return position.sensing == "identity" and any(
        position.cells[left] == sight.shown[square] and sight.shown[left] == EMPTY
        for left in chess.scan_forward(rest)
    )


def _cost_beside(squares: int, position: Position, sight: Sight, move: chess.Move) -> float:
    """Return the cost of squares that have nothing to do with *move*.

    A man that is away and stands elsewhere instead was put there: that is one thing, not two. He
    was not knocked over if he was gone before anybody moved.
    """
    cost, shown = 0.0, sight.shown
    began, came = sight.changed[move.from_square], sight.changed[move.to_square]
    away: list[tuple[str, chess.Square]] = []
    strangers: list[tuple[str, chess.Square]] = []
    for square in chess.scan_forward(squares):
        expected, there = shown_by(position.cells[square], position.sensing), shown[square]
        if there == EMPTY:
            away.append((expected, square))
            cost += _away(position.cells[square], dead=bool(sight.dead & BIT[square]))
        elif expected == EMPTY:
            strangers.append((there, square))
            cost += GHOST
        else:
            cost += MISREAD
    for man, square in strangers:
        left = [gone for gone in away if gone[0] == man]
        if not left:
            continue
        _, nearest = min((chess.square_distance(gone[1], square), gone) for gone in left)
        gone = nearest[1]
        elsewhere = _elsewhere(chess.Move(gone, square), position, sight, began, came)
        if elsewhere is not None:
            away.remove(nearest)
            dead = bool(sight.dead & BIT[gone])
            cost += elsewhere - GHOST - _away(position.cells[gone], dead=dead)
    return cost


def _elsewhere(
    went: chess.Move, position: Position, sight: Sight, began: float, came: float
) -> float | None:
    """Return the cost of a man who went elsewhere beside a move; None if it was hardly he.

    The man of that left at ``began`` and came at ``came``. Who was lifted before or after that, and
    put on the next square as he may go, was moved as well where men have no names. A board that
    scans slowly shows one lifted who was pushed.
    """
    king, left = position.cells[went.from_square] in "Kk", sight.changed[went.from_square]
    before, after = left < began - TOGETHER, left > came + TOGETHER
    if chess.square_distance(went.from_square, went.to_square) > 1:
        own = position.board.occupied_co[position.board.turn] & BIT[went.from_square]
        aside = MOVED_TOO if own and after else SET_ASIDE
        return None if king else aside
    scan = 0.0 if sight.quickest == math.inf else sight.quickest
    lifted = king or sight.changed[went.to_square] > left + max(TOGETHER, PUSHED * scan)
    legal = position.sensing != "identity" and position.board.is_legal(went)
    if legal and lifted and (before or left > came):
        return MOVED_TOO
    if king:
        return KING_DISPLACED
    return TAKEN_UP if before else DISPLACED


def _away(man: str, *, dead: bool) -> float:
    if dead:
        return DEAD
    return KING_AWAY if man in "Kk" else AWAY
