"""Positions to which several readings come, each made once and no further than it is needed.

Most of what is tried leads nowhere. So a board is only made, and legal moves are only looked up,
for a man that has gone and squares that it might have reached.
"""

from functools import cache

import chess

from bridge.core.inference.placement import (
    BIT,
    EMPTY,
    changes_of,
    letter_shown_by,
    reach,
    with_changes,
)
from bridge.core.inference.plausible import loses, seldom
from bridge.core.inference.position import Position

_Key = tuple[str, bool, int, int]
"""Men, side to move, castling rights, and a pawn that may be taken en passant."""
_PLAIN_SQUARES = 2
_CASTLING_SQUARES = 4
"""Squares that such a move changes."""
_AT_THE_START = 1
"""Such a pawn in the position at the start; no pawn has just come to a1."""


class Step:
    """A legal move from *start*: the squares of ``mask`` show ``letters`` afterwards.

    ``hidden``: its target shows the same as before, as after a capture seen by occupancy alone.
    """

    __slots__ = (
        "_seldom",
        "changes",
        "hidden",
        "leads",
        "letters",
        "mask",
        "move",
        "start",
        "target",
    )

    def __init__(self, start: "Reached", position: Position, move: chess.Move) -> None:
        self.start = start
        self.move = move
        self.target = BIT[move.to_square]
        self.changes = changes_of(position.board, move)
        sensing = position.sensing
        self.letters = [(at, letter_shown_by(letter, sensing)) for at, letter in self.changes]
        self.mask = 0
        for square, _ in self.changes:
            self.mask |= BIT[square]
        self.hidden = len(self.letters) == 2 and start.shown[move.to_square] == self.letters[1][1]
        self.leads: Reached | None = None
        self._seldom: float | None = None

    @property
    def castles(self) -> bool:
        """Whether king and rook go elsewhere by it."""
        return len(self.letters) == _CASTLING_SQUARES

    @property
    def twofold(self) -> bool:
        """Whether it changes more squares than the two between which its man goes."""
        return len(self.letters) > _PLAIN_SQUARES

    @property
    def plain(self) -> bool:
        """Whether one man goes elsewhere by it, and stays what he is."""
        return len(self.letters) == _PLAIN_SQUARES and not self.move.promotion

    @property
    def implausible(self) -> float:
        """How unlikely people are to make it, if it is a capture."""
        return self.start.position.implausible(self.move)

    @property
    def loses(self) -> float:
        """How unlikely they are to make it, whatever it is, by what it loses on its square."""
        return loses(self.start.position.board, self.move)

    @property
    def seldom(self) -> float:
        """The same, by what it wins on its square alone."""
        if self._seldom is None:
            self._seldom = seldom(self.start.position.board, self.move)
        return self._seldom


class Reached:
    """A position: what a board shows of it, the squares of the side to move and of the other.

    ``steps``: the legal moves looked up so far, by origin; ``looked``: to which targets. ``asked``:
    those that were asked for, by origin and targets; ``reach``: where its men might go.
    """

    __slots__ = (
        "_source",
        "asked",
        "castling",
        "cells",
        "looked",
        "own",
        "reach",
        "shown",
        "steps",
        "theirs",
        "turn",
    )

    def __init__(
        self,
        source: Position | Step,
        cells: str,
        shown: str,
        sides: tuple[int, int],
        castling: int,
        turn: chess.Color,
    ) -> None:
        self._source = source
        self.cells = cells
        self.shown = shown
        self.own, self.theirs = sides
        self.castling = castling
        self.turn = turn
        self.looked: dict[chess.Square, int] = {}
        self.steps: dict[chess.Square, list[Step]] = {}
        self.asked: dict[tuple[chess.Square, int], list[Step]] = {}
        self.reach: dict[chess.Square, int] = {}

    @property
    def position(self) -> Position:
        """The position with its board, made when it is asked for first."""
        source = self._source
        if isinstance(source, Step):
            before = source.start.position
            board = before.board.copy(stack=False)
            board.push(source.move)
            source = Position(board, before.sensing, self.cells)
            self._source = source
        return source


