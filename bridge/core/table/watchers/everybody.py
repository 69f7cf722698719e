"""All watchers of a game, each told only of what it asks for."""

import math
from collections.abc import Callable

import chess

from bridge.core.inference.findings import Settled
from bridge.core.inference.placement import difference
from bridge.core.table.watchers.additions import Additions
from bridge.core.table.watchers.assumed import Assumed
from bridge.core.table.watchers.bumps import Bumps
from bridge.core.table.watchers.counter import Counter
from bridge.core.table.watchers.draws import Draws
from bridge.core.table.watchers.early import EarlyPress
from bridge.core.table.watchers.flags import Flags
from bridge.core.table.watchers.found_late import FoundLate
from bridge.core.table.watchers.hands import Hands
from bridge.core.table.watchers.misplaced import Misplaced
from bridge.core.table.watchers.penalties import Penalties
from bridge.core.table.watchers.presses import EmptyPress, ForgottenPress
from bridge.core.table.watchers.quickplay import Quickplay
from bridge.core.table.watchers.sensors import Sensors, Strangers
from bridge.core.table.watchers.settings import ClockSetting
from bridge.core.table.watchers.shortage import Shortage
from bridge.core.table.watchers.silence import Silence
from bridge.core.table.watchers.standing import Standing
from bridge.core.table.watchers.stops import Stops
from bridge.core.table.watchers.stopwatch import Rate, Stopwatch
from bridge.core.table.watchers.toppled import Toppled
from bridge.core.table.watchers.turns import Turns
from bridge.core.table.watchers.unresolved import Unresolved
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press
from drivers.events import ClockReading

WATCHERS: tuple[type[Watcher], ...] = (
    Assumed,
    Draws,
    Standing,
    FoundLate,
    Unresolved,
    Flags,
    Stops,
    ForgottenPress,
    EarlyPress,
    EmptyPress,
    Toppled,
    Hands,
    Turns,
    Bumps,
    Sensors,
    Strangers,
    ClockSetting,
    Additions,
    Counter,
    Shortage,
    Quickplay,
    Penalties,
    Stopwatch,
    Rate,
    Silence,
    Misplaced,
)
"""In the order of precedence: what ended the game is known before anything is said of the clock."""


class Watchers:
    """Tells the watchers of one game what happens."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        watchers = [watcher(desk) for watcher in WATCHERS if watcher.is_needed(desk)]
        self._settled = _who(watchers, "settled")
        self._withdrawn = _who(watchers, "withdrawn")
        self._adopted = _who(watchers, "adopted")
        self._ruled = _who(watchers, "ruled")
        self._unexplained = _who(watchers, "unexplained")
        self._changed = _who(watchers, "changed")
        self._stood = _who(watchers, "stood")
        self._pressed = _who(watchers, "pressed")
        self._clock = _who(watchers, "clock")
        self._gives = _who(watchers, "gives")
        self._takes_back = _who(watchers, "takes_back")
        self._rested = _who(watchers, "rested")
        self._look = _who(watchers, "look")

    def settled(self, finding: Settled) -> None:
        """A ply was settled."""
        desk = self.desk
        desk.standing = None
        if finding.basis in ("gap", "stands"):
            desk.sure = False
        for tell in self._settled:
            tell(finding)
        desk.wake_at = math.inf  # what was waited for may be over
        for look in self._look:
            look()

    def withdrawn(self, plies: int) -> None:
        """The last *plies* plies are withdrawn."""
        self.desk.standing = None
        for tell in self._withdrawn:
            tell(plies)

    def adopted(self, board: chess.Board) -> None:
        """Moves are missing: play goes on from *board*."""
        self.desk.sure, self.desk.standing = False, None
        for tell in self._adopted:
            tell(board)

    def unexplained(self) -> None:
        """A move was completed, and nothing explains the board."""
        for tell in self._unexplained:
            tell()

    def ruled(self) -> None:
        """The arbiter has changed the record."""
        self.desk.standing = None
        for tell in self._ruled:
            tell()

    def changed(self, cells: str) -> None:
        """The board is about to show *cells*."""
        squares = difference(cells, self.desk.engine.cells)
        for tell in self._changed:
            tell(cells, squares)

    def stands(self, move: chess.Move | None) -> None:
        """Another move stands on the board, or none does any more."""
        legal = move is not None and self.desk.board.is_legal(move)
        self.desk.standing = move if legal else None
        self.desk.standing_since = self.desk.told.at
        for tell in self._stood:
            tell()

    def pressed(self, press: Press, *, late: bool) -> None:
        """A player pressed; *late*: for a move that was settled before."""
        for tell in self._pressed:
            tell(press, late=late)

    def clock(self, reading: ClockReading) -> None:
        """The clock was read."""
        for tell in self._clock:
            tell(reading)

    def gives(self, number: int, colour: chess.Color, seconds: float) -> None:
        """Ruling *number* gives *colour* so much time, or takes it from him."""
        for tell in self._gives:
            tell(number, colour, seconds)

    def takes_back(self, number: int) -> None:
        """Ruling *number* gives no time any more."""
        for tell in self._takes_back:
            tell(number)

    def rested(self) -> None:
        """The board has not changed for a while and shows no legal move from the record."""
        for tell in self._rested:
            tell()

    def ticks(self) -> None:
        """Let those look who wanted to by now."""
        desk = self.desk
        if desk.told.at >= desk.wake_at:
            desk.wake_at = math.inf
            for tell in self._look:
                tell()


def _who(watchers: list[Watcher], hook: str) -> list[Callable[..., None]]:
    """Return the methods of those who override *hook*."""
    return [
        getattr(watcher, hook)
        for watcher in watchers
        if getattr(type(watcher), hook) is not getattr(Watcher, hook)
    ]
