"""Takes the rulings of an arbiter at one table: each is carried out as a whole or refused."""

from collections.abc import Callable
from typing import Any, NamedTuple

from bridge.core.model import (
    AcceptAlert,
    AddNote,
    Adjourn,
    ClaimDraw,
    CompareScoresheet,
    ConfirmOffence,
    CorrectMoves,
    DismissAlert,
    LetStand,
    NoteDrawOffer,
    NotePresence,
    NoteReversedColours,
    Order,
    Penalise,
    RestorePosition,
    Resume,
    Ruling,
    RulingMade,
    RulingRefused,
    RulingUndone,
    ScheduleStart,
    SetClocks,
    SetResult,
    Undo,
)
from bridge.core.table.rulings import claims, entries, moves, notices, results, starts
from bridge.core.table.rulings.bench import Bench, Decision, Deed, RefusedError, Standing

_JUDGES: dict[type[Order], Callable[[Bench, Ruling, Any], Decision]] = {
    AcceptAlert: notices.accept,
    DismissAlert: notices.dismiss,
    ConfirmOffence: notices.confirm,
    RestorePosition: moves.restore,
    LetStand: moves.let_stand,
    CorrectMoves: moves.correct,
    SetResult: results.set_result,
    SetClocks: notices.set_clocks,
    Adjourn: results.adjourn,
    Resume: results.resume,
    ClaimDraw: claims.claim,
    Penalise: results.penalise,
    ScheduleStart: starts.schedule_start,
    NotePresence: starts.presence,
    NoteDrawOffer: entries.draw_offer,
    NoteReversedColours: entries.reversed_colours,
    CompareScoresheet: entries.scoresheet,
    AddNote: notices.note,
}


class _Made(NamedTuple):
    """A ruling that was carried out; ``undone_by``: and holds no longer."""

    ruling: Ruling
    game: int
    undo: Callable[[], Deed]
    undone_by: int | None = None


class Rulings:
    """The rulings of one table, numbered from 1 in the order they came."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._count = 0
        self._made: dict[int, _Made] = {}

    def take(self, ruling: Ruling) -> None:
        """Carry out a ruling, or refuse it and change nothing."""
        self._count += 1
        number, told = self._count, self._bench.told
        try:
            _check_author(ruling)
            decision = self._decide(number, ruling)
        except RefusedError as refused:
            told.state(
                RulingRefused,
                number=number,
                ruling=ruling,
                reason=str(refused),
                breaks=refused.breaks,
                kept=refused.kept,
                corrected=refused.corrected,
            )
            return
        told.state(RulingMade, number=number, ruling=ruling, text=decision.text)
        game = ruling.game or told.game
        self._stands(number, _Made(ruling, game, decision.undo))
        decision.effect()

    def _stands(self, number: int, made: _Made) -> None:
        self._made[number] = made
        self._bench.made.append(Standing(number, made.game, made.ruling.order))

    def _falls(self, number: int, by: int) -> None:
        self._made[number] = self._made[number]._replace(undone_by=by)
        self._bench.made[:] = [each for each in self._bench.made if each.number != number]

    def _decide(self, number: int, ruling: Ruling) -> Decision:
        self._bench.number = number
        if isinstance(ruling.order, Undo):
            return self._undo(number, ruling.order.ruling)
        return _JUDGES[type(ruling.order)](self._bench, ruling, ruling.order)

    # -- undoing -----------------------------------------------------------------------------------

    def _undo(self, number: int, undone: int) -> Decision:
        made = self._made.get(undone)
        if made is None:
            raise RefusedError(f"there is no ruling {undone} that was carried out")
        if made.undone_by is not None:
            raise RefusedError(f"ruling {undone} was undone by ruling {made.undone_by} already")
        deed = made.undo()

        def effect() -> None:
            self._falls(undone, number)
            self._bench.told.state(RulingUndone, number=undone, undone_by=number)
            deed.effect()

        text = f"ruling {undone} is undone: {deed.text}"
        return Decision(text, effect, lambda: self._redo(undone))

    def _redo(self, number: int) -> Deed:
        """Find out how an undone ruling can be made again, as it would be judged now."""
        made = self._made[number]
        decision = self._decide(number, made.ruling)

        def effect() -> None:
            self._stands(number, made._replace(undo=decision.undo, undone_by=None))
            decision.effect()

        return Deed(f"ruling {number} holds again: {decision.text}", effect)


def _check_author(ruling: Ruling) -> None:
    if not ruling.by.strip():
        raise RefusedError("nobody is named who rules")
    if not (ruling.reason.strip() or isinstance(ruling.order, AddNote)):
        raise RefusedError("no reason is given")
