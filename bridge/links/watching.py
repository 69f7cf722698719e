"""Watches boards come and go."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Literal

from bridge.links.candidates import BY_MAKER, UNLIKELY, Candidate
from bridge.links.discovery import LISTED, Finder
from bridge.links.probing import Found, NotABoard
from bridge.links.twins import once_each
from drivers.transports import Clock

LOOK_EVERY = 0.5

ASK_AGAIN = 15.0
"""Seconds after which what looks like a board, and did not answer as one, is asked once more: it
may have been switched on, or another program may have let go of it."""

UNHEARD = 45.0
"""Seconds after which a board on the radio that is heard no more has gone."""

_WIRED = ("serial", "usb", "tcp")
_RADIO = ("ble",)


@dataclass(frozen=True, kw_only=True)
class Change:
    """A board, or what is none, came or went; what it is may also have ``changed``."""

    what: Literal["came", "changed", "went"]
    answer: Found | NotABoard


@dataclass
class _Present:
    """Something that is connected."""

    candidate: Candidate
    seen_at: float
    asked_at: float
    task: "asyncio.Task[None] | None" = None
    answer: Found | NotABoard | None = None


@dataclass
class Watch:
    """Tells *tell* of every change among what *finder* sees, until its task is cancelled.

    What is connected at the beginning comes first.
    """

    finder: Finder
    now: Clock
    tell: Callable[[Change], None]
    _present: dict[str, _Present] = field(default_factory=dict)

    async def run(self) -> None:
        """Watch until cancelled; wires and radio each at their own pace."""
        kinds = {kind for driver in self.finder.drivers for kind in driver.info.transports}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._watch(kinds.intersection(_WIRED), 0.0))
                if kinds.intersection(_RADIO):
                    group.create_task(self._watch(kinds.intersection(_RADIO), UNHEARD))
        finally:
            for present in self._present.values():
                if present.task is not None:
                    present.task.cancel()

    async def _watch(self, kinds: Collection[str], patience: float) -> None:
        while True:
            candidates = await self.finder.candidates(kinds)
            for candidate in candidates:
                self._see(candidate)
            for present in list(self._present.values()):
                if present.candidate.kind in kinds:
                    self._judge(present, patience, candidates)
            await asyncio.sleep(LOOK_EVERY)

    def _see(self, candidate: Candidate) -> None:
        now = self.now()
        present = self._present.get(candidate.address)
        if present is not None and present.candidate.inode != candidate.inode:
            self._went(present)
            present = None
        if present is None:
            present = _Present(candidate, seen_at=now, asked_at=now)
            self._present[candidate.address] = present
            present.task = asyncio.create_task(self._ask(present))
        present.seen_at = now

    def _judge(self, present: _Present, patience: float, candidates: list[Candidate]) -> None:
        now = self.now()
        if now - present.seen_at > patience and present.candidate not in candidates:
            self._went(present)
        elif self._is_worth_asking_again(present) and now - present.asked_at >= ASK_AGAIN:
            present.asked_at = now
            present.task = asyncio.create_task(self._ask(present))

    def _is_worth_asking_again(self, present: _Present) -> bool:
        looks = (
            present.candidate.likeness(driver.info) or UNLIKELY for driver in self.finder.drivers
        )
        return isinstance(present.answer, NotABoard) and max(looks) >= BY_MAKER

    def _went(self, present: _Present) -> None:
        del self._present[present.candidate.address]
        if present.task is not None:
            present.task.cancel()
        if present.answer is not None:
            self.tell(Change(what="went", answer=present.answer))

    async def _ask(self, present: _Present) -> None:
        answer = await self.finder.ask(present.candidate)
        if isinstance(answer, NotABoard) and answer.heard is None:
            await asyncio.sleep(LISTED + LOOK_EVERY)  # it may just be on its way out
        before, present.answer = present.answer, answer
        present.task = None
        if before is None:
            self.tell(Change(what="came", answer=self._beside_the_others(answer)))
        elif before != answer:
            self.tell(Change(what="changed", answer=self._beside_the_others(answer)))

    def _beside_the_others(self, answer: Found | NotABoard) -> Found | NotABoard:
        """Return *answer* with what is to be said of it as one of all that are there."""
        others = [one.answer for one in self._present.values() if one.answer is not None]
        told = once_each([*(one for one in others if one != answer), answer])
        if told[-1].address == answer.address:
            return told[-1]
        same = next(one for one in told if answer.address in getattr(one, "also_at", ()))
        return NotABoard(address=answer.address, reason=f"the board at {same.address}")
