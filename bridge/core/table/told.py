"""What is told of a table: facts in their order, each with what it rests on."""

import math
from collections.abc import Callable

from bridge.core.inference.engine import Engine
from bridge.core.model import AlertRaised, Fact, Reading, StateExplained
from bridge.core.table.kept_back import KeptBack, Moment


class Told:
    """The facts that follow from the reading in hand, and the time it is at the table.

    ``game`` counts from 1; ``at`` is journal time and never goes back, ``wall`` Unix time.
    ``raised``: the alerts that were raised last, by their codes.
    """

    def __init__(self, table: str) -> None:
        self.game = 0
        self.at = -math.inf
        self.wall = 0.0
        self._table = table
        self._seq = self._since_seq = 0
        self._explained = self._waits = ""
        self.raised: dict[str, AlertRaised] = {}
        self._kept = KeptBack()

    def hear(self, reading: Reading) -> None:
        """Let facts rest on *reading* and those before it."""
        self.wall = reading.wall
        self.at = max(self.at, reading.at)
        self._seq = reading.seq

    def wait(self, at: float) -> None:
        """Let time come to *at* without a reading."""
        self.wall += max(0.0, at - self.at) if self.at > -math.inf else 0.0
        self.at = at

    def rest_on_what_follows(self) -> None:
        """Let later facts rest on the last reading and those after it."""
        self._since_seq = self._seq

    def state(
        self, fact: Callable[..., Fact], game: int | None = None, /, **fields: object
    ) -> None:
        """State a fact at the time it is, of this game or of one that may be over."""
        stated = fact(
            table=self._table,
            game=self.game if game is None else game,
            at=self.at,
            wall=self.wall,
            evidence=(self._since_seq, self._seq),
            **fields,
        )
        self._kept.put(stated)
        if isinstance(stated, AlertRaised):
            self.raised[stated.code] = stated

    def explain(self, text: str) -> None:
        """Say what the table waits for or cannot explain, unless that was said last."""
        if text != self._explained:
            self._explained = text
            self.state(StateExplained, text=text)

    def is_explained(self) -> None:
        """What was said last is over: if it comes again it is worth saying again."""
        self._explained = ""

    def take(self) -> list[Fact]:
        """Return the facts that are told since the last time."""
        return self._kept.take()

    # -- what is kept back -------------------------------------------------------------------------

    @property
    def wake_at(self) -> float:
        """When what is kept back is told at the latest."""
        return self._kept.wake_at

    def has_told(self, ply: int) -> bool:
        """Whether *ply*, which was settled, is not kept back."""
        return self._kept.has_told(ply)

    def release(self, engine: Engine) -> None:
        """Tell the settled moves of which it is no longer open whether they were played."""
        first = self._kept.first
        if first is not None:
            unpressed = engine.is_hardly_pressed
            self._kept.release(engine.is_open, self._now, unpressed=unpressed)
            first = self._kept.first
        waits = "" if first is None else first.san
        if waits and waits != self._waits:  # once, not again after each other text
            self.explain(f"{waits} is kept back: play will tell whether it was another move")
        self._waits = waits

    def release_all(self) -> None:
        """Tell all that is kept back."""
        self._kept.release_all(self._now)

    @property
    def _now(self) -> Moment:
        return Moment(self.at, self.wall, self._seq)
