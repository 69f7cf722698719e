"""Legal lines that lead from one position to a placement, found by what differs.

A move changes two to four squares. So a placement that a single move explains is found by
looking its differing squares up in a table of all legal moves, built once for a position, and a
longer line is searched only among moves of men that are no longer where they stood.
"""

import chess

from bridge.core.inference.placement import (
    BIT,
    EMPTY,
    Change,
    cells_of,
    changes_of,
    difference,
    mask_of,
    shows,
    with_changes,
)

Line = tuple[chess.Move, ...]

SEARCH_BUDGET = 1500
"""Moves tried in one search; bounds the worst reading."""
MOST_LINES = 8
MOST_CHANGES = 4
"""Squares that one ply changes at most: castling."""


class Position:
    """A position with the table of what each legal move would show."""

    __slots__ = ("_by_mask", "board", "cells")

    def __init__(self, board: chess.Board, cells: str | None = None) -> None:
        self.board = board
        self.cells = cells_of(board) if cells is None else cells
        self._by_mask: dict[int, list[tuple[chess.Move, tuple[Change, ...]]]] | None = None

    def _table(self) -> dict[int, list[tuple[chess.Move, tuple[Change, ...]]]]:
        if self._by_mask is None:
            self._by_mask = {}
            for move in self.board.legal_moves:
                changes = changes_of(self.board, move)
                self._by_mask.setdefault(mask_of(changes), []).append((move, changes))
        return self._by_mask

    def move_shown(self, cells: str, mask: int) -> chess.Move | None:
        """Return the legal move whose result agrees with *cells* on all squares of *mask*.

        *mask* holds the squares that differ from this position; several promotions share
        their squares and are told apart by the letter.
        """
        for move, changes in self._table().get(mask, ()):
            if shows(cells, changes):
                return move
        return None

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

    Stops at a few lines or when the budget is spent; a search that was cut short returns
    nothing, because what it found might not be all.
    """
    search = _Search(cells)
    search.run(position.board, position.cells, plies, ())
    return search.found if search.budget > 0 else []


def likeliest(position: Position, lines: list[Line]) -> Line | None:
    """Return the line to believe, or None if *lines* do not all lead to one position.

    Where they do, the game goes on the same whichever was played: a queen rather than another
    piece that was taken at once, and en passant rather than a single step into the capture
    (9 of 12 such captures in recorded games).
    """
    ends, passing = set(), []
    for line in lines:
        board = position.board.copy(stack=False)
        for move in line:
            if board.is_en_passant(move):
                passing.append(line)
            board.push(move)
        ends.add(board.epd())
    return (*passing, *lines)[0] if len(ends) == 1 else None


class _Search:
    def __init__(self, cells: str) -> None:
        self.cells = cells
        self.budget = SEARCH_BUDGET
        self.found: list[Line] = []

    def run(self, board: chess.Board, placement: str, plies: int, line: Line) -> None:
        """Look among the moves of men that are missing where they stood."""
        mask = difference(self.cells, placement)
        if not mask or mask.bit_count() > MOST_CHANGES * plies:
            return
        origins = mask | board.kings if board.chess960 else mask  # a king may castle on the spot
        targets = mask | board.castling_rights if plies == 1 else chess.BB_ALL
        for move in board.generate_legal_moves(origins, targets):
            self.budget -= 1
            if self.budget <= 0 or len(self.found) > MOST_LINES:
                return
            changes = changes_of(board, move)
            if plies > 1:
                after = board.copy(stack=False)
                after.push(move)
                self.run(after, with_changes(placement, changes), plies - 1, (*line, move))
            elif mask_of(changes) == mask and shows(self.cells, changes):
                self.found.append((*line, move))
