"""Hypotheses: which moves led to what is seen, and how much has to be believed for each.

A :class:`Node` is one reading of the game up to a ply. A :class:`Stage` holds the readings that
agree on what the board shows then, the best first: mostly one, several where a board that sees
only occupancy leaves open what was taken or what a pawn became. Costs are in nats: a reading
that costs 3 more is some twenty times less likely.
"""

import math
from typing import NamedTuple

import chess

from bridge.core.inference.findings import Basis
from bridge.core.inference.placement import BIT, EMPTY
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from drivers.events import UNNAMED

MOST_RIVALS = 8
"""Readings kept beside each other; what is dropped is the least likely."""
HOPELESS = 9.0
"""A reading that costs so much more than the best one is dropped."""
LOYALTY = 1.0
"""What has been published is kept unless another reading is better by more than this."""

UNSEEN_CAPTURE = 2.5
"""The target of a capture was never seen empty: the victim was swapped within one scan."""
SLID_THERE = 1.5
"""A square on the way to the victim showed a man for a moment."""
CARRIED_OFF = 1.2
"""So did a square beside the victim's."""
OTHER_VICTIM = 1.5
"""Several victims' squares were seen empty; this is not the last of them."""
PROMOTION = {None: 0.0, chess.QUEEN: 0.0, chess.KNIGHT: 2.5, chess.ROOK: 3.5, chess.BISHOP: 4.0}
VALUE = {
    chess.PAWN: 1.0,
    chess.KNIGHT: 3.0,
    chess.BISHOP: 3.0,
    chess.ROOK: 5.0,
    chess.QUEEN: 9.0,
    chess.KING: 9.0,
}


