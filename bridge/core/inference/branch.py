"""Single readings of a game: one in the making, as a beam keeps it, and one at its end."""

import math
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

import chess

from bridge.core.inference.hypotheses import Node, plies_back
from bridge.core.inference.placement import BIT, lands_on
from bridge.core.inference.position import Position
from bridge.core.inference.reachable import Reached

PASSING = 0.4
"""A man that stood for less than this (s) was on his way: his player hardly made two moves."""
AT_THE_END = 1.5
"""Cost of each square that is still wrong at the end, in hand or not."""


class Reading(NamedTuple):
    """One reading: where it leads and what has to be believed for it.

    ``unseen``: squares on which its men stand, though they show nothing.
    """

    node: Node
    cost: float
    unseen: int = 0


class Branch:
    """A reading in the making; ``mask``: the squares that show something else than it says.

    ``line``: its last ply, or, until somebody asks for that, what it went on from by which move.
    ``ply``: the number of its last ply; ``since``: when that was complete. ``unseen``: squares that
    show nothing where a man of it stands, and that are not in the mask for that. ``beside``: where
    a man should stand that the next square shows, and that one; also where one stands that is read
    as another. ``lost``: the unseen squares that had shown their man. ``pressed``: the last ply
    after which its player was seen to press. ``owed``: what it has paid since for presses of the
    player to move.
    """

    __slots__ = (
        "beside",
        "cost",
        "line",
        "lost",
        "mask",
        "owed",
        "ply",
        "pressed",
        "reached",
        "since",
        "unseen",
    )

    def __init__(
        self,
        line: "Node | tuple[Branch, chess.Move]",
        reached: Reached,
        cost: float,
        mask: int,
        *,
        ply: int,
        since: float,
    ) -> None:
        self.line = line
        self.reached = reached
        self.cost = cost
        self.mask = mask
        self.ply = ply
        self.since = since
        self.unseen = self.lost = self.beside = 0
        self.owed = 0.0
        self.pressed = -1

    @property
    def rank(self) -> float:
        """Its cost with what its wrong squares will cost at least, by which readings compare."""
        return self.cost + AT_THE_END * self.mask.bit_count()

    @property
    def place(self) -> tuple[Reached, int, int]:
        """Where it has come to: of readings with the same one nothing but the cheapest is kept."""
        return self.reached, self.ply, self.beside & self.mask | self.lost

    @property
    def is_illegal(self) -> bool:
        """Whether its last move is against the rules."""
        return isinstance(self.line, Node) and self.line.basis == "stands"

    @property
    def target(self) -> int:
        """The square to which its last man went."""
        line = self.line
        if isinstance(line, Node):
            return line.target
        before, move = line
        return BIT[lands_on(before.reached.position.board, move)]

    @property
    def origin(self) -> int:
        """The square from which its last man came, none if nothing was played."""
        line = self.line
        move = line.move if isinstance(line, Node) else line[1]
        return 0 if move is None else BIT[move.from_square]

    def moves_back(self) -> Iterator[chess.Move]:
        """Return its moves, the last one first."""
        return (move for move, _ in self.plies_back())

    def plies_back(self) -> Iterator[tuple[chess.Move, float]]:
        """Return its moves and when they were complete, the last one first."""
        branch = self
        while not isinstance(branch.line, Node):
            before, move = branch.line
            yield move, branch.since
            branch = before
        for node in plies_back(branch.line):
            if node.move is not None:
                yield node.move, node.since

    def came_from(self, square: chess.Square) -> int:
        """Return the square from which the man on *square* came there, none if he did not move."""
        origins = (BIT[m.from_square] for m in self.moves_back() if m.to_square == square)
        return next(origins, 0)

    def came_to(self, square: chess.Square) -> float:
        """Return when the last move of the player to move led to *square*, infinity if not."""
        if isinstance(self.line, Node):
            return math.inf
        before = self.line[0]
        return before.since if before.target == BIT[square] else math.inf

    @property
    def moved_before(self) -> float:
        """When the last move of the player to move was made, if it is known."""
        line = self.line
        if isinstance(line, Node):
            return -math.inf if line.parent is None else line.parent.since
        return line[0].since

    @property
    def node(self) -> Node:
        """Its last ply."""
        if not isinstance(self.line, Node):
            before, move = self.line
            self.line = _one_ply_on(before.node, move, self.reached.position)
            self.line.since = self.since
        return self.line


def _one_ply_on(before: Node, move: chess.Move, position: Position) -> Node:
    """Return the ply after *before*; *position* was perhaps made for another line to it."""
    earlier, board = before.position.board, position.board
    clock = 0 if earlier.is_zeroing(move) else earlier.halfmove_clock + 1
    if (board.ply(), board.halfmove_clock) != (earlier.ply() + 1, clock):
        board = board.copy(stack=False)
        board.fullmove_number = earlier.fullmove_number + (not earlier.turn)
        board.halfmove_clock = clock
        position = Position(board, position.sensing, position.cells)
    return Node(before, move, position)


rank_of = attrgetter("rank")
