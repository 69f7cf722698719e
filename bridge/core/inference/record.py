"""What has been told of a game, as the readings of a whole game are compared with it."""

import math
from collections.abc import Iterable, Sequence
from itertools import islice

import chess

from bridge.core.inference.branch import Branch
from bridge.core.inference.hypotheses import Node
from bridge.core.inference.reachable import Reached

FRESH = 4.0
"""So long (s) a wrong square costs all; what shows the same for longer says little more."""


class RecordedBranch(Branch):
    """A reading in the making.

    ``parts``: the first ply at which it has another move than the record, infinite: none.
    ``touched``: the squares of its last moves, the last of them at ``since``.
    """

    __slots__ = ("parts", "touched")

    def __init__(
        self,
        line: "Node | tuple[Branch, chess.Move]",
        reached: Reached,
        cost: float,
        mask: int,
        *,
        ply: int,
        parts: float,
    ) -> None:
        super().__init__(line, reached, cost, mask, ply=ply, since=-math.inf)
        self.parts = parts
        self.touched = 0

    @property
    def agrees(self) -> bool:
        """Whether it has the moves of the record, as far as both go."""
        return self.parts == math.inf

    def move_at(self, ply: int) -> chess.Move | None:
        """Return its move at *ply*, or None if it has not come so far."""
        if ply > self.ply:
            return None
        return next(islice(self.moves_back(), self.ply - ply, None), None)

    def touches(self, squares: int, at: float, before: "RecordedBranch") -> None:
        """Note the *squares* of its last move, which went on from *before* at time *at*."""
        self.since = at
        self.touched = squares | (before.touched if at - before.since < FRESH else 0)


class Record:
    """The moves of the record by ply, as far as they are known; ``head``: the last of them."""

    def __init__(self, head: Node) -> None:
        self.head = head
        self._told = {head.ply: head}

    def follows(self, head: Node, branches: Iterable[RecordedBranch]) -> bool:
        """Take the plies up to *head*; return whether others were withdrawn for them."""
        before, self.head = self.head.ply, head
        new: list[Node] = []
        node: Node | None = head
        while node is not None and node.move is not None and self._told.get(node.ply) is not node:
            new.append(node)
            node = node.parent
        last = 0 if node is None else node.ply
        for ply in range(last + 1, before + 1):
            self._told.pop(ply, None)
        for each in new:
            self._told[each.ply] = each
        for branch in branches:
            if branch.parts > last:
                branch.parts = self._parting(branch, new)
        return last < before

    def _parting(self, branch: RecordedBranch, new: Sequence[Node]) -> float:
        """Return the first ply of *new*, the latest first, at which *branch* has another move."""
        if not new:
            return math.inf
        back = islice(branch.moves_back(), max(0, branch.ply - new[-1].ply + 1))
        moves = {branch.ply - age: move for age, move in enumerate(back)}
        plies = (each.ply for each in new if moves.get(each.ply) not in (None, each.move))
        return min(plies, default=math.inf)

    def moves_from(self, ply: float) -> list[chess.Move | None]:
        """Return its moves from *ply* on."""
        return [node.move for number, node in sorted(self._told.items()) if number >= ply]

    def has(self, branch: RecordedBranch) -> bool:
        """Whether *branch* has all moves of the record up to its last ply, which is one of it."""
        return branch.agrees and branch.ply in self._told

    def parts(self, before: RecordedBranch, move: chess.Move) -> float:
        """Return where a reading that goes on from *before* by *move* parts with the record."""
        told = self._told.get(before.ply + 1)
        same = told is None or told.move == move
        return before.parts if same or not before.agrees else before.ply + 1

    def parts_of(self, node: Node) -> float:
        """Return where the reading that ends in *node* parts with the record."""
        parts, each = math.inf, node
        while each.parent is not None:
            told = self._told.get(each.ply)
            if told is not None and told.move != each.move:
                parts = each.ply
            each = each.parent
        return parts
