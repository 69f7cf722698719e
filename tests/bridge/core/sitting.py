"""A table at which a clock runs that keeps its own time, and can be set and go wrong."""

import chess

from bridge.core.model import AlertCleared, AlertRaised, TableSetup
from drivers.events import ClockReading
from tests.bridge.core.arbiter import Arbiter


class Sitting(Arbiter):
    """White sits left; times are seconds. ``rate``: how fast the clock goes."""

    def __init__(
        self,
        setup: TableSetup | None = None,
        *,
        white: float = 300.0,
        black: float = 300.0,
        adds: float = 0.0,
    ) -> None:
        super().__init__(setup)
        self.left = {chess.WHITE: white, chess.BLACK: black}
        self.turn = chess.WHITE
        self.adds, self.rate = adds, 1.0
        self.running = False
        self.moment = 1.0
        self.shows(0.5)
        self.read()

    def read(self) -> "Sitting":
        """Let the clock be read."""
        reading = ClockReading(
            at=self.moment,
            left_ms=1000 * int(self.left[chess.WHITE]),
            right_ms=1000 * int(self.left[chess.BLACK]),
            running=self.running,
            turn="left" if self.turn else "right",
        )
        self._hear("clock", self.moment, reading)
        return self

    def start(self) -> "Sitting":
        """Start the clock."""
        self.running = True
        return self.read()

    def stop(self) -> "Sitting":
        """Stop the clock."""
        self.running = False
        return self.read()

    def waits(self, seconds: float, every: float = 1.0) -> "Sitting":
        """Let time pass, with a reading *every* so many seconds."""
        until = self.moment + seconds
        while self.moment < until - 1e-6:
            step = min(every, until - self.moment)
            self.moment += step
            self.ticks(self.moment - 0.001)
            if self.running:
                self.left[self.turn] = max(0.0, self.left[self.turn] - step * self.rate)
            self.read()
        return self

    def presses(self, adds: float | None = None) -> "Sitting":
        """Let the player to move press the clock, which adds what it is set to."""
        self.left[self.turn] += self.adds if adds is None else adds
        self.turn = not self.turn
        return self.read()

    def makes(self, *sans: str, think: float = 3.0, adds: float | None = None) -> "Sitting":
        """Let moves be made and pressed."""
        for san in sans:
            self.waits(think)
            board = self._position()
            move = board.parse_san(san)
            board.push(move)
            self.sees(self.moment, without=chess.square_name(move.from_square))
            self.moment += 0.3
            self.shows(self.moment, board.board_fen())
            self.left[self.turn] = max(0.0, self.left[self.turn] - 0.3 * self.rate)
            self.waits(0.5, every=0.5)
            self.presses(adds)
        return self.waits(1.0, every=0.5)

    @property
    def loud(self) -> list[tuple[str, str]]:
        """The alerts that were raised so far, but silent ones: code and severity."""
        return [(a.code, a.severity) for a in self.raised if a.severity != "silent"]

    @property
    def raised(self) -> list[AlertRaised]:
        """All alerts that were raised so far."""
        return [fact for fact in self.facts if isinstance(fact, AlertRaised)]

    @property
    def cleared(self) -> list[tuple[str, str]]:
        """The alerts that stand no longer, and how they ended."""
        return [(fact.code, fact.how) for fact in self.facts if isinstance(fact, AlertCleared)]

    def alert(self, code: str) -> AlertRaised:
        """Return the alert of a code that was raised last."""
        return [alert for alert in self.raised if alert.code == code][-1]


OPENING = ("Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "Nb1", "Nb8", "e4", "e5", "d4", "d5")
"""Moves that may be made at any clock; the position comes twice at most."""
