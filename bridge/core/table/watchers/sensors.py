"""Watching for squares and men that the board cannot read: for whoever looks after it."""

from collections import deque

import chess

from bridge.core.inference.findings import Settled
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import EMPTY, UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE

DROPOUT = 0.5
"""A man that is away for less time and comes back was not lifted: the board did not see it (s)."""
FLICKERS = 6
"""So many dropouts of one square within ``FLICKER_TIME`` are a fault."""
FLICKER_TIME = 60.0
STEADY = 300.0
"""A square that has not flickered for so long works again (s)."""
MOVES_WRONG = 4
"""A square that shows something wrong through so many settled plies does not work."""
MOST_WRONG = 2
"""With more wrong squares, or a man on another square, the record is wrong and not the board."""
UNKNOWN_AFTER = 10.0
"""How long a man must be unknown: it may be set down badly (s)."""
_TWO = 2
_UNNAMED = frozenset({UNNAMED, UNNAMED_WHITE, UNNAMED_BLACK})


class Sensors(Watcher):
    """Tells which squares flicker, or go on showing what does not stand there."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._gone: dict[chess.Square, tuple[str, float]] = {}
        self._dropped: dict[chess.Square, deque[float]] = {}
        self._wrong: dict[chess.Square, int] = {}
        self._told: set[chess.Square] = set()

    def changed(self, cells: str, squares: int) -> None:
        """Count men that were away for a moment."""
        if self.desk.blind:
            return
        was, at = self.desk.engine.cells, self.desk.told.at
        for square in chess.scan_forward(squares):
            letter, since = self._gone.pop(square, (EMPTY, 0.0))
            if cells[square] == EMPTY:
                self._gone[square] = was[square], at
            elif cells[square] == letter and at - since < DROPOUT:
                times = self._dropped.setdefault(square, deque(maxlen=FLICKERS))
                times.append(at)
                if len(times) == FLICKERS and at - times[0] <= FLICKER_TIME:
                    self._tell(self._told | {square})

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - any move will do
        """Look which squares were not believed also for this move."""
        self._wrong = {square: self._wrong.get(square, 0) + 1 for square in self._excused()}
        wrong = {square for square, plies in self._wrong.items() if plies >= MOVES_WRONG}
        self._tell(wrong | {square for square in self._told if self._flickers(square)})

    def _excused(self) -> list[chess.Square]:
        """Return the squares that show something else than what must stand there."""
        engine = self.desk.engine
        squares = [*chess.scan_forward(engine.sight.excused)]
        stand = sorted(engine.position.shown[square] for square in squares)
        elsewhere = stand == sorted(engine.cells[square] for square in squares)
        named = engine.position.sensing == "identity"
        return [] if elsewhere or not named or len(squares) > MOST_WRONG else squares

    def _flickers(self, square: chess.Square) -> bool:
        times = self._dropped.get(square)
        return times is not None and self.desk.told.at < times[-1] + STEADY

    def _tell(self, faulty: set[chess.Square]) -> None:
        new, self._told = faulty - self._told, faulty
        if not faulty:
            self.desk.alerts.clear("SENSOR_FAULT", "the squares work again")
        elif new:
            names = ", ".join(chess.square_name(square) for square in sorted(faulty))
            self.desk.alerts.raise_again(
                "SENSOR_FAULT",
                None,
                f"the board does not read {names} reliably",
                remedy=f"after the game put other men on {names}; what rests on it is less certain",
            )


class Strangers(Watcher):
    """Tells of men that the board cannot name, and of two kings of one colour."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._strange: tuple[str, ...] = ()
        self._told = False
        self._since = desk.told.at

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether the board names men."""
        return desk.setup.sensing == "identity"

    def changed(self, cells: str, squares: int) -> None:  # noqa: ARG002 - all are looked at
        """Look for men that no set has; mostly there are none."""
        twice = cells.count("K") >= _TWO or cells.count("k") >= _TWO
        unnamed = UNNAMED in cells or UNNAMED_WHITE in cells or UNNAMED_BLACK in cells
        if not (twice or unnamed or self._strange):
            return
        kings = [king for king in "Kk" if cells.count(king) > 1]
        strange = tuple(
            chess.square_name(square)
            for square, letter in enumerate(cells)
            if letter in _UNNAMED or letter in kings
        )
        if strange != self._strange:
            self._strange, self._since, self._told = strange, self.desk.told.at, False
            self.look()

    def look(self) -> None:
        """Tell it when it has lasted, unless an alert about a move is about that man."""
        desk = self.desk
        if not self._strange:
            desk.alerts.clear("UNKNOWN_PIECE", "every man is known")
        elif self._told or not desk.due(self._since + UNKNOWN_AFTER) or desk.blind:
            return
        elif not desk.alerts.of_moves():
            self._told = True
            squares = ", ".join(self._strange)
            desk.alerts.raise_(
                "UNKNOWN_PIECE",
                None,
                f"the board does not know what stands on {squares}",
                remedy="change the man: it is a spare of another set, or its chip is worn",
            )
