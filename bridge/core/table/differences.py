"""How a board differs from the record, in words for whoever is to put it right."""

from collections.abc import Iterator

import chess

from bridge.core.inference.placement import EMPTY
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import Sensing
from drivers.events import UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE

MOST_NAMED = 6
"""So many squares are named; the others are counted."""
LOOKED_AT = (
    "the last moves were taken back on the board, as in analysis: nothing is recorded until the "
    "last position stands again, the clock is pressed or started, or the moves are taken back in "
    "the record"
)
_KINGS = (("White", "K"), ("Black", "k"))
_UNNAMED = {UNNAMED: "a man", UNNAMED_WHITE: "a white man", UNNAMED_BLACK: "a black man"}


def is_man_in_hand(position: Position, sight: Sight) -> bool:
    """Whether all that differs from *position* is what a player who is to move may hold.

    The move before his may stand without being settled.
    """
    if _lacks_one(position, sight):
        return True
    left = sight.differs(position.shown)
    return any(
        _lacks_one(position.after(move), sight)
        for move in position.board.generate_legal_moves(left, chess.BB_ALL)
    )


def _lacks_one(position: Position, sight: Sight) -> bool:
    left = sight.differs(position.shown)
    return left.bit_count() == 1 and bool(position.lifted(sight.shown, left, position.board.turn))


def wrong_squares(position: Position, sight: Sight) -> chess.Bitboard:
    """Return where what is seen differs from *position*, or from it after a move if that is nearer.

    The last move may stand without being settled, or half done.
    """
    nearest = sight.differs(position.shown)
    for move in position.board.generate_legal_moves():
        wrong = sight.differs(position.after(move).shown)
        if wrong.bit_count() < nearest.bit_count():
            nearest = wrong
    return nearest


def differences(position: Position, sight: Sight) -> str:
    """Return in words how what is seen differs from *position*.

    Squares are White's. Up to ``MOST_NAMED`` are named, from a1 on.
    """
    if not sight.shown.strip(EMPTY):
        return "the board differs from the record: it is empty"
    squares = [*chess.scan_forward(sight.differs(position.shown))]
    said = [] if position.sensing != "identity" else [*_impossible(sight.shown, squares)]
    said += [
        _on_square(square, position.shown[square], sight.shown[square], position.sensing)
        for square in squares[:MOST_NAMED]
    ]
    more = len(squares) - MOST_NAMED
    if more > 0:
        said.append(f"and {more} more {'square' if more == 1 else 'squares'}")
    return f"the board differs from the record: {'; '.join(said)}"


def _impossible(shown: str, squares: list[chess.Square]) -> Iterator[str]:
    """Say what can be no position of this game, whatever was played."""
    for side, king in _KINGS:
        kings = shown.count(king)
        if kings == 0:
            yield f"{side}'s king is missing"
        elif kings > 1:
            yield f"{side} has {kings} kings"
    strangers = sum(shown[square] == UNNAMED for square in squares)
    if strangers > 1:
        yield f"{strangers} men are of another set, the board does not know them"


def _on_square(square: chess.Square, recorded: str, shown: str, sensing: Sensing) -> str:
    name = chess.square_name(square)
    if shown == EMPTY:
        return f"{name} is empty"
    if shown == UNNAMED and sensing == "identity":
        man = "a man that the board does not know"
    else:
        man = _man(shown)
    return f"{name} shows {man}" + ("" if recorded == EMPTY else f" instead of {_man(recorded)}")


def _man(letter: str) -> str:
    if letter in _UNNAMED:
        return _UNNAMED[letter]
    piece = chess.Piece.from_symbol(letter)
    return f"a {chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}"
