"""Which positions are the same, and when each of them stood (FIDE Laws 9.2.3)."""

from collections.abc import Hashable
from typing import NamedTuple

import chess


def identity(board: chess.Board) -> Hashable:
    """Return what makes a position the same as another one.

    That is the placement by kind and colour, the side to move, the castling rights that king and
    rook still have, and the en passant square only where a capture there is legal.
    """
    return (
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
        board.occupied_co[chess.WHITE], board.turn, board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )  # fmt: skip


class Moment(NamedTuple):
    """A position of the game: ``ply`` 0 is the first one, ``number`` the move about to be made."""

    ply: int
    number: int
    turn: chess.Color
    castling: str


class _Entry(NamedTuple):
    key: Hashable
    moment: Moment
    zeroing: bool
    missed: bool


class Positions:
    """The positions of one game in their order; one cheap update per ply, and back.

    Where an illegal move stands the counts begin anew (alert catalogue, ILLEGAL_MOVE_STANDS):
    make a new one from the position after it.
    """

    def __init__(self, start: chess.Board) -> None:
        self._entries: list[_Entry] = []
        self._stood: dict[Hashable, list[Moment]] = {}
        self._enter(start, zeroing=not start.halfmove_clock, missed=False)

    def played(self, board: chess.Board) -> None:
        """Enter the position after a legal move; *board* is that position."""
        self._enter(board, zeroing=not board.halfmove_clock, missed=False)

    def missed(self, board: chess.Board) -> None:
        """Enter a position that was reached by moves nobody saw."""
        self._enter(board, zeroing=False, missed=True)

    def withdraw(self, count: int) -> None:
        """Take back the last *count* positions; the first one stays."""
        for _ in range(count):
            entry = self._entries.pop()
            moments = self._stood[entry.key]
            moments.pop()
            if not moments:
                del self._stood[entry.key]

    @property
    def occurrences(self) -> int:
        """How often the present position has stood, the present time included."""
        return len(self._stood[self._entries[-1].key])

    @property
    def moments(self) -> tuple[Moment, ...]:
        """When the present position stood."""
        return tuple(self._stood[self._entries[-1].key])

    def moments_after(self, board: chess.Board, move: chess.Move) -> tuple[Moment, ...]:
        """Return when the position stood before that *move* would bring about."""
        board.push(move)
        key = identity(board)
        board.pop()
        return tuple(self._stood.get(key, ()))

    @property
    def last_irreversible(self) -> Moment | None:
        """The position after the last capture or pawn move, ``None`` where it is not known."""
        for entry in reversed(self._entries):
            if entry.zeroing:
                return entry.moment
        return None

    @property
    def complete(self) -> bool:
        """Whether every move since the last capture or pawn move is known.

        What is missing before it does not matter: no earlier position can come back.
        """
        for entry in reversed(self._entries):
            if entry.missed:
                return False
            if entry.zeroing:
                break
        return True

    def _enter(self, board: chess.Board, *, zeroing: bool, missed: bool) -> None:
        key = identity(board)
        moment = Moment(
            len(self._entries), board.fullmove_number, board.turn, board.castling_xfen()
        )
        self._entries.append(_Entry(key, moment, zeroing, missed))
        self._stood.setdefault(key, []).append(moment)
