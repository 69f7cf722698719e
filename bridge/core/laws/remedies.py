"""What follows a completed illegal move: the position to put up, bound moves, and the penalty.

A suggestion with concrete numbers for the arbiter, who decides (FIDE Laws 7.5, A.5.2; classic
code: impossible positions). Nothing here ends a game or counts an offence by itself.
"""

from typing import Literal, NamedTuple

import chess

from bridge.core.laws.clocks.penalties import Consequence, illegal_move
from bridge.core.laws.illegal import legal_parts, victim_square
from bridge.core.laws.rulesets import RuleSet
from bridge.core.laws.touch import Obligation, obligation
from bridge.core.laws.verdict import EMPTY, Verdict, differing
from bridge.core.laws.winnability import CanMate

Action = Literal["restore", "queen", "press_back", "stands"]
"""Put up the position before; put a queen on the pawn's square; start the mover's clock; go on."""
MOST_LISTED = 12
"""More bound moves than this are counted in words."""


class Remedy(NamedTuple):
    """What the arbiter may do about an illegal move.

    ``fen`` is the position to go on from, with ``obligation`` the moves its player is left with;
    ``None`` where nothing is to be made up for. ``minutes`` are for the opponent, ``taken_back_s``
    are seconds that the press gained the player. ``number`` is which illegal move of the player
    it is, confirmed ones before it included. ``ends`` is how the game would end by the queen that
    the Laws put there: no result is entered by itself then.
    """

    action: Action
    fen: str
    obligation: Obligation | None
    until: Literal["end_of_game", "opponents_next_move"]
    penalty: Consequence
    minutes: int
    taken_back_s: float
    number: int
    ends: str
    text: str


def remedy(
    board: chess.Board,
    cells: str,
    verdict: Verdict,
    rules: RuleSet,
    *,
    earlier: int = 0,
    opponent: CanMate = "undetermined",
    answered: bool = False,
    increment_s: float = 0,
) -> Remedy:
    """Return what *rules* offer after the illegal move that led from *board* to *cells*.

    *earlier* are illegal moves of the same player that the arbiter has confirmed, *opponent* is
    whether the opponent can mate, *answered* whether he has moved since, *increment_s* what the
    press added to the player's time.
    """
    window = rules.remedy_window
    if answered and window == "opponents_next_move":
        text = "the opponent has moved: the illegal move stands"
        return Remedy("stands", _fen(cells, board), None, window, "none", 0, 0, earlier, "", text)
    action, position = _action(board, verdict, rules)
    duty = _duty(board, cells, verdict) if action == "restore" else None
    penalty, minutes, _ = illegal_move(
        earlier + 1,
        minutes=rules.illegal_move_minutes,
        loses_at=rules.illegal_moves_that_lose,
        unwinnable=rules.unwinnable_illegal_loss,
        opponent=opponent,
    )
    taken_back_s = increment_s if rules.increment_after_illegal_move == "taken_back" else 0
    ends = _ends(position) if action == "queen" else ""
    side = offender(board, verdict)
    said = (
        _action_in_words(action, position, verdict),
        ends and f"that would be {ends}: the arbiter decides",
        _duty_in_words(position, duty),
        _penalty_in_words(penalty, minutes, side),
        f"take back {taken_back_s:g} s from {_side(side)}" if taken_back_s else "",
        f"illegal move number {earlier + 1} of {_side(side)}",
    )
    text = "; ".join(filter(None, said))
    return Remedy(
        action, position.fen(), duty, window, penalty, minutes, taken_back_s, earlier + 1, ends,
        text,
    )  # fmt: skip


def _duty(board: chess.Board, cells: str, verdict: Verdict) -> Obligation | None:
    """Return the obligation, unless the position before the king could be taken is unknown."""
    unknown = verdict.reason == "KING_CAPTURED" and not board.move_stack
    return None if unknown else obligation_after(board, cells, verdict)


def offender(board: chess.Board, verdict: Verdict) -> chess.Color:
    """Return whose illegal move it is: the mover's, but for a king that was left to be taken."""
    return board.turn ^ (verdict.reason in ("KING_CAPTURED", "WRONG_SIDE"))


def touched_by(board: chess.Board, cells: str, verdict: Verdict) -> tuple[chess.Square, ...]:
    """Return the men that the illegal move touched: the mover's own first, then those he took.

    The king comes before the rook in castling: with which he began nobody saw.
    """
    changed = differing(board, cells)
    moved = [] if verdict.attempt is None else [verdict.attempt.from_square]
    own = [s for s in changed if board.color_at(s) == board.turn]
    others = [s for s in changed if board.color_at(s) == (not board.turn)]
    if verdict.code == "CASTLING_ILLEGAL":
        rooks = board.pieces_mask(chess.ROOK, board.turn)
        moved += [square for square in own if rooks & chess.BB_SQUARES[square]]
    return tuple(dict.fromkeys(moved + own + others))


