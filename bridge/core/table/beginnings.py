"""Between games: is the start position up, was it just left, or is it set up wrong?"""

import math
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import chess

from bridge.core.inference.lines import lines_beside
from bridge.core.inference.placement import EMPTY, but_for_one, difference, occupied
from bridge.core.laws.found_late import Moves, wrong_setup
from bridge.core.laws.setups import Wrong
from bridge.core.model import Severity, TableSetup
from bridge.core.table.alerts import SETUP_CODES
from bridge.core.table.arrays import MOST_PLIES, MOST_PLIES_UNNAMED, Nearly, Stand, StartArray
from bridge.core.table.recording import Around
from bridge.core.table.shown import from_seat

START_HOLD = 1.0
"""How long a start position must stand, after an earlier game, to begin another (s)."""
EXPLAIN_AFTER = 3.0
"""How long a board must rest until it is said what is missing, or differs (s)."""
SETUP_HOLD = 10.0
"""How long a wrong set-up must have stood to be told (alert catalogue, section 3.1)."""
FULL_ARRAY = 32
"""Men of a full array: fewer may come back to where a game began by analysis as well."""
MOST_EMPTY = 32
"""Without a running clock, a set-up with fewer men than 32 may just not be done yet."""
MOST_WRONG = 16
"""With more wrong squares it is no slip: some position stands there for another purpose."""
MOST_WRONG_AFTER = 6
"""The same after a game, when openings are looked at that leave the men near their squares."""
MOST_LIFTED = 3
"""With more men away than the first mover and his opponent take up, they are cleared away."""
MOST_SHOWN = 24
"""So many placements that follow a start position are gone through when a game is begun late."""
MOST_SET_OUT = 8
"""Squares that two plies change, or one and men who are away besides."""
_SET_OUT = (1, 2)
"""So many plies tell that a game has begun, though its clock was not started yet."""
_PLAYED_ON = (1, 2)
"""So many plies a game may be old that is begun from a wrong set-up."""


class Start(NamedTuple):
    """A game is to begin from ``stand``.

    ``misread``: squares of White's that show something else than what stands on them.
    ``seen_from_start``: the start position itself was seen, whatever stands by now. ``since``: else
    what was shown after it, and when, if that is known: placements in the board's own numbering.
    """

    stand: Stand
    misread: tuple[chess.Square, ...] = ()
    seen_from_start: bool = False
    since: tuple[tuple[float, str], ...] = ()


NO_MOVE = Moves(0, 0)
_NOTHING_RAISED = ("", "", "")
"""Instead of code, text and severity."""


class _Standing(NamedTuple):
    """A set-up that stood from ``since`` on and can be played from; ``wrong``: it is no start."""

    stand: Stand
    since: float
    wrong: bool


