"""What is still of interest when a game is over: who plays on, and results that disagree."""

import math

import chess

from bridge.core.inference.gesture import CENTRE_SQUARES, result_of_two, shown_result
from bridge.core.inference.placement import difference, occupied
from bridge.core.inference.position import Position
from bridge.core.inference.timing import Timing
from bridge.core.laws.illegal import judge
from bridge.core.model import Result
from bridge.core.table.alerts import Alerts
from bridge.core.table.game import Game
from bridge.core.table.naming import name_of
from bridge.core.table.shown import from_seat
from bridge.core.table.told import Told
from bridge.core.timekeeping import Press

NOTICED = 120.0
"""So long after the end a move means that somebody has not noticed it (s)."""


class Afterwards:
    """Watches the table on which *game* was the last one, until another begins."""

    def __init__(self, game: Game, told: Told, alerts: Alerts, timing: Timing) -> None:
        self._told, self._alerts, self._game, self._timing = told, alerts, game, timing
        self._position: Position = game.engine.position
        self._men = occupied(game.engine.cells)
        self._shown: Result | None = None
        self._shown_since = math.inf
        self._until = told.at + NOTICED

    def pressed(self, press: Press, cells: str) -> None:
        """Tell that a move was made and pressed after the end; players analyse without a clock.

        *cells* are in the board's own numbering, none while the link is lost.
        """
        turn = self._position.board.turn
        if not cells or self._told.at > self._until or press.colour != turn or press.estimated:
            return
        seen = from_seat(cells, self._game.rotated)
        if self._is_move(seen):
            result, by = self._game.ended
            self._until = self._told.at
            self._alerts.raise_(
                "MOVE_AFTER_GAME_END",
                None,
                f"{chess.COLOR_NAMES[turn].capitalize()} has moved although the game was over: "
                f"{result} by {by}",
                remedy=f"tell the players that the game has ended: {result}",
                by=name_of(turn),
            )

    def _is_move(self, seen: str) -> bool:
        """Whether one man of the side that would be to move has gone from the last position."""
        board = self._position.board
        left = difference(seen, self._position.shown)
        if not left or not left & board.occupied_co[board.turn]:
            return False
        if self._position.moves_shown(seen, left):
            return True
        verdict = judge(board, seen)
        return (
            verdict is not None and verdict.attempt is not None and verdict.reason != "WRONG_SIDE"
        )

    def shows(self, cells: str) -> None:
        """Take what stands now, in the board's own numbering; nothing while the link is lost."""
        shown = self._shown_by_kings(from_seat(cells, self._game.rotated)) if cells else None
        if shown != self._shown:
            self._shown, self._shown_since = shown, self._told.at

    @property
    def wake_at(self) -> float:
        """When what the kings show now is a result, if it is another one than they told."""
        result, by = self._game.ended
        if by != "kings" or self._shown in (None, result):
            return math.inf
        return self._shown_since + self._timing.gesture

    def corrects(self) -> Result | None:
        """Return the result that the kings show by now, if it is another one than they told.

        It is that which counts: the players have put it right.
        """
        if self._told.at < self.wake_at:
            return None
        before, result = self._game.ended[0], self._shown
        self._alerts.raise_again(
            "RESULT_BY_KINGS",
            None,
            f"the kings show another result than before: {result}, no longer {before}",
            remedy=f"confirm {result}",
        )
        return result

    def _shown_by_kings(self, cells: str) -> Result | None:
        """Return what kings show in White's *cells*.

        Where men have no names only two men may stand in the centre, and others only be taken off.
        """
        if self._game.setup.sensing == "identity":
            return shown_result(cells)
        return None if occupied(cells) & ~CENTRE_SQUARES & ~self._men else result_of_two(cells)

    def ordered(self, result: Result) -> None:
        """Tell that the result that is entered is not the one that the board showed."""
        ended, by = self._game.ended
        if result not in (ended, "*") and ended != "*":
            self._alerts.raise_(
                "RESULT_CONFLICT",
                None,
                f"entered is {result}, but the game ended {ended} by {by}",
                remedy="compare with the scoresheets: a signed result stands (8.7)",
            )
