"""Watching for ends of the game that nobody need claim, and for draws that may be claimed.

Counted once for each ply. A claim is the players' own affair: that one is possible is kept
silent (alert catalogue, THREEFOLD_CLAIMABLE).
"""

import chess

from bridge.core.inference.findings import Settled
from bridge.core.laws.draws import limit
from bridge.core.laws.endings import Status, status
from bridge.core.laws.repetition import Moment, Positions
from bridge.core.laws.winnability import is_proved_dead, winnability
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher

MADE = 2.0
"""A move that stood so long was made, if not completed: it may have ended the game (s)."""
CLAIMABLE = frozenset({"THREEFOLD_CLAIMABLE", "FIFTY_CLAIMABLE", "CLASSIC75_CLAIMABLE"})
AUTOMATIC = frozenset({"FIVEFOLD", "SEVENTY_FIVE", "DEAD_POSITION"})
_THIRD = 3
_FEW_MEN, _NOT_MANY_MEN = 4, 8
_CODES: dict[Status, str] = {
    "dead": "DEAD_POSITION",
    "fivefold": "FIVEFOLD",
    "seventy_five": "SEVENTY_FIVE",
}


class Draws(Watcher):
    """Counts positions and moves, and tells what ended the game or may be claimed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._positions = Positions(desk.board)
        self._ended = ""
        self._ended_by: chess.Move | None = None  # as long as that stands, and is not settled
        self._may_end = self._repeats = False

    def settled(self, finding: Settled) -> None:
        """Count the position, and judge it."""
        alerts, board = self.desk.alerts, finding.after
        alerts.clear_all(CLAIMABLE, "the position has changed", how="expired")
        if finding.basis == "stands":
            self._positions = Positions(board)
            return
        self._positions.played(board)
        self._repeats = self._positions.occurrences > 1
        ended_by, self._ended_by = self._ended_by, None
        if ended_by not in (None, finding.move):
            alerts.clear_all(AUTOMATIC, "another move was made", how="withdrawn")
            self._ended = ""
        if not self._ended:
            # What is dead stays dead, and a proof takes long: the last of several plies tells it.
            self._judge(board, self._positions.moments, proves=not finding.following)
        elif ended_by is None:
            self._played_on(finding)

    def withdrawn(self, plies: int) -> None:  # noqa: ARG002 - all is counted anew
        """Count anew; what rests on what was counted is not true any more."""
        self.ruled()

    def ruled(self) -> None:
        """Count what is in the record now."""
        self.desk.alerts.clear_all(
            AUTOMATIC | CLAIMABLE | {"MOVE_AFTER_GAME_END"}, "moves were withdrawn", how="withdrawn"
        )
        self._ended, self._ended_by = "", None
        self._recount()

    def adopted(self, board: chess.Board) -> None:
        """Count on from a position that was reached by moves nobody saw."""
        self._positions.missed(board)

    def stood(self) -> None:
        """Look at a move that is made when it has stood for a while, if it may end the game."""
        self._may_end = self.desk.standing is not None and self._is_near_an_end()
        self.look()

    def _is_near_an_end(self) -> bool:
        board = self.desk.board
        near = 2 * (self.desk.rules.automatic_moves or 0) - 1
        few = chess.popcount(board.occupied) <= _NOT_MANY_MEN
        return few or may_be_dead(board) or 0 < near <= board.halfmove_clock or self._repeats

    def look(self) -> None:
        """Judge the move that stands: these ends of the game need no press."""
        desk = self.desk
        move = desk.standing
        if (
            move is None
            or not self._may_end
            or self._ended
            or not desk.due(desk.standing_since + MADE)
        ):
            return
        board = desk.board.copy(stack=False)
        before = self._positions.moments_after(board, move)
        board.push(move)
        now = Moment(len(before), board.fullmove_number, board.turn, "")
        if self._end(board, (*before, now), proves=may_be_dead(board)):
            self._ended_by = move

    def _recount(self) -> None:
        """Count the positions of the record; what an illegal move led to begins anew."""
        line = self.desk.line
        board = line.start.copy(stack=False)
        self._positions = Positions(board)
        for step in line.steps:
            if step.move is not None and step.is_legal_move:
                board.push(step.move)
                self._positions.played(board)
                continue
            board.set_fen(step.fen)
            if step.move is None:
                self._positions.missed(board)
            else:
                self._positions = Positions(board)

    # -- what is told ------------------------------------------------------------------------------

    def _judge(self, board: chess.Board, moments: tuple[Moment, ...], *, proves: bool) -> None:
        counted = len(moments) >= _THIRD or board.halfmove_clock >= 2 * self.desk.rules.claim_moves
        worth = proves and may_be_dead(board)
        ended = (counted or worth) and self._end(board, moments, proves=worth)
        if counted and not ended:
            self._claims(board, moments)

    def _end(self, board: chess.Board, moments: tuple[Moment, ...], *, proves: bool) -> bool:
        """Tell that the move that led to *board* has ended the game; return whether it has."""
        rules = self.desk.rules
        dead = rules.dead_position == "draw" and proves and is_proved_dead(board)
        code = _CODES.get(
            status(
                board,
                occurrences=len(moments),
                dead=dead,
                automatic_repetitions=rules.automatic_repetitions,
                automatic_moves=rules.automatic_moves,
            )
        )
        if code is None or (code == "DEAD_POSITION" and self._may_be_another(board)):
            return False
        self._ended = code
        certain = dead or (self._positions.complete and self.desk.sure)
        self.desk.alerts.raise_(
            code,
            None if certain else "warning",
            self._why(code, board, moments) + ("" if certain else ", if the record is right"),
            remedy="draw; the arbiter stops the game",
            confidence="high" if certain else "medium",
        )
        return True

    def _may_be_another(self, board: chess.Board) -> bool:
        """Whether a man was assumed with whom it is dead, and with another one it is not."""
        return "MOVE_ASSUMED" in self.desk.alerts and board.occupied != board.kings

    def _why(self, code: str, board: chess.Board, moments: tuple[Moment, ...]) -> str:
        if code == "DEAD_POSITION":
            reasons = dict.fromkeys(winnability(board, colour).reason for colour in chess.COLORS)
            return f"neither side can mate any more: {'; '.join(reasons)}"
        if code == "FIVEFOLD":
            return f"the position stood {len(moments)} times, before {_numbers(moments)}"
        moves = board.halfmove_clock // 2
        return f"{moves} moves by each without a capture or move of a pawn{self._since()}"

    def _since(self) -> str:
        moment = self._positions.last_irreversible
        return "" if moment is None else f", since before {_numbers((moment,))}"

    def _claims(self, board: chess.Board, moments: tuple[Moment, ...]) -> None:
        alerts, rules, by = self.desk.alerts, self.desk.rules, name_of(board.turn)
        if len(moments) >= _THIRD:
            text = f"the position stands for the time number {len(moments)}: before "
            alerts.raise_("THREEFOLD_CLAIMABLE", None, text + _numbers(moments), by=by)
        if board.halfmove_clock < 2 * rules.claim_moves:
            return
        needed = limit(board, rules.claim_moves, rules.long_balance_moves)
        if board.halfmove_clock >= 2 * needed:
            code = "FIFTY_CLAIMABLE" if needed == rules.claim_moves else "CLASSIC75_CLAIMABLE"
            text = f"{board.halfmove_clock // 2} moves by each without a capture or move of a pawn"
            alerts.raise_(code, None, text + self._since(), by=by)

    def _played_on(self, finding: Settled) -> None:
        """Tell that the game goes on although it is over; players may not have noticed."""
        self.desk.alerts.raise_(
            "MOVE_AFTER_GAME_END",
            None,
            f"{finding.before.san(finding.move)} was played after the game's end: {self._ended}",
            remedy="stop the game: draw",
            by=name_of(finding.before.turn),
        )


def may_be_dead(board: chess.Board) -> bool:
    """Whether it is worth proving that nobody can mate: few men, no free pawn, or no choice."""
    men = chess.popcount(board.occupied)
    if men <= _FEW_MEN:
        return True
    white, black = board.pawns & board.occupied_co[chess.WHITE], board.pawns
    black &= ~white
    if board.pawns:
        still = not ((white << 8) & ~board.occupied or (black >> 8) & ~board.occupied)
    else:
        still = not board.knights | board.rooks | board.queens
    return still or (men <= _NOT_MANY_MEN and _is_forced(board))


def _is_forced(board: chess.Board) -> bool:
    """Whether there is a single legal move, and it takes a man."""
    moves = board.generate_legal_moves()
    only = next(moves, None)
    return only is not None and next(moves, None) is None and board.is_capture(only)


def _numbers(moments: tuple[Moment, ...]) -> str:
    """Return where positions stood, by the moves that were made from them."""
    return ", ".join(f"{m.number}{'.' if m.turn else '...'}" for m in moments)
