"""One game's inference: placements and presses in, findings out.

The engine holds what was settled (the *head*) and the short chain of moves that the board has
shown since. A move that fits is only a candidate: a sliding pawn is on e3 for a moment, a hand
may rest a man and move on. What settles it is the press of the clock, the reply, the end of the
game, or long rest where no clock runs. What no legal move explains is looked at again when it has
lasted: for longer lines, for squares that show something wrong, for another reading of the last
plies, and only then for an illegal move. Everything is decided by time stamps that are handed
in: :meth:`Engine.tick` must be called at :attr:`Engine.wake_at`.
"""

import math
from typing import Literal

import chess

from bridge.core.inference.findings import (
    Ambiguous,
    Basis,
    Explained,
    Finding,
    Gap,
    Provisional,
    ResultShown,
    SeenPress,
    Unexplained,
)
from bridge.core.inference.gesture import CENTRE, shown_result, supposed_result
from bridge.core.inference.hypotheses import (
    LOYALTY,
    MOST_RIVALS,
    Node,
    Stage,
    likeliest,
    next_stage,
    side_of,
    stage_beside,
)
from bridge.core.inference.lines import Line, leaves_of, lines_to
from bridge.core.inference.noise import Noisy, noisy_moves
from bridge.core.inference.placement import BIT, EMPTY
from bridge.core.inference.position import Position, standing_board
from bridge.core.inference.rereading import Reread, giving_up, reread
from bridge.core.inference.retracing import Reading as ReadingAgain
from bridge.core.inference.retracing import retrace
from bridge.core.inference.sight import Sight
from bridge.core.inference.story import Story
from bridge.core.inference.timing import Timing
from bridge.core.model import Result, Sensing
from drivers.events import UNNAMED

PLIES_UNSEEN = 6
"""Longest line to look for after the link was lost, when nothing was seen of the moves."""
PLIES_IN_A_JUMP = 4
"""The same between two placements of a board that was watched."""
PLACEMENTS_OF_A_JUMP = 2
"""Placements since the last settled move, up to which several plies may have been made at once."""
PLIES_AT_A_GLANCE = 3
"""The same for each placement seen since then, before it has rested: play does not wait."""
TOLERATED = 5.5
"""What wrong squares beside a move that stands may cost."""
CLEARLY = 1.5
"""By how much the best explanation must be better than the next one."""
PLIES_DOUBTED = 4
"""Settled plies from which what was shown lately may be read again."""
MOST_STARTS = 3
"""Readings of the settled plies from which what was shown lately is read again."""
PRESSES_ASTRAY = 3
"""Presses while nothing explains the board, after which play is taken to go on from there."""
UNSEEN_MAN = 4.5
"""What it may cost that a man stands where the board sees nothing."""
ALIVE = 3.0
"""The same of a square that has shown a man before."""
UNPRESSED = 4.0
"""A press was seen for which a reading has no move."""
OVERLOOKED = 7.0
"""Wrong squares that cost more are less likely than an illegal move, once the clock was pressed."""

MOST_BESIDE = 3
"""Moves that may be found beside each other on one placement."""
MOST_STEPS = 16
"""Most decisions taken on one reading, whatever the board shows."""

ClockState = Literal["none", "runs", "stopped"]


