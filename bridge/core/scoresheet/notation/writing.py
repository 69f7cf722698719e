"""One move in any style and language."""

import re
from types import MappingProxyType
from typing import NamedTuple

import chess

from bridge.core.scoresheet.notation.languages import (
    FIDE_SIGNS,
    FIGURINES,
    LANGUAGES,
    PGN_SIGNS,
    Language,
    Signs,
)

_SAN = re.compile(
    r"(?P<man>[KQRBN]?)(?P<origin>[a-h]?[1-8]?)(?P<capture>x?)(?P<target>[a-h][1-8])"
    r"(?:=(?P<promotion>[QRBN]))?(?P<sign>[+#]?)"
)


class Style(NamedTuple):
    """How a move is put together.

    ``language``, ``letters`` and ``signs`` hold whatever language is asked for; where they are
    ``None``, that language's are used. ``files_alone``: a pawn capture is written as two files
    where that is enough.
    """

    long: bool = False
    signs: Signs | None = None
    letters: MappingProxyType[str, str] | None = None
    language: str | None = None
    files_alone: bool = False


STYLES = MappingProxyType(
    {
        "fide": Style(signs=FIDE_SIGNS),
        "long": Style(long=True),
        "short": Style(),
        "older_short": Style(files_alone=True),
        "figurine": Style(signs=FIDE_SIGNS, letters=FIGURINES),
        "pgn": Style(signs=PGN_SIGNS, language="en"),
        "russian_long": Style(long=True, language="ru"),
        "russian_short": Style(language="ru"),
    }
)
"""``fide`` is Appendix C, ``pgn`` is SAN; the other forms are those of books and older codes."""


class NotationError(ValueError):
    """There is no such style or language, or nobody stands where the move begins."""


def notation(
    board: chess.Board, move: chess.Move, style: str = "fide", language: str = "en"
) -> str:
    """Return *move*, not yet played on *board*, as *style* in *language* writes it.

    An illegal move is written too, as what was tried. Among the men that could also go there, only
    those count that legally may.

    >>> notation(chess.Board(), chess.Move.from_uci("g1f3"), "long", "de")
    'Sg1-f3'

    Raises:
        NotationError: the style or language is unknown, or the square the move begins on is empty.
    """
    if style not in STYLES:
        raise NotationError(f"no style {style!r}; styles: {', '.join(STYLES)}")
    chosen = STYLES[style]
    tongue = language_of(chosen.language or language)
    mover = board.color_at(move.from_square)
    if mover is None or not move:
        raise NotationError(f"{move.uci()}: nobody stands there in {board.fen()}")
    if mover != board.turn:  # the other side's man was moved: what it takes is seen from there
        board = board.copy(stack=False)
        board.turn = mover
    san = board.san(move)
    tongue = tongue._replace(
        signs=chosen.signs or tongue.signs, letters=chosen.letters or tongue.letters
    )
    parts = _SAN.fullmatch(san)
    if parts is None:
        return _castling(san, tongue.signs)
    return _written(board, move, parts, chosen, tongue)


def language_of(code: str) -> Language:
    """Return the language of this code.

    Raises:
        NotationError: there is none.
    """
    if code not in LANGUAGES:
        raise NotationError(f"no language {code!r}; languages: {', '.join(LANGUAGES)}")
    return LANGUAGES[code]


def _castling(san: str, signs: Signs) -> str:
    return san.replace("O", signs.castling).replace("#", signs.mate)


def _written(
    board: chess.Board, move: chess.Move, parts: re.Match[str], style: Style, tongue: Language
) -> str:
    letters, signs = tongue.letters, tongue.signs
    man = letters[parts["man"]] if parts["man"] else ""
    capture = signs.capture if parts["capture"] else ""
    origin, target = parts["origin"], parts["target"]
    if style.long:
        way = f"{chess.square_name(move.from_square)}{capture or '-'}{target}"
    elif style.files_alone and capture and not man:
        alone = _only_capture_between_files(board, move)
        way = f"{origin}{target[0] if alone else target}"
    else:
        way = f"{origin}{capture}{target}"
    promotion = f"{signs.promotion}{letters[parts['promotion']]}" if parts["promotion"] else ""
    return f"{man}{way}{promotion}{signs.mate if parts['sign'] == '#' else parts['sign']}"


def _only_capture_between_files(board: chess.Board, move: chess.Move) -> bool:
    """Say whether no other pawn of that file may take on the file the move goes to."""
    pawns = board.pawns & chess.BB_FILES[chess.square_file(move.from_square)]
    targets = chess.BB_FILES[chess.square_file(move.to_square)]
    ways = {
        (other.from_square, other.to_square) for other in board.generate_legal_moves(pawns, targets)
    }
    return ways <= {(move.from_square, move.to_square)}
