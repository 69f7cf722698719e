"""What has been told to the outside: the published reading, and how it changes."""

from collections.abc import Callable, Iterator, Sequence

import chess

from bridge.core.inference.findings import (
    Adopted,
    ArrayFound,
    Finding,
    SeenPress,
    Settled,
    Withdrawn,
)
from bridge.core.inference.hypotheses import Node
from bridge.core.inference.position import Position
from bridge.core.model import Basis

KEPT_POSITIONS = 8
"""Plies whose positions are kept for reading them again; older ones are played again if needed."""


class Story:
    """The published plies, from the beginning of the game to ``head``."""

    def __init__(self, root: Node) -> None:
        self.head = root
        self._findings: list[Finding] = []

    def take(self) -> list[Finding]:
        """Return what is to be told, once."""
        findings, self._findings = self._findings, []
        return findings

    def tell(self, finding: Finding) -> None:
        """Tell something that is no move."""
        self._findings.append(finding)

    def advance(
        self,
        leaf: Node,
        basis: Basis,
        because: str,
        press: Callable[[Node, chess.Color, int], SeenPress],
        *,
        why: str,
        unsure: bool,
        more: int = 0,
    ) -> None:
        """Publish the plies up to *leaf*; what was read otherwise is withdrawn for *why*.

        *press* tells of each ply, its player and how many more are published after it, whether its
        press was seen. *more* plies are known to follow: then a press may be that of a later one.
        """
        withdrawn, plies = self._turn_to(leaf)
        if withdrawn:
            self.tell(Withdrawn(len(withdrawn), why, unsure=unsure))
        longer = len(plies) + more > len(withdrawn)
        for number, (node, move, before, after) in enumerate(played(plies)):
            following = len(plies) - number - 1
            seen: SeenPress
            if number < len(withdrawn) and following:
                other = longer and node.move != withdrawn[number].move
                seen = "other" if other else "kept"
            else:
                seen = press(node, before.turn, following)
            if node.basis != "stands":
                node.basis = basis
            told = (before, move, after, node.basis, because, seen, node.since)
            self.tell(Settled(*told, following=following))
        self._go_to(leaf)

    def begins_otherwise(self, head: Node, board: chess.Board) -> None:
        """Let the same plies, which end in *head* now, have begun from *board*."""
        self._go_to(head)
        self.tell(ArrayFound(board))

    def restart(self, root: Node) -> None:
        """Go on from a position to which no moves are known."""
        self.head = root
        self.tell(Adopted(root.position.board))

    def withdraw(self, reason: str, plies: int = 1, *, unsure: bool = False) -> None:
        """Take the last *plies* back, which there are; *unsure*: somebody should look at it."""
        node = self.head
        for _ in range(plies):
            node = node.parent or node
        self.tell(Withdrawn(plies, reason, unsure=unsure))
        self._go_to(node)

    def _turn_to(self, leaf: Node) -> tuple[list[Node], list[Node]]:
        """Return the published plies that are not on the way to *leaf*, and those to publish."""
        told, node = self.head, leaf
        withdrawn: list[Node] = []
        plies: list[Node] = []
        while told is not node:
            if told.ply >= node.ply and told.parent is not None:
                withdrawn.append(told)
                told = told.parent
            if told is not node and node.ply > told.ply and node.parent is not None:
                plies.append(node)
                node = node.parent
        return withdrawn[::-1], plies[::-1]

    def _go_to(self, leaf: Node) -> None:
        """Make *leaf* the head: its position is kept, which is asked for all the time."""
        self.head = leaf
        leaf.kept = leaf.position
        node: Node | None = leaf
        for _ in range(KEPT_POSITIONS):
            node = node.parent if node is not None else None
        if node is not None:
            node.forget()


def played(plies: Sequence[Node]) -> Iterator[tuple[Node, chess.Move, chess.Board, chess.Board]]:
    """Yield consecutive *plies*, each with its move and the boards before and after it.

    Positions that were not kept are made once, not anew for each ply.
    """
    before: Position | None = None
    for node in plies:
        if node.parent is None or node.move is None:
            continue
        before = before or node.parent.position
        after = node.kept or before.after(node.move)
        yield node, node.move, before.board, after.board
        before = after