class Beginnings:
    """Watches the board of a table for the next game; cells as the board numbers them.

    ``setup``: what games are begun with. ``array``: the position they start from.
    """

    def __init__(self, setup: TableSetup, around: Around) -> None:
        self._told, self._alerts, self._clock = around.told, around.alerts, around.clock
        self._begun_from = ""
        self._first_since = math.inf
        self.set_up(setup)

    def set_up(self, setup: TableSetup) -> None:
        """Expect the start position of *setup*.

        Raises:
            ValueError: its start position is no position.
        """
        self.setup = setup
        self.array = StartArray(setup)
        self._started_at = math.inf
        self._pressed_at = -math.inf
        self._asked = ""
        self._wrong: Wrong | None = None
        self._left: Stand | None = None
        self._nearly: Nearly | None = None
        self._shown_since = deque[tuple[float, str]](maxlen=MOST_SHOWN + 1)
        self._put_up = self._put_up_wrong = False
        self._standing: _Standing | None = None
        self._raised = _NOTHING_RAISED

    def game_over(self) -> None:
        """A game has ended: if the clock still runs, that is nothing about the next game."""
        self._started_at = math.inf
        self._shown_since.clear()

    def loses_sight(self) -> None:
        """The link is lost: what is shown since a start position is not all that was done."""
        self._shown_since.clear()

    def clock_started(self) -> None:
        """The clock that stood runs."""
        self._started_at = self._told.at

    def deadlines(self, since: float) -> tuple[float, ...]:
        """Return when to look again at what has stood from *since* on."""
        quiet = self._wrong is None and self._raised == _NOTHING_RAISED and self._nearly is None
        setup = math.inf if quiet else since + SETUP_HOLD
        return (since + START_HOLD, since + EXPLAIN_AFTER, setup)

    def look(self, cells: str, since: float) -> Start | None:
        """Return the game to begin where *cells* have stood from *since* on; tell what is wrong."""
        if not cells:
            return None
        self._first_since = min(self._first_since, since)
        if self._shown_since and cells != self._shown_since[-1][1]:
            self._shown_since.append((since, cells))
        start = self._found(cells, since)
        if start is not None:
            self._begins(start)
            return start
        if self._stood(since, START_HOLD):
            self._note_nearly(self.array.nearly(cells, strangers=True), cells, since)
            self._watch_setup(cells, since)
        if self._stood(since, EXPLAIN_AFTER):
            self._told.explain(self._waits_for(cells))
        return None

    def _note_nearly(self, nearly: Nearly | None, cells: str, since: float) -> None:
        """Keep a start position that is nearly seen from *since* on.

        Who is taken up besides, after it has stood for long, begins to play.
        """
        before = self._nearly
        if nearly is None:
            return
        if self._put_up and before and {*before.faults} < {*nearly.faults}:
            return
        kept = self._put_up and nearly == before
        self._nearly = nearly
        self._shown_since.clear()
        self._shown_since.append((since, cells))
        # What is seen first had stood for longer than it was seen.
        soon = self._clock.reading is None or since == self._first_since or self._clock.is_set
        self._put_up = kept or self._stood(since, EXPLAIN_AFTER if soon else SETUP_HOLD)

    def _waits_for(self, cells: str) -> str:
        if self.array.stands(cells) is not None:
            return "waiting for the clock to be started: the start position stands"
        return f"waiting for the start position: {self.array.wanting(cells)}"

    def pressed(self, cells: str) -> Start | None:
        """Return the game to begin from a wrong set-up if the first move was made and pressed."""
        self._pressed_at = self._told.at
        if not cells:
            return None
        start = self._played_on(cells, 1) or self._left_nearly(cells)
        if start is not None:
            self._begins(start)
        return start

    def stands_wrong(self, cells: str) -> bool:
        """Whether *cells* look like a set-up that is done, in which a few squares are wrong.

        A start position of few men does if it is nearly shown, as beside somebody else.
        """
        self._ask(cells)
        return self._wrong is not None or self.array.nearly(cells, strangers=True) is not None

    def _stood(self, since: float, long: float) -> bool:
        """Whether what stands from *since* on has stood so *long*, by the deadline for that."""
        return self._told.at >= since + long

    def _found(self, cells: str, since: float) -> Start | None:
        first = self._told.game == 0
        stand = self.array.stands(cells)
        if stand is not None:
            if first or (self._stood(since, START_HOLD) and self._is_put_up(stand)):
                return Start(stand, seen_from_start=True)
            self._standing = _Standing(stand, since, wrong=False)
            return None
        if self._put_up and (start := self._sets_out(cells)) is not None:
            return start
        if (first or self._put_up_wrong) and self._may_have_begun(since):
            self._ask(cells)
            if self._left is not None:
                return Start(self._left)
        if self._clock.reading is None and self._stood(since, EXPLAIN_AFTER):
            return self._left_nearly(cells)
        if not self._stood(since, START_HOLD):
            return None
        return self._begun_wrong(cells) if self._clock.runs else None

    def _is_put_up(self, stand: Stand) -> bool:
        """Whether the men stand for the next game, and analysis has not only led back to them.

        It may where they are few and the last game began from there: then a clock that is known
        must run.
        """
        full = stand.board.occupied.bit_count() == FULL_ARRAY
        other = stand.board.board_fen() != self._begun_from
        return full or other or self._clock.reading is None or self._clock.runs

    def _begun_wrong(self, cells: str) -> Start | None:
        """Return the game that the clock says has begun, although no start position was seen."""
        nearly = self.array.nearly(cells)
        if nearly is not None:
            return Start(nearly.stand, nearly.faults, seen_from_start=True)
        if self._standing is not None and self._is_timed(self._standing):
            return next(filter(None, (self._played_on(cells, plies) for plies in _PLAYED_ON)), None)
        return None

    def _is_timed(self, standing: _Standing) -> bool:
        """Whether the clock tells that what was *standing* has been played from.

        It was pressed since; or started, unless men who stood wrong may have been put right.
        """
        started = not standing.wrong and standing.since < self._started_at < math.inf
        return started or self._pressed_at > standing.since

    def _sets_out(self, cells: str) -> Start | None:
        """Return the game of which the first moves were made, whether or not its clock runs.

        Its start position had stood for long but for a square or two: no man was put up any more.
        White may sit at either side of it.
        """
        if self._nearly is None or not self._is_put_up(self._nearly.stand):
            return None
        stand, faults = self._nearly
        seats = [self._nearly]
        if stand.seat_open:
            seat = stand._replace(rotated=not stand.rotated)
            seats.append(Nearly(seat, tuple(63 - square for square in faults)))
        starts = (self._first_move_of(nearly, cells) for nearly in seats)
        return next((start for start in starts if start is not None), None)

    def _first_move_of(self, nearly: Nearly, cells: str) -> Start | None:
        """Return the game from *nearly* a start position that *cells* show begun, if they do.

        The reply may have begun before its first move was complete.
        """
        shown = self.array.position_of(nearly.stand.board).shown
        seen = from_seat(cells, nearly.stand.rotated)
        changed = difference(seen, shown) & ~chess.SquareSet(nearly.faults).mask
        lifted = changed & occupied(shown) & ~occupied(seen)
        if lifted.bit_count() > MOST_LIFTED:
            self._put_up = False  # they are cleared away, or put up anew
            return None
        if not changed & occupied(seen) or changed.bit_count() > MOST_SET_OUT:
            return None  # who is taken up may have taken nobody
        if nearly.stand.untold:  # of the 960, of which many have to be asked
            return self._gone_from(nearly, seen, _SET_OUT[:1])
        if start := self._gone_from(nearly, seen, _SET_OUT):
            return start
        for alone in but_for_one(seen, shown, lifted, lifted):
            if start := self._gone_from(nearly, alone, _SET_OUT[:1]):
                return start
        return None

    def _gone_from(self, nearly: Nearly, seen: str, plies: Iterable[int]) -> Start | None:
        """Return the game of which so many *plies* led from *nearly* a start position to *seen*.

        Squares that were not seen right before, and are not now, are not believed.
        """
        stand, faults = nearly
        shown = self.array.position_of(stand.board).shown
        if not difference(seen, shown) & ~chess.SquareSet(faults).mask:
            return None  # castling may change nothing that is seen
        faults = tuple(square for square in faults if seen[square] != shown[square])
        begun = self._begun(stand, seen, plies, chess.SquareSet(faults).mask)
        return begun and Start(begun, faults, seen_from_start=True)

    def _left_nearly(self, cells: str) -> Start | None:
        """Return the game whose first moves were made, where nothing else tells that it has begun.

        They may be as many as those up to which games are joined.
        """
        if self._nearly is None:
            return None
        seen = from_seat(cells, self._nearly.stand.rotated)
        most = MOST_PLIES if self.setup.sensing == "identity" else MOST_PLIES_UNNAMED
        start = self._gone_from(self._nearly, seen, range(1, most + 1))
        known = len(self._shown_since) <= MOST_SHOWN
        since = tuple(self._shown_since)[1:] if known else ()
        return start and start._replace(seen_from_start=False, since=since)

    def _may_have_begun(self, since: float) -> bool:
        """Whether what stands may be the first moves of a game, not men being put up.

        Where a wrong set-up had stood, it was put right after the first of them.
        """
        if self._put_up_wrong:
            return self._stood(since, START_HOLD)
        hold = START_HOLD if self._clock.reading is not None else EXPLAIN_AFTER
        return self._stood(since, hold) and (self._clock.reading is None or self._clock.runs)

    def _begins(self, start: Start) -> None:
        """The set-up is over: it was right, or is played from."""
        if start.misread:
            self._alerts.clear_all(SETUP_CODES, "the game began; the board is believed to misread")
        elif not self._is_played_wrong(start):
            self._alerts.clear_all(SETUP_CODES, "the start position stands")
        self._begun_from = start.stand.board.board_fen()
        self._standing, self._nearly, self._raised = None, None, _NOTHING_RAISED
        self._put_up = self._put_up_wrong = False
        self._asked, self._wrong = "", None

    def _is_played_wrong(self, start: Start) -> bool:
        """Whether the game begins from the wrong set-up that was told."""
        standing = self._standing
        return standing is not None and standing.wrong and start.stand.board == standing.stand.board

    # -- wrong set-ups -----------------------------------------------------------------------------

    def _ask(self, cells: str) -> None:
        """Find out about a placement what takes long, once."""
        if cells == self._asked:
            return
        self._asked = cells
        wrong = self.array.wrong(cells)
        first = self._told.game == 0
        if wrong and len(wrong.squares) > (MOST_WRONG if first else MOST_WRONG_AFTER):
            wrong = None
        asked = wrong or first or self._put_up_wrong
        self._left = self.array.was_left(cells) if asked else None
        self._wrong = None if self._left else wrong

    def _watch_setup(self, cells: str, since: float) -> None:
        self._put_up_wrong &= self.array.missing(cells) <= MOST_LIFTED
        if self._clock.runs and self._played_on(cells, 1):
            return
        self._ask(cells)
        wrong, long = self._wrong, self._stood(since, SETUP_HOLD)
        if wrong is None:
            if long:
                self._forget(since)
            return
        self._put_up_wrong |= self.array.is_exchanged(cells)
        if wrong.board is not None:
            meant = self.array.meant_by(wrong.board)
            stand = Stand(wrong.board, wrong.rotated, meant=meant)
            self._standing = _Standing(stand, since, wrong=True)
        playing = self._is_played(since)
        if playing or (long and cells.count(EMPTY) <= MOST_EMPTY):
            self._raise(wrong, playing=playing)

    def _is_played(self, since: float) -> bool:
        """Whether the clock was started after the men that stand since then were put up."""
        if not self._clock.runs:
            return False
        put_up = since + START_HOLD <= self._started_at < math.inf
        known = self._told.game == 0 or self._started_at < math.inf
        return put_up or (known and self._told.at >= since + SETUP_HOLD)

    def _forget(self, since: float) -> None:
        """The men that stood wrong do not stand any more; what does stands from *since* on."""
        self._alerts.clear_all(SETUP_CODES, "the men are being put up anew")
        self._raised = _NOTHING_RAISED
        if self._standing is not None and self._standing.since != since:
            self._standing = None

    def _raise(self, wrong: Wrong, *, playing: bool) -> None:
        """Raise the alert, or raise it higher once the clock runs.

        A board that lies a quarter turn never stops a game: the position is transferred (7.2.2).
        """
        severity: Severity = "critical" if playing else "notice"
        if wrong.code == "BOARD_ROTATED":
            severity = "warning"
        if (wrong.code, wrong.text) == self._raised[:2] and severity in ("notice", self._raised[2]):
            return
        self._raised = (wrong.code, wrong.text, severity)
        self._alerts.clear_all(SETUP_CODES - {wrong.code}, "the men stand otherwise")
        self._alerts.raise_again(
            wrong.code,
            severity,
            wrong.text,
            reason=wrong.reason,
            article=wrong.article,
            remedy=wrong_setup(wrong.code, NO_MOVE, self._alerts.rules, started=playing).text,
        )

    def _played_on(self, cells: str, plies: int) -> Start | None:
        """Return the game that is played from a wrong set-up if *plies* plies were made of it."""
        if self._standing is None:
            return None
        stand = self._standing.stand
        begun = self._begun(stand, from_seat(cells, stand.rotated), (plies,))
        return begun and Start(begun, seen_from_start=plies == 1)

    def _begun(
        self, stand: Stand, seen: str, plies: Iterable[int], excused: int = 0
    ) -> Stand | None:
        """Return *stand* if so many *plies* led from it to *seen*, or from another array if any.

        Squares that are *excused* are not believed.
        """
        for board in self.array.boards(stand, seen):
            position = self.array.position_of(board)
            if any(lines_beside(position, seen, number, excused) for number in plies):
                return stand._replace(board=board)
        return None
