"""One game at a table: what board, clock and arbiter say is given to engine and watchers."""

import math
from collections.abc import Iterable, Iterator, Sequence

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Finding, Provisional, Settled
from bridge.core.inference.gesture import CENTRE, shown_result, supposed_result
from bridge.core.inference.placement import (
    but_for_one,
    difference,
    occupied,
    turned,
    turned_squares,
    with_changes,
)
from bridge.core.model import BoardChanged, TableSetup
from bridge.core.table.alerts import ILLEGAL_CODES
from bridge.core.table.arrays import Stand
from bridge.core.table.differences import LOOKED_AT, differences, is_man_in_hand, wrong_squares
from bridge.core.table.recording import Around, Recording
from bridge.core.table.shown import from_seat
from bridge.core.table.times import Timed
from bridge.core.timekeeping import Press
from drivers.events import EMPTY, BoardMove, ClockReading

BOTH = 2
"""The first move and its reply."""
TURNED = "White made the first move from the other seat"
MOST_AWAY = 3
"""With more men away before the first move is seen, nothing tells who made it."""


class Game(Recording):
    """A game to which all is given that happens at its table.

    ``adjourned``: it is interrupted. ``begun_here``: a first move of White's was seen to stand from
    this seat, which is ``rotated`` where White sits at the other side of the board. ``turned``:
    that was found by a first move.
    """

    def __init__(self, stand: Stand, setup: TableSetup, around: Around) -> None:
        super().__init__(stand, setup, around)
        self.rotated = stand.rotated
        self.adjourned = self.begun_here = self.turned = False

    # -- what happens ------------------------------------------------------------------------------

    def sees(self, cells: str) -> None:
        """Take what the board shows."""
        if cells != self.engine.cells:
            self._told.state(BoardChanged, cells=cells)
            self._watchers.changed(cells)
        if self._desk.blind:
            self._desk.blind, self._desk.seen_from = False, self._told.at
        self._found(self.engine.sees(cells, at=self._told.at))
        self._end_as_shown()
        if self._verdicts:
            self._weigh_verdicts()

    def begins_from(self, board: chess.Board) -> bool:
        """Take *board* for the start position, which nobody gave before; false if it cannot be."""
        found = self.engine.begin_from(board)
        self._found(found or [])
        self._untold = self._untold and found is None
        return found is not None

    def begins_again(self) -> None:
        """Go on from the start position, which stands again: its first move was taken back."""
        self.begun_here = False
        self._found(self.engine.begins_again(at=self._told.at))

    def follows(self, before: "Game") -> None:
        """Take it that the board sees the squares on which it showed a man in the game *before*."""
        alive = before.engine.sight.alive
        same = before.rotated == self.rotated
        self.engine.sight.alive |= alive if same else turned_squares(alive)

    def joins(
        self,
        cells: str,
        *,
        unseen: bool,
        misread: Iterable[chess.Square],
        since: Sequence[tuple[float, str]],
    ) -> None:
        """Take the first placement; ``unseen``: moves were made before.

        What it shows on the squares ``misread`` was seen before any move, and is not believed.
        ``since``: what the board showed while they were made, as it numbers squares, if known.
        """
        at = self._told.at
        self._told.state(BoardChanged, cells=cells)
        if since and self._follows(since, misread):
            self._found(self.engine.sees(cells, at=at))
            return
        engine = self.engine
        self._found(engine.clock(runs=self._clock.runs, at=at))
        self._found(_misread(engine, misread, cells, at))
        if unseen:
            self._found(engine.lose_sight(at=at))
        self._found(engine.sees(cells, at=at))

    def _follows(self, since: Sequence[tuple[float, str]], misread: Iterable[chess.Square]) -> bool:
        """Go through what was shown *since* the start position, if it shows moves and no more."""
        engine, (began, first) = self._new_engine(), since[0]
        engine.sight.alive |= self.engine.sight.alive
        found = engine.clock(runs=self._clock.runs, at=began)
        found += _misread(engine, misread, from_seat(first, self.rotated), began)
        for at, shown in since:
            while engine.wake_at < at:
                found += engine.tick(at=engine.wake_at)
            found += engine.sees(from_seat(shown, self.rotated), at=at)
        if not engine.explains or any(
            not isinstance(each, Provisional | Settled) for each in found
        ):
            return False
        self.engine = self._desk.engine = engine
        self._found(found)
        return True

    @property
    def has_not_begun(self) -> bool:
        """Whether no move is recorded and its start position stands."""
        return not self.plies and self.engine.cells == self.engine.position.shown

    def turns_round(self, cells: str, *, rested: bool) -> bool:
        """See the game from the other seat if *cells*, seen from there, show White's first move.

        Where men cannot be told apart, White is who moves first. If that *rested*, other men may
        be away besides. Moves of both that were made while the link was lost tell nothing: from
        either seat they are as good. So does what is shown beside a first move that stands here,
        or while a man of White's at this seat is in a hand who was taken up first.
        """
        at = self._told.at
        if self.engine.standing is not None:
            return False
        if not self.engine.in_sight and self.engine.shows_both_at_work:
            return False
        if self._is_answered():
            return False
        firsts = _first_moves(self._from_other_seat(cells), cells) if rested else (cells,)
        for before in firsts:
            other = self._from_other_seat(cells)
            found = self._shown_since(other, before)
            shows_move = other.explains and other.cells != other.position.shown
            only_lifted = shows_move and self._is_only_lifted(other, cells)
            if shows_move and not only_lifted and not self._is_begun_here(other):
                break
        else:
            return False
        self._turn_to(other, [*found, *other.sees(cells, at=at)])
        return True

    def _shown_since(self, other: Engine, cells: str) -> list[Finding]:
        """Let *other* see *cells*; one that has to find the start position as long as they stand.

        How long that is tells whether they show a move by which it is found.
        """
        at = self._told.at
        if not other.is_untold:
            return other.sees(cells, at=at)
        return [*other.sees(cells, at=self.engine.sight.changed_at), *other.tick(at=at)]

    @property
    def both_began_at_once(self) -> bool:
        """Whether the first moves of both were told in one look, so that either may have begun.

        Or the reply came to stand before the man of the first move left.
        """
        changed = self.engine.sight.changed
        came = [changed[node.move.to_square] for node in self.engine.line[:BOTH] if node.move]
        if len(came) < BOTH or len(self.plies) > BOTH:
            return False
        return max(came) - min(came) <= self._timing.scan or self._reply_came_first()

    def _reply_came_first(self) -> bool:
        """Whether the man of the reply stood before that of the first move had left."""
        first, reply = (node.move for node in self.engine.line[:BOTH])
        if first is None or reply is None:
            return False
        sight = self.engine.sight
        return sight.changed[reply.to_square] < sight.emptied[first.from_square] - self._timing.scan

    def turns_round_late(self, cells: str) -> bool:
        """See the game from the other seat if the first moves of both began the other way round.

        They were told in one look. *cells*: what is shown from there.
        """
        both = self._first_moves_told(cells)
        if both is None:
            return False
        other = self._from_other_seat(both)
        moved = sum(node.target for node in self.engine.line[:BOTH])
        found = other.sees(both, at=self.engine.sight.last_change(moved))
        found += other.tick(at=self._told.at)
        follow = other.explains
        found += other.sees(cells, at=self._told.at)
        if not (follow and other.explains and len(other.line) >= BOTH + (both != cells)):
            return False
        self._turn_to(other, [*self.engine.withdraw(TURNED), *found])
        return True

    def _first_moves_told(self, cells: str) -> str | None:
        """Return what the first moves of both showed from the other seat, if that may be White's.

        So it may if the man of the reply had left long before the other one, or stood before that
        one left, or if *cells* show no move that follows them from here.
        """
        first, reply = self.engine.line[:BOTH]
        emptied, gap = self.engine.sight.emptied, self._timing.gap
        left, after = (emptied[node.move.from_square] for node in (first, reply) if node.move)
        if self.engine.explains:
            before = not self.plies and after <= left - gap
            return cells if before or self._reply_came_first() else None
        return turned(reply.position.shown) if abs(after - left) <= gap else None

    def _turn_to(self, other: Engine, found: Iterable[Finding]) -> None:
        """Go on with *other*, which sees the game from the other seat and has *found* so much."""
        self.engine, self.rotated, self.turned = other, not self.rotated, True
        self._desk.engine = other
        self._told.explain(f"{TURNED}: the board is turned")
        self._told.state(BoardChanged, cells=other.cells)
        self._found(found)

    def _is_answered(self) -> bool:
        """Whether a man of White's at this seat left before the last press, and Black's after it.

        The one may stand where the board does not tell him yet; the other one answered him.
        """
        engine, pressed, emptied = self.engine, self._clock.turned_at, self.engine.sight.emptied
        gone, men = _away(engine, engine.cells), engine.position.board.occupied_co
        left = {c: [emptied[s] for s in chess.scan_forward(gone & men[c])] for c in chess.COLORS}
        return any(at < pressed for at in left[chess.WHITE]) and all(
            at > pressed for at in left[chess.BLACK]
        )

    def _is_begun_here(self, other: Engine) -> bool:
        """Whether a man of White's at this seat was taken up before the one who moved by *other*.

        He is away yet: the reply may be told before he is put down.
        """
        move, timing, emptied = other.standing, self._timing, self.engine.sight.emptied
        if move is None:
            return False
        left = emptied[63 - move.from_square]
        white = _away(self.engine, self.engine.cells)
        white &= self.engine.position.board.occupied_co[chess.WHITE]
        before = (left - emptied[square] for square in chess.scan_forward(white))
        return any(timing.still <= earlier < timing.in_hand for earlier in before)

    def _is_only_lifted(self, other: Engine, cells: str) -> bool:
        """Whether a capture that *other* sees is a man taken up: nobody was taken in his stead.

        *cells* is what is shown from there. Who was adjusted long before was not taken either.
        """
        move = other.standing
        if move is None or other.position.board.piece_at(move.to_square) is None:
            return False
        emptied = self.engine.sight.emptied
        taken_at, left = emptied[63 - move.to_square], emptied[63 - move.from_square]
        return taken_at < left - self._timing.in_hand or cells[move.to_square] == EMPTY

    def _from_other_seat(self, cells: str) -> Engine:
        """Return an engine that sees the game from the other seat, where *cells* are shown."""
        other, at = self._new_engine(), self._told.at
        other.clock(runs=self._clock.runs, at=at)
        other.sight.alive |= turned_squares(self.engine.sight.alive)
        # Squares that are not believed are not from there either.
        wrong = turned_squares(self.engine.sight.excused)
        _misread(other, chess.scan_forward(wrong), cells, at)
        return other

    def ticks(self) -> None:
        """Let time come."""
        self._found(self.engine.tick(at=self._told.at))
        if self._told.at >= self._ends_at:
            self.end_as_recorded()
        if not self.over:
            self._watchers.ticks()

    @property
    def wake_at(self) -> float:
        """When time alone may decide something."""
        return min(self.engine.wake_at, self._desk.wake_at, self._ends_at)

    def reads_clock(self, reading: ClockReading) -> None:
        """Take what the clock shows."""
        self._watchers.clock(reading)

    def loses_sight(self) -> None:
        """The link to the board is gone."""
        self._unwatched = self._desk.blind = True
        self._blind_since = self._told.at
        self._found(self.engine.lose_sight(at=self._told.at))

    def hears_clock(self, *, runs: bool, turn: chess.Color | None, shows_presses: bool) -> None:
        """Take note whether the clock runs, for whom, and whether none of its presses is missed."""
        at = self._told.at
        self._found(self.engine.clock(runs=runs, turn=turn, at=at, shows_presses=shows_presses))
        if not runs:
            self.end_as_recorded()

    def loses_clock(self) -> None:
        """No clock is connected any more."""
        self.plies.lose_clock()
        self._found(self.engine.lose_clock(at=self._told.at))

    def pressed(self, press: Press) -> None:
        """Give a press to the move it completes: the one on the board, or one settled before it."""
        at = self._told.at
        if (press.colour, at) == self._settled_by_clock:
            self._watchers.pressed(press, late=True)
            return  # the same reading, which runs for the opponent, has settled and timed it
        engine, colour = self.engine, press.colour
        late = self._counted(press)
        if late is None:
            mine = engine.has_moved(colour) or engine.is_movers_work(colour)
            told = press.counted and self._clock.shows_presses  # by time that each of them adds
            late = self.plies.press(press._replace(counted=told), mine=mine, at=at)
        self._watchers.pressed(press, late=late is not None)
        if late is not None:
            self._time([late])
            engine.notes_press(colour, at=at)
        else:
            heard = engine.press(
                colour,
                at=at,
                first=press.first,
                counted=press.counted,
                following=press.following,
            )
            self._found(heard)

    def _counted(self, press: Press) -> Timed | None:
        """Time a settled ply by one of several presses that a reading counts.

        The last of them is that of its player's last move, whether that is settled or only stands.
        """
        if not (press.counted and press.following):
            return None
        last = press.colour ^ (press.following % 2 == 1)
        number = len(self.plies) + self.engine.plies_beyond(last) - press.following
        return self.plies.press_late(number, press) if number >= len(self.plies) - 1 else None

    def was_not_pressed(self) -> None:
        """The clock was only turned: what was taken for a press completes no move."""
        self.plies.forget_presses()
        self.engine.forget_presses()

    def times_by_standing_clock(self, turn: chess.Color) -> None:
        """While *turn*'s clock runs, the other one stands at what the last mover had left."""
        timed = self.plies.standing_clock(turn, self._clock.remaining)
        self._time([timed] if timed else [])

    def judges(self, move: BoardMove) -> None:
        """Take a move that the board itself made out: evidence, never authority.

        While a clock runs only its press completes a move, so nothing follows. Without one, the
        verdict ``legal`` stands for the press if that very move stands on the board then, or
        soon after: it is settled without the long rest. Several verdicts tell in which order moves
        were made that are seen together, as after a lost link. A move that is ``unjudged``, or
        that the placement contradicts, changes nothing, nor does one that is ``undone``: the
        squares show that too.
        """
        self._verdicts.take(move, self._told.at)
        self.engine.tells(self._verdicts.told)
        if not self._desk.blind:
            self._weigh_verdicts()

    def _weigh_verdicts(self) -> None:
        if self.over or self._clock.runs:
            self._forget_verdicts()
            return
        at, engine = self._told.at, self.engine
        line = self._verdicts.line(engine.position, engine.sight, at)
        if len(line) == 1:
            self._forget_verdicts()
            self._found(engine.press(engine.position.board.turn, at=at))
        elif line:
            self._found(engine.follow(line, at=at))

    def explain_difference(self) -> None:
        """Say once why the board is not understood; it must have rested."""
        engine = self.engine
        if engine.is_looked_at:
            self._told.explain(LOOKED_AT)
            return
        if engine.explains:
            self._told.is_explained()
            return
        if not occupied(engine.cells):
            self.settle_left("it stood when the board was cleared")
        self._watchers.rested()
        if not (
            self._alerts.of_moves() & ILLEGAL_CODES
            or self._may_show_result()
            or is_man_in_hand(engine.position, engine.sight)
        ):
            self._told.explain(differences(engine.position, engine.sight))

    def wrong_squares(self, *, marked: bool) -> chess.Bitboard:
        """Return where men stand wrong, White's squares; none where it may be something else.

        *marked*: some are marked already, so that a man in the hand is one that is put right.
        """
        engine = self.engine
        if engine.explains or engine.is_looked_at or self._may_show_result():
            return 0
        if not marked and is_man_in_hand(engine.position, engine.sight):
            return 0
        return wrong_squares(engine.position, engine.sight)

    def _may_show_result(self) -> bool:
        """Whether the kings stand, or may stand, as they do to show the result."""
        position, sight = self.engine.position, self.engine.sight
        if self.setup.sensing == "identity":
            return shown_result(sight.shown) is not None
        kings = chess.scan_forward(position.board.kings)
        gone = all(sight.shown[king] == EMPTY or king in CENTRE for king in kings)
        return gone and supposed_result(position, sight, -math.inf, stopped=True) is not None

    # -- what an arbiter rules ---------------------------------------------------------------------

    def gives(self, number: int, colour: chess.Color, seconds: float) -> None:
        """Wait for what ruling *number* gives *colour*, or takes from him, to be on the clock."""
        self._watchers.gives(number, colour, seconds)

    def takes_back(self, number: int) -> None:
        """Wait no more for what ruling *number* gave."""
        self._watchers.takes_back(number)

    def adjourns(self) -> None:
        """Interrupt the game: the move that stood counts, and what is done to the men does not."""
        self._settle_standing("it stood when the game was adjourned")
        self.loses_sight()
        self.adjourned = True

    def lets_stand(self) -> bool:
        """Go on from the illegal move that is in dispute; tell whether there is one."""
        findings = self.engine.let_stand(at=self._told.at)
        self._found(findings)
        return bool(findings)

    def goes_on_from(self, board: chess.Board, *, back: bool) -> None:
        """Go on from *board*: the moves before it are what they are in the record now.

        ``back``: some were taken back, and no others put in their place.
        """
        if self.over:
            self.loses_sight()  # nothing on the board is part of it
        ply, at = len(self.plies), self._told.at
        moves = self.line.moves
        findings = self.engine.go_on_from(board, ply=ply, at=at, back=back, moves=moves)
        self._alerts.clear_of_moves("the arbiter has ruled")
        self._watchers.ruled()
        self._found(findings)

    def goes_on(self) -> None:
        """Go on with a game that was interrupted, or was no game any more."""
        self.over = self.adjourned = False
        self.plies.lose_clock()
        self.loses_sight()


def _first_moves(engine: Engine, cells: str) -> Iterator[str]:
    """Yield *cells*, and what would show a first move if all men who are away besides were back.

    The reply may have begun before the move was complete, and a square may be dead.
    """
    yield cells
    shown, white = engine.position.shown, engine.position.board.occupied_co[chess.WHITE]
    gone = _away(engine, cells)
    if gone.bit_count() > MOST_AWAY:
        return
    yield from but_for_one(cells, shown, gone, gone & white)


def _misread(
    engine: Engine, misread: Iterable[chess.Square], cells: str, at: float
) -> list[Finding]:
    """Let *engine* not believe what *cells* show on the squares *misread*."""
    wrong = [(square, cells[square]) for square in misread]
    if not wrong:
        return []
    found = engine.sees(with_changes(engine.cells, wrong), at=at)
    engine.excuse()
    return found


def _away(engine: Engine, cells: str) -> int:
    """Return the squares whose men *cells* do not show, without those that are not believed."""
    shown = engine.position.shown
    return difference(cells, shown) & occupied(shown) & ~engine.sight.excused
