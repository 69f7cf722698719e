"""Legal lines of several plies that lead from a position to what a board shows.

A line is searched among the men that are no longer where they stood: every ply must bring
something nearer to what is shown while no ply is to spare, and a search gives up what cannot
come out even in the plies that are left. The work is bounded by a budget of moves tried.

Only needed where moves were not seen one by one: after a lost link or a jump of the board, and
where a game is met when it has begun already. What was seen is followed ply by ply, or retraced.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import chess

from bridge.core.inference.hypotheses import (
    EN_PASSANT,
    OUT_OF_ORDER,
    PROMOTION,
    TOGETHER,
    Node,
    unseen_capture,
)
from bridge.core.inference.placement import BIT, occupied, with_changes
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight

Line = tuple[chess.Move, ...]
_Place = tuple[tuple[int, ...], int, int]
"""A position, how many plies are to go, and whom nobody may take."""

SEARCH_BUDGET = 2400
"""Moves looked at in one search, which bounds the work of one reading."""
A_POSITION = 8
"""As many of them as one takes that is made, to look at the moves after it."""
MOST_LINES = 24
"""With more lines than this nothing is found."""
SEARCHES_KEPT = 16
"""Searches of which it is kept what they found: several readings go on from one position."""
_TWO_RANKS = 16
"""Squares are numbered along the ranks."""


@lru_cache(maxsize=SEARCHES_KEPT)
def lines_to(
    position: Position,
    shown: str,
    plies: int,
    *,
    ignored: int = 0,
) -> tuple[Line, ...]:
    """Return the legal lines of exactly *plies* plies from *position* to what *shown* shows.

    Squares of *ignored* say nothing. A search that was cut short returns nothing, because what it
    found might not be all. Moves there and back are not considered.
    """
    kind = _ByKind if position.sensing == "identity" else _ByPlace
    search = kind(position.board, shown, ignored)
    lines = search.lines(plies)
    return tuple(lines) if search.budget > 0 else ()


def lines_beside(position: Position, shown: str, plies: int, excused: int) -> tuple[Line, ...]:
    """Return the lines as of :func:`lines_to`, where *excused* squares are not believed.

    Rather nothing happened there: then much less has to be tried.
    """
    if not excused:
        return lines_to(position, shown, plies)
    there = [(square, position.shown[square]) for square in chess.scan_forward(excused)]
    undisturbed = with_changes(shown, there)
    # Ignored squares never count: asked with these, what was found before is known.
    return lines_to(position, undisturbed, plies) or lines_to(
        position, undisturbed, plies, ignored=excused
    )


class _Search:
    """What both searches share: trying moves as long as the work that is left can be done."""

    def __init__(self, board: chess.Board, shown: str, ignored: int) -> None:
        self.budget = SEARCH_BUDGET
        self.board = board.copy(stack=False)
        self._known: dict[_Place, list[Line]] = {}
        self.believed = chess.BB_ALL & ~ignored
        self.spare = ignored.bit_count()
        self.aim(shown)

    def aim(self, shown: str) -> None:
        """Take in what is to be reached."""
        raise NotImplementedError

    def work(self, plies: int) -> "_Work | None":
        """Return what is left to do, or None if *plies* plies cannot do it."""
        raise NotImplementedError

    def suffices(self, work: "_Work", move: chess.Move, plies: int) -> bool:
        """Whether *plies* plies may do what is left of *work* after *move*, which one man makes.

        That is known before the move is made, which takes most of the time.
        """
        raise NotImplementedError

    def is_idle(self, plies: int, slack: int) -> bool:
        """Whether the last move has nothing to do: it would only disturb what is shown."""
        return plies == 1 and slack > 0 and not self.spare

    def lines(self, plies: int, promoted: int = 0) -> list[Line]:
        """Return the lines of exactly *plies* more plies; not all if the budget is spent.

        None takes a man that was *promoted* in it, and to no queen: nobody can tell.
        """
        work = self.work(plies)
        if work is None:
            return []
        if plies == 0:
            return [()]
        # The same moves in another order lead here as well.
        place = place_of(self.board), plies, promoted
        if place not in self._known:
            self._known[place] = self._lines_on(work, plies, promoted)
        return self._known[place]

    def _lines_on(self, work: "_Work", plies: int, promoted: int) -> list[Line]:
        board, found = self.board, list[Line]()
        for move in self._moves(work):
            target = BIT[move.to_square]
            if promoted & target:
                continue
            self.budget -= 1
            if self.budget <= 0:
                break
            if work.now and work.now & ~_changed_by(move, board.kings):
                continue  # it cannot come out, which need not be tried
            if _is_one_mans(board, move) and not self.suffices(work, move, plies - 1):
                continue
            self.budget -= A_POSITION
            board.push(move)
            lesser = move.promotion not in (None, chess.QUEEN)
            after = self.lines(plies - 1, promoted | target if lesser else promoted)
            board.pop()
            found += [(move, *line) for line in after]
            if len(found) > MOST_LINES:
                self.budget = 0  # all of them are lines from the start
                break
        return found

    def _moves(self, work: "_Work") -> list[chess.Move]:
        """Return the moves that may bring *work* nearer to its end."""
        board = self.board
        origins = chess.BB_ALL if work.roams else work.missing
        targets = work.targets | board.castling_rights  # castling is generated by its rook's square
        if board.chess960:  # and a king may castle on the spot
            origins |= board.kings
        if work.now:
            return list(board.generate_legal_moves(*_changing(board, work.now, origins, targets)))
        moves = list(board.generate_legal_moves(origins, targets))
        if work.relieved:
            moves += self._reliefs(board.occupied & ~origins, work.relieved)
        return moves

    def _reliefs(self, origins: int, targets: int) -> list[chess.Move]:
        """Return moves of men whose own squares another one of their kind must fill later."""
        raise NotImplementedError


def _changing(board: chess.Board, now: int, origins: int, targets: int) -> tuple[int, int]:
    """Return which *origins* and *targets* a move may have that changes all squares of *now*.

    Castling and en passant change more squares than these two.
    """
    passing = board.pawns if board.ep_square is not None else chess.BB_EMPTY
    if now & board.occupied_co[board.turn] or now & (now - 1):
        return origins & (now | board.kings | passing), targets
    castling = board.castling_rights & chess.BB_RANKS[now.bit_length() - 1 >> 3]
    return origins, targets if castling or passing else targets & now


def _changed_by(move: chess.Move, kings: int) -> int:
    """Return the squares that *move* may change, en passant and castling with those of *kings*."""
    origin, target = move.from_square, move.to_square
    changed = BIT[origin] | BIT[target] | BIT[(origin & ~7) | (target & 7)]
    return changed | chess.BB_RANKS[origin >> 3] if kings & BIT[origin] else changed


def place_of(board: chess.Board) -> tuple[int, ...]:
    """Return what tells the position from others that the same side may reach in as many plies."""
    return (
        board.occupied_co[chess.WHITE],
        board.occupied,
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.castling_rights,
        -1 if board.ep_square is None else board.ep_square,
    )


def _is_one_mans(board: chess.Board, move: chess.Move) -> bool:
    """Whether *move* changes nothing but the squares where it begins and ends."""
    if board.kings & BIT[move.from_square]:
        return not (board.castling_rights and board.is_castling(move))
    return move.to_square != board.ep_square


class _Work(NamedTuple):
    """What the side to move still has to do.

    ``now``: squares that must be changed by this ply, as no later one can. ``missing``: squares its
    men must have left; ``targets``: where they may go. ``roams``: any man may have moved.
    ``right``: where men stand that are to stand there. ``relieved``: where men may also come whose
    squares are filled again.
    """

    now: int
    missing: int
    targets: int
    roams: bool
    right: int = 0
    relieved: int = 0


_DONE = _Work(0, 0, 0, roams=False)


class _ByKind(_Search):
    """Counts, for each side, the men that must still arrive and those that must be taken."""

    def aim(self, shown: str) -> None:
        self._wanted = {colour: _men_in(shown, colour) for colour in chess.COLORS}
        self._places = {
            colour: sum(men.values()) & self.believed for colour, men in self._wanted.items()
        }

    def work(self, plies: int) -> _Work | None:
        board, right = self.board, self._right()
        mine = self._side(board.turn, board.occupied_co[board.turn], right)
        theirs = self._side(not board.turn, board.occupied_co[not board.turn], right)
        wrong = mine.arriving | mine.missing | theirs.arriving | theirs.missing
        if plies == 0:
            return None if wrong else _DONE
        my_plies = (plies + 1) // 2
        slack = my_plies - mine.moves
        if not self._suffice(plies, mine, theirs) or self.is_idle(plies, slack):
            return None
        targets = chess.BB_ALL if slack or self.spare else mine.arriving
        relieved = mine.arriving if slack and not self.spare else 0
        now = wrong if plies == 1 else mine.arriving if my_plies == 1 else 0
        return _Work(now, mine.missing, targets, bool(self.spare), right, relieved)

    def suffices(self, work: _Work, move: chess.Move, plies: int) -> bool:
        board, origin, target = self.board, BIT[move.from_square], BIT[move.to_square]
        mover = board.turn
        kind = move.promotion or board.piece_type_at(move.from_square) or chess.PAWN
        right = work.right & ~(origin | target) | target & self._wanted[mover][kind]
        moved = self._side(mover, board.occupied_co[mover] & ~origin | target, right)
        other = self._side(not mover, board.occupied_co[not mover] & ~target, right)
        if plies == 0:
            return not (moved.arriving | moved.missing | other.arriving | other.missing)
        return self._suffice(plies, other, moved)

    def _suffice(self, plies: int, mine: "_Side", theirs: "_Side") -> bool:
        """Whether *plies* plies may do what the sides have to, the side to move first."""
        my_plies, their_plies = (plies + 1) // 2, plies // 2
        if mine.moves > my_plies or theirs.moves > their_plies:
            return False
        return mine.taken <= their_plies + self.spare and theirs.taken <= my_plies + self.spare

    def _reliefs(self, origins: int, targets: int) -> list[chess.Move]:
        board = self.board
        return [
            move
            for piece, wanted in self._wanted[board.turn].items()
            if targets & wanted and (men := origins & board.pieces_mask(piece, board.turn))
            for move in board.generate_legal_moves(men, targets & wanted)
            if not move.promotion
        ]

    def _right(self) -> int:
        """Return the squares on which those men stand who are to stand there."""
        board, right = self.board, 0
        for colour, wanted in self._wanted.items():
            right |= board.occupied_co[colour] & (
                board.pawns & wanted[chess.PAWN]
                | board.knights & wanted[chess.KNIGHT]
                | board.bishops & wanted[chess.BISHOP]
                | board.rooks & wanted[chess.ROOK]
                | board.queens & wanted[chess.QUEEN]
                | board.kings & wanted[chess.KING]
            )
        return right & self.believed

    def _side(self, colour: chess.Color, men: int, right: int) -> "_Side":
        wanted = self._wanted[colour]
        missing, arriving = men & self.believed & ~right, self._places[colour] & ~right
        castles = bool(arriving & wanted[chess.KING] and arriving & wanted[chess.ROOK])
        coming, going = arriving.bit_count(), missing.bit_count()
        return _Side(arriving, missing, coming - castles, going - coming)


class _Side(NamedTuple):
    """What one side still has to do: squares, the fewest moves, and how many men it loses."""

    arriving: int
    missing: int
    moves: int
    taken: int


class _ByPlace(_Search):
    """Knows where men stand, not which: squares that must become empty or occupied."""

    def aim(self, shown: str) -> None:
        self._occupied = occupied(shown)

    def work(self, plies: int) -> _Work | None:
        board = self.board
        own, others = board.occupied_co[board.turn], board.occupied_co[not board.turn]
        going, coming = self._left(own | others)
        if plies == 0:
            return None if going or coming else _DONE
        slack = (plies + 1) // 2 - (going & own).bit_count()
        passing = board.ep_square is not None
        if not self._suffice(plies, going & own, going & others, coming, passing=passing):
            return None
        if self.is_idle(plies, slack):
            return None
        roams = slack > 0 or bool(self.spare)
        targets = chess.BB_ALL if roams else coming | others
        now = going | coming if plies == 1 else 0
        return _Work(now, going & own, targets, roams)

    def suffices(self, work: _Work, move: chess.Move, plies: int) -> bool:  # noqa: ARG002 - no names
        board, origin, target = self.board, BIT[move.from_square], BIT[move.to_square]
        moved = board.occupied_co[board.turn] & ~origin | target
        others = board.occupied_co[not board.turn] & ~target
        going, coming = self._left(moved | others)
        if plies == 0:
            return not (going or coming)
        passing = bool(board.pawns & origin) and _is_double_step(move)
        return self._suffice(plies, going & others, going & moved, coming, passing=passing)

    def _left(self, men: int) -> tuple[int, int]:
        """Return the squares that *men* are still to leave, and those where somebody is to come."""
        return men & ~self._occupied & self.believed, self._occupied & ~men & self.believed

    def _suffice(self, plies: int, mine: int, theirs: int, coming: int, *, passing: bool) -> bool:
        """Whether *plies* plies may empty the squares of the sides, and fill those of *coming*.

        Each empties one square, and fills one unless it takes a man: none can take away fewer men
        than none. Castling empties two, and so does en passant if the next ply is *passing*. Who
        takes a man and goes on empties that man's square as well.
        """
        gone, my_plies, their_plies = mine | theirs, (plies + 1) // 2, plies // 2
        if gone.bit_count() - coming.bit_count() < -self.spare:
            return False
        castling = self._castling(mine), self._castling(theirs)
        if gone.bit_count() > plies + sum(castling) + passing:
            return False
        if mine.bit_count() > my_plies + castling[0] + max(0, their_plies - 1):
            return False
        return theirs.bit_count() <= their_plies + castling[1] + max(passing, my_plies - 1)

    def _castling(self, gone: int) -> bool:
        """Whether king and rook of a side may have castled: both are to leave their squares."""
        return bool(gone & self.board.castling_rights and gone & self.board.kings)


def _is_double_step(move: chess.Move) -> bool:
    return abs(move.from_square - move.to_square) == _TWO_RANKS


def _men_in(shown: str, colour: chess.Color) -> dict[chess.PieceType, int]:
    men = dict.fromkeys(chess.PIECE_TYPES, 0)
    for square, letter in enumerate(shown):
        if letter in _KINDS and letter.isupper() == colour:
            men[_KINDS[letter]] |= BIT[square]
    return men


_KINDS = {
    letter: kind
    for kind in chess.PIECE_TYPES
    for letter in (chess.piece_symbol(kind), chess.piece_symbol(kind).upper())
}


def leaves_of(start: Node, lines: Sequence[Line], sight: Sight | None, since: float) -> list[Node]:
    """Return the reading that each of *lines* from *start* makes, with its cost."""
    leaves = []
    for line in lines:
        node = start
        for move in line:
            cost = _cost_of(node, move, sight, since)
            node = node.then(move)
            node.cost += cost
        if sight is not None:
            node.cost += OUT_OF_ORDER * _out_of_order(line, sight, since)
        leaves.append(node)
    return leaves


def _out_of_order(line: Line, sight: Sight, since: float) -> int:
    """Return how many moves of *line* were seen to be complete before one that precedes them began.

    Or was complete itself, if its man has not gone on since. A man who was taken up before another
    of his player who precedes him is out of order too: he was in the hand.
    """
    out, latest = 0, -math.inf
    lifted = [-math.inf, -math.inf]
    for number, move in enumerate(line, start=1):
        others = {square for m in line[number:] for square in (m.from_square, m.to_square)}
        came, left = sight.changed[move.to_square], sight.changed[move.from_square]
        if came > since and move.to_square not in others:
            out += came < latest - TOGETHER
            latest = max(latest, came)
        if left > since and move.from_square not in others:
            out += left < lifted[number % 2] - TOGETHER
            lifted[number % 2] = max(lifted[number % 2], left)
            latest = max(latest, left)
    return out


def _cost_of(node: Node, move: chess.Move, sight: Sight | None, since: float) -> float:
    """Return what it takes to believe that *move* was made unobserved from *node*."""
    board = node.position.board
    if board.is_en_passant(move):
        return EN_PASSANT
    if not board.is_capture(move) or node.position.sensing == "identity":
        return PROMOTION[move.promotion] / 2
    seen = sight is not None and sight.emptied[move.to_square] > since
    return PROMOTION[move.promotion] + (0 if seen else unseen_capture(node.position, move))
