"""Legal lines that lead from one position to a placement, found by what differs.

A move changes two to four squares. So a placement that a single move explains is found by
looking its differing squares up in a table of all legal moves, built once for a position, and a
longer line is searched only among moves of men that are no longer where they stood.
"""

from collections.abc import Iterator

import chess

from bridge.core.inference.placement import (
    BIT,
    EMPTY,
    Change,
    cells_of,
    changes_of,
    difference,
    mask_of,
    with_changes,
)

Line = tuple[chess.Move, ...]

SEARCH_BUDGET = 3000
"""Positions looked at in one search; keeps the worst reading within some 20 ms."""


class Position:
    """A position with the table of what each legal move would show."""

    __slots__ = ("_by_mask", "_by_origin", "board", "cells")

    def __init__(self, board: chess.Board, cells: str | None = None) -> None:
        self.board = board
        self.cells = cells_of(board) if cells is None else cells
        self._by_mask: dict[int, list[tuple[chess.Move, tuple[Change, ...]]]] | None = None
        self._by_origin: dict[int, list[tuple[chess.Move, tuple[Change, ...]]]] = {}

    def _table(self) -> dict[int, list[tuple[chess.Move, tuple[Change, ...]]]]:
        if self._by_mask is None:
            self._by_mask = {}
            for move in self.board.legal_moves:
                changes = changes_of(self.board, move)
                self._by_mask.setdefault(mask_of(changes), []).append((move, changes))
                self._by_origin.setdefault(move.from_square, []).append((move, changes))
        return self._by_mask

    def move_shown(self, cells: str, mask: int) -> chess.Move | None:
        """Return the legal move whose result agrees with *cells* on all squares of *mask*.

        *mask* holds the squares that differ from this position; several promotions share
        their squares and are told apart by the letter.
        """
        for move, changes in self._table().get(mask, ()):
            if all(cells[square] == letter for square, letter in changes):
                return move
        return None

    def after(self, move: chess.Move) -> "Position":
        """Return the position after a legal *move*."""
        cells = with_changes(self.cells, changes_of(self.board, move))
        board = self.board.copy(stack=False)
        board.push(move)
        return Position(board, cells)

    def moves_of_missing_men(self, mask: int) -> Iterator[tuple[chess.Move, tuple[Change, ...]]]:
        """Yield the legal moves of men whose squares lie in *mask*."""
        self._table()
        for origin, moves in self._by_origin.items():
            if mask & BIT[origin]:
                yield from moves

    def lifted(self, cells: str, mask: int, colour: chess.Color) -> int:
        """Return the squares of *mask* that a man of *colour* left empty."""
        men = 0
        for square in chess.scan_forward(mask & self.board.occupied_co[colour]):
            if cells[square] == EMPTY:
                men |= BIT[square]
        return men


def lines_to(position: Position, cells: str, plies: int) -> list[Line]:
    """Return the legal lines of exactly *plies* plies from *position* to *cells*.

    Stops at two lines (more would not be less ambiguous) or when the budget is spent; a search
    that was cut short returns nothing, because what it found might not be the only line.
    """
    found: list[Line] = []
    budget = [SEARCH_BUDGET]
    _search(position, cells, plies, (), found, budget)
    return found if budget[0] > 0 else []


def _search(
    position: Position, cells: str, plies: int, line: Line, found: list[Line], budget: list[int]
) -> None:
    mask = difference(cells, position.cells)
    if mask.bit_count() > 4 * plies or not mask:
        return
    if plies == 1:
        move = position.move_shown(cells, mask)
        if move is not None:
            found.append((*line, move))
        return
    for move, _ in position.moves_of_missing_men(mask):
        budget[0] -= 1
        if budget[0] <= 0 or len(found) > 1:
            return
        _search(position.after(move), cells, plies - 1, (*line, move), found, budget)
