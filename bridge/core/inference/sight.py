"""What the board has shown: each square's last change, and which squares say nothing."""

import itertools
import math
from collections import deque

import chess

from bridge.core.inference.placement import BIT, EMPTY, difference, occupied
from drivers.events import PIECES

A_SLIDE = 1.0
"""Seconds within which a man that came to a square is seen on the next, if it goes on."""
MOST_KEPT = 64
"""Placements kept to be gone through again."""


class Sight:
    """The placement shown now and, for each of the 64 squares, when that last changed.

    An *excused* square was found to show something else than what stands there: it is not
    believed while it goes on showing that, unless the man may have been slid there. A square that
    was excused for looking empty may be ``dead`` until a man is seen on it; on a ``blind`` one a
    man may stand unseen. ``alive``: the squares on which a man has been seen. ``vacant``: how long
    each square had been empty when the man came that it shows. ``rested``: how long the man that
    left each square last had stood there. ``quickest``: the shortest time between two changes of
    one square, hence no less than a scan takes; ``pause``: the same between any two of the
    ``changes`` so far that were not told together, mostly no more than a scan takes.
    """

    __slots__ = (
        "_read_out",
        "alive",
        "blind",
        "changed",
        "changed_at",
        "changes",
        "dead",
        "emptied",
        "excused",
        "pause",
        "quickest",
        "rested",
        "shown",
        "trace",
        "vacant",
    )

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.changed_at = -math.inf
        self.changed = [-math.inf] * 64
        self.emptied = [-math.inf] * 64
        self.vacant = [0.0] * 64
        self.rested = [0.0] * 64
        self.quickest = self.pause = math.inf
        self.changes = 0
        self._read_out = False
        self.excused = self.dead = self.blind = 0
        self.alive = occupied(shown)
        self.trace = deque([(-math.inf, shown)], maxlen=MOST_KEPT)

    def take(self, shown: str, at: float, *, scan: float = 0.0, read_out: bool = False) -> None:
        """Take the placement that the board shows from time *at* on.

        What changes within *scan* seconds is told together. *read_out*: all of it was asked for, as
        when the link is back; that tells of no scan.
        """
        if at - self.changed_at > scan:
            if not (read_out or self._read_out):
                self.pause = min(self.pause, at - self.changed_at)
            self.changes += 1
            self._read_out = read_out
        for square in chess.scan_forward(difference(shown, self.shown)):
            came, self.changed[square] = self.changed[square], at
            lasted = at - came
            if scan < lasted < self.quickest:  # what is told at one time is told late
                self.quickest = lasted
            if shown[square] == EMPTY:
                self.emptied[square], self.rested[square] = at, lasted
                self._left(self.shown[square], came)
            else:
                gone = self.shown[square] == EMPTY
                self.vacant[square] = at - self.emptied[square] if gone else 0.0
                self._sees(BIT[square])
            self.excused &= ~BIT[square]
        self.shown = shown
        self.changed_at = at
        self.trace.append((at, shown))

    def _left(self, man: str, came: float) -> None:
        """Believe the excused squares again to which the *man* that left may have been slid."""
        if man not in PIECES:
            return
        for square in chess.scan_forward(self.excused):
            slid = came <= self.changed[square] < came + A_SLIDE
            if slid and self.shown[square] == man:
                self.excused &= ~BIT[square]

    def _sees(self, square: int) -> None:
        self.alive |= square
        self.dead &= ~square
        self.blind &= ~square

    def kept_since(self, at: float, *, most: int) -> bool:
        """Whether the placements shown after *at* were all kept, and are *most* at most."""
        trace = self.trace
        return trace[-most - 1][0] <= at if len(trace) > most else len(trace) < MOST_KEPT

    def is_cleared_since(self, at: float, *, long: float) -> bool:
        """Whether no man was on the board after *at* for so *long*: what came is another game."""
        trace = [each for each in self.trace if each[0] > at]
        return any(
            not occupied(shown) and until >= since + long
            for (since, shown), (until, _) in itertools.pairwise(trace)
        )

    def since(self, at: float) -> list[tuple[float, str]] | None:
        """Return the placements shown after *at*, or None if they were not all kept."""
        trace = [*self.trace]
        if len(trace) == MOST_KEPT and trace[0][0] > at:
            return None
        return [each for each in trace if each[0] > at]

    def shown_from(self, at: float) -> list[tuple[float, str]]:
        """Return the placement shown at time *at* and those after it, as far as they are kept."""
        trace = [*self.trace]
        first = max((n for n, (since, _) in enumerate(trace) if since <= at), default=0)
        return trace[first:]

    def last_man(self, square: chess.Square) -> str:
        """Return the man whom *square* showed last, as far as placements are kept."""
        return next((men[square] for _, men in reversed(self.trace) if men[square] != EMPTY), EMPTY)

    def told_whole(self, scan: float) -> float:
        """Return the share of late moves whose man was told to leave and to come in one scan.

        Steps to the next square say nothing: men are slid by them. Nor does a single move.
        """
        whole = apart = 0
        scans = [self.trace[0]]
        for at, shown in itertools.islice(self.trace, 1, None):
            if at <= scans[-1][0] + scan:
                scans.pop()
            scans.append((at, shown))
        for (_, before), (_, shown) in itertools.pairwise(scans):
            changed = difference(before, shown)
            squares = changed.bit_count()
            if squares == 1:
                apart += shown[chess.lsb(changed)] != EMPTY
            elif squares == 2:
                one, other = chess.lsb(changed), chess.msb(changed)
                moved = (shown[one] != EMPTY) != (shown[other] != EMPTY)
                whole += moved and chess.square_distance(one, other) > 1
        return whole / (whole + apart) if whole > 1 else 0.0

    def excuse(self, squares: int) -> None:
        """Do not believe what *squares* show now."""
        self.excused |= squares
        self.dead |= squares & ~occupied(self.shown)

    def blindfold(self, squares: int) -> None:
        """Take *squares* for ones on which a man may stand unseen, until one is seen there."""
        self.excuse(squares)
        self.blind |= squares

    def believe(self, square: chess.Square) -> None:
        """Believe *square* again, which shows what stands there."""
        self.excused &= ~BIT[square]
        self.dead &= ~BIT[square]

    def trust(self, shown: str) -> None:
        """Believe the excused squares again that show what stands there by now."""
        self.excused &= difference(self.shown, shown) | self.blind

    def differs(self, shown: str) -> int:
        """Return the squares that show something else than *shown* and are believed."""
        return difference(self.shown, shown) & ~self.excused

    def misread(self, wanted: str) -> int:
        """Return the squares that show another man of the same colour than *wanted* does."""
        shown = self.shown
        return sum(
            BIT[square]
            for square in chess.scan_forward(self.differs(wanted))
            if wanted[square].isalpha() and shown[square].isalpha()
            if wanted[square].isupper() == shown[square].isupper()
        )

    def left_and_came(self, squares: int) -> tuple[list[chess.Square], list[chess.Square]]:
        """Return those of *squares* that are empty, and those where somebody stands."""
        left: list[chess.Square] = []
        came: list[chess.Square] = []
        for square in chess.scan_forward(squares):
            (left if self.shown[square] == EMPTY else came).append(square)
        return left, came

    def emptied_since(self, squares: int, at: float) -> int:
        """Return those of *squares* that were emptied after *at*, whatever they show by now."""
        emptied = self.emptied
        return sum(BIT[square] for square in chess.scan_forward(squares) if emptied[square] > at)

    def left_by(self, man: str, squares: int, since: float) -> int:
        """Return those of *squares* that were emptied after *since*, by *man* as the last one."""
        gone = chess.scan_forward(self.emptied_since(squares, since))
        return sum(BIT[square] for square in gone if self.last_man(square) == man)

    def changed_since(self, squares: int, at: float) -> int:
        """Return those of *squares* that changed after *at*."""
        changed = self.changed
        return sum(BIT[square] for square in chess.scan_forward(squares) if changed[square] > at)

    def last_change(self, squares: int) -> float:
        """Return when the last of *squares* changed."""
        changed = self.changed
        return max((changed[square] for square in chess.scan_forward(squares)), default=-math.inf)

    def first_change(self, squares: int) -> float:
        """Return when the first of *squares* came to show what it does; infinity if none."""
        changed = self.changed
        return min((changed[square] for square in chess.scan_forward(squares)), default=math.inf)
