"""Legal lines that lead from one position to a placement, found by what differs.

A move changes two to four squares. So a placement that a single move explains is found among
the few legal moves between the squares that differ, and a longer line is searched only among
moves of men that are no longer where they stood.
"""

from typing import NamedTuple

import chess

from bridge.core.inference.placement import (
    BIT,
    EMPTY,
    cells_of,
    changes_of,
    mask_of,
    shows,
    with_changes,
)

Line = tuple[chess.Move, ...]

FEWEST_CHANGES, MOST_CHANGES = 2, 4
"""Squares that one ply changes: from two, to the four of castling."""
SEARCH_BUDGET = 400
"""Moves tried in one search; some 20 ms at most, which bounds the worst reading."""
MOST_LINES = 16


class Position:
    """A position and what it shows."""

    __slots__ = ("board", "cells")

    def __init__(self, board: chess.Board, cells: str | None = None) -> None:
        self.board = board
        self.cells = cells_of(board) if cells is None else cells

    def move_shown(self, cells: str, mask: int) -> chess.Move | None:
        """Return the legal move whose result agrees with *cells* on all squares of *mask*.

        *mask* holds the squares that differ from this position. Only moves between them are
        generated; several promotions share their squares and are told apart by the letter.
        """
        board, squares = self.board, mask.bit_count()
        if (
            not FEWEST_CHANGES <= squares <= MOST_CHANGES
            or not mask & board.occupied_co[board.turn]
        ):
            return None
        if squares == FEWEST_CHANGES and not board.chess960:
            return self._plain_move(cells, mask)
        origins = mask | board.kings if board.chess960 else mask  # a king may castle on the spot
        for move in board.generate_legal_moves(origins, mask):
            changes = changes_of(board, move)
            if mask_of(changes) == mask and shows(cells, changes):
                return move
        return None

    def _plain_move(self, cells: str, mask: int) -> chess.Move | None:
        """Return the legal move of one man from one of two squares to the other, if it is shown."""
        origin, target = chess.lsb(mask), chess.msb(mask)
        if cells[origin] != EMPTY:
            origin, target = target, origin
        man, shown = self.cells[origin], cells[target]
        if cells[origin] != EMPTY or man == EMPTY or man.isupper() != shown.isupper():
            return None
        if man == shown:
            move = chess.Move(origin, target)
        elif man in "Pp" and shown.isalpha():
            move = chess.Move(origin, target, chess.PIECE_SYMBOLS.index(shown.lower()))
        else:
            return None
        board = self.board
        # Castling and en passant change more than two squares.
        if board.is_castling(move) or board.is_en_passant(move) or not board.is_legal(move):
            return None
        return move

    def after(self, move: chess.Move) -> "Position":
        """Return the position after a legal *move*."""
        cells = with_changes(self.cells, changes_of(self.board, move))
        board = self.board.copy(stack=False)
        board.push(move)
        return Position(board, cells)

    def lifted(self, cells: str, mask: int, colour: chess.Color) -> int:
        """Return the squares of *mask* that a man of *colour* left empty."""
        men = 0
        for square in chess.scan_forward(mask & self.board.occupied_co[colour]):
            if cells[square] == EMPTY:
                men |= BIT[square]
        return men


def lines_to(position: Position, cells: str, plies: int) -> list[Line]:
    """Return the legal lines of exactly *plies* plies from *position* to *cells*.

    Stops at some lines or when the budget is spent; a search that was cut short returns
    nothing, because what it found might not be all. Moves there and back are not considered.
    """
    search = _Search(position.board, cells)
    search.run(plies, ())
    return search.found if search.budget > 0 else []


def likeliest_first(position: Position, lines: list[Line]) -> list[Line]:
    """Return *lines* with the one to believe first; none if they lead to several positions.

    Where they lead to one, the game goes on the same whichever was played: a queen rather than
    another piece that was taken at once, and en passant rather than a single step into the
    capture (9 of 12 such captures in recorded games).
    """
    ends, passing = set(), []
    for line in lines:
        board = position.board.copy(stack=False)
        for move in line:
            if board.is_en_passant(move) and line not in passing:
                passing.append(line)
            board.push(move)
        ends.add(board.epd())
    if len(ends) != 1:
        return []
    return [*passing, *(line for line in lines if line not in passing)]


class _Search:
    """Counts, for each side, the men that must still arrive and the men that must still be taken.

    A line that cannot do both in the plies that are left is given up at once, and while every
    move must bring a man home only such moves are tried.
    """

    def __init__(self, board: chess.Board, cells: str) -> None:
        self.budget = SEARCH_BUDGET
        self.found: list[Line] = []
        self._board = board.copy(stack=False)
        self._target = {colour: _men_in(cells, colour) for colour in chess.COLORS}

    def run(self, plies: int, line: Line) -> None:
        """Collect the lines of exactly *plies* more plies."""
        mover = self._board.turn
        mine, theirs = self._work(mover), self._work(not mover)
        if plies == 0:
            if not (mine.arriving or mine.missing or theirs.arriving or theirs.missing):
                self.found.append(line)
            return
        my_plies, their_plies = (plies + 1) // 2, plies // 2
        if mine.taken > their_plies or theirs.taken > my_plies:
            return
        slack = my_plies - mine.moves
        if slack < 0 or theirs.moves > their_plies:
            return
        self._try(mine, line, plies, straight=slack == 0)

    def _try(self, mine: "_Work", line: Line, plies: int, *, straight: bool) -> None:
        board = self._board
        origins, targets = mine.missing, mine.arriving if straight else chess.BB_ALL
        targets |= board.castling_rights  # castling is generated by its rook's square
        if board.chess960:  # and a king may castle on the spot
            origins |= board.kings
        for move in list(board.generate_legal_moves(origins, targets)):
            self.budget -= 1
            if self.budget <= 0 or len(self.found) > MOST_LINES:
                return
            board.push(move)
            self.run(plies - 1, (*line, move))
            board.pop()

    def _work(self, colour: chess.Color) -> "_Work":
        arriving = missing = coming = going = 0
        castles = True
        for piece, wanted in self._target[colour].items():
            present = self._board.pieces_mask(piece, colour)
            come, go = wanted & ~present, present & ~wanted
            arriving |= come
            missing |= go
            coming += come.bit_count()
            going += go.bit_count()
            if piece in (chess.KING, chess.ROOK):
                castles = castles and bool(come)
        return _Work(arriving, missing, coming - castles, going - coming)


class _Work(NamedTuple):
    """What one side still has to do: squares, the fewest moves, and how many men it loses."""

    arriving: int
    missing: int
    moves: int
    taken: int


def _men_in(cells: str, colour: chess.Color) -> dict[chess.PieceType, int]:
    men = dict.fromkeys(chess.PIECE_TYPES, 0)
    for square, letter in enumerate(cells):
        if letter.isalpha() and letter.isupper() == colour:
            men[chess.PIECE_SYMBOLS.index(letter.lower())] |= BIT[square]
    return men