def obligation_after(board: chess.Board, cells: str, verdict: Verdict) -> Obligation:
    """Return what the player is bound to when the illegal move is taken back (7.5.1, 4.3, 4.7).

    Where his king was taken that is the move before, which left it in check.
    """
    if verdict.reason == "KING_CAPTURED" and board.move_stack:
        return _obligation_before(board)
    if offender(board, verdict) != board.turn:
        return obligation(board, ())
    if verdict.reason == "EXTRA_CHANGE" and verdict.attempt is None:
        parts = tuple(move for move, _ in legal_parts(board, cells))
        return Obligation("released", parts, "released")
    released = None if verdict.attempt is None else _released(board, cells, verdict.attempt)
    return obligation(board, touched_by(board, cells, verdict), released)


def _obligation_before(board: chess.Board) -> Obligation:
    before = board.copy()
    move = before.pop()
    victim = victim_square(before, move)
    return obligation(before, [move.from_square, *([] if victim is None else [victim])])


def _released(board: chess.Board, cells: str, attempt: chess.Move) -> chess.Square:
    """Return where the man of *attempt* stands now; a king that castled, not the rook's square."""
    if not board.chess960:
        return attempt.to_square
    king = "K" if board.turn else "k"
    is_king = board.piece_type_at(attempt.from_square) == chess.KING
    return cells.find(king) if is_king and king in cells else attempt.to_square


# -- the position to go on from ----------------------------------------------------------------


def _action(board: chess.Board, verdict: Verdict, rules: RuleSet) -> tuple[Action, chess.Board]:
    if verdict.reason == "CLOCK_PRESSED_WITHOUT_MOVE":
        return "press_back", board
    if (
        verdict.reason == "PROMOTION_NOT_REPLACED"
        and verdict.attempt is not None
        and rules.promotion_not_replaced == "queen_and_illegal"
    ):
        after = board.copy(stack=False)
        move = chess.Move(verdict.attempt.from_square, verdict.attempt.to_square, chess.QUEEN)
        after.push(move)
        return "queen", after
    if verdict.reason == "KING_CAPTURED" and board.move_stack:
        before = board.copy()
        before.pop()
        return "restore", before
    return "restore", board


def _ends(position: chess.Board) -> str:
    if position.is_checkmate():
        return "checkmate"
    if position.is_stalemate():
        return "stalemate"
    return "a dead position" if position.is_insufficient_material() else ""


def _fen(cells: str, board: chess.Board) -> str:
    """Return the men that stand, with nothing said of rights that an illegal move leaves open."""
    after = chess.Board(None)
    for square, letter in enumerate(cells):
        if letter != EMPTY and letter.lower() in "pnbrqk":
            after.set_piece_at(square, chess.Piece.from_symbol(letter))
    after.turn = not board.turn
    return after.fen()


# -- words --------------------------------------------------------------------------------------


def _action_in_words(action: Action, position: chess.Board, verdict: Verdict) -> str:
    if action == "press_back":
        return "start the clock of the player who pressed"
    if action == "queen" and verdict.attempt is not None:
        return f"put a queen on {chess.square_name(verdict.attempt.to_square)}"
    return f"restore the position before the move: {position.fen()}"


def _duty_in_words(position: chess.Board, duty: Obligation | None) -> str:
    if duty is None:
        return ""
    if duty.free:
        return "any legal move may be made"
    if len(duty.moves) > MOST_LISTED:
        return f"one of {len(duty.moves)} moves must be made: {duty.bound}"
    return f"to be made: {' or '.join(sorted(position.san(move) for move in duty.moves))}"


def _penalty_in_words(penalty: Consequence, minutes: int, side: chess.Color) -> str:
    offending, other = _side(side), _side(not side)
    words: dict[Consequence, str] = {
        "none": "",
        "time": f"+{minutes}:00 for {other}",
        "loss": f"{offending} loses the game",
        "draw": f"the game is drawn: {other} cannot mate by any series of legal moves",
        "loss_or_draw": f"{offending} loses the game, or draws if {other} cannot mate",
    }
    return words[penalty]


def _side(colour: chess.Color) -> str:
    return chess.COLOR_NAMES[colour].capitalize()
