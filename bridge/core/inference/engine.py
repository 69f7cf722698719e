"""One game's inference: placements and presses in, findings out.

The engine holds the last settled position and asks which short legal line leads from there to
what the board shows. A move that fits is only a *candidate*: a sliding pawn is on e3 for a
moment, a hand may rest a man and move on. What settles it is the press of the clock, the reply,
the end of the game, or long rest where no clock runs. Everything is decided by time stamps that
are handed in: :meth:`Engine.tick` must be called at :attr:`Engine.wake_at`.
"""

import math
from collections import deque
from collections.abc import Iterator

import chess

from bridge.core.inference.findings import (
    Basis,
    Explained,
    Finding,
    Gap,
    Provisional,
    ResultShown,
    SeenPress,
    Settled,
    Unexplained,
    Withdrawn,
)
from bridge.core.inference.gesture import CENTRE, shown_result
from bridge.core.inference.lines import Line, Position, likeliest_first, lines_to
from bridge.core.inference.memory import Bridged, Entered, Last, Stood, by_same_hands, same_hand
from bridge.core.inference.placement import BIT, difference
from bridge.core.inference.timing import Timing
from bridge.core.model import Result

PLIES_SEEN = 2
"""Longest line to look for when the board was watched all the time: a move and its reply."""
PLIES_UNSEEN = 5
"""The same after the link was lost, when nothing was seen of the moves in between."""
PLIES_AT_A_GLANCE = 3
"""The same for each placement seen since then, before it has rested: play does not wait."""
PLIES_DOUBTED = 3
"""How many settled plies may be read otherwise when play shows that one was not what it seemed."""

MOST_STEPS = 16
"""Most decisions taken on one reading, whatever the board shows."""


