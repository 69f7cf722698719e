"""A game that a board stored while it had no host: positions one after another, without times."""

import chess

from drivers.events import EMPTY, BoardLog, Event, Notice

LONGEST_GAME = 2000
"""Positions after which a transfer is taken to have lost its end."""

KEEP_ALIVE = 1.0
"""Seconds after which a transfer shows again that the link is alive."""


class StoredGame:
    """Collects one game between its begin and its end."""

    def __init__(self, at: float) -> None:
        self._entries: list[str] = []
        self._told_at = at

    def add(self, cells: str, at: float) -> list[Event]:
        """Take the next position; say now and then how many there are."""
        self._entries.append(_placement(cells))
        if at - self._told_at < KEEP_ALIVE:
            return []
        self._told_at = at
        return [Notice(at=at, text=f"a stored game arrives: {len(self._entries)} positions")]

    @property
    def full(self) -> bool:
        """Whether its end must have been lost."""
        return len(self._entries) >= LONGEST_GAME

    def ended(self, at: float, *, complete: bool) -> BoardLog:
        """Return it: piece placements as in FEN, in the board's own numbering, oldest first."""
        return BoardLog(at=at, entries=tuple(self._entries), complete=complete)


def _placement(cells: str) -> str:
    board = chess.BaseBoard.empty()
    for square, letter in enumerate(cells):
        if letter != EMPTY:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return board.board_fen()
