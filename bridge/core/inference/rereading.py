"""Reading the last plies otherwise by what stands now, when nothing else explains the board.

Across a gap after a lost link the wrong one of several lines may have been believed; nothing was
seen there that could be retraced. Without a lost link only the last ply is read otherwise, and
only by names: a move that was put right after the press, or taken back. What was seen better
costs more to give up.
"""

from collections.abc import Generator
from typing import NamedTuple

import chess

from bridge.core.inference.hypotheses import PLIES_DOUBTED, Node
from bridge.core.inference.lines import Line, lines_beside
from bridge.core.inference.sight import Sight
from bridge.core.inference.timing import Timing

LONGER = 2
"""How many more plies than before the other reading may have."""
PLIES_SOON = 2
"""Longer lines than this are searched each by itself."""
WILLING = 7.0
"""A reading that costs more is not worth it; an illegal move is likelier then."""
UNSEEN_PLY = 1.0
OTHER_HAND = 4.5
"""Another man moved than the one that was seen to move."""
EXCHANGED = 3.0
"""The man was taken off again to whom a pawn was promoted, and another one stands there."""
_MEN = "QRBN"


class Reread(NamedTuple):
    """Another line from ``base``, in place of the ``back`` plies that were read since."""

    base: Node
    line: Line
    back: int
    cost: float


Rereading = Generator[None, None, Reread | None]
"""Searches that are still to be done, at whose end is what they found."""


def reread(head: Node, sight: Sight, timing: Timing, at: float) -> Rereading:
    """Return the cheapest other reading of the last plies that explains the board, if one does.

    It is looked for in parts, for many searches take long together.
    """
    best: Reread | None = None
    undone: list[Node] = []
    node = head
    while node.parent is not None and len(undone) < PLIES_DOUBTED:
        undone.insert(0, node)
        node = node.parent
        exchanged = is_exchanged(undone[0], sight)
        floor = giving_up(undone[0], timing, at, put_right=len(undone) == 1, exchanged=exchanged)
        if floor > WILLING or undone[0].basis == "stands":
            break
        if len(undone) > 1 and not any(each.missed for each in undone):
            break  # what was seen move by move is traced again instead
        found = yield from _from(node, undone, sight, timing, at)
        if found is not None and (best is None or found.cost < best.cost):
            best = found
    return best


def giving_up(
    node: Node, timing: Timing, at: float, *, put_right: bool, exchanged: bool = False
) -> float:
    """Return what it takes to believe that the settled ply of *node* was another one.

    For a moment after the press a man may still be put right, if nothing else happened since; one
    to whom a pawn was promoted may be *exchanged* at any time.
    """
    if exchanged:
        return EXCHANGED
    if node.basis == "gap":
        return 2.0
    if node.basis == "rest":
        return 6.0 if node.rest >= timing.forgotten else 3.0
    if put_right and at <= node.at + timing.correction:
        return 3.0
    long = node.rest >= timing.gap
    if node.basis == "press" and node.pressed is not None:
        return 8.0 if long else 4.0
    return 6.0 if long else 2.0


def _from(base: Node, undone: list[Node], sight: Sight, timing: Timing, at: float) -> Rereading:
    longer = LONGER if any(each.missed for each in undone) else 0
    for plies in range(len(undone) - 1, len(undone) + longer + 1):
        if plies > PLIES_SOON:
            yield
        lines = lines_beside(base.position, sight.shown, plies, sight.excused)
        costed = [(_cost(line, undone, sight, timing, at), line) for line in lines]
        if not costed:
            continue
        cost, line = min(costed, key=lambda each: each[0])
        if cost <= WILLING:
            return Reread(base, line, len(undone), cost)
    return None


def _cost(line: Line, undone: list[Node], sight: Sight, timing: Timing, at: float) -> float:
    cost = UNSEEN_PLY * max(0, len(line) - len(undone))
    for number, node in enumerate(undone):
        move = line[number] if number < len(line) else None
        if move == node.move:
            continue
        put_right = len(line) <= len(undone) and node is undone[-1]
        exchanged = is_exchanged(node, sight)
        cost += giving_up(node, timing, at, put_right=put_right, exchanged=exchanged)
        if move is None or node.basis == "gap" or _is_put_back(node, sight):
            continue
        if not _same_hand(node, move):
            cost += OTHER_HAND
    return cost


def is_exchanged(node: Node, sight: Sight) -> bool:
    """Whether the man was taken off again to whom the pawn of *node* was promoted.

    A rook that was put there upside down for a queen is replaced, most often after the press.
    """
    move = node.move
    if move is None or move.promotion is None or sight.emptied[move.to_square] <= node.since:
        return False
    shown, recorded = sight.shown[move.to_square], node.position.cells[move.to_square]
    return shown != recorded and shown in (_MEN if recorded.isupper() else _MEN.lower())


def _is_put_back(node: Node, sight: Sight) -> bool:
    """Whether the man of *node*, for whom nobody pressed, is shown again where he came from."""
    if node.basis != "rest" or node.move is None or node.parent is None:
        return False
    origin = node.move.from_square
    return node.parent.position.shown[origin] == sight.shown[origin]


def _same_hand(node: Node, shown: chess.Move) -> bool:
    """Whether *shown* may be what became of the ply of *node*: the same man, or castling."""
    if node.move is None or node.parent is None:
        return False
    if node.move.from_square == shown.from_square:
        return True
    board = node.parent.position.board
    rook = board.piece_type_at(node.move.from_square) == chess.ROOK
    return rook and board.is_castling(shown)
