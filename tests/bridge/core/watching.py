"""An engine that watches a board that names its men, and hears a clock."""

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Finding, Settled, Withdrawn
from drivers.cells import cells_of


class Watched:
    """A board with men, whose squares change, and what the engine found."""

    def __init__(self, fen: str) -> None:
        board = chess.Board(fen)
        self.engine = Engine(board.copy())
        self.found: list[Finding] = []
        self._cells = list(cells_of(board))
        self._at = 0.0
        self.runs_for(board.turn)
        self.shows("")

    def shows(self, changes: str) -> "Watched":
        """Let squares show something else, all at once: ``e2 e4P``."""
        for change in changes.split():
            self._cells[chess.parse_square(change[:2])] = change[2:] or "."
        self.found += self.engine.sees("".join(self._cells), at=self._at)
        return self

    def waits(self, seconds: float) -> "Watched":
        until = self._at + seconds
        while self.engine.wake_at <= until:
            self._at = self.engine.wake_at
            self.found += self.engine.tick(at=self._at)
        self._at = until
        return self

    def runs_for(self, turn: chess.Color | None) -> "Watched":
        """Let the clock be read: it runs for a player, or stands."""
        self.found += self.engine.clock(runs=turn is not None, at=self._at, turn=turn)
        return self

    def presses(self, colour: chess.Color, *, counted: bool = False) -> "Watched":
        self.found += self.engine.press(colour, at=self._at, counted=counted)
        return self

    def hears_together(self, *presses: chess.Color) -> "Watched":
        """Let one reading of the clock tell, by its times, of all *presses* since the last one."""
        engine, at = self.engine, self._at
        self.found += engine.clock(runs=True, turn=not presses[-1], at=at, shows_presses=True)
        for number, colour in enumerate(presses, start=1):
            following = len(presses) - number
            self.found += engine.press(colour, at=at, counted=True, following=following)
        return self

    def misses(self, changes: str, *, seconds: float = 20.0) -> "Watched":
        """Let squares change while the link is lost."""
        self.found += self.engine.lose_sight(at=self._at)
        return self.waits(seconds).shows(changes)

    @property
    def moves(self) -> str:
        """The settled moves that were not withdrawn."""
        line: list[str] = []
        for each in self.found:
            if isinstance(each, Settled):
                line.append(each.move.uci())
            elif isinstance(each, Withdrawn):
                del line[-each.plies :]
        return " ".join(line)
