"""What the chess clock has told: whether it runs, for whom, and presses not yet given to a ply."""

import math
from collections import Counter, deque
from typing import Literal, NamedTuple

import chess

from bridge.core.inference.findings import SeenPress
from bridge.core.inference.hypotheses import Node

PRESSES_KEPT = 32
"""Presses kept to be gone through again."""

PLIES_TO_NEXT = 3
"""From a ply of one player up to the next one of his."""

SILENCE = 5.0
"""A clock that was not read for so long (s) may have been pressed unheard."""

ClockState = Literal["none", "runs", "stopped"]


class Heard(NamedTuple):
    """A press of *colour* that was heard then, and how many more together; None: it was stopped.

    ``known``: its time tells that no other one was made since those before.
    """

    at: float
    colour: chess.Color | None
    following: int = 0
    known: bool = False


class Clock:
    """The clock of one game, as far as it has been read.

    ``turn``: for whom it ran when it was read last, at ``read_at``, and since ``turned_at``;
    ``read_before``: when it was read before that.
    ``handed_at``: when it was first read to run for whom it ran last, stopped or not, or was read
    again after a ``SILENCE`` or when it was connected anew: presses may have been missed.
    ``stopped_at``: since when it stands, infinite unless it does; ``started_at``: when it began to
    run again after it stood. ``given``: a ply is settled because the clock runs for the opponent,
    though nobody saw the press. ``history``: the last presses and when they were seen; None: the
    clock was stopped. ``uncounted_at``: when presses were heard last before which others may have
    been missed. ``told_at``: when a press was heard last that may be of a ply to come.
    ``shows_presses``: its times tell of all presses, also of two between two readings.
    """

    __slots__ = (
        "_coming",
        "_first",
        "_known_at",
        "_presses",
        "_ran_for",
        "_unread",
        "given",
        "handed_at",
        "history",
        "read_at",
        "read_before",
        "shows_presses",
        "started_at",
        "state",
        "stopped_at",
        "told_at",
        "turn",
        "turned_at",
        "uncounted_at",
    )

    def __init__(self) -> None:
        self.state: ClockState = "none"
        self.stopped_at = math.inf
        self.started_at = -math.inf
        self.turn: chess.Color | None = None
        self.turned_at = self.handed_at = -math.inf
        self._ran_for: chess.Color | None = None
        self.read_at = self.read_before = -math.inf
        self.given = False
        self.uncounted_at = -math.inf
        self.shows_presses = False
        self._presses: dict[chess.Color, float] = {}
        self._unread: dict[chess.Color, float] = {}
        self._first: set[chess.Color] = set()
        self.history: deque[tuple[float, chess.Color | None]] = deque(maxlen=PRESSES_KEPT)
        self._coming = 0
        self.told_at = -math.inf
        self._known_at: deque[float] = deque(maxlen=PRESSES_KEPT)

    # -- input -------------------------------------------------------------------------------------

    def press(
        self, colour: chess.Color, *, at: float, first: bool, counted: bool, coming: int = 0
    ) -> None:
        """Take note that *colour* pressed; *first*: and has moved again since.

        *counted*: no other press was missed before this one. *coming*: so many more are told next
        that were made by the same time.
        """
        if not counted:
            self.uncounted_at = at
        if counted and self.shows_presses:
            self._known_at.append(at)
        self._coming, self.told_at = coming, at
        self._presses.pop(colour, None)  # they are kept in the order in which they were made
        self._presses[colour], self._unread[colour] = at, self.unread_before(at)
        self.history.append((at, colour))
        self._first = {colour} if first else self._first - {colour}

    def note(self, colour: chess.Color, at: float) -> None:
        """Take note of a press that was given to a ply already."""
        self.history.append((at, colour))
        self._coming = max(0, self._coming - 1)

    def read(self, *, runs: bool, at: float, turn: chess.Color | None) -> bool:
        """Take a reading; true if it may change what is believed."""
        turn = turn if runs else None
        if turn != self.turn:
            self.turned_at = at
        unheard = self.state == "runs" and at > self.read_at + SILENCE
        if turn not in (None, self._ran_for) or self.state == "none" or unheard:
            self.handed_at = at
        self._ran_for = turn if turn is not None else self._ran_for
        if at > self.read_at:
            self.read_before = self.read_at
        self.turn, self.read_at = turn, at
        state: ClockState = "runs" if runs else "none"
        if not runs and self.state != "none":
            state = "stopped"
        return self.becomes(state, at)

    def unread_before(self, at: float) -> float:
        """Return since when nobody had read it when the reading of time *at* was taken."""
        return self.read_before if self.read_at >= at else self.read_at

    def unread_by(self, colour: chess.Color) -> float:
        """Return since when nobody had read it as *colour* was heard to press last."""
        return self._unread.get(colour, -math.inf)

    def becomes(self, state: ClockState, at: float) -> bool:
        """Take note of what the clock does; true if that may change what is believed."""
        if state == self.state and self.state != "runs":
            return False
        if state == "stopped" and self.state == "runs":
            self._coming = 0
            self.history.append((at, None))
        if state == "runs" and self.state == "stopped":
            self.started_at = at
        self.state = state
        self.stopped_at = at if state == "stopped" else math.inf
        return True

    @property
    def heard(self) -> list[Heard]:
        """What was heard of it, with the presses that are told next."""
        heard = [*self.history]
        for _ in range(self._coming):
            at, colour = heard[-1]
            heard.append((at, not colour))
        known, later = {*self._known_at}, Counter(at for at, _ in heard)
        told = []
        for at, colour in heard:
            later[at] -= 1
            told.append(Heard(at, colour, later[at] if at in known else 0, at in known))
        return told

    def presses_at(self, at: float) -> int:
        """Return how many presses were heard at time *at*, with those that are told next."""
        told = sum(each == at for each, colour in self.history if colour is not None)
        return told + self._coming if told else 0

    @property
    def stood_from(self) -> float:
        """When it was stopped last, whether it runs by now or not."""
        return next((at for at, colour in reversed(self.history) if colour is None), -math.inf)

    @property
    def pressed_at(self) -> float:
        """When somebody was seen to press last."""
        return self.history[-1][0] if self.history else -math.inf

    def counted_since(self, at: float) -> int | None:
        """Return how many presses were heard after *at*, None if none was or any may be missing."""
        heard = [colour for pressed, colour in self.history if pressed > at]
        known = 0 < len(heard) < PRESSES_KEPT and self.uncounted_at <= at
        return len(heard) if known and None not in heard else None

    # -- presses -----------------------------------------------------------------------------------

    def pressed(self, colour: chess.Color) -> float | None:
        """Return when *colour* pressed, if no ply was completed by it yet."""
        return self._presses.get(colour)

    def presses(self) -> list[tuple[chess.Color, float]]:
        """Return the presses that completed no ply yet."""
        return [*self._presses.items()]

    def keep(self, colour: chess.Color, pressed: float) -> None:
        """Let the press of *colour* complete another ply than the one it was given to."""
        self._presses[colour] = pressed

    def forget(self, colour: chess.Color) -> None:
        """The press of *colour* completed no ply."""
        self._presses.pop(colour, None)

    def forget_before(self, colour: chess.Color, begun: float) -> None:
        """A press made before the move it would complete had *begun* is another move's."""
        pressed = self._presses.get(colour)
        if pressed is not None and pressed < begun:
            del self._presses[colour]

    def forget_all(self) -> None:
        """No press is that of a ply to come."""
        self._presses.clear()
        self._coming = 0

    def press_of(
        self, node: Node, mover: chess.Color, following: int, left: int | None = None
    ) -> SeenPress:
        """Give a press to the ply of *mover* it completed: of several plies, to the last.

        *following*: how many more plies are known to follow. *left*: how many presses were heard
        for it and what follows, if all are known.
        """
        # His next press is heard too, unless only the last ply was not pressed.
        others = left is None or not following <= left < PLIES_TO_NEXT
        if following > 1 and mover not in self._first and others:
            return "later"
        node.pressed = self._take(mover)
        if node.pressed is not None:
            return "seen"
        given, self.given = self.given, False
        return "standing" if given else "unseen"

    def _take(self, mover: chess.Color) -> float | None:
        """Take the press of *mover*: one that his opponent made before completed no ply after it.

        One reading may show both presses; which was the first is known then.
        """
        first = next(iter(self._presses), mover)
        pressed = self._presses.pop(mover, None)
        if first != mover and self._presses[first] == pressed:
            del self._presses[first]
        return pressed
