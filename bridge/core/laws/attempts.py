"""Verdicts on a move that is known by what was tried, with or without the board that shows it."""

from collections.abc import Sequence

import chess

from bridge.core.laws.castling import KING_FILES, ROOK_FILES
from bridge.core.laws.illegal import judge, judge_man
from bridge.core.laws.naming import UNNAMED
from bridge.core.laws.verdict import EMPTY, Verdict, differing, letter_at, restore
from drivers.cells import cells_of


def judge_move(
    board: chess.Board,
    move: chess.Move,
    cells: str | None = None,
    history: Sequence[chess.Move] = (),
) -> Verdict | None:
    """Return why *move* is illegal, or None if it is legal and all that *cells* shows.

    *cells* are what stands at the press, where a board is there to show it; men that it cannot
    name are named by the move. A null move is a press without a move. *history* are the moves
    that led to *board*.

    Raises:
        ValueError: no man stands where the move begins, or one that cannot promote would.
    """
    if not move:
        return pressed_without_move(board)
    if _is_legal(board, move):
        after = board.copy(stack=False)
        after.push(move)
        left = cells_of(after)
        shown = left if cells is None else _named_by(cells, left)
        if shown == left:
            return None
        return judge(board, shown, history) or _more_than(board, move, after, shown)
    tried = tried_cells(board, move)
    shown = tried if cells is None else _named_by(cells, tried)
    ways = dict.fromkeys((shown, cells or shown, tried))
    verdicts = (judge(board, way, history) for way in ways)
    found = next((verdict for verdict in verdicts if verdict is not None), None)
    if found is not None:
        return found
    own = board.color_at(move.from_square) == board.turn
    return judge_man(board, move, tried) if own else _out_of_turn(board, move)


def written(board: chess.Board, move: chess.Move, cells: str) -> str:
    """Return the illegal *move* as a player would write it; *cells* are what stands after it.

    Raises:
        ValueError: no man stands where the move begins, or one that cannot promote would.
    """
    verdict = judge_move(board, move, cells)
    return (verdict and verdict.san_tried) or move.uci()


def _is_legal(board: chess.Board, move: chess.Move) -> bool:
    """Whether *move* is legal; a king is never taken, which the rules library does not ask."""
    return board.is_legal(move) and move.to_square != board.king(not board.turn)


def pressed_without_move(board: chess.Board) -> Verdict:
    """Return the verdict on a clock pressed with the position untouched (7.5.3)."""
    side = chess.COLOR_NAMES[board.turn].capitalize()
    return Verdict(
        "CLOCK_PRESSED_WITHOUT_MOVE", "CLOCK_PRESSED_WITHOUT_MOVE",
        f"{side} pressed the clock without a move", None,
        f"start {side}'s clock again; the arbiter decides whether it was pressed in error", None,
    )  # fmt: skip


def tried_cells(board: chess.Board, move: chess.Move) -> str:
    """Return what stands after *move*, legal or not, as a player would carry it out.

    Castling in Chess960 is king takes rook. A pawn that steps beside an enemy pawn to an empty
    square takes it, as en passant.

    Raises:
        ValueError: no man stands where the move begins, or one that cannot promote would.
    """
    man = board.piece_at(move.from_square)
    if man is None:
        raise ValueError(f"no man stands on {chess.square_name(move.from_square)}: {board.fen()}")
    if move.promotion and not _is_on_last_rank(man, move.to_square):
        raise ValueError(f"nothing promotes by {move.uci()}: {board.fen()}")
    cells = list(cells_of(board))
    cells[move.from_square] = EMPTY
    if man.piece_type == chess.KING and _own_rook(board, man.color, move.to_square):
        _castle(cells, man.color, move)
        return "".join(cells)
    kind = move.promotion or man.piece_type
    cells[move.to_square] = chess.Piece(kind, man.color).symbol()
    victim = _beside(board, man, move)
    if victim is not None:
        cells[victim] = EMPTY
    return "".join(cells)


def _is_on_last_rank(man: chess.Piece, square: chess.Square) -> bool:
    return man.piece_type == chess.PAWN and chess.square_rank(square) == (7 if man.color else 0)


def _own_rook(board: chess.Board, colour: chess.Color, square: chess.Square) -> bool:
    rooks = board.pieces_mask(chess.ROOK, colour)
    return board.chess960 and bool(rooks & chess.BB_SQUARES[square])


def _castle(cells: list[str], colour: chess.Color, move: chess.Move) -> None:
    rank, short = chess.square_rank(move.from_square), move.to_square > move.from_square
    cells[move.to_square] = EMPTY
    cells[chess.square(KING_FILES[short], rank)] = chess.Piece(chess.KING, colour).symbol()
    cells[chess.square(ROOK_FILES[short], rank)] = chess.Piece(chess.ROOK, colour).symbol()


def _beside(board: chess.Board, man: chess.Piece, move: chess.Move) -> chess.Square | None:
    """Return the square of the enemy pawn that a pawn going diagonally to nothing passes."""
    square = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    diagonal = (
        man.piece_type == chess.PAWN
        and chess.square_file(move.from_square) != chess.square_file(move.to_square)
        and board.piece_at(move.to_square) is None
    )
    enemy = board.piece_at(square) == chess.Piece(chess.PAWN, not man.color)
    return square if diagonal and enemy else None


def _named_by(cells: str, left: str) -> str:
    """Return *cells* with unnamed men named as in *left*, where their colours agree."""
    return "".join(
        named
        if shown in UNNAMED and named != EMPTY and named.isupper() in UNNAMED[shown]
        else shown
        for shown, named in zip(cells, left, strict=True)
    )


def _more_than(board: chess.Board, move: chess.Move, after: chess.Board, shown: str) -> Verdict:
    squares = ", ".join(chess.square_name(square) for square in differing(after, shown))
    return Verdict(
        "ILLEGAL_MOVE", "EXTRA_CHANGE", f"with the move more was changed: {squares}",
        board.san(move), restore(board), move,
    )  # fmt: skip


def _out_of_turn(board: chess.Board, move: chess.Move) -> Verdict:
    """Judge a move of the side not to move that would not be legal in its turn either."""
    side = chess.COLOR_NAMES[not board.turn].capitalize()
    tried = letter_at(board, move.from_square).upper() + chess.square_name(move.to_square)
    return Verdict(
        "WRONG_SIDE_MOVED", "WRONG_SIDE", f"{side} moved although it was not {side}'s turn",
        tried.removeprefix("P"), restore(board), move,
    )  # fmt: skip
