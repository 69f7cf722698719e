"""Hypotheses: which moves led to what is seen, and how much has to be believed for each.

A :class:`Node` is one reading of the game up to a ply. A :class:`Stage` holds the readings that
agree on what the board shows then, the best first: mostly one, several where a board that sees
only occupancy leaves open what was taken or what a pawn became. Costs are in nats: a reading
that costs 3 more is some twenty times less likely.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from functools import lru_cache

import chess

from bridge.core.inference.placement import BIT, Change, lands_on
from bridge.core.inference.position import Position, played_on
from bridge.core.model import Basis

PLIES_DOUBTED = 4
"""Settled plies that may be read otherwise by what was shown since."""
MOST_RIVALS = 24
"""Readings kept beside each other; what is dropped is the least likely."""
PLAYED_AGAIN = 128
"""Positions that were dropped and played again of which the last ones are kept."""
HOPELESS = 12.0
"""A reading that costs so much more than the best one is dropped."""
LOYALTY = 1.0
"""What has been published is kept unless another reading is better by more than this."""

UNSEEN_CAPTURE = 1.0
"""The target of a capture was never seen empty: the victim was swapped within one scan."""
EN_PASSANT = -0.1
"""Rather than a single step into the capture: 9 of 12 in recorded games."""
CLEARLY = 1.5
"""By how much the best explanation must be better than the next one."""
OUT_OF_ORDER = 2.0
"""A move was complete, or its man left, before another one that is taken to precede it, ..."""
TOGETHER = 0.3
"""... by more than this (s)."""
OTHER_MAN = 2.5
"""Another man moved than the one that was taken up when the link was lost."""
PROMOTION = {None: 0.0, chess.QUEEN: 0.0, chess.KNIGHT: 2.5, chess.ROOK: 3.5, chess.BISHOP: 4.0}


class Node:
    """One ply of a reading of the game; the root has no move.

    ``rest``: the longest time for which the board showed exactly the position after it.
    ``since``: when its last man came to rest. ``at``: when it was settled; ``pressed``: when
    its press was seen; ``target``: the square on which its man stands, none for the root. With the
    basis ``stands`` it is an illegal move that was played on, and
    its position cannot be played again.
    ``missed``: the link was lost before it. ``kept``: the position, unless it was dropped.
    """

    __slots__ = (
        "at",
        "basis",
        "cost",
        "kept",
        "missed",
        "move",
        "parent",
        "ply",
        "pressed",
        "rest",
        "since",
        "target",
    )

    def __init__(self, parent: "Node | None", move: chess.Move | None, position: Position) -> None:
        self.parent = parent
        self.move = move
        self.target = 0 if move is None else BIT[move.to_square]
        if move is not None and parent is not None and position.board.chess960:
            self.target = BIT[lands_on(parent.position.board, move)]
        self.kept: Position | None = position
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.cost: float = 0.0 if parent is None else parent.cost
        self.rest = 0.0
        self.since = -math.inf
        self.missed = False
        self.at = -math.inf
        self.basis: Basis = "gap"
        self.pressed: float | None = None

    @property
    def position(self) -> Position:
        """The position after it, played again if it was not kept."""
        if self.kept is not None:
            return self.kept
        line: list[chess.Move] = []
        node = self
        while node.kept is None and node.parent is not None and node.move is not None:
            line.append(node.move)
            node = node.parent
        position = node.kept
        if position is None:
            raise ValueError("the root of a game keeps its position")
        for move in reversed(line):
            position = _played_again(position, move)
        return position

    def then(self, move: chess.Move) -> "Node":
        """Return the ply after it by the legal *move*, for which nothing more is believed yet."""
        return Node(self, move, self.position.after(move))

    def then_illegal(self, move: chess.Move, with_it: Sequence[Change] = ()) -> "Node | None":
        """Return the ply after it by the illegal *move*, which stands; None if nobody made it.

        *with_it*: what stands on other squares since.
        """
        position = self.position
        board = played_on(position.board, move, with_it)
        if board is None:
            return None
        node = Node(self, move, Position(board, position.sensing))
        node.basis = "stands"
        return node

    def at_ply(self, ply: int) -> "Node":
        """Return the ply of that number on the way to it, or itself, if it comes before."""
        node = self
        while node.ply > ply and node.parent is not None:
            node = node.parent
        return node

    def seen_as(self, other: "Node") -> "Node":
        """Take over what was seen of *other*, which is the same ply by another man."""
        self.rest, self.since, self.at = other.rest, other.since, other.at
        self.basis, self.pressed, self.missed = other.basis, other.pressed, other.missed
        return self

    def forget(self) -> None:
        """Drop the position, if it can be played again."""
        if self.parent is not None and self.basis != "stands":
            self.kept = None


@lru_cache(maxsize=PLAYED_AGAIN)
def _played_again(position: Position, move: chess.Move) -> Position:
    """Return the position after *move*, made once where several plies of one line are asked for."""
    return position.after(move)


def plies_back(leaf: Node) -> Iterator[Node]:
    """Yield the plies up to *leaf*, the latest first."""
    while leaf.parent is not None:
        yield leaf
        leaf = leaf.parent


def plies_of(leaf: Node, start: Node | None) -> list[Node]:
    """Return the plies after *start* of the reading that ends in *leaf*, the first one first."""
    plies = []
    node: Node | None = leaf
    while node is not None and (start is None or node.ply > start.ply):
        plies.append(node)
        node = node.parent
    return plies[::-1]


def parting(node: Node, told: Node) -> Node:
    """Return the last ply of *told* up to which *node* has the same moves."""
    line = {each.ply: each.move for each in plies_of(node, None)}
    for each in plies_of(told, None):
        if line.get(each.ply) != each.move and each.parent is not None:
            return each.parent
    return told


class Stage:
    """Readings that agree on what is shown, the one to believe first.

    ``mask``: the squares in which it differs from the stage before. ``since``: when the last of
    them changed. ``until``: when the board ceased to show it. ``weak``: a man that was taken up
    looks the same as a capture with it. ``misread``: squares that show another man than the one
    that came there.
    """

    __slots__ = ("mask", "misread", "nodes", "since", "until", "weak")

    def __init__(self, nodes: list[Node], mask: int, since: float) -> None:
        self.nodes = nodes
        self.mask = mask
        self.since = since
        self.until = math.inf
        self.weak = False
        self.misread = 0

    def as_from(self, ply: Node) -> "Stage":
        """Return the same as it was seen, where *ply* is the last move, made by another man."""
        made, before = copy(self), self.best.parent
        ply.cost += 0.0 if before is None else self.best.cost - before.cost
        made.nodes = [ply.seen_as(self.best)]
        return made

    @property
    def best(self) -> Node:
        """The reading to believe."""
        return self.nodes[0]

    @property
    def shown(self) -> str:
        """What the board shows then."""
        return self.nodes[0].position.shown

    @property
    def square(self) -> chess.Square:
        """Where the man of the last move of the best reading stands."""
        return chess.lsb(self.best.target)

    def might_lead(self, square: chess.Square) -> bool:
        """Whether its man might have gone to *square* instead, by a legal move."""
        before = self.best.parent
        move = chess.Move(self.move.from_square, square)
        return before is not None and before.position.board.is_legal(move)

    @property
    def move(self) -> chess.Move:
        """The last move of the best reading.

        Raises:
            ValueError: the game has not begun.
        """
        move = self.nodes[0].move
        if move is None:
            raise ValueError("no move leads to the beginning of a game")
        return move


def likeliest(nodes: list[Node]) -> list[Node]:
    """Return the readings worth keeping, the best first, each position once."""
    nodes = sorted(nodes, key=lambda node: node.cost)
    if len(nodes) < 2:
        return nodes
    kept: dict[Hashable, Node] = {}
    for node in nodes:
        if node.cost <= nodes[0].cost + HOPELESS:
            kept.setdefault(node.position.key, node)
    return [*kept.values()][:MOST_RIVALS]


def unseen_capture(position: Position, capture: chess.Move) -> float:
    """Return what it takes to believe in *capture* if its target was never empty."""
    return UNSEEN_CAPTURE + position.implausible(capture)
