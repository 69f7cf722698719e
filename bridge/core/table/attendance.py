"""The start of a round: is the board ready, does the clock run, are the players there (6.6, 6.7)?

Only where a person has said when the round begins. Presence is not sensed: a player who thinks over
his first move looks like one who is not there. So it is asked, and no result follows from it.
"""

import math
from typing import NamedTuple

import chess

from bridge.core.laws.clocks.attendance import Late, late
from bridge.core.laws.clocks.times import shown
from bridge.core.model import Colour
from bridge.core.table.alerts import Alerts
from bridge.core.table.game import Game
from bridge.core.table.games import Games
from bridge.core.table.told import Told
from bridge.core.timekeeping import ClockBook

MINUTE = 60.0
UNTIL_STARTED = 60.0
"""How long after the start the clock may stand (s)."""
FIRST_THOUGHT = 60.0
"""How long a first move may take before it is asked whether its player is there (s)."""
LONG_THOUGHT = 300.0
"""The same before the arbiter is called, although nobody has seen that he is absent (s)."""
CODES = frozenset({"NOT_READY_AT_START", "CLOCK_NOT_STARTED", "LATE_ARRIVAL"})


class Schedule(NamedTuple):
    """When a round begins (journal time), and after how many minutes absence loses."""

    starts: float
    default_minutes: int


class Attendance:
    """Watches the start of the round that is scheduled, until both players have moved."""

    def __init__(self, told: Told, alerts: Alerts, clock: ClockBook, games: Games) -> None:
        self.schedule: Schedule | None = None
        self.noted: dict[chess.Color, bool] = {}
        self.wake_at = math.inf
        self._told, self._alerts, self._clock, self._games = told, alerts, clock, games
        self._turn_since = math.inf
        self._moves = 0
        self._late: tuple[str, str] | None = None
        self._said: set[str] = set()

    def set_up(self, schedule: Schedule | None, noted: dict[chess.Color, bool]) -> None:
        """Wait for another start, with what is known of the players; none: for no start."""
        if schedule != self.schedule:
            self._alerts.clear_all(CODES, "the round starts at another time", how="withdrawn")
            self._late, self._moves, self._said = None, 0, set()
            self._turn_since = math.inf if schedule is None else schedule.starts
        self.schedule, self.noted = schedule, noted
        self.look()

    def look(self) -> None:
        """Tell what is wanting by now, and when to look again."""
        self.wake_at = math.inf
        if self.schedule is None or not self._due(self.schedule.starts):
            return
        game = self._games.playing
        if game is None:
            self._wants_array()
            self._asks(self.schedule, self._noted_absent())
            return
        self._alerts.clear("NOT_READY_AT_START", "the array stands")
        moves = len(game.plies) + (game.engine.standing is not None)
        if moves > 1:
            self._is_over()
            return
        self._follows(moves)
        self._wants_clock(moves)
        self._asks(self.schedule, self._noted_absent() | self._silent(game))

    def game_over(self) -> None:
        """A game has ended: if the round had begun, it was that of the round."""
        if self.schedule is not None and self._told.at >= self.schedule.starts:
            self._is_over()

    def _is_over(self) -> None:
        self._alerts.clear_all(CODES, "the game is being played")
        self.schedule, self._late, self.noted = None, None, {}
        self.wake_at = math.inf

    def _due(self, when: float) -> bool:
        if self._told.at >= when:
            return True
        self.wake_at = min(self.wake_at, when)
        return False

    # -- the board and its clock -------------------------------------------------------------------

    def _wants_array(self) -> None:
        self._say(
            "NOT_READY_AT_START",
            "the round has begun, and the start position has not been seen on the board",
            "look at the board; note a late start",
        )

    def _say(self, code: str, text: str, remedy: str) -> None:
        """Tell it once for each start, also if the arbiter has dealt with it."""
        if code not in self._said:
            self._said.add(code)
            self._alerts.raise_(code, None, text, remedy=remedy)

    def _follows(self, moves: int) -> None:
        """Take note when a turn began, for those who are waited for."""
        if moves != self._moves:
            self._moves, self._turn_since = moves, self._told.at

    def _wants_clock(self, moves: int) -> None:
        if moves or self._clock.reading is None or self._clock.runs:
            self._alerts.clear("CLOCK_NOT_STARTED", "the game has begun")
        elif self._due(self._turn_since + UNTIL_STARTED):
            self._say(
                "CLOCK_NOT_STARTED",
                "the round has begun, and no clock runs",
                "start the clock of the player to move, or note a late start",
            )

    # -- the players -------------------------------------------------------------------------------

    def _noted_absent(self) -> set[chess.Color]:
        return {colour for colour, present in self.noted.items() if not present}

    def _silent(self, game: Game) -> set[chess.Color]:
        """Return the player to move if nothing tells that he is there."""
        turn = game.engine.position.board.turn ^ (game.engine.standing is not None)
        reading = self._clock.reading
        waits = reading is None or (reading.running and self._clock.colour_of(reading.turn) == turn)
        if turn in self.noted or not waits or not game.engine.in_sight:
            return set()
        return {turn} if self._due(self._turn_since + FIRST_THOUGHT) else set()

    def _asks(self, schedule: Schedule, absent: set[chess.Color]) -> None:
        """Raise, raise higher or clear the question for those who are *absent*."""
        found = late(
            self._told.at - schedule.starts,
            white_present=chess.WHITE not in absent,
            black_present=chess.BLACK not in absent,
            default_minutes=schedule.default_minutes,
        )
        if found is None:
            self._late = None
            self._alerts.clear("LATE_ARRIVAL", "the player is there")
            return
        seen = bool(self._noted_absent())
        until = schedule.starts + schedule.default_minutes * MINUTE
        warns = self._due(until) and (seen or self._due(self._turn_since + LONG_THOUGHT))
        now = found.who, "warning" if warns else "notice"
        if now != self._late:
            self._late = now
            self._raise(found, seen=seen, warns=warns)

    def _raise(self, found: Late, *, seen: bool, warns: bool) -> None:
        who = "both players are" if found.who == "both" else f"{found.who} is"
        what = "absent" if seen else "not known to be there: no move since the turn began"
        left = f"{shown(found.left)} until the default time"
        if found.forfeit is not None:
            left = f"the default time is over: {found.forfeit} for the arbiter to confirm"
        loses: Colour = "white" if found.who == "both" else found.who
        self._alerts.raise_again(
            "LATE_ARRIVAL",
            "warning" if warns else None,
            f"{who} {what}",
            reason=found.who.upper(),
            remedy=f'ask "present?"; {left}; the time until then is lost to {loses}',
            by=None if found.who == "both" else found.who,
            confidence="high" if seen else "low",
        )
