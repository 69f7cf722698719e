"""What is still of interest when a game is over: who plays on, and results that disagree."""

import chess

from bridge.core.inference.placement import difference
from bridge.core.inference.position import Position
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

    def __init__(self, game: Game, told: Told, alerts: Alerts) -> None:
        self._told, self._alerts = told, alerts
        self._position: Position = game.engine.position
        self._rotated = game.rotated
        self._result, self._by = game.ended
        self._until = told.at + NOTICED

    def pressed(self, press: Press, cells: str) -> None:
        """Tell that a move was made and pressed after the end; players analyse without a clock.

        *cells* are in the board's own numbering, none while the link is lost.
        """
        turn = self._position.board.turn
        if not cells or self._told.at > self._until or press.colour != turn or press.estimated:
            return
        seen = from_seat(cells, self._rotated)
        if self._is_move(seen):
            self._until = self._told.at
            self._alerts.raise_(
                "MOVE_AFTER_GAME_END",
                None,
                f"{chess.COLOR_NAMES[turn].capitalize()} has moved although the game was over: "
                f"{self._result} by {self._by}",
                remedy=f"tell the players that the game has ended: {self._result}",
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

    def ordered(self, result: Result) -> None:
        """Tell that the result that is entered is not the one that the board showed."""
        if result not in (self._result, "*") and self._result != "*":
            self._alerts.raise_(
                "RESULT_CONFLICT",
                None,
                f"entered is {result}, but the game ended {self._result} by {self._by}",
                remedy="compare with the scoresheets: a signed result stands (8.7)",
            )
