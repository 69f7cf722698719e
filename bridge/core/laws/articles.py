"""Where the Laws say it: articles for every reason, in each book of rules.

FIDE articles are those of the Laws in force from 1 January 2023, appendix A for rapid and blitz
without full supervision. The classic code is cited by the names of its parts.
"""

from typing import Literal, NamedTuple

Book = Literal["fide", "a5", "classic"]
"""FIDE's Laws under full supervision, under A.5 or B.3, and the classic code."""


class Cited(NamedTuple):
    """Articles of one thing in FIDE's Laws and in the classic code; ``a5`` is what A.5 adds.

    Empty where a book does not know the thing; the arbiter decides by analogy then.
    """

    fide: str
    classic: str
    a5: str = "A.5.2"

    def under(self, book: Book) -> str:
        """Return the articles that hold under *book*.

        >>> Cited("3.9.2, 7.5.1", "piece moves 10").under("a5")
        '3.9.2, 7.5.1, A.5.2'
        """
        if book == "classic":
            return self.classic
        return ", ".join(filter(None, (self.fide, self.a5 if book == "a5" else "")))


_IMPOSSIBLE = "impossible positions"
_FROM_CHECK = Cited("3.9.2, 7.5.1", f"piece moves 10; {_IMPOSSIBLE}")
_CASTLING_DONE_WRONGLY = f"{_IMPOSSIBLE}: castling"
_BARRED_NOW = Cited("3.8.2.2, 4.4.3, 7.5.1", f"piece moves 9; {_CASTLING_DONE_WRONGLY}")
_SETUP = Cited("2.3, 7.2.1", f"board and men; {_IMPOSSIBLE}", "A.5.1.2")
_PROMOTION_DONE_WRONGLY = f"end of move; {_IMPOSSIBLE}: promotion"

ARTICLES: dict[str, Cited] = {
    # illegal moves, by their reasons
    "OWN_PIECE_ON_TARGET": Cited("3.1, 3.10.2, 7.5.1", f"piece moves, preamble; {_IMPOSSIBLE}"),
    "PATH_BLOCKED": Cited("3.5, 3.10.2, 7.5.1", f"piece moves; {_IMPOSSIBLE}"),
    "GEOMETRY": Cited("3.1, 3.10.2, 7.5.1", f"piece moves; {_IMPOSSIBLE}"),
    "PAWN_GEOMETRY": Cited("3.7, 3.10.2, 7.5.1", f"piece moves 5; {_IMPOSSIBLE}"),
    "EXTRA_CHANGE": Cited("1.2, 3.1, 7.5.1", f"move concept; {_IMPOSSIBLE}"),
    "WRONG_SIDE": Cited("1.2, 1.3, 7.5.1", "move concept"),
    "CLOCK_PRESSED_WITHOUT_MOVE": Cited("7.5.3", ""),
    "KING_INTO_CHECK": _FROM_CHECK,
    "KING_EXPOSED": _FROM_CHECK,
    "KING_LEFT_IN_CHECK": _FROM_CHECK,
    "KINGS_ADJACENT": _FROM_CHECK,
    "KING_CAPTURED": Cited("1.4.1, 7.5.1", f"aim of the game; {_IMPOSSIBLE}"),
    "CASTLING_KING_MOVED": Cited("3.8.2.1, 4.4.3, 7.5.1", f"piece moves 8; {_IMPOSSIBLE}"),
    "CASTLING_ROOK_MOVED": Cited("3.8.2.1, 4.4.3, 7.5.1", f"piece moves 8; {_IMPOSSIBLE}"),
    "CASTLING_RIGHT_LOST": Cited("3.8.2.1, 4.4.3, 7.5.1", f"piece moves 8; {_IMPOSSIBLE}"),
    "CASTLING_IN_CHECK": _BARRED_NOW,
    "CASTLING_THROUGH_ATTACK": _BARRED_NOW,
    "CASTLING_INTO_ATTACK": _BARRED_NOW,
    "CASTLING_BLOCKED": _BARRED_NOW,
    "CASTLING_WRONG_SQUARES": Cited("3.8.2, 7.5.1", f"piece moves 7; {_CASTLING_DONE_WRONGLY}"),
    "CASTLING_NOT_ON_FIRST_RANK": Cited("3.8.2, 7.5.1", f"piece moves 7; {_CASTLING_DONE_WRONGLY}"),
    "CASTLING_INCOMPLETE": Cited("3.8.2, 4.7.2, 7.5.1", f"end of move; {_CASTLING_DONE_WRONGLY}"),
    "EP_NOT_AVAILABLE": Cited("3.7.3, 7.5.1", f"only as the first reply; {_IMPOSSIBLE}"),
    "EP_PAWN_NOT_REMOVED": Cited("3.7.3, 4.7.1, 7.5.1", f"end of move; {_IMPOSSIBLE}"),
    "PROMOTION_NOT_REPLACED": Cited("7.5.2, 7.5.5", _PROMOTION_DONE_WRONGLY, "A.5.2, A.5.4"),
    "PROMOTION_BAD_PIECE": Cited(
        "3.7.3.3, 7.5.1", f"piece moves 6; {_IMPOSSIBLE}: promotion", "A.5.2"
    ),
    # touching
    "own man": Cited("4.3.1", "touching a piece", ""),
    "opponent's man": Cited("4.3.2", "touching a piece", ""),
    "men of both": Cited("4.3.3", "touching a piece: own and opponent's man", ""),
    "king, then rook": Cited("4.4.1", "touching a piece: castling", ""),
    "rook, then king": Cited("4.4.2, 4.3.1", "touching a piece: rook, then king", ""),
    "castling barred": Cited("4.4.3", "touching a piece: king, then rook", ""),
    "no move": Cited("4.5", "touching a piece: no consequence", ""),
    "released": Cited("4.7", "end of move", ""),
    # beginnings
    "WRONG_SETUP": _SETUP,
    "CASTLING_LOST_BY_SETUP": _SETUP,
    "CHESS960_SETUP_MISMATCH": Cited("II.2", "", "A.5.1.2"),
    "BOARD_ROTATED": Cited("2.1, 7.2.2", f"board and men; {_IMPOSSIBLE}: board", "A.5.1.2"),
}
"""Articles by the reason of a verdict, an obligation or the code of a set-up."""
