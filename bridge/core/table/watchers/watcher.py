"""What every watcher has: a desk with what there is to be seen, and the moments it is told of."""

import math

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Settled
from bridge.core.laws.rulesets import RuleSet
from bridge.core.model import TableSetup
from bridge.core.table.alerts import Alerts
from bridge.core.table.naming import name_of
from bridge.core.table.reports import Reports
from bridge.core.table.rulings.line import Line
from bridge.core.table.times import PlyTimes
from bridge.core.table.told import Told
from bridge.core.timecontrol import Period, TimeControl
from bridge.core.timekeeping import ClockBook, Press
from drivers.events import ClockReading


class Desk:
    """What the watchers of one game share.

    ``wake_at``: when one of them wants to look again. ``standing``: the move that stands and is
    not settled, since ``standing_since``. ``sure``: every move of the record was seen. ``owed``:
    who has not pressed for a move that is settled: his next press may be that one's. ``blind``:
    the board was not seen since its last placement; ``seen_from``: since when it is seen.
    """

    def __init__(
        self,
        told: Told,
        alerts: Alerts,
        clock: ClockBook,
        engine: Engine,
        plies: PlyTimes,
        reports: Reports,
        line: Line,
        setup: TableSetup,
        control: TimeControl | None,
    ) -> None:
        self.told = told
        self.alerts = alerts
        self.clock = clock
        self.engine = engine
        self.plies = plies
        self.reports = reports
        self.line = line
        self.setup = setup
        self.control = control
        self.wake_at = math.inf
        self.standing: chess.Move | None = None
        self.standing_since = math.inf
        self.sure = True
        self.owed: set[chess.Color] = set()
        self.blind = False
        self.seen_from = -math.inf

    @property
    def rules(self) -> RuleSet:
        """The rules the game is played by."""
        return self.alerts.rules

    @property
    def board(self) -> chess.Board:
        """The settled position, never to be changed."""
        return self.engine.position.board

    def increment(self, colour: chess.Color) -> int:
        """Return the seconds that *colour* gets with the move he is about to make, if known."""
        if self.control is None:
            return 0
        return self.control.increment_at(name_of(colour), self.board.fullmove_number)

    def left(self, colour: chess.Color) -> float:
        """Return the seconds that a clock which was read shows for *colour*."""
        return (self.clock.remaining(colour) or 0) / 1000

    def completed(self, colour: chess.Color) -> int:
        """Return how many moves *colour* has completed, as the record counts them."""
        return self.board.fullmove_number - 1 + (colour and not self.board.turn)

    def periods(self, colour: chess.Color) -> tuple[Period, ...]:
        """Return the periods that *colour* plays by, none where they are not known."""
        return () if self.control is None else self.control.periods_of(name_of(colour))

    def due(self, when: float) -> bool:
        """Whether *when* has come; if not, everybody looks again then."""
        if self.told.at >= when:
            return True
        self.wake_at = min(self.wake_at, when)
        return False

    def after_standing(self) -> chess.Board:
        """Return the position with the move that stands on the board, as it counts when made."""
        board = self.board
        if self.standing is None:
            return board
        after = board.copy(stack=False)
        after.push(self.standing)
        return after


class Watcher:
    """Watches one subject of one game; what it need not know it does not override."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:  # noqa: ARG003 - for those that depend on the event
        """Whether there is anything to watch in this game."""
        return True

    def settled(self, finding: Settled) -> None:
        """A ply was settled."""

    def withdrawn(self, plies: int) -> None:
        """The last *plies* plies are withdrawn."""

    def adopted(self, board: chess.Board) -> None:
        """Moves are missing: play goes on from *board*."""

    def unexplained(self) -> None:
        """A move was completed, and nothing explains the board."""

    def ruled(self) -> None:
        """The arbiter has changed the record."""

    def changed(self, cells: str, squares: int) -> None:
        """The board is about to show *cells*, which differ on *squares* from what it showed."""

    def stood(self) -> None:
        """Another move stands on the board, or none does any more."""

    def pressed(self, press: Press, *, late: bool) -> None:
        """A player pressed; *late*: for a move that was settled before."""

    def clock(self, reading: ClockReading) -> None:
        """The clock was read."""

    def gives(self, number: int, colour: chess.Color, seconds: float) -> None:
        """Ruling *number* gives *colour* so much time, or takes it from him."""

    def takes_back(self, number: int) -> None:
        """Ruling *number* gives no time any more."""

    def rested(self) -> None:
        """The board has not changed for a while and shows no legal move from the record."""

    def look(self) -> None:
        """The time has come that was asked for with :meth:`Desk.due`."""