class Engine:
    """Follows one game from *board*; cells are in White's normal coordinates."""

    def __init__(self, board: chess.Board, timing: Timing | None = None) -> None:
        self.timing = timing or Timing()
        self.position = Position(board)
        self.cells = self.position.cells
        self.clock_runs = False
        self._mask = 0
        self._changed_at = -math.inf
        self._candidate: chess.Move | None = None
        self._ahead: tuple[Position, chess.Move, Position] | None = None
        self._stood: Stood | None = None
        self._presses: dict[chess.Color, float] = {}
        self._first_press: set[chess.Color] = set()
        self._last: Last | None = None
        self._bridged: Bridged | None = None
        self._entered: deque[Entered] = deque(maxlen=PLIES_DOUBTED)
        self._astray_since = math.inf
        self._blind = False
        self._missed = False
        self._shown: chess.Move | None = None
        self._searched = self._glanced = False
        self._blamed = False
        self._gesture: tuple[Result, float] | None = None
        self._findings: list[Finding] = []
        self.wake_at = math.inf

    # -- input -------------------------------------------------------------------------------------

    def sees(self, cells: str, *, at: float) -> list[Finding]:
        """Take the placement that the board shows from time *at* on."""
        self._blind = False
        if cells != self.cells:
            self._remember(at)
            if not self._mask and self._entered:
                rest = at - self._changed_at
                self._entered[-1].rest = max(self._entered[-1].rest, rest)
            self.cells = cells
            self._changed_at = at
            self._searched = self._glanced = False
            self._compare()
        return self._decide(at)

    def press(self, colour: chess.Color, *, at: float, first: bool = False) -> list[Finding]:
        """Take note that *colour* pressed the clock; *first*: and has moved again since."""
        self._presses[colour] = at
        self._first_press = {colour} if first else self._first_press - {colour}
        return self._decide(at)

    def clock(self, *, runs: bool, at: float) -> list[Finding]:
        """Take note whether a clock runs; a stopped or absent one settles nothing."""
        if runs == self.clock_runs:
            return []
        self.clock_runs = runs
        return self._decide(at)

    def lose_sight(self, *, at: float) -> list[Finding]:
        """The link is gone: what the board shows is not known until it is seen again."""
        self._remember(at)
        self._blind = self._missed = True
        self.wake_at = math.inf
        return []

    def tick(self, *, at: float) -> list[Finding]:
        """Let time come to *at*."""
        return self._decide(at)

    @property
    def in_sight(self) -> bool:
        """Whether the board was watched without a break since the record was last agreed on."""
        return not (self._blind or self._missed)

    @property
    def explains(self) -> bool:
        """Whether the board shows the record, or one legal move more."""
        return not self._mask or self._candidate is not None

    def is_movers_work(self, colour: chess.Color) -> bool:
        """Whether the board shows something that *colour*, to move, did since the last move."""
        if self.position.board.turn != colour or not self._mask:
            return False
        own = self.position.board.occupied_co[colour]
        return self._candidate is not None or bool(self._mask & own)

    def standing(self, *, at: float, least: float) -> chess.Move | None:
        """Return the unsettled move that stands, or stood last, for at least *least* seconds."""
        if self._candidate is not None:
            return self._candidate if at >= self._changed_at + least else None
        stood = self._stood
        if stood is None or stood.until < stood.since + least:
            return None
        taken_back = not self._mask & BIT[stood.move.from_square]
        return None if taken_back else stood.move

    def settle_standing(self, *, at: float, least: float, because: str) -> list[Finding]:
        """Settle the move that stood when the game ended, if there was one."""
        move = self.standing(at=at, least=least)
        if move is not None:
            self._settle(move, "end", because, at)
        return self._take()

    # -- comparing ---------------------------------------------------------------------------------

    def _remember(self, at: float) -> None:
        """Keep the candidate that now gives way: the reply may begin, or a slide go on."""
        move = self._candidate
        if move is not None and not self._blind:
            self._stood = Stood(move, self._after(move), self._changed_at, at)

    def _after(self, move: chess.Move) -> Position:
        """Return the position after *move* from the settled one; the last answer is kept."""
        if self._ahead is None or self._ahead[0] is not self.position or self._ahead[1] != move:
            self._ahead = (self.position, move, self.position.after(move))
        return self._ahead[2]

    def _compare(self) -> None:
        self._mask = difference(self.cells, self.position.cells)
        self._candidate = self.position.move_shown(self.cells, self._mask) if self._mask else None
        if not self._mask:
            self._stood = None
        if not self._mask or self._candidate is not None:
            self._astray_since = math.inf
        elif self._astray_since == math.inf:
            self._astray_since = self._changed_at

    # -- deciding ----------------------------------------------------------------------------------

    def _decide(self, at: float) -> list[Finding]:
        if not self._blind:
            for _ in range(MOST_STEPS):
                if not self._step(at):
                    break
            self.wake_at = self._next_deadline(at)
        return self._take()

    def _take(self) -> list[Finding]:
        findings, self._findings = self._findings, []
        return findings

    def _step(self, at: float) -> bool:
        """Decide one thing; true if something settled, so that the rest is looked at anew."""
        if self._watch_gesture(at):
            return False
        if not self._mask:
            return self._agree(at)
        if self._candidate is not None:
            return self._judge_candidate(self._candidate, at)
        return self._judge_unexplained(at)

    def _agree(self, at: float) -> bool:
        """The board shows the settled position: what was done since is undone."""
        self._missed = False
        for colour, pressed in [*self._presses.items()]:
            if at >= pressed + self.timing.press_life:
                del self._presses[colour]
        if self._shown is not None:
            self._show(None)
        if self._blamed:
            self._blamed = False
            self._findings.append(Explained())
        return False

    def _judge_candidate(self, move: chess.Move, at: float) -> bool:
        timing, changed = self.timing, self._changed_at
        if self.position.board.turn in self._presses and at >= changed + self._still():
            return self._settle(move, "press", "the clock was pressed and the board is still", at)
        if at >= changed + timing.shown:
            self._show(move)
        if not self.clock_runs and at >= changed + timing.rest:
            because = f"stood for {at - changed:.1f} s and no clock runs"
            return self._settle(move, "rest", because, at)
        if at >= changed + timing.end and self._ends_game():
            return self._settle(move, "end", "the move ends the game", at)
        return False

    def _still(self) -> float:
        """After a completed illegal move, a man put back may rest on legal squares on its way."""
        return self.timing.verdict if self._blamed else self.timing.still

    def _ends_game(self) -> bool:
        move = self._candidate
        after = self.position if move is None else self._after(move)
        return not any(after.board.generate_legal_moves())

    def _judge_unexplained(self, at: float) -> bool:
        if self._reply_begun(at) or self._reply_made(at):
            return True
        if at < self._changed_at + self.timing.gap:
            return self._look_early(at)
        if not self._searched:
            self._searched = True
            if self._search(at):
                return True
        pressed = self._presses.get(self.position.board.turn)
        if pressed is not None and not self._blamed and at >= pressed + self.timing.verdict:
            self._blamed = True
            self._findings.append(Unexplained(self.cells))
        return False

    def _reply_begun(self, at: float) -> bool:
        """The clock was pressed and, beside the move, only men of the opponent are in the air."""
        turn = self.position.board.turn
        if turn not in self._presses:
            return False
        air = self.position.lifted(self.cells, self._mask, not turn)
        if not air:
            return False
        move = self.position.move_shown(self.cells, self._mask & ~air)
        if move is None:
            return False
        return self._settle(move, "press", "the clock was pressed and the reply began", at)

    def _reply_made(self, at: float) -> bool:
        """A move that stood was followed by a legal reply: it was played."""
        stood = self._stood
        if stood is None:
            return False
        if at < self._changed_at + self._doubt(stood):
            return False
        mask = difference(self.cells, stood.position.cells)
        if not mask or stood.position.move_shown(self.cells, mask) is None:
            return False
        return self._settle(stood.move, "reply", "the reply was made", at)

    def _look_early(self, at: float) -> bool:
        """Where the thread was lost, take a placement that hardly rested: play does not wait."""
        lost = self._missed or at >= self._astray_since + self.timing.astray
        if not lost or self._glanced or at < self._changed_at + self.timing.still:
            return False
        self._glanced = True
        return self._glance(at) if self._missed else self._rethink(at)

    def _doubt(self, stood: Stood) -> float:
        """Return how long a reply must rest to be one.

        A man passing by may look like a move, and a victim that is carried off like the reply.
        """
        timing, stood_for = self.timing, stood.until - stood.since
        if self.position.board.turn in self._presses or stood_for >= timing.still:
            return 0.0
        return timing.glance if stood_for >= timing.glance else timing.gap

    def _glance(self, at: float) -> bool:
        """After a lost link, take the first placement that only one short line explains."""
        lines = self._lines(PLIES_AT_A_GLANCE)
        if len(lines) == 1:
            self._bridged = Bridged(self.position, 0)
            self._bridge(lines, at)
        return len(lines) == 1

    def _search(self, at: float) -> bool:
        """Look for what happened while nobody looked, or for a man that was put right late."""
        lines = self._lines(PLIES_UNSEEN if self._missed else PLIES_SEEN)
        if not lines:
            return self._put_right(at) or self._reconsider(at) or self._rethink(at)
        if len(lines) > 1:
            self._findings.append(Gap(self.position.board, tuple(lines)))
        self._bridged = Bridged(self.position, 0)
        self._bridge(lines, at)
        return True

    def _bridge(self, lines: list[Line], at: float) -> None:
        """Settle all but the last move of the first line; the last one may still be in motion.

        A press that was seen afterwards is that of a player's last move, not of his first.
        """
        line = lines[0]
        others = f", as do {len(lines) - 1} other lines" if len(lines) > 1 else ""
        for number, move in enumerate(line[:-1], start=1):
            moves_again = len(line) - number >= 2
            later = moves_again and self.position.board.turn not in self._first_press
            because = f"{len(line)} plies fit what is seen{others}"
            self._settle(move, "gap", because, at, press_is_later=later)

    def _lines(self, most: int) -> list[Line]:
        """Return the shortest lines that explain the board, the likeliest first.

        What stood for long is part of them where that fits.
        """
        starts: list[tuple[Line, Position]] = [((), self.position)]
        stood = self._stood
        if stood is not None:
            long = stood.until >= stood.since + self.timing.gap
            starts.insert(0 if long else 1, ((stood.move,), stood.position))
        for plies in range(PLIES_SEEN, most + 1):
            for played, position in starts:
                lines = likeliest_first(position, lines_to(position, self.cells, plies))
                if lines:
                    return [(*played, *line) for line in lines]
        return []

    def _put_right(self, at: float) -> bool:
        """Take back the last move if its man was put elsewhere, or back, at once.

        Nothing had completed a move that only rested: any other may take its place, at any time.
        """
        last = self._last
        if last is None:
            return False
        rested = last.basis == "rest"
        if not rested and at > last.at + self.timing.correction:
            return False
        mask = difference(self.cells, last.before.cells)
        move = last.before.move_shown(self.cells, mask) if mask else None
        if mask and (move is None or not (rested or same_hand(last.before.board, last.move, move))):
            return False
        self._withdraw(last, "another move stands in its place" if move else "it was taken back")
        return True

    def _reconsider(self, at: float) -> bool:
        """Look for another line across the last gap, if the one that was believed led nowhere."""
        if self._bridged is None:
            return False
        base, entered = self._bridged
        self._bridged = None
        for plies in range(PLIES_SEEN, PLIES_UNSEEN + 1):
            lines = likeliest_first(base, lines_to(base, self.cells, plies))
            if lines:
                why = "play that followed shows that other moves were made unseen"
                self._replace(base, entered, lines, at, Withdrawn(why, pressed=False, unsure=True))
                return True
        return False

    def _rethink(self, at: float) -> bool:
        """Read the last moves otherwise, if none rested long enough to be certain.

        Whatever is read must be by the same hands: a slide that was taken for its end.
        """
        for back in range(1, len(self._entered) + 1):
            doubted = list(self._entered)[-back:]
            if doubted[0].rest >= self.timing.gap:
                return False
            base = doubted[0].before
            for plies in range(1, min(back + PLIES_SEEN, PLIES_UNSEEN) + 1):
                lines = likeliest_first(base, by_same_hands(base, self.cells, plies, doubted))
                if lines:
                    why = "play that followed shows that it was another move"
                    taken_back = Withdrawn(why, pressed=back == 1, unsure=True)
                    self._replace(base, back, lines, at, taken_back)
                    return True
        return False

    def _replace(
        self, base: Position, entered: int, lines: list[Line], at: float, withdrawn: Withdrawn
    ) -> None:
        """Take back the last *entered* plies, down to *base*, and settle other ones."""
        self._findings += [withdrawn] * entered
        for _ in range(min(entered, len(self._entered))):
            self._entered.pop()
        self._bridged = None
        self.position, self._last, self._stood, self._shown = base, None, None, None
        self._compare()
        self._bridge(lines, at)

    def _withdraw(self, last: Last, reason: str) -> None:
        self._findings.append(Withdrawn(reason))
        if self._entered:
            self._entered.pop()
        self.position, self._last, self._stood, self._shown = last.before, None, None, None
        if last.pressed is not None:
            self._presses[last.before.board.turn] = last.pressed
        self._compare()

    def _settle(
        self,
        move: chess.Move,
        basis: Basis,
        because: str,
        at: float,
        *,
        press_is_later: bool = False,
    ) -> bool:
        before = self.position
        ahead = self._after(move)
        pressed = None if press_is_later else self._presses.pop(before.board.turn, None)
        press: SeenPress = "unseen" if pressed is None else "seen"
        press = "later" if press_is_later else press
        self._findings.append(Settled(before.board, move, basis, because, press))
        self._last = Last(before, move, basis, at, pressed)
        rest = at - self._changed_at if move == self._candidate else 0.0
        self._entered.append(Entered(before, move, rest))
        if self._bridged is not None:
            plies = self._bridged.plies + 1
            self._bridged = Bridged(self._bridged.base, plies) if plies < PLIES_UNSEEN else None
        self.position, self._candidate = ahead, None
        self._stood, self._shown, self._blamed = None, None, False
        self._searched = self._glanced = self._missed = False
        self._compare()
        return True

    def _show(self, move: chess.Move | None) -> None:
        if move != self._shown:
            self._shown = move
            self._findings.append(Provisional(move))

    # -- the result by kings -----------------------------------------------------------------------

    def _watch_gesture(self, at: float) -> bool:
        """Report the result that the kings have shown long enough; true while they show one."""
        result = shown_result(self.cells)
        if result is None:
            self._gesture = None
            return False
        if self._gesture is None or self._gesture[0] != result:
            self._gesture = (result, self._changed_at)
        if at >= self._gesture[1] + self.timing.gesture:
            self._end_by_gesture(result, at)
        return True

    def _end_by_gesture(self, result: Result, at: float) -> None:
        """Settle what stood before the kings were moved; take back a step that was the signal's."""
        stood, last = self._stood, self._last
        if stood is not None and not _enters_centre(self.position, stood.move):
            if stood.until >= stood.since + self.timing.gap:
                self._settle(stood.move, "end", "it stood before the result was shown", at)
        elif last is not None and last.basis == "rest" and _enters_centre(last.before, last.move):
            self._withdraw(last, "the king's step belongs to the result signal")
        self._findings.append(ResultShown(result))

    # -- time --------------------------------------------------------------------------------------

    def _next_deadline(self, at: float) -> float:
        """Return the next time at which something may be decided without any input."""
        return min((when for when in self._deadlines() if when > at), default=math.inf)

    def _deadlines(self) -> Iterator[float]:
        """Yield the very sums that the decisions compare with, so that rounding is the same."""
        timing, changed = self.timing, self._changed_at
        pressed = self._presses.get(self.position.board.turn)
        if self._gesture is not None:
            yield self._gesture[1] + timing.gesture
        elif not self._mask:
            yield from (press + timing.press_life for press in self._presses.values())
        elif self._candidate is not None:
            yield changed + timing.shown
            if pressed is not None:
                yield changed + self._still()
            yield changed + timing.end
            if not self.clock_runs:
                yield changed + timing.rest
        else:
            if self._stood is not None:
                yield changed + timing.glance
            if self._missed or changed + timing.still >= self._astray_since + timing.astray:
                yield changed + timing.still
            yield changed + timing.gap
            if pressed is not None and not self._blamed:
                yield pressed + timing.verdict


def _enters_centre(before: Position, move: chess.Move) -> bool:
    """Whether *move* is a king's step onto one of the four centre squares."""
    king = before.board.piece_type_at(move.from_square) == chess.KING
    return king and move.to_square in CENTRE