class Engine:
    """Follows one game from *board*; cells are in White's normal coordinates."""

    def __init__(
        self, board: chess.Board, timing: Timing | None = None, sensing: Sensing = "identity"
    ) -> None:
        self.timing = timing or Timing()
        root = Node(None, None, Position(board, sensing))
        self.sight = Sight(root.position.shown)
        self.clock_state: ClockState = "none"
        self._story = Story(root)
        self._head = Stage([root], 0, -math.inf)
        self._chain: list[Stage] = []
        self._match: int | None = 0
        self._unread = False
        self._stopped_at = math.inf
        self._clock_turn: chess.Color | None = None
        self._clock_read_at = -math.inf
        self._standing = False
        self._presses: dict[chess.Color, float] = {}
        self._first_press: set[chess.Color] = set()
        self._astray_since = math.inf
        self._blind = self._missed = False
        self._new_placement()
        self._provisional: chess.Move | None = None
        self._blamed = False
        self._pressed_astray = 0
        self._illegal: Stage | None = None
        self._answer: Stage | None = None
        self._gesture: tuple[Result, float] | None = None
        self.wake_at = math.inf

    # -- input -------------------------------------------------------------------------------------

    def sees(self, cells: str, *, at: float) -> list[Finding]:
        """Take the placement that the board shows from time *at* on."""
        if cells != self.sight.shown:
            if self._unread and at >= self.sight.changed_at + self.timing.scan:
                self._read()
            self._leave(at)
            self.sight.take(cells, at)
            self._unread = True
        elif not self._blind and at < self.wake_at:
            return []
        self._blind = False
        return self._decide(at)

    def _read(self) -> None:
        """Look at the placement, once the squares that changed together have all been told."""
        if self._unread:
            self._unread = False
            self._new_placement()
            self._compare()

    def press(self, colour: chess.Color, *, at: float, first: bool = False) -> list[Finding]:
        """Take note that *colour* pressed the clock; *first*: and has moved again since."""
        self._presses[colour] = at
        self._read()
        self._retraced = self._overlooked = False  # there is more to go by now
        if self._match is None:
            self._pressed_astray += 1
        self._first_press = {colour} if first else self._first_press - {colour}
        return self._decide(at)

    def clock(self, *, runs: bool, at: float, turn: chess.Color | None = None) -> list[Finding]:
        """Take note whether the clock runs, and for whom."""
        self._clock_turn, self._clock_read_at = turn if runs else None, at
        state: ClockState = "runs" if runs else "none"
        if not runs and self.clock_state != "none":
            state = "stopped"
        return self._clock_is(state, at)

    def lose_clock(self, *, at: float) -> list[Finding]:
        """No clock is connected any more: nobody can press it."""
        return self._clock_is("none", at)

    def _clock_is(self, state: ClockState, at: float) -> list[Finding]:
        if state == self.clock_state and self.clock_state != "runs":
            return []
        self.clock_state = state
        self._stopped_at = at if state == "stopped" else math.inf
        return self._decide(at)

    def lose_sight(self, *, at: float) -> list[Finding]:
        """The link is gone: what the board shows is not known until it is seen again."""
        self._leave(at)
        self._blind = self._missed = True
        self.wake_at = math.inf
        return []

    def tick(self, *, at: float) -> list[Finding]:
        """Let time come to *at*."""
        return self._decide(at)

    def excuse(self) -> None:
        """Do not believe the squares that now show something else than the record."""
        self.sight.blindfold(self.sight.differs(self._head.shown))
        self._compare()

    # -- what others ask ---------------------------------------------------------------------------

    @property
    def cells(self) -> str:
        """What the board shows."""
        return self.sight.shown

    @property
    def position(self) -> Position:
        """The settled position."""
        return self._head.best.position

    @property
    def in_sight(self) -> bool:
        """Whether the board was watched without a break since the record was last agreed on."""
        return not (self._blind or self._missed)

    @property
    def explains(self) -> bool:
        """Whether the board shows the record, or legal moves from it."""
        self._read()
        return self._match is not None

    def is_movers_work(self, colour: chess.Color) -> bool:
        """Whether the board shows something that *colour*, to move, did since the last move."""
        self._read()
        if self.position.board.turn != colour or self._match == 0:
            return False
        own = self.position.board.occupied_co[colour]
        return bool(self._chain) or bool(self.sight.differs(self._head.shown) & own)

    def has_moved(self, colour: chess.Color) -> bool:
        """Whether the board shows a move of *colour* that is not settled."""
        self._read()
        first = self.position.board.turn
        return len(self._chain) > (0 if colour == first else 1)

    def settle_standing(self, *, at: float, least: float, because: str) -> list[Finding]:
        """Settle the move that stood for *least* seconds when the game ended, if there was one."""
        if self._chain and self._stands(self._chain[0]):
            stage = self._chain[0]
            if min(at, stage.until) >= stage.since + least:
                self._settle("end", because, at)
        return self._story.take()

    # -- comparing ---------------------------------------------------------------------------------

    def _leave(self, at: float) -> None:
        """Keep how long the board showed what it shows no longer: the reply may begin."""
        if self._match is None or self._blind or self._unread:
            return
        stage = self._chain[self._match - 1] if self._match else self._head
        stage.until = at
        rest = at - max(stage.since, self.sight.changed_at)
        stage.best.rest = max(stage.best.rest, rest)

    def _compare(self) -> None:
        """Find the placement among the moves shown so far, or one legal move beyond them."""
        stages = [self._head, *self._chain]
        for stage in self._chain:
            gone = not self._stands(stage)
            stage.until = min(stage.until, self.sight.changed_at) if gone else math.inf
        for number in range(len(stages) - 1, -1, -1):
            if not self.sight.differs(stages[number].shown):
                self._is_at(number)
                if stages[number].weak:  # what it means depends on what was seen since
                    self._chain[-1:] = [
                        next_stage(stages[number - 1], self.sight) or stages[number]
                    ]
                return
        ahead = self._one_move_on(stages)
        if ahead is not None:
            number, stage = ahead
            self._chain[number:] = [stage]
            self._is_at(number + 1)
            return
        self._match = None
        self._astray_since = min(self._astray_since, self.sight.changed_at)
        if not self._missed:
            self._look_beside()

    def _look_beside(self) -> None:
        """Find moves that stand beside what else goes on: the next man may be in the air."""
        for _ in range(MOST_BESIDE):
            number, stage = self._one_move_beside([self._head, *self._chain])
            if stage is None:
                return
            known = self._chain[number] if number < len(self._chain) else None
            if known is not None and known.move == stage.move:
                return
            self._chain[number:] = [stage]
            self.sight.excuse(stage.misread)
            if not self.sight.differs(stage.shown):
                self._is_at(number + 1)
                return

    def _one_move_beside(self, stages: list[Stage]) -> tuple[int, Stage | None]:
        """Return the latest stage from which one move is shown beside others, and where it leads.

        What still stands is not looked behind.
        """
        for number in range(len(stages) - 1, -1, -1):
            before = stages[number]
            stands = not number or self._stands(before)
            stage = stage_beside(before, self.sight)
            if stage is not None and (stands or self._replaces(stage, before)):
                return number, stage
            if stands and not self._goes_on(before):
                break
        return 0, None

    def _goes_on(self, stage: Stage) -> bool:
        """Whether the player of its last move has done more, such as castling after the rook."""
        position = stage.best.position
        left = self.sight.differs(stage.shown)
        return bool(side_of(left, position, self.sight.shown, not position.board.turn))

    def _replaces(self, stage: Stage, before: Stage) -> bool:
        """Whether *stage* explains why *before* is not seen any more.

        Its man was taken, or its player has it in hand for the move after the reply.
        """
        left = self.sight.differs(stage.shown) & before.mask
        target = before.move.to_square
        if self.position.sensing != "identity":
            return not left
        return not left & ~BIT[target] and (not left or self.sight.shown[target] == EMPTY)

    def _new_placement(self) -> None:
        """Nothing has been tried on this placement yet."""
        self._searches = self._tolerations = 0
        self._glanced = self._overlooked = self._reread_tried = self._retraced = False

    def _is_at(self, number: int) -> None:
        del self._chain[number:]
        self._match = number
        self._pressed_astray = 0
        self._astray_since = math.inf
        if number:
            self._chain[-1].until = math.inf

    def _one_move_on(self, stages: list[Stage]) -> tuple[int, Stage] | None:
        """Return the latest stage from which one legal move is shown, and where it leads."""
        vague: tuple[int, Stage] | None = None
        for number in range(len(stages) - 1, -1, -1):
            stage = next_stage(stages[number], self.sight)
            if stage is None:
                continue
            if not stage.weak and not stages[number].weak:
                return number, stage
            if number == len(stages) - 1 or stages[1].weak:
                vague = number, stage
        return vague

    def _stands(self, stage: Stage) -> bool:
        """Whether the squares of the first move still show it, whatever the others show."""
        return not self.sight.differs(stage.shown) & stage.mask

    # -- deciding ----------------------------------------------------------------------------------

    def _decide(self, at: float) -> list[Finding]:
        self.wake_at = math.inf
        scanned = not self._unread or self._due(self.sight.changed_at + self.timing.scan, at)
        if self._blind or not scanned:
            return self._story.take()
        self._read()
        for _ in range(MOST_STEPS):
            self.wake_at = math.inf
            if not self._step(at):
                break
        return self._story.take()

    def _due(self, when: float, at: float) -> bool:
        """Whether *when* has come; if not, be woken then."""
        if at >= when:
            return True
        self.wake_at = min(self.wake_at, when)
        return False

    def _step(self, at: float) -> bool:
        """Decide one thing; true if the rest is to be looked at anew."""
        if self._watch_gesture(at):
            return False
        if self._seen_after_all(at):
            return True
        if self._match == 0:
            return self._agree(at)
        if len(self._chain) > 1 and self._stands(self._chain[-1]) and self._judge_reply(at):
            return True
        if self._match is None:
            return self._judge_unexplained(at)
        return len(self._chain) == 1 and self._judge_candidate(self._chain[0], at)

    def _pressed(self) -> float | None:
        """Return when the player to move pressed, if he did."""
        return self._presses.get(self.position.board.turn)

    def _agree(self, at: float) -> bool:
        """The board shows the settled position: what was done since is undone."""
        self._missed = False
        for colour, pressed in [*self._presses.items()]:
            if self._due(pressed + self.timing.press_life, at):
                del self._presses[colour]
        self._show(None)
        if self._blamed:
            self._blamed = False
            self._illegal = self._answer = None
            self._presses.pop(self.position.board.turn, None)
            self._story.tell(Explained())
        return False

    def _judge_candidate(self, stage: Stage, at: float) -> bool:
        timing, stood_from = self.timing, self._stood_from(stage)
        pressed = self._pressed()
        if pressed is not None and self._due(self._believed_at(stage, pressed), at):
            return self._settle("press", "the clock was pressed and the board is still", at)
        if self._runs_for_opponent(stage):
            self._standing = True
            return self._settle("press", "the clock runs for the opponent", at)
        if not stage.weak and self._due(stage.since + timing.shown, at):
            self._show(stage.best)
        if self._may_rest(stage) and self._due(stood_from + self._rest(stage), at):
            because = f"stood for {at - stood_from:.1f} s and no clock runs"
            return self._settle("rest", because, at)
        if self._ends_game(stage) and self._due(stood_from + timing.end, at):
            return self._settle("end", "the move ends the game", at)
        return False

    def _runs_for_opponent(self, stage: Stage) -> bool:
        """Whether the press of a move that stands must have been missed between two readings.

        Else the press before it was forgotten; then the clock says nothing, but few moves that
        stand so long are taken back.
        """
        turn = stage.best.position.board.turn
        missed = self._story.head.pressed is None
        long = self._clock_read_at >= stage.since + self.timing.in_doubt
        return missed and long and not stage.weak and self._clock_turn == turn

    def _stood_from(self, stage: Stage) -> float:
        return self.sight.changed_at if stage.weak else stage.since

    def _may_slide_on(self, stage: Stage) -> bool:
        """Whether its man came by a step from the next square: the next step may not be told yet.

        A man that was in the air for a while was put where it belongs.
        """
        target, changed = stage.move.to_square, self.sight.changed
        if stage.since + self.timing.sliding < self.sight.changed_at:
            return False
        return any(
            self.sight.shown[square] == EMPTY
            and abs(changed[square] - changed[target]) < self.timing.glide
            for square in chess.scan_forward(chess.BB_KING_ATTACKS[target])
        )

    def _believed_at(self, stage: Stage, pressed: float) -> float:
        """Return when a move that stands is believed to be the one that was pressed.

        After a completed illegal move, a man put back may rest on legal squares on its way. A man
        in the air looks like a capture where only occupancy is seen, and so may a man that
        is put down after the press be a victim carried off.
        """
        timing = self.timing
        if self._blamed:
            return stage.since + timing.verdict
        if stage.weak and self.position.sensing == "identity":
            return max(self.sight.changed_at, pressed) + timing.in_hand
        if stage.weak:
            return max(self.sight.changed_at + timing.still, pressed + timing.gap)
        if pressed < stage.since:
            named = self.position.sensing == "identity" and not self._may_slide_on(stage)
            return stage.since + (timing.still if named else timing.gap)
        if self._may_slide_on(stage):
            soon = pressed < stage.since + timing.still
            return max(stage.since + (timing.gap if soon else 0.0), pressed + timing.still)
        return stage.since + timing.glance

    def _may_rest(self, stage: Stage) -> bool:
        """Whether long rest may settle it: no clock runs, or it stood when the clock stopped."""
        if self.clock_state == "none":
            return True
        return self.clock_state == "stopped" and stage.since <= self._stopped_at

    def _rest(self, stage: Stage) -> float:
        """How long it must rest: a king in the centre may show the result, a man be in the air."""
        patience = stage.weak or _enters_centre(stage.best)
        return self.timing.rest + (self.timing.gesture if patience else 0.0)

    def _ends_game(self, stage: Stage) -> bool:
        if stage.weak or (self.clock_state == "stopped" and stage.since > self._stopped_at):
            return False
        return not any(stage.best.position.board.generate_legal_moves())

    def _judge_reply(self, at: float) -> bool:
        """A move that stood was followed by a legal reply: it was played."""
        first, reply = self._chain[0], self._chain[1]
        if not first.weak and (self._pressed() is not None or self._answer_pressed(first.since)):
            return self._settle("press", "the clock was pressed and the reply was made", at)
        if self.clock_state == "stopped" and reply.since > self._stopped_at:
            return False
        if len(self._chain) > 2 and not any(stage.weak for stage in self._chain[:3]):
            return self._settle("reply", "the reply was made and answered", at)
        if self._due(self._stood_from(reply) + self._doubt(first, reply), at):
            return self._settle("reply", "the reply was made", at)
        return False

    def _doubt(self, first: Stage, reply: Stage) -> float:
        """Return how long a reply must rest to be one.

        A man passing by may look like a move, and a victim that is carried off like the reply.
        """
        timing = self.timing
        if first.weak or reply.weak:
            return timing.verdict
        near = chess.square_distance(reply.move.from_square, reply.move.to_square) == 1
        if near or first.until < first.since + timing.still:
            return timing.carried
        return timing.glance

    # -- what no single move explains --------------------------------------------------------------

    def _judge_unexplained(self, at: float) -> bool:
        if self._reply_begun(at):
            return True
        timing, changed = self.timing, self.sight.changed_at
        if self.clock_state != "stopped" and self._look_early(at):
            return True
        if self._is_over(at):
            self._chain = []
            self._compare()
            return self._match is not None
        soon = not self._missed and self._due(changed + timing.shown, at)
        if soon and self._tolerate_once(0, at):
            return True
        if not self._due(changed + timing.gap, at):
            return False
        if self._missed and self._may_search(at) and self._search_again(at):
            return True
        if self._tolerate_once(1, at):
            return True
        if not self._missed and self._may_search(at) and self._look_again(at):
            return True
        if self._answered(at):
            return True
        return self._played_on(at) or self._overlook(at) or self._reconsider(at) or self._adopt(at)

    def _answered(self, at: float) -> bool:
        """The opponent pressed after a move that stands: it was played, whatever he did then."""
        if not self._chain or self._chain[0].weak or not self._stands(self._chain[0]):
            return False
        if not self._answer_pressed(self._chain[0].since):
            return False
        if not self._due(self._presses[not self.position.board.turn] + self.timing.gap, at):
            return False
        return self._settle("reply", "the opponent pressed after it", at)

    def _is_over(self, at: float) -> bool:
        """Whether nothing of the moves shown last has stood for a while: they were on the way."""
        if not self._chain or any(self._stands(stage) for stage in self._chain):
            return False
        since = max(self.sight.changed_at, self._chain[-1].until)
        return self._due(since + self.timing.verdict, at)

    def _reply_begun(self, at: float) -> bool:
        """The clock was pressed, and beside the move only men of the opponent are not in place."""
        if self._pressed() is None or not self._chain:
            return False
        stage = self._chain[0]
        if not self._stands(stage):
            return self._is_being_taken(stage, at) and self._settle(
                "press", "the clock was pressed and its man is being taken", at
            )
        left = self.sight.differs(stage.shown)
        mover = not stage.best.position.board.turn
        if side_of(left, stage.best.position, self.sight.shown, mover):
            return False
        pressed = self._presses[self.position.board.turn]
        if not self._due(self._believed_at(stage, pressed), at):
            return False
        return self._settle("press", "the clock was pressed and the reply began", at)

    def _is_being_taken(self, stage: Stage, at: float) -> bool:
        """Whether the man that moved stood, and is gone from the board: the opponent took it up."""
        if stage.weak or self._blamed or stage.until < stage.since + self.timing.gap:
            return False
        if not self._due(self._presses[self.position.board.turn] + self.timing.gap, at):
            return False
        position, shown = stage.best.position, self.sight.shown
        target = BIT[stage.move.to_square]
        left = self.sight.differs(stage.shown)
        mine = side_of(left, position, shown, not position.board.turn)
        return mine == target and shown[stage.move.to_square] == EMPTY

    def _made(self, node: Node, mask: int) -> Stage:
        return Stage([node], mask, self.sight.last_change(mask))

    # -- squares that show something wrong ---------------------------------------------------------

    def _tolerate_once(self, tried: int, at: float) -> bool:
        """Look past wrong squares twice for one placement: soon, and when it has rested."""
        if self._tolerations > tried:
            return False
        self._tolerations = tried + 1
        return self._tolerate(at)

    def _tolerate(self, at: float) -> bool:
        """Look past men that were away, or misread, before the move was made or for some time."""
        for stage in reversed(self._chain):
            wrong = self.sight.differs(stage.shown)
            if wrong & stage.mask or not self._is_old(wrong, stage.since, at):
                continue
            if self._only_away_or_misread(stage, wrong):
                self.sight.excuse(wrong)
                self._compare()
                return True
        if any(self._stands(stage) for stage in self._chain):
            return False
        noisy = self._noisy(TOLERATED)
        if noisy is None or not self._is_shown_beside(noisy, at):
            return False
        self.sight.excuse(noisy.wrong)
        self._take_noisy(noisy)
        return True

    def _is_old(self, wrong: int, since: float, at: float) -> bool:
        last = self.sight.last_change(wrong)
        return last < since or self._due(last + self.timing.gap, at)

    def _only_away_or_misread(self, stage: Stage, wrong: int) -> bool:
        position = stage.best.position
        kings = position.board.kings
        next_in_hand = position.lifted(self.sight.shown, wrong, position.board.turn)
        if wrong & kings or next_in_hand:
            return False
        return all(position.cells[square] != EMPTY for square in chess.scan_forward(wrong))

    def _noisy(self, most: float, *, beside: int = 0) -> Noisy | None:
        """Return the move that costs the least to believe, if it is clearly the best.

        Squares of *beside* may show anything.
        """
        found = noisy_moves(self._head, self.sight, beside)
        if not found or found[0].cost > most:
            return None
        if len(found) > 1 and found[1].cost < found[0].cost + CLEARLY:
            return None
        return found[0]

    def _is_shown_beside(self, noisy: Noisy, at: float) -> bool:
        """Whether the squares of the move show it, and the wrong ones are not part of it."""
        own, shown = noisy.node.position.change(noisy.move), self.sight.shown
        came = [square for square in chess.scan_forward(own) if shown[square] != EMPTY]
        if not came or any(
            shown[square] == EMPTY for square in chess.scan_forward(noisy.wrong & own)
        ):
            return False
        return self._is_old(noisy.wrong & ~own, self.sight.last_change(own), at)

    def _take_noisy(self, noisy: Noisy) -> None:
        node = Node(noisy.node, noisy.move, noisy.node.position.after(noisy.move))
        node.cost = noisy.cost
        own = noisy.node.position.change(noisy.move)
        self._chain = [self._made(node, own & ~noisy.wrong)]
        self._is_at(1)

    # -- moves that were not seen one by one -------------------------------------------------------

    def _look_early(self, at: float) -> bool:
        """After a lost link, take a placement that hardly rested: play does not wait."""
        if not self._missed or self._glanced:
            return False
        if not self._due(self.sight.changed_at + self.timing.still, at):
            return False
        self._glanced = True
        lines = self._lines(PLIES_AT_A_GLANCE)
        if len(lines) == 1:
            self._bridge(lines, at)
        return len(lines) == 1

    def _look_again(self, at: float) -> bool:
        """Look at what was shown lately, then at what may have been made in one jump."""
        return self._retrace(at) or self._search_in_sight(at)

    def _retrace(self, at: float) -> bool:
        """Go through what was shown lately once more, and take the reading that explains it."""
        if self._retraced or self._missed:
            return False
        self._retraced = True
        start = self._retrace_from()
        trace = self.sight.since(start.since)
        if not trace:
            return False
        readings = [
            reading
            for other, cost in self._starts(start)
            for reading in self._as_told(retrace(other, trace, at), start, cost, at)
        ]
        readings.sort(key=lambda reading: reading.cost)
        best = readings[0]
        same = [reading for reading in readings if _agree(reading.node, best.node)]
        other = min((each.cost for each in readings if each not in same), default=math.inf)
        if other < best.cost + CLEARLY or best.node.ply <= start.ply:
            return False
        taken = self._take_reading(same, start, at)
        self._retraced = True  # another beginning must not undo it
        return taken

    def _retrace_from(self) -> Node:
        """Return the ply from which what was shown lately can be read again."""
        start = self._story.head
        for _ in range(PLIES_DOUBTED):
            unseen = start.move is not None and BIT[start.move.to_square] & self.sight.blind
            if start.parent is None or start.basis == "stands" or start.missed or unseen:
                break
            start = start.parent
        return start

    def _starts(self, start: Node) -> list[tuple[Node, float]]:
        """Return *start* and the plies beside it in the readings that are still possible."""
        starts = {id(start): (start, 0.0)}
        for rival in self._head.nodes[1:]:
            node = rival
            while node.ply > start.ply and node.parent is not None:
                node = node.parent
            if node.position.shown == start.position.shown and len(starts) < MOST_STARTS:
                starts.setdefault(id(node), (node, max(0.0, rival.cost - self._head.best.cost)))
        return [*starts.values()]

    def _as_told(
        self, readings: list[ReadingAgain], start: Node, already: float, at: float
    ) -> list[ReadingAgain]:
        """Let readings pay for the published plies that they give up, and for what they cost."""
        told = [node for node in _plies(self._story.head) if node.ply > start.ply]
        share = 1.0 if self.position.sensing == "identity" else 0.5
        weighed = []
        for node, cost in readings:
            line = [each.move for each in _plies(node) if each.ply > start.ply]
            for number, each in enumerate(told):
                if number >= len(line) or line[number] != each.move:
                    doubts = [giving_up(ply, self.timing, at, put_right=False) for ply in told]
                    cost += sum(doubts[number:]) * share
                    break
            cost += already + UNPRESSED * max(0, self._pressed_plies() - node.ply)
            weighed.append(ReadingAgain(node, cost))
        return weighed

    def _pressed_plies(self) -> int:
        """Return how many plies the presses that were seen have completed."""
        turn, ply = self.position.board.turn, self._story.head.ply
        if self._answer_pressed(self._head.since + self.timing.press_life):
            return ply + 2
        return ply + (turn in self._presses)

    def _answer_pressed(self, since: float) -> bool:
        """Whether the opponent of the player to move was seen to press after *since*."""
        return self._presses.get(not self.position.board.turn, -math.inf) > since

    def _take_reading(self, readings: list[ReadingAgain], start: Node, at: float) -> bool:
        """Go on from the first of *readings*, whose last move is only a candidate yet.

        The others agree with it on what is shown and stay possible.
        """
        leaf = readings[0].node
        told = {node.ply: node for node in _plies(self._story.head)}
        line = [node for node in _plies(leaf) if node.ply > start.ply]
        same = True
        parent = start
        for node in line:
            known = told.get(node.ply)
            same = same and known is not None and known.move == node.move
            if same and known is not None:
                parent = known
                continue
            node.parent = parent
            parent = node
        if parent is self._story.head or parent.parent is None:
            return False
        why = "play that followed shows that other moves were made"
        head = parent.parent
        if head is self._story.head and self._chain and self._chain[0].move == parent.move:
            return False
        self._chain = []
        if head is not self._story.head:
            nodes = [head]
            for reading in readings[1:MOST_RIVALS]:
                rival = reading.node.parent
                if rival is not None and _agree(rival, head):
                    rival.cost = head.cost + reading.cost - readings[0].cost
                    nodes.append(rival)
            stage = Stage(nodes, 0, self._head.since)
            self._move_head(
                stage, "gap", "what was shown lately was read again", at, more=1, why=why
            )
            return True
        self._compare()
        if self._match is None:
            mask = self.sight.differs(self._head.shown) & ~self.sight.differs(parent.position.shown)
            self._chain = [self._made(parent, mask)]
        return self._match is not None

    def _may_search(self, at: float) -> bool:
        """Whether other moves may explain the board: a man is not just in the mover's hand."""
        if self.clock_state == "stopped" or not self._kings_are_seen():
            return False
        if self._missed or self._pressed() is not None or not self._in_hand():
            return True
        return self._due(self.sight.changed_at + self.timing.in_hand, at)

    def _kings_are_seen(self) -> bool:
        """Whether both kings stand somewhere, as far as the board can tell."""
        named = self.position.sensing == "identity"
        return not named or ("K" in self.sight.shown and "k" in self.sight.shown)

    def _search_in_sight(self, at: float) -> bool:
        """Look for several plies that were made between two placements, by both players."""
        position, shown = self.position, self.sight.shown
        mask = self.sight.differs(self._head.shown)
        both = all(position.lifted(shown, mask, colour) for colour in chess.COLORS)
        few = len(self.sight.since(self._head.since) or ()) <= PLACEMENTS_OF_A_JUMP
        if (
            position.sensing != "identity"
            or not (few and both)
            or not self._due(self.sight.changed_at + self.timing.verdict, at)
        ):
            return False
        return self._search_again(at)

    def _search_again(self, at: float) -> bool:
        """Search once for each placement that has rested."""
        if self._searches:
            return False
        self._searches = 1
        return self._search(at)

    def _search(self, at: float) -> bool:
        """Look for what happened while nobody looked."""
        lines = self._lines(PLIES_UNSEEN if self._missed else PLIES_IN_A_JUMP)
        if not lines:
            return False
        if len(lines) > 1:
            moves = tuple(line for _, line in lines)
            self._story.tell(Gap(self.position.board, moves))
        self._bridge(lines, at)
        return True

    def _lines(self, most: int) -> list[tuple[Node, Line]]:
        """Return the shortest lines that explain the board, the likeliest first, with their ends.

        What stood for long is part of them where that fits.
        """
        starts = [self._head]
        if self._chain:
            stage = self._chain[0]
            if stage.best.rest >= self.timing.gap:
                starts.insert(0, stage)
            elif self._stands(stage):
                starts.append(stage)
        for plies in range(2, most + 1):
            for stage in starts:
                found = self._lines_from(stage, plies)
                if found:
                    return found
        return []

    def _lines_from(self, stage: Stage, plies: int) -> list[tuple[Node, Line]]:
        sight, node = self.sight, stage.best
        lines = lines_to(node.position, sight.shown, plies, ignored=sight.excused)
        before = () if stage is self._head else (stage.move,)
        leaves = leaves_of(node, lines, sight, stage.since)
        found = sorted(zip(leaves, lines, strict=True), key=lambda each: each[0].cost)
        return [(leaf, (*before, *line)) for leaf, line in found]

    def _bridge(self, lines: list[tuple[Node, Line]], at: float) -> None:
        """Settle all but the last move of the first line; the last one may still be in motion.

        A press that was seen afterwards is that of a player's last move, not of his first.
        """
        leaf, line = lines[0]
        others = f", as do {len(lines) - 1} other lines" if len(lines) > 1 else ""
        because = f"{len(line)} plies fit what is seen{others}"
        if leaf.parent is None:
            return
        parents = [end.parent for end, _ in lines if end.parent is not None]
        shown = leaf.parent.position.shown
        parents = likeliest([node for node in parents if node.position.shown == shown])
        parents.sort(key=lambda node: node is not leaf.parent)
        self._chain = []
        self._move_head(Stage(parents, 0, self._head.since), "gap", because, at, more=1)

    def _read_again(self, at: float) -> bool:
        """Read the last plies otherwise, if that explains a board that is not just disturbed."""
        timing = self.timing
        pressed = self._pressed()
        if not self._missed and self.position.sensing != "identity":
            return False
        soon = self.sight.changed_at <= self._story.head.at + timing.press_life
        since = self.sight.changed_at + (timing.gap if soon else timing.correction)
        if pressed is not None:
            since = min(since, max(self.sight.changed_at + timing.gap, pressed + timing.verdict))
        if not self._missed and not self._due(since, at):
            return False
        self._reread_tried = True
        found = reread(self._story.head, self.sight, self.timing, at)
        if found is None:
            return False
        self._reread(found, at)
        return True

    def _reread(self, found: Reread, at: float) -> None:
        node = found.base
        lines = found.line[:-1] if found.line else ()
        for move in lines:
            node = Node(node, move, node.position.after(move))
        why = "play that followed shows that other moves were made"
        if found.back == 1:
            why = "another move stands in its place" if found.line else "it was taken back"
        pressed = self._story.head.pressed if found.back == 1 else None
        self._chain = []
        self._move_head(Stage([node], 0, self._head.since), "gap", why, at, more=1, why=why)
        if pressed is not None:
            self._presses[self.position.board.turn] = pressed
        self._compare()

    def _adopt(self, at: float) -> bool:
        """Go on from what stands, when play clearly goes on and nothing leads there.

        Men must have names, and the clock says whose turn it is.
        """
        turn = self._clock_turn
        if self._pressed_astray < PRESSES_ASTRAY or turn is None:
            return False
        if not self._due(self.sight.changed_at + self.timing.verdict, at):
            return False
        board = standing_board(self.sight.shown, self.position.board, turn)
        if board is None:
            return False
        root = Node(None, None, Position(board, self.position.sensing))
        root.ply = self._story.head.ply
        self._story.restart(root)
        self._head, self._chain = Stage([root], 0, self.sight.changed_at), []
        self._presses.clear()
        self._went_on()
        return True

    # -- illegal moves -----------------------------------------------------------------------------

    def _overlook(self, at: float) -> bool:
        """After a press: take a legal move behind wrong squares."""
        pressed = self._pressed()
        if pressed is None:
            return False
        if self._overlooked or not self._due(self._verdict_at(pressed), at):
            return False
        self._overlooked = True
        noisy = self._noisy(OVERLOOKED) or self._noisy(OVERLOOKED, beside=self._theirs())
        if noisy is None:
            return self._stands_unseen(at)
        self.sight.excuse(noisy.wrong)
        self._take_noisy(noisy)
        return self._settle("press", "the clock was pressed; some squares show wrong", at)

    def _stands_unseen(self, at: float) -> bool:
        """A man was put down where the board sees nothing: later play tells where."""
        if self.position.sensing != "identity" or not self._in_hand():
            return False
        found = noisy_moves(self._head, self.sight, self._theirs())
        alive = self.sight.alive
        nodes, squares = [], 0
        for noisy in found:
            if noisy.cost > UNSEEN_MAN or not noisy.wrong & BIT[noisy.move.to_square]:
                continue
            node = Node(noisy.node, noisy.move, noisy.node.position.after(noisy.move))
            node.cost = noisy.cost + (ALIVE if alive & BIT[noisy.move.to_square] else 0.0)
            nodes.append(node)
            squares |= noisy.wrong
        if not nodes:
            return False
        own = found[0].node.position.change(nodes[0].move or chess.Move.null())
        self.sight.blindfold(squares)
        stage = Stage(likeliest(nodes), own, self.sight.last_change(own))
        moves = tuple(node.move for node in stage.nodes if node.move is not None)
        self._story.tell(Ambiguous(self.position.board, moves))
        self._chain = [stage]
        return self._settle("press", "the clock was pressed; its man is not seen", at)

    def _seen_after_all(self, at: float) -> bool:
        """A man that was thought to stand unseen on one square is seen on another."""
        shown, head = self.sight.shown, self._head
        for rival in head.nodes[1:]:
            if rival.move is None:
                continue
            target = rival.move.to_square
            there = rival.position.shown[target]
            if shown[target] == there and there not in (EMPTY, head.shown[target]):
                self._chain = []
                nodes = [rival, *(node for node in head.nodes if node is not rival)]
                stage = Stage(nodes, 0, head.since)
                why = "its man is seen on another square"
                self._move_head(stage, self._story.head.basis, why, at, why=why)
                return True
        return False

    def _verdict_at(self, pressed: float) -> float:
        """Return when a press must be explained; a man in the hand may still come to stand."""
        rested = max(pressed, self.sight.changed_at)
        if self._in_hand():
            return rested + self.timing.in_hand
        return (rested if self._blamed else pressed) + self.timing.verdict

    def _theirs(self) -> int:
        """Return the squares where men of the opponent have been at work."""
        position, shown = self.position, self.sight.shown
        mask = self.sight.differs(self._head.shown)
        if position.sensing == "identity":
            return side_of(mask, position, shown, not position.board.turn)
        return position.lifted(shown, mask, not position.board.turn)

    def _reconsider(self, at: float) -> bool:
        """Read the last plies again, or find that the mover completed an illegal move."""
        if self._may_search(at) and not self._reread_tried and self._read_again(at):
            return True
        pressed = self._pressed()
        if pressed is None or self._blamed:
            return False
        if not self._due(self._verdict_at(pressed), at):
            return False
        self._retraced = False
        if not self._missed and self._retrace(at):
            return True
        self._blamed = True
        self._story.tell(Unexplained(self._men()))
        return False

    def _in_hand(self) -> bool:
        """Whether a man of the mover has left its square and come to stand nowhere.

        It may stand on a square that is known to see nothing.
        """
        board, sight = self.position.board, self.sight
        mask = sight.differs(self._head.shown)
        own = board.occupied_co[board.turn]
        empty = sum(BIT[s] for s in chess.scan_forward(mask) if sight.shown[s] == EMPTY)
        left, came = (mask & own & empty).bit_count(), (mask & ~empty).bit_count()
        if self.position.sensing != "identity":
            came += bool(self._taken())
        if left <= came:
            return False
        return not any(board.generate_legal_moves(mask & own & empty, sight.dead))

    def _men(self) -> tuple[str, ...]:
        """Return the men that stand on the board, in the ways that are worth judging.

        First all that differs, then only what the mover's men have done, then only his man that
        moved last, if the rest was disturbed before it was his turn.
        """
        position, sight = self.position, self.sight
        mask = sight.differs(self._head.shown)
        mine = side_of(mask, position, sight.shown, position.board.turn)
        ways = [mask]
        ways += [
            squares
            for squares in (mine, self._last_moved(mine))
            if sight.last_change(mask & ~squares) < self._head.since
        ]
        return tuple(self._with(squares) for squares in dict.fromkeys(ways))

    def _last_moved(self, squares: int) -> int:
        """Return the square of *squares* that was left last, and the one that was filled last."""
        shown, changed = self.sight.shown, self.sight.changed
        left = [s for s in chess.scan_forward(squares) if shown[s] == EMPTY]
        came = [s for s in chess.scan_forward(squares) if shown[s] != EMPTY]
        last = [max(each, key=lambda s: changed[s]) for each in (left, came) if each]
        return sum(BIT[square] for square in last)

    def _with(self, squares: int) -> str:
        """Return the settled men with what *squares* show; unnamed men get a name if one fits."""
        position, shown = self.position, self.sight.shown
        cells = list(position.cells)
        if position.sensing == "identity":
            for square in chess.scan_forward(squares):
                cells[square] = shown[square]
            return "".join(cells)
        own = position.board.occupied_co[position.board.turn]
        left = [s for s in chess.scan_forward(squares) if shown[s] == EMPTY]
        came = [s for s in chess.scan_forward(squares) if shown[s] != EMPTY] or self._taken()
        movers = [square for square in left if own & BIT[square]]
        for square in left:
            cells[square] = EMPTY
        for square in came:
            cells[square] = position.cells[movers[0]] if len(movers) == 1 else UNNAMED
        return "".join(cells)

    def _taken(self) -> list[chess.Square]:
        """Return the opponent's man whose square was emptied last, and is occupied again."""
        board, emptied = self.position.board, self.sight.emptied
        theirs = [
            square
            for square in chess.scan_forward(board.occupied_co[not board.turn])
            if emptied[square] > self._head.since and self.sight.shown[square] != EMPTY
        ]
        return sorted(theirs, key=lambda square: -emptied[square])[:1]

    def may_stand(self, move: chess.Move) -> None:
        """Go on from the illegal *move* if it is played on."""
        board = self.position.board.copy(stack=False)
        piece = board.remove_piece_at(move.from_square)
        if piece is None:
            return
        if move.promotion is not None:
            piece = chess.Piece(move.promotion, piece.color)
        board.set_piece_at(move.to_square, piece)
        board.castling_rights = board.clean_castling_rights()
        board.ep_square = None
        board.fullmove_number += not board.turn
        board.turn = not board.turn
        node = Node(self._story.head, move, Position(board, self.position.sensing))
        node.basis = "stands"
        mask = BIT[move.from_square] | BIT[move.to_square]
        self._illegal = self._made(node, mask)

    def _played_on(self, at: float) -> bool:
        """An illegal move stands when the opponent has answered it and pressed."""
        if self._illegal is None or self.clock_state == "stopped":
            return False
        self._note_answer(self._illegal)
        answer = self._answer
        if answer is None or answer.weak:
            return False
        pressed = self._answer_pressed(answer.since)
        wait = self.timing.still if pressed else self.timing.in_hand
        if not pressed and not self._stands(answer):
            return False
        if not self._due(answer.since + wait, at):
            return False
        self._chain = [answer]
        self._move_head(self._illegal, "stands", "the illegal move was played on", at, more=1)
        return True

    def _note_answer(self, illegal: Stage) -> None:
        """Keep what was the answer to the *illegal* move, also when play has gone on since."""
        answer = next_stage(illegal, self.sight) or stage_beside(illegal, self.sight)
        known = self._answer
        if answer is None or (known is not None and known.move == answer.move):
            return
        if known is None or not self._stands(known):
            self._answer = answer

    # -- settling ----------------------------------------------------------------------------------

    def _settle(self, basis: Basis, because: str, at: float) -> bool:
        """Settle the first move of the chain."""
        stage = self._chain.pop(0)
        loyal = min(stage.nodes, key=lambda node: node.parent is not self._story.head)
        if loyal.parent is self._story.head and loyal.cost <= stage.best.cost + LOYALTY:
            stage.nodes.sort(key=lambda node: node is not loyal)
        rest = min(at, stage.until) - stage.since if self._stands(stage) or stage.until < at else 0
        stage.best.rest = max(stage.best.rest, rest)
        self._move_head(stage, basis, because, at)
        return True

    def _move_head(
        self, stage: Stage, basis: Basis, because: str, at: float, *, more: int = 0, why: str = ""
    ) -> None:
        """Publish the best reading of *stage* and go on; *more* plies are known to follow."""

        def press(node: Node, following: int) -> SeenPress:
            node.at = at
            node.since = stage.since if node is stage.best and stage.mask else at
            node.missed = self._missed
            return self._press_of(node, following + more)

        unsure = bool(why) or basis == "gap" or self.position.sensing != "identity"
        why = why or "play that followed shows that another piece was taken or promoted"
        self._story.advance(stage.best, basis, because, press, why=why, unsure=unsure)
        self._head = stage
        stage.weak = False
        self._drop_stale_presses(stage)
        best = stage.best.cost
        for node in stage.nodes:
            node.cost -= best
        self.sight.trust(stage.shown)
        self._went_on()

    def _went_on(self) -> None:
        """The head is another position: look at the board anew."""
        self._provisional, self._blamed = None, False
        self._illegal = self._answer = None
        self._missed = False
        self._pressed_astray = 0
        self._new_placement()
        self._compare()

    def _press_of(self, node: Node, following: int) -> SeenPress:
        """Give a press to the ply it completed: of several plies of one player, to the last."""
        turn = not node.position.board.turn
        if following > 1 and turn not in self._first_press:
            return "later"
        node.pressed = self._presses.pop(turn, None)
        if node.pressed is not None:
            return "seen"
        standing, self._standing = self._standing, False
        return "standing" if standing else "unseen"

    def _drop_stale_presses(self, stage: Stage) -> None:
        """A press made before the move that it would complete was begun is another move's."""
        turn = self.position.board.turn
        pressed = self._presses.get(turn)
        if pressed is not None and pressed < stage.since - self.timing.press_life:
            del self._presses[turn]

    def _show(self, node: Node | None) -> None:
        move = None if node is None else node.move
        if move != self._provisional:
            self._provisional = move
            before = self._head.best if node is None or node.parent is None else node.parent
            self._story.tell(Provisional(before.position.board, move))

    # -- the result by kings -----------------------------------------------------------------------

    def _watch_gesture(self, at: float) -> bool:
        """Report the result that the kings have shown long enough; true while they show one."""
        result = self._result_shown()
        if result is None:
            self._gesture = None
            return False
        if self._gesture is None or self._gesture[0] != result:
            self._gesture = (result, self.sight.changed_at)
        if self._due(self._gesture[1] + self.timing.gesture, at):
            self._end_by_gesture(result, at)
        return True

    def _may_be_kings(self, stage: Stage) -> bool:
        """Whether a move into the centre may be a king's, because men have no names."""
        return self.position.sensing != "identity" and stage.move.to_square in CENTRE

    def _result_shown(self) -> Result | None:
        if self.position.sensing == "identity":
            return shown_result(self.sight.shown)
        if self._match is not None:
            return None
        for stage in (self._head, *self._chain[:1]):
            result = supposed_result(stage.best.position, self.sight, stage.since)
            if result is not None:
                return result
        return None

    def _end_by_gesture(self, result: Result, at: float) -> None:
        """Settle what stood before the kings were moved; take back a step that was the signal's."""
        head = self._story.head
        if self._chain and not _enters_centre(self._chain[0].best):
            stage = self._chain[0]
            king = _moves_king(stage.best)
            least = self.timing.end if king else self.timing.gap
            stood = stage.best.rest >= least and not stage.weak
            if stood and stage.since <= self._stopped_at and not self._may_be_kings(stage):
                self._settle("end", "it stood before the result was shown", at)
        elif head.basis == "rest" and _enters_centre(head):
            self._story.withdraw("the king's step belongs to the result signal")
        self._story.tell(ResultShown(result))


def _agree(one: Node, other: Node) -> bool:
    """Whether two readings end at the same ply with the same board in sight."""
    return one.ply == other.ply and one.position.shown == other.position.shown


def _plies(leaf: Node) -> list[Node]:
    """Return the plies of the reading that ends in *leaf*, the first one first."""
    plies = []
    node: Node | None = leaf
    while node is not None:
        plies.append(node)
        node = node.parent
    return plies[::-1]


def _moves_king(node: Node) -> bool:
    if node.move is None or node.parent is None:
        return False
    return node.parent.position.board.piece_type_at(node.move.from_square) == chess.KING


def _enters_centre(node: Node) -> bool:
    """Whether its move is a king's step onto one of the four centre squares."""
    return _moves_king(node) and node.move is not None and node.move.to_square in CENTRE
