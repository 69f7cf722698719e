"""The settled position, the moves the board has shown since, and where among them it is now.

A placement is first looked for among the moves shown so far, then one legal move beyond them,
and then as a move that stands while a hand is already at the next one.
"""

import math
from typing import TypeGuard

import chess

from bridge.core.inference.ahead import (
    capture_beside,
    next_stage,
    side_of,
    stage_beside,
    stands_elsewhere,
)
from bridge.core.inference.hypotheses import TOGETHER, Node, Stage
from bridge.core.inference.placement import BIT, EMPTY, occupied
from bridge.core.inference.sight import Sight
from bridge.core.inference.timing import lasted

ON_ITS_WAY = 0.25
"""A man that stood somewhere for less was on his way (s)."""
LAY_ASIDE = 0.7
"""... and who has no name may have been a victim, put down beside his square (s)."""
STOOD = 0.6
"""A man that stood somewhere for so long was not (s)."""
IN_THE_AIR = 3.0
"""A man without a name who is seen nowhere for longer has taken somebody (s)."""
MOST_BESIDE = 3
"""Moves that may be found beside each other on one placement."""

PLIES_AROUND = 3
"""After so many plies the next one may lead back to where they began."""


class Chain:
    """What was settled last (``head``) and the stages shown since (``shown``), a ply each.

    ``match``: the number of the stage that the board shows, 0 for the head, None if it shows
    none of them. ``missed``: the link was lost since the head, so that moves may have been made
    unseen. ``replaced``: what the first of ``shown`` took the place of; ``undone``: what ``shown``
    was before the board showed an earlier one of its stages again, and when it did; ``left``: what
    it showed before it changed last, or before nothing explained it any more, which is since
    ``astray_since``. ``astray``: presses since then; ``pressed_at``: the last of them.
    """

    __slots__ = (
        "astray",
        "astray_since",
        "head",
        "left",
        "match",
        "missed",
        "pressed_at",
        "replaced",
        "shown",
        "sight",
        "undone",
    )

    def __init__(self, root: Node) -> None:
        self.sight = Sight(root.position.shown)
        self.head = Stage([root], 0, -math.inf)
        self.shown: list[Stage] = []
        self.replaced: Stage | None = None
        self.undone: tuple[list[Stage], float] = [], -math.inf
        self.left: Stage | None = None
        self.match: int | None = 0
        self.astray_since = math.inf
        self.pressed_at = -math.inf
        self.missed = False
        self.astray = 0

    @property
    def _named(self) -> bool:
        """Whether the board tells one man from another."""
        return self.head.best.position.sensing == "identity"

    @property
    def differs(self) -> int:
        """The squares that show something else than the settled position."""
        return self.sight.differs(self.head.shown)

    @property
    def standing(self) -> Stage:
        """The last of the moves shown that stands, the head if none does."""
        return next((stage for stage in reversed(self.shown) if self.stands(stage)), self.head)

    def stands(self, stage: Stage) -> bool:
        """Whether the squares of its move still show *stage*, whatever the others show."""
        return not self.sight.differs(stage.shown) & stage.mask

    def follows_head(self, stage: Stage | None) -> TypeGuard[Stage]:
        """Whether *stage* is a move from the settled position, if there is one at all."""
        return stage is not None and stage.best.parent is self.head.best

    def becomes(self, other: "Chain") -> None:
        """Go on as *other*, which sees the same board."""
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    def leave(self, at: float) -> None:
        """Keep how long the board showed what it shows no longer: the reply may begin."""
        if self.match is None:
            return
        stage = self.shown[self.match - 1] if self.match else self.head
        stage.until, self.left = at, stage
        rest = lasted(max(stage.since, self.sight.changed_at), at)
        stage.best.rest = max(stage.best.rest, rest)

    def take(self, stage: Stage, number: int = 0) -> None:
        """Take *stage* for what the board shows, *number* moves after the head."""
        self.put(stage, number)
        self._is_at(number + 1)

    def put(self, stage: Stage, number: int = 0) -> None:
        """Let *stage* follow *number* moves after the head, in place of all from there on."""
        if not number:
            self.drop()
        self.shown[number:] = [stage]

    def drop(self) -> None:
        """Forget the stages shown since the head, but for the first, whose place is taken now."""
        if self.shown:
            self.replaced = self.shown[0]
        self.shown = []

    def note_press(self, at: float) -> None:
        """Count a press of which nothing explains what was done for it.

        If nothing was done since the one before, scans of the board are missed.
        """
        if self.match is None and self.sight.changed_at > self.pressed_at:
            self.astray += 1
            self.pressed_at = at

    def compare(self) -> None:
        """Find the placement among the moves shown so far, or one legal move beyond them."""
        if self.shown and self.shown[0].weak and self._is_elsewhere(self.shown[0]):
            self.shown = []
        stages = [self.head, *self.shown]
        for stage in self.shown:
            gone = self.sight.differs(stage.shown) & stage.mask
            stage.until = min(stage.until, self.sight.first_change(gone)) if gone else math.inf
        if self._finds_known(stages):
            return
        ahead = self._one_move_on(stages)
        if ahead is None or ahead[1].weak:
            ahead = self._on_from_replaced() or ahead
        if ahead is None:
            ahead = self._on_from_undone()
        if ahead is not None:
            number, stage = ahead
            self.take(stage, number)
            return
        self.match = None
        self.astray_since = min(self.astray_since, self.sight.changed_at)
        if not self.missed:
            self._look_beside()

    def _is_elsewhere(self, stage: Stage) -> bool:
        """Whether the man that *stage* has on a square that is not believed is seen elsewhere.

        Where men have no names, he looked as if he had taken somebody while he was in the air.
        """
        position, shown = stage.best.position, self.sight.shown
        if not self._named:
            differs = self.sight.differs(stage.shown)
            if self.sight.last_change(differs) > stage.since + IN_THE_AIR:
                return False
            left = position.lifted(shown, differs, position.board.turn)
            return stands_elsewhere(stage, self.sight, differs & occupied(shown), left)
        man = position.cells[stage.square]
        strange = chess.scan_forward(self.sight.differs(stage.shown))
        return any(shown[square] == man for square in strange)

    def _finds_known(self, stages: list[Stage]) -> bool:
        for number in range(len(stages) - 1, -1, -1):
            stage = stages[number]
            if self.sight.differs(stage.shown):
                continue
            if number == len(self.shown) - PLIES_AROUND and self._comes_around():
                return True
            self._is_at(number)
            # What is open, as whom he took who has no name, depends on what was seen since.
            if number and (stage.weak or len(stage.nodes) > 1):
                again = next_stage(stages[number - 1], self.sight) or stage
                if again.move == stage.move:
                    again.best.rest = max(again.best.rest, stage.best.rest)
                self.shown[-1:] = [again]
            return True
        return False

    def _comes_around(self) -> bool:
        """Take what is shown for the answer by which the last moves lead back to a position before.

        Who takes moves back begins with the last one, so that three never stand before that.
        """
        if any(stage.weak for stage in self.shown[-PLIES_AROUND:]):
            return False
        answer = next_stage(self.shown[-1], self.sight)
        if answer is None or answer.weak:
            return False
        self.take(answer, len(self.shown))
        return True

    def _is_at(self, number: int) -> None:
        if number < len(self.shown):
            self.undone = [*self.shown], self.sight.changed_at
        del self.shown[number:]
        self.match = number
        self.astray_since = math.inf
        self.astray = 0
        if number:
            self.shown[-1].until = math.inf

    def _one_move_on(self, stages: list[Stage]) -> tuple[int, Stage] | None:
        """Return the latest stage from which one legal move is shown, and where it leads."""
        vague: tuple[int, Stage] | None = None
        for number in range(len(stages) - 1, -1, -1):
            stage = next_stage(stages[number], self.sight)
            if stage is None:
                continue
            if not stage.weak and not stages[number].weak:
                return number, stage
            over = all(self._passed(later) for later in stages[number + 1 :])
            if (over and vague is None) or stages[1].weak:
                vague = number, stage
        return vague

    def _on_from_replaced(self) -> tuple[int, Stage] | None:
        """Return where one legal move leads from the stage that was replaced and still stands.

        Another one only explained the board while a man was seen on two squares, or its man was
        taken where he had stood, and was seen on another square as he was carried off.
        """
        before = self.replaced
        if before is None or before.best.parent not in self.head.nodes or not self.shown:
            return None
        sure = self._just_replaced(before) or self._is_carried_off(before)
        if not (sure or self._is_taken_off(before)):
            return None
        stage = next_stage(before, self.sight)
        if stage is None or stage.weak or not (sure or stage.square == before.square):
            return None
        self.shown = [before]
        return 1, stage

    def _on_from_undone(self) -> tuple[int, Stage] | None:
        """Return where one legal move leads from the stages that seemed to be undone just now.

        Where men have no names, who answers may come to the square that was left, and be shown on
        his own for a moment more: it looks as if the first man had been put back.
        """
        undone, at = self.undone
        if self._named or not undone or self.sight.changed_at > at + STOOD:
            return None
        if undone[-1].weak and undone[-1].best.rest < IN_THE_AIR:
            return None  # he was only adjusted
        stage = next_stage(undone[-1], self.sight)
        if stage is None or stage.weak or undone[0].best.parent not in self.head.nodes:
            return None
        self.shown = [*undone]
        return len(undone), stage

    def _is_taken_off(self, before: Stage) -> bool:
        """Whether the man of *before* had stood, and is not where he was set aside any more."""
        return before.best.rest >= STOOD and not self.stands(self.shown[0])

    def _just_replaced(self, before: Stage) -> bool:
        """Whether *before* stands, and what took its place was shown just now."""
        recent = self.shown[0].since >= self.sight.changed_at - STOOD
        return recent and before.best.rest >= STOOD and self.stands(before)

    def _is_carried_off(self, before: Stage) -> bool:
        """Whether the man with a name of what took the place of *before* hardly stood there."""
        stage = self.shown[0]
        if not self._named or self.stands(stage):
            return False
        if before.best.rest >= STOOD:
            return stage.until < stage.since + STOOD
        return before.until - before.since > max(stage.until - stage.since, ON_ITS_WAY)

    def _passed(self, stage: Stage) -> bool:
        """Whether *stage* was shown only for a moment, as by a man on his way."""
        moment = ON_ITS_WAY if self._named else LAY_ASIDE
        return not self.stands(stage) and stage.until < stage.since + moment

    def _look_beside(self) -> None:
        """Find moves that stand beside what else goes on: the next man may be in the air."""
        if self._two_moves_on():
            return
        self._look_for_castling()
        for _ in range(MOST_BESIDE):
            number, stage = self._one_move_beside([self.head, *self.shown])
            if stage is None:
                return
            known = self.shown[number] if number < len(self.shown) else None
            if known is not None and self._still_explains(known, stage):
                return
            self.put(stage, number)
            self.sight.excuse(stage.misread)
            if not self.sight.differs(stage.shown):
                self._is_at(number + 1)
                return
            if self._named and self._is_answered(stage, number + 1):
                return

    def _is_answered(self, stage: Stage, number: int) -> bool:
        """Take the legal answer to *stage*, if it explains all else and both were told together."""
        answer, sight = next_stage(stage, self.sight), self.sight
        if answer is None or answer.weak:
            return False
        if sight.first_change(stage.mask | answer.mask) < sight.changed_at - TOGETHER:
            return False
        self.take(answer, number)
        return True

    def _two_moves_on(self) -> bool:
        """Take a move and its reply, if both are seen whole and explain all that is shown.

        Where men have no names, the first man looked as if he had taken somebody while he was in
        the air, and the reply as if it had filled the square to which he went; or who replies came
        where he might have gone who took.
        """
        if self._named:
            return False
        firsts = [capture_beside(self.head, self.sight)]
        if self.shown and self.shown[0].weak:
            firsts.insert(0, stage_beside(self.head, self.sight))
        for first in firsts:
            reply = None if first is None else next_stage(first, self.sight)
            if first is not None and reply is not None and not (first.weak or reply.weak):
                self.put(first)
                self.take(reply, 1)
                return True
        return False

    def _look_for_castling(self) -> None:
        """Take the first move for castling if its player has done the rest after the reply."""
        board = self.head.best.position.board
        if len(self.shown) < 2 or not board.castling_rights & board.occupied_co[board.turn]:
            return
        whole = stage_beside(self.head, self.sight) if self._goes_on(self.shown[0]) else None
        if whole is None or whole.move == self.shown[0].move:
            return
        if board.is_castling(whole.move):
            self.put(whole)

    def _still_explains(self, known: Stage, other: Stage) -> bool:
        """Whether *known* stands, and *other* does not explain more, as castling after the rook."""
        squares = known.mask | known.best.target
        return known.move == other.move or bool(self.stands(known) and squares & ~other.mask)

    def _one_move_beside(self, stages: list[Stage]) -> tuple[int, Stage | None]:
        """Return the latest stage from which one move is shown beside others, and where it leads.

        What still stands is not looked behind.
        """
        for number in range(len(stages) - 1, -1, -1):
            before = stages[number]
            stands = not number or self.stands(before)
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
        target = before.square
        if not self._named:
            return not left
        return not left & ~BIT[target] and (not left or self.sight.shown[target] == EMPTY)

    @property
    def mine(self) -> int:
        """The squares where men of the player to move have been at work."""
        position = self.head.best.position
        return side_of(self.differs, position, self.sight.shown, position.board.turn)

    @property
    def theirs(self) -> int:
        """The squares where men of the player not to move have been at work."""
        position, shown = self.head.best.position, self.sight.shown
        if self._named:
            return side_of(self.differs, position, shown, not position.board.turn)
        return position.lifted(shown, self.differs, not position.board.turn)
