"""Watching presses of the clock: those without a move, and moves without one.

Most presses that seem empty are not: they come late for an earlier move, start the opponent's
clock at the beginning, or bounce. Nothing of it may reach the players (12.6).
"""

import math

import chess

from bridge.core.inference.findings import Settled
from bridge.core.laws.attempts import pressed_without_move
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.draws import AUTOMATIC
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press
from drivers.events import ClockReading

CONFIRMED = 2.0
"""How long after a press still nothing must have moved: settling and a second look (s)."""
FORGOTTEN = 10.0
FORGOTTEN_IN_A_HURRY = 3.0
HURRY_MS = 60_000
"""With less time the shorter of the two times (s) is waited for a press."""
MOST_IN_VAIN = 3
"""So many presses without any move: one empty, one back, and then the board has missed moves."""
LATE = 1.5
"""A press so soon after the last move was settled may be one of the moves before (s)."""
_KNOWN = ("seen", "kept", "standing")
"""How the press of a settled move was told; otherwise it may still come."""
REPORTED = 1.1
"""A press is reported within this time after it, also by a clock that is polled (s)."""


class EmptyPress(Watcher):
    """Tells a press with the position untouched."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._quiet_from = desk.told.at
        self._pressed: tuple[chess.Color, float, int] | None = None
        self._in_vain = 0
        self._ran = self._runs = desk.clock.runs
        self._restarted = -math.inf

    def clock(self, reading: ClockReading) -> None:
        """Remember whether the clock ran before this reading."""
        self._ran, self._runs = self._runs, reading.running
        if self._restarted > -math.inf and self._is_right(reading):
            self._restarted = -math.inf
            self.desk.alerts.clear("WRONG_CLOCK_RUNNING", "the right clock runs")

    def _is_right(self, reading: ClockReading) -> bool:
        return self.desk.clock.colour_of(reading.turn) == self.desk.board.turn

    def settled(self, finding: Settled) -> None:
        """The turn of the other side begins: nothing it does not do itself may move."""
        self._quiet_from = self.desk.told.at
        self._pressed = None
        self._in_vain = 0
        if finding.press not in _KNOWN:
            self.desk.owed.add(finding.before.turn)

    def pressed(self, press: Press, *, late: bool) -> None:
        """Keep a press of the side to move that has not moved, to look at it once more."""
        desk, colour = self.desk, press.colour
        owed = colour in desk.owed
        desk.owed.discard(colour)
        self._pressed = None
        if self._is_in_vain():
            return
        if not self._ran:  # no press: the clock is started again after a pause
            self._restarted = desk.told.at
            desk.due(desk.told.at + CONFIRMED)
            return
        if late or owed or press.estimated or desk.board.turn != colour or not self._untouched():
            return
        self._pressed = colour, desk.told.at, len(desk.plies)
        desk.due(desk.told.at + CONFIRMED)

    def _is_in_vain(self) -> bool:
        """Whether presses come again and again while nothing moves: then the board sees nothing."""
        self._in_vain = self._in_vain + 1 if self._untouched() else 0
        if self._in_vain < MOST_IN_VAIN:
            return False
        self.desk.alerts.clear(
            "CLOCK_PRESSED_WITHOUT_MOVE", "play goes on and the board shows nothing", "withdrawn"
        )
        return True

    def _untouched(self) -> bool:
        """Whether a game is on in which nothing has been done since the last move was settled."""
        desk = self.desk
        engine = desk.engine
        return (
            len(desk.plies) > 0
            and desk.told.at >= self._quiet_from + LATE
            and engine.in_sight
            and engine.sight.changed_at <= self._quiet_from
            and not engine.sight.differs(engine.position.shown)
        )

    def look(self) -> None:
        """Tell the press if it still stands and still nothing has moved."""
        if self._restarted > -math.inf:
            self._look_at_restart()
        if self._pressed is None:
            return
        desk, (colour, at, plies) = self.desk, self._pressed
        reading = desk.clock.reading
        runs_on = reading is not None and reading.running
        if not runs_on or desk.clock.colour_of(reading.turn) == colour or len(desk.plies) != plies:  # type: ignore[union-attr]  # it runs
            self._pressed = None
        elif desk.due(at + CONFIRMED):
            self._pressed = None
            if self._untouched():
                verdict = pressed_without_move(desk.board)
                desk.reports.judged(verdict, desk.board, desk.engine.position.cells, illegal=False)

    def _look_at_restart(self) -> None:
        """Tell that the clock was started again for the player who has moved last."""
        desk = self.desk
        reading = desk.clock.reading
        if reading is None or not reading.running or self._is_right(reading):
            self._restarted = -math.inf
        elif desk.due(self._restarted + CONFIRMED) and self._untouched():
            by = name_of(desk.board.turn)
            desk.alerts.raise_(
                "WRONG_CLOCK_RUNNING",
                None,
                f"after the pause the clock of {name_of(not desk.board.turn)} runs, but it is "
                f"{by}'s move",
                remedy=f"start {by}'s clock and give the time back that was lost",
                by=by,
            )


class ForgottenPress(Watcher):
    """Notes, silently, a move whose player's clock runs on."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._answered: tuple[chess.Color, float, str] | None = None
        self._noted: chess.Color | None = None

    def settled(self, finding: Settled) -> None:
        """A reply without a press is noted once a press can be late no more."""
        desk, mover = self.desk, finding.before.turn
        if self._noted == mover:
            self._forget("he made his next move")
        if finding.basis == "reply" and finding.press == "unseen" and self._runs_for(mover):
            san = finding.before.san(finding.move)
            self._answered = mover, desk.told.at, san
            desk.owed.add(mover)
            desk.due(desk.told.at + REPORTED)

    def stood(self) -> None:
        """A move that stands waits for its press."""
        if self.desk.standing is not None:
            self.look()

    def pressed(self, press: Press, *, late: bool) -> None:  # noqa: ARG002 - any will do
        """It was not forgotten."""
        if self._answered is not None and self._answered[0] == press.colour:
            self._answered = None
        if self._noted == press.colour:
            self._forget("the clock was pressed")

    def look(self) -> None:
        """Note what has waited long enough."""
        desk = self.desk
        if self._answered is not None:
            mover, at, san = self._answered
            if desk.due(at + REPORTED):
                self._answered = None
                if self._runs_for(mover):
                    self._note(mover, f"{san} was answered and its player's clock still runs")
        mover = desk.board.turn
        if desk.standing is None or not self._runs_for(mover) or self._noted == mover:
            return
        left = desk.clock.remaining(mover)
        patience = FORGOTTEN_IN_A_HURRY if left is not None and left < HURRY_MS else FORGOTTEN
        if desk.due(desk.standing_since + patience):
            san = desk.board.san(desk.standing)
            self._note(mover, f"{san} stands and its player's clock still runs")

    def _runs_for(self, colour: chess.Color) -> bool:
        reading = self.desk.clock.reading
        if reading is None or not reading.running:
            return False
        return self.desk.clock.colour_of(reading.turn) == colour

    def _note(self, colour: chess.Color, text: str) -> None:
        if any(code in self.desk.alerts for code in AUTOMATIC):
            return  # the move has ended the game: it needs no press
        self._noted = colour
        self.desk.owed.add(colour)
        self.desk.alerts.raise_("CLOCK_NOT_PRESSED", None, text, by=name_of(colour))

    def _forget(self, why: str) -> None:
        self._noted = None
        self.desk.alerts.clear("CLOCK_NOT_PRESSED", why)