class Reachable:
    """The positions to which legal moves lead from *start*.

    ``left``: how much may still be looked up. A look costs one, and one for each move it finds;
    when nothing is left, moves are missing.
    """

    def __init__(self, start: Position, left: int) -> None:
        self.left = left
        self._known: dict[_Key, Reached] = {}
        self.start = self.at(start)

    def __len__(self) -> int:
        """How many positions are known."""
        return len(self._known)

    def forget(self) -> None:
        """Drop all positions at once: they and the moves between them hold each other."""
        for reached in self._known.values():
            for steps in reached.steps.values():
                for step in steps:
                    step.leads = None
            reached.steps.clear()
            reached.asked.clear()
        self._known.clear()

    def at(self, position: Position) -> Reached:
        """Return *position* as one to go on from, whatever led to it."""
        board = position.board
        sides = board.occupied_co[board.turn], board.occupied_co[not board.turn]
        castling = board.clean_castling_rights()
        in_passing = _AT_THE_START if board.has_pseudo_legal_en_passant() else 0
        key = (position.cells, board.turn, castling, in_passing)
        made = Reached(position, position.cells, position.shown, sides, castling, board.turn)
        return self._known.setdefault(key, made)

    def steps(self, reached: Reached, origin: chess.Square, targets: int) -> list[Step]:
        """Return the legal moves of the man on *origin* to *targets*.

        Castling counts as a move to the king's target; in Chess960, to the rook's square.
        """
        reach = reached.reach.get(origin)
        if reach is None:
            reach = within_reach(reached.cells[origin], origin, reached.own | reached.theirs)
            reached.reach[origin] = reach
        targets &= reach
        if not targets:
            return []
        steps = reached.asked.get((origin, targets))
        if steps is None:
            steps = self._looked_up(reached, origin, targets)
            reached.asked[origin, targets] = steps
        return steps

    def _looked_up(self, reached: Reached, origin: chess.Square, targets: int) -> list[Step]:
        known = reached.steps.setdefault(origin, [])
        missing = targets & ~reached.looked.get(origin, 0)
        if missing and self.left > 0:
            reached.looked[origin] = reached.looked.get(origin, 0) | missing
            position = reached.position
            board = position.board
            # Castling is looked up by the square of its rook.
            found = board.generate_legal_moves(BIT[origin], missing | board.castling_rights)
            steps = [Step(reached, position, m) for m in found if BIT[m.to_square] & missing]
            known += steps
            self.left -= 1 + len(steps)
        return [step for step in known if step.target & targets]

    def after(self, step: Step) -> Reached:
        """Return the position after *step*."""
        if step.leads is None:
            step.leads = self._after(step)
        return step.leads

    def _after(self, step: Step) -> Reached:
        start, mask = step.start, step.mask
        cells = with_changes(start.cells, step.changes)
        castling = start.castling & ~mask
        if start.cells[step.move.from_square] in "Kk":
            castling &= ~(chess.BB_RANK_1 if start.turn else chess.BB_RANK_8)
        key = (cells, not start.turn, castling, _in_passing(start, step.move))
        known = self._known.get(key)
        if known is None:
            own, shown = start.own & ~mask, with_changes(start.shown, step.letters)
            for square, letter in step.changes:
                if letter != EMPTY:
                    own |= BIT[square]
            sides = start.theirs & ~mask, own
            known = Reached(step, cells, shown, sides, castling, not start.turn)
            self._known[key] = known
        return known


def _in_passing(start: Reached, move: chess.Move) -> int:
    """Return the square to which *move* brings a pawn beside one that might take it, 0 if none."""
    if abs(move.to_square - move.from_square) != 16 or start.cells[move.from_square] not in "Pp":
        return 0
    beside = chess.BB_KING_ATTACKS[move.to_square] & chess.BB_RANKS[move.to_square >> 3]
    taker = "p" if start.turn else "P"
    near = any(start.cells[square] == taker for square in chess.scan_forward(beside))
    return BIT[move.to_square] if near else 0


def within_reach(man: str, square: chess.Square, occupied: int) -> int:
    """Return the squares to which *man* might go from *square* among those that are *occupied*."""
    squares = unhindered(man, square)
    if man in "BQbq":
        met = chess.BB_DIAG_MASKS[square] & occupied
        squares = chess.BB_DIAG_ATTACKS[square][met]
    if man in "RQrq":
        across = chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        along = chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
        squares = across | along | (squares if man in "Qq" else 0)
    return squares


@cache
def unhindered(man: str, square: chess.Square) -> int:
    """Return the squares to which *man* might go from *square*, whatever stands between."""
    squares = reach(man, square)
    if man in "Kk":
        squares |= chess.BB_RANKS[square >> 3]  # castling, in Chess960 too
    if man in "Pp":
        squares |= chess.BB_FILES[square & 7]
    return squares
