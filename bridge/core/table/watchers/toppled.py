"""Watching for men that are knocked over and not put back before the clock is pressed (7.4)."""

import chess

from bridge.core.inference.findings import Settled
from bridge.core.inference.placement import BIT, changes_of, difference
from bridge.core.table.alerts import ILLEGAL_CODES
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press
from drivers.events import EMPTY

SETTLED = 0.6
"""How long after a press the board is looked at: the last man may land as it is pressed (s)."""
TOGETHER = 1.0
"""Men that fall do so within this time (s)."""
LATELY = 10.0
"""Men that fell longer before the press are looked past for another reason (s)."""
PUT_BACK = 1.0
"""How long after one of them was touched, or the record changed, is looked at them again (s)."""
FEWEST = 2
MOST_OF_A_MOVE = 3
"""Squares that a move changes, castling apart; with more something may lie."""


class Toppled(Watcher):
    """Tells of men that lie when their player presses, and how long the opponent's time ran."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._pressed: tuple[chess.Color, float] | None = None
        self._lie = 0
        self._since = 0.0

    def pressed(self, press: Press, *, late: bool) -> None:
        """Look at the board a moment after a press."""
        engine = self.desk.engine
        position = engine.position
        usual = MOST_OF_A_MOVE if position.board.turn == press.colour else FEWEST - 1
        changed = difference(engine.sight.shown, position.shown).bit_count()
        if changed > usual and not (late or press.estimated):
            self._pressed = press.colour, self.desk.told.at
            self.desk.due(self.desk.told.at + SETTLED)

    def changed(self, cells: str, squares: int) -> None:  # noqa: ARG002 - where it changed will do
        """Look again when one of the men that lie was touched."""
        if squares & self._lie:
            self._look_soon()

    def withdrawn(self, plies: int) -> None:  # noqa: ARG002 - any number will do
        """Look again: the record says something else now."""
        self._look_soon()

    def adopted(self, board: chess.Board) -> None:  # noqa: ARG002 - the desk knows it by then
        """Look again: play goes on, perhaps without them."""
        self._look_soon()

    def ruled(self) -> None:
        """Look again: the arbiter may have let them be."""
        self._look_soon()

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - any move will do
        """Men may stand again by now."""
        if self._lie:
            self._stand_again()

    def look(self) -> None:
        """Tell what lies, and when it stands again."""
        if self._pressed is not None and self.desk.due(self._pressed[1] + SETTLED):
            (colour, at), self._pressed = self._pressed, None
            self._judge(colour, at)
        if self._lie:
            self._stand_again()

    def _look_soon(self) -> None:
        if self._lie:
            self.desk.due(self.desk.told.at + PUT_BACK)

    def _judge(self, colour: chess.Color, at: float) -> None:
        desk = self.desk
        known = any(code in desk.alerts for code in ILLEGAL_CODES)
        lie = 0 if known or not desk.engine.in_sight else self._fallen(colour, at)
        if not lie:
            return
        self._lie, self._since = lie, at
        names = ", ".join(chess.square_name(square) for square in chess.scan_forward(lie))
        desk.alerts.raise_(
            "PIECES_DISPLACED",
            None,
            f"the clock was pressed while men of {names} were not on their squares",
            remedy=f"put them back on {names}; the time until then is the opponent's loss",
            by=name_of(colour),
            restore=desk.board.fen(),
        )

    def _fallen(self, colour: chess.Color, at: float) -> int:
        """Return squares that were left together before the press and belong to no move."""
        position, sight = self.desk.engine.position, self.desk.engine.sight
        left = difference(sight.shown, position.shown)  # also what the engine looks past
        if position.board.turn == colour:
            stood = [
                position.after(move)
                for move in position.board.generate_legal_moves(left)
                if position.agrees(move, sight.shown, 0)
            ]
            if not stood:
                return 0
            position = min(stood, key=lambda each: difference(sight.shown, each.shown).bit_count())
            left = difference(sight.shown, position.shown)
        if _is_reply(left, position.board):
            return 0
        if position.sensing == "occupancy" and _may_have_taken(left, position.board):
            return 0
        squares = [*chess.scan_forward(left)]
        if len(squares) < FEWEST or any(sight.shown[square] != EMPTY for square in squares):
            return 0
        fell = [sight.changed[square] for square in squares]
        if max(fell) > at or min(fell) < max(max(fell) - TOGETHER, at - LATELY):
            return 0
        beside = all(chess.BB_KING_ATTACKS[square] & left for square in squares)
        theirs = left & position.board.occupied_co[colour]
        return left if beside and theirs else 0

    def _stand_again(self) -> None:
        desk = self.desk
        sight, position = desk.engine.sight, desk.engine.position
        lying = difference(sight.shown, position.shown) & self._lie
        if any(sight.shown[square] == EMPTY for square in chess.scan_forward(lying)):
            return
        seconds = max(0.0, sight.last_change(self._lie) - self._since)
        self._lie = 0
        desk.alerts.clear(
            "PIECES_DISPLACED",
            f"the men stand again; the opponent's clock ran {seconds:.0f} s meanwhile",
        )


def _is_reply(left: int, board: chess.Board) -> bool:
    """Whether *left* may be a capture in the hand: a press may lie a second before its report."""
    return any(
        not left & ~sum(BIT[square] for square, _ in changes_of(board, move))
        for move in board.generate_legal_captures(left)
    )


def _may_have_taken(left: int, board: chess.Board) -> bool:
    """Whether a man of *left* may have taken one that still seems to stand, out of turn or not."""
    taken = board.occupied & ~left
    return any(
        board.attacks_mask(square) & taken & board.occupied_co[not board.color_at(square)]
        for square in chess.scan_forward(left)
    )