class Node:
    """One ply of a reading of the game; the root has no move.

    ``rest``: the longest time for which the board showed exactly the position after it.
    ``since``: when its last man came to rest. ``at``: when it was settled; ``pressed``: when
    its press was seen. With the basis ``stands`` it is an illegal move that was played on, and
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
    )

    def __init__(self, parent: "Node | None", move: chess.Move | None, position: Position) -> None:
        self.parent = parent
        self.move = move
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
        line: list[chess.Move] = []
        node = self
        while node.kept is None and node.parent is not None and node.move is not None:
            line.append(node.move)
            node = node.parent
        position = node.kept
        if position is None:
            raise ValueError("the root of a game keeps its position")
        for move in reversed(line):
            position = position.after(move)
        return position

    def forget(self) -> None:
        """Drop the position, if it can be played again."""
        if self.parent is not None and self.basis != "stands":
            self.kept = None


class Stage:
    """Readings that agree on what is shown, the one to believe first.

    ``mask``: the squares in which it differs from the stage before. ``since``: when the last of
    them changed. ``until``: when the board ceased to show it. ``weak``: a man that was taken up
    looks the same as a capture with it. ``misread``: squares that show
    another man than the one that came there.
    """

    __slots__ = ("mask", "misread", "nodes", "since", "until", "weak")

    def __init__(self, nodes: list[Node], mask: int, since: float) -> None:
        self.nodes = nodes
        self.mask = mask
        self.since = since
        self.until = math.inf
        self.weak = False
        self.misread = 0

    @property
    def best(self) -> Node:
        """The reading to believe."""
        return self.nodes[0]

    @property
    def shown(self) -> str:
        """What the board shows then."""
        return self.nodes[0].position.shown

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


class Choice(NamedTuple):
    """A move that fits what is seen; ``unseen``: nothing but a man that left its square."""

    move: chess.Move
    cost: float
    unseen: bool


def next_stage(stage: Stage, sight: Sight) -> Stage | None:
    """Return the stage one ply after *stage* that *sight* shows now, if there is one."""
    mask = sight.differs(stage.shown)
    return _stage_of(stage, sight, mask, sight.shown) if mask else None


def stage_beside(stage: Stage, sight: Sight) -> Stage | None:
    """Return the stage one ply after *stage* that its mover's men show, whatever others show.

    His men must all be in place; those of his opponent may be in the air or on other squares.
    """
    position = stage.best.position
    mask = sight.differs(stage.shown)
    mine = side_of(mask, position, sight.shown, position.board.turn)
    if mine.bit_count() < 2:
        return None
    moves = position.moves_shown(sight.shown, mine, sight.excused) if mine != mask else []
    if not moves and position.board.ep_square is not None and mine != mask:
        mine |= mask & _passed(position.board, position.board.ep_square)
        moves = position.moves_shown(sight.shown, mine, sight.excused)
    misread = 0
    if not moves and mine.bit_count() == 2:
        moves = _misread_move(position, sight.shown, mine)
        misread = sum(BIT[move.to_square] for move in moves)
    if len(moves) != 1:
        return None
    node = Node(stage.best, moves[0], position.after(moves[0]))
    beside = Stage([node], mine, sight.last_change(mine | victim_square(node)))
    beside.misread = misread
    return beside


def _misread_move(position: Position, shown: str, mask: int) -> list[chess.Move]:
    """Return the legal move of a man that is read as another one of its colour where it stands."""
    if position.sensing != "identity":
        return []
    origin, target = chess.lsb(mask), chess.msb(mask)
    if shown[origin] != EMPTY:
        origin, target = target, origin
    man, there = position.cells[origin], shown[target]
    if shown[origin] != EMPTY or not there.isalpha() or man.isupper() != there.isupper():
        return []
    move = chess.Move(origin, target)
    board = position.board
    plain = board.is_legal(move) and not board.is_castling(move) and not board.is_en_passant(move)
    return [move] if plain and man != there else []


def _passed(board: chess.Board, ep_square: chess.Square) -> int:
    """Return the square of the pawn that can be taken en passant."""
    return chess.BB_SQUARES[ep_square - 8 if board.turn else ep_square + 8]


def side_of(mask: int, position: Position, shown: str, colour: chess.Color) -> int:
    """Return the squares of *mask* that men of *colour* have left or on which they stand now.

    Where men have no colour, one that arrived may be anybody's.
    """
    own = position.board.occupied_co[colour]
    left = came = 0
    for square in chess.scan_forward(mask):
        letter = shown[square]
        if letter == EMPTY:
            left |= BIT[square] & own
        elif letter == UNNAMED or letter.isupper() == colour:
            came |= BIT[square]
    return left | came


def _stage_of(stage: Stage, sight: Sight, mask: int, shown: str) -> Stage | None:
    nodes, unseen = [], True
    for node in stage.nodes:
        for choice in choices(node, sight, mask, shown, stage.since):
            child = Node(node, choice.move, node.position.after(choice.move))
            child.cost = node.cost + choice.cost
            unseen = unseen and choice.unseen
            nodes.append(child)
    if not nodes:
        return None
    ahead = Stage(likeliest(nodes), mask, 0.0)
    ahead.since = sight.last_change(mask | victim_square(ahead.best))
    ahead.weak = unseen
    return ahead


def victim_square(node: Node) -> int:
    """Return the target of a capture: its square changed too, though it may look the same."""
    return 0 if node.move is None else chess.BB_SQUARES[node.move.to_square]


def likeliest(nodes: list[Node]) -> list[Node]:
    """Return the readings worth keeping, the best first, each position once."""
    nodes = sorted(nodes, key=lambda node: node.cost)
    if len(nodes) == 1:
        return nodes
    kept: dict[str, Node] = {}
    for node in nodes:
        if node.cost <= nodes[0].cost + HOPELESS:
            kept.setdefault(node.position.board.epd(), node)
    return [*kept.values()][:MOST_RIVALS]


def choices(node: Node, sight: Sight, mask: int, shown: str, since: float) -> list[Choice]:
    """Return the legal moves from *node* that *shown* agrees with, and what each asks to believe.

    ``since``: when the position of *node* was complete; squares emptied later belong to the move.
    """
    position = node.position
    moves = position.moves_shown(shown, mask, sight.excused)
    if position.sensing == "identity":
        excused = sight.excused
        return [Choice(move, 0.0, bool(excused & BIT[move.to_square])) for move in moves]
    return _by_occupancy(node, moves, mask, sight, since)


def _by_occupancy(
    node: Node, moves: list[chess.Move], mask: int, sight: Sight, since: float
) -> list[Choice]:
    """Weigh moves between which occupancy cannot tell: victims and promotions."""
    position = node.position
    emptied = {
        move: sight.emptied[move.to_square]
        for move in moves
        if position.board.is_capture(move) and not mask & chess.BB_SQUARES[move.to_square]
    }
    latest = max(emptied.values(), default=-math.inf)
    flashed = _flashed(position, sight, since)
    weighed = []
    for move in moves:
        cost, unseen = PROMOTION[move.promotion], False
        if move in emptied:
            unseen = emptied[move] <= since
            if unseen:
                cost += UNSEEN_CAPTURE + implausible(node, move) - _traced(move, flashed)
            elif emptied[move] < latest:
                cost += OTHER_VICTIM
        weighed.append(Choice(move, cost, unseen))
    return weighed


def _flashed(position: Position, sight: Sight, since: float) -> int:
    """Return the squares that were empty and showed a man only for a moment after *since*."""
    empty = ~position.board.occupied & chess.BB_ALL
    mask = 0
    for square in chess.scan_forward(empty):
        if sight.emptied[square] > since and sight.shown[square] == EMPTY:
            mask |= BIT[square]
    return mask


def _traced(capture: chess.Move, flashed: int) -> float:
    """Return what squares that flashed say for *capture*: its man slid, or its victim went off."""
    if flashed & chess.between(capture.from_square, capture.to_square):
        return SLID_THERE
    return CARRIED_OFF if flashed & chess.BB_KING_ATTACKS[capture.to_square] else 0.0


def implausible(node: Node, capture: chess.Move) -> float:
    """Return how unlikely people are to make *capture* from *node*, 0 to 3.

    They take back at once, and they do not give more than they win.
    """
    board, target = node.position.board, capture.to_square
    if node.move is not None and node.move.to_square == target:
        return 0.0
    won = VALUE[board.piece_type_at(target) or chess.PAWN]
    paid = VALUE[board.piece_type_at(capture.from_square) or chess.PAWN]
    if not board.attackers_mask(not board.turn, target):
        return max(0.0, 1.0 - won / 9)
    return min(3.0, 1.5 + max(-1.0, (paid - won) / 2))
