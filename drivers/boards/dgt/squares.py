"""What stands on one DGT board, kept up by reported changes and by dumps."""

from collections.abc import Mapping

import chess

from drivers.boards.dgt.protocol import PIECE_CODES, RESULT_PIECES, square_of_index
from drivers.cells import from_eighth_rank
from drivers.events import (
    UNKNOWN_CELLS,
    UNNAMED,
    UNREADABLE,
    Event,
    Notice,
    ResultPiece,
    Snapshot,
    SquareChange,
)

_LETTERS = [PIECE_CODES.get(code, UNNAMED) for code in range(16)]
_LETTER_OF_BYTE = "".join(_LETTERS[byte & 0x0F] for byte in range(256)).encode()


class Squares:
    """The 64 cells of one board; those not told yet are ``*``.

    Bits that no edition of the vendor header describes are masked, and told of once.

    Args:
        checked: whether messages carry a checksum. Where they do not, a byte that was damaged on
            the way may read as a result piece, so one counts when two messages show it.
    """

    def __init__(self, *, checked: bool) -> None:
        self.cells = UNKNOWN_CELLS
        self.doubtful = False
        """Whether another dump is needed to know of a result piece."""
        self._checked = checked
        self._results: dict[chess.Square, int] = {}
        self._odd_bits_told = False

    def change(self, index: int, code: int, at: float, *, said: bytes) -> list[Event]:
        """Return what follows from the change of one square; *said* are the board's words."""
        square = square_of_index(index & 0x3F)
        piece = _LETTERS[code & 0x0F]
        self.cells = self.cells[:square] + piece + self.cells[square + 1 :]
        events: list[Event] = [SquareChange(at=at, square=square, piece=piece, cells=self.cells)]
        others = {there: shown for there, shown in self._results.items() if there != square}
        events += self._result_pieces({square: code & 0x0F}, others, at)
        if index > 0x3F or code > 0x0F:
            events += self._odd_bits(said, at)
        return events

    def dump(self, codes: bytes, at: float, *, said: bytes) -> tuple[list[Event], list[str]]:
        """Believe 64 piece codes, a8 first.

        Returns what follows from them, a snapshot first, and the names of the squares where they
        contradict what was told before.
        """
        letters = codes.translate(_LETTER_OF_BYTE).decode()
        before, self.cells = self.cells, from_eighth_rank(letters)
        events: list[Event] = [Snapshot(at=at, cells=self.cells)]
        if UNNAMED in self.cells or self._results:
            shown = {square_of_index(index): code & 0x0F for index, code in enumerate(codes)}
            events += self._result_pieces(shown, {}, at)
        if max(codes) > 0x0F:
            events += self._odd_bits(said, at)
        if before[::-1] == self.cells != before:
            # A Revelation II turns its numbering when Black's men stand in order on its two lowest
            # rows (vendor header, 2015). What is told from now on is right as it is.
            return [*events, Notice(at=at, text="the board turned the numbers of its squares")], []
        return events, contradicted(before, self.cells)

    def _result_pieces(
        self, shown: Mapping[chess.Square, int], others: Mapping[chess.Square, int], at: float
    ) -> list[Event]:
        """Tell the result pieces among the codes of squares; *others* are those told before."""
        found = {square: code for square, code in shown.items() if code in RESULT_PIECES}
        before, self._results = self._results, {**others, **found}
        sure = [square for square in found if self._checked or before.get(square) == found[square]]
        self.doubtful = len(sure) < len(found)
        return [
            ResultPiece(at=at, square=square, result=RESULT_PIECES[found[square]])
            for square in sure
        ]

    def _odd_bits(self, said: bytes, at: float) -> list[Event]:
        if self._odd_bits_told:
            return []
        self._odd_bits_told = True
        return [Notice(at=at, text=f"undescribed bits are ignored: {said.hex(' ')}")]


def contradicted(told: str, found: str) -> list[str]:
    """Return the names of the squares that were told otherwise than they are *found*."""
    if told == found:
        return []
    return [
        chess.square_name(square)
        for square, (before, now) in enumerate(zip(told, found, strict=True))
        if before not in (now, UNREADABLE)
    ]


def missed(squares: list[str], at: float) -> Notice:
    """Return what an operator should read when a dump contradicts what was reported."""
    return Notice(at=at, text=f"changes were not reported on {', '.join(squares)}")
