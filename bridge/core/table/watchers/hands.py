"""Watching what hands did before a move was made: men touched, released, adjusted (Laws 4).

All of it is silent: a sensor sees squares, not words or intentions, and the arbiter must have
seen it himself. Looked at once for each ply, in what the board showed during the turn.
"""

from typing import NamedTuple

import chess

from bridge.core.inference.findings import Settled
from bridge.core.inference.placement import difference
from bridge.core.laws.illegal import victim_square
from bridge.core.laws.touch import breach, obligation
from bridge.core.model import Confidence
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press
from drivers.cells import cells_of
from drivers.events import EMPTY

NUDGE = 0.3
"""Off and on the same square in less time is no touch (s)."""
SURE, LIKELY = 3.0, 1.0
"""How long a man must be away for a high, or a medium, confidence (s)."""
RELEASED = 1.0
"""A man that stood so long on a square was let go there (s)."""
SWEPT = 0.3
"""Neighbours that leave within this time were brushed, not touched (s)."""
ONE_SCAN = 0.05
"""Men that change within this time did so in one scan (s)."""
BEFORE_THE_KING = 0.25
"""A rook was touched before its king if it left so much earlier; else nobody knows (s)."""
MOST_RETURNED = 2
"""More men that were lifted and put back were adjusted."""
REMOVED_LATE = 0.5
"""A pawn taken in passing that leaves so long after the press was not removed before it (s)."""
_SAYS = frozenset({"TOUCH_MOVE_SUSPECTED", "RELEASED_PIECE_MOVED_AGAIN"})


class _Away(NamedTuple):
    """A man that left ``square`` at ``left`` and was back on it at ``back``, if it was."""

    square: chess.Square
    left: float
    back: float | None

    @property
    def duration(self) -> float:
        """How long it was away; nothing if it is not back."""
        return 0.0 if self.back is None else self.back - self.left


class _Stay(NamedTuple):
    """A man of kind ``man`` stood on a square that was empty, from ``since`` to ``until``."""

    square: chess.Square
    man: str
    since: float
    until: float


class Hands(Watcher):
    """Goes through what the board showed in a turn, when its move is settled."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._begun = desk.told.at
        self._pressed: dict[chess.Color, float] = {}

    def pressed(self, press: Press, *, late: bool) -> None:  # noqa: ARG002 - any ends a turn
        """The turn of the other player begins."""
        self._pressed[press.colour] = self.desk.told.at

    def settled(self, finding: Settled) -> None:
        """Look at the turn that ends with this move."""
        desk = self.desk
        desk.alerts.clear_all(_SAYS, "the opponent has moved", how="expired")
        mover, ended = finding.before.turn, finding.stood_from
        begun = max(self._begun, self._pressed.get(not mover, self._begun))
        self._begun = ended
        engine = desk.engine
        named = engine.position.sensing == "identity" and engine.in_sight
        if not named or finding.basis in ("gap", "stands") or ended < begun:
            return
        trace = engine.sight.since(begun)
        if trace and (desk.setup.two_hands or len(trace) > _fewest_changes(finding)):
            self._judge(finding, _Turn(finding, begun, trace))

    def _judge(self, finding: Settled, turn: "_Turn") -> None:
        if finding.before.is_en_passant(finding.move):
            self._removed_late(finding, turn)
        self._released(finding, turn)
        self._touched(finding, turn)
        if self.desk.setup.two_hands:
            self._two_hands(finding, turn)

    # -- touching ----------------------------------------------------------------------------------

    def _touched(self, finding: Settled, turn: "_Turn") -> None:
        before, move, mover = finding.before, finding.move, finding.before.turn
        returned = turn.returned()
        if len(returned) > MOST_RETURNED or not (returned or before.is_castling(move)):
            return
        how = breach(before, turn.touched(returned), move)
        if how is None:
            theirs = [away for away in returned if before.color_at(away.square) != mover]
            if theirs:
                self._say(
                    "ADJUST_OUT_OF_TURN",
                    f"the man on {_names(theirs)} was lifted and put back in the opponent's time",
                    by=name_of(not mover),
                )
            return
        duty = obligation(before, turn.touched(returned))
        sure: Confidence = _confidence(returned) if returned else "high"
        self._say(
            "TOUCH_MOVE_SUSPECTED",
            f"{_names(returned) or 'the rook'} was touched before {before.san(move)}",
            reason=how,
            remedy=f"left by it: {' or '.join(sorted(before.san(each) for each in duty.moves))}",
            by=name_of(mover),
            confidence=sure,
        )

    def _released(self, finding: Settled, turn: "_Turn") -> None:
        before, move = finding.before, finding.move
        if before.is_castling(move) or move.promotion is not None:
            return
        man = turn.baseline[move.from_square]
        for stay in turn.stays:
            there = chess.Move(move.from_square, stay.square)
            stood = stay.man == man and stay.until - stay.since >= RELEASED
            if stood and stay.square != move.to_square and before.is_legal(there):
                self._say(
                    "RELEASED_PIECE_MOVED_AGAIN",
                    f"{before.san(there)} stood for {stay.until - stay.since:.1f} s before "
                    f"{before.san(move)}",
                    by=name_of(before.turn),
                    confidence="medium",
                )
                return

    def _two_hands(self, finding: Settled, turn: "_Turn") -> None:
        move = finding.move
        if not (finding.before.is_castling(move) or finding.before.is_capture(move)):
            return
        left = sorted(away.left for away in turn.gone)
        landed = sorted(turn.landed)
        if any(b - a <= ONE_SCAN for times in (left, landed) for a, b in zip(times, times[1:])):  # noqa: B905, RUF007 - neighbours
            self._say(
                "TWO_HANDS_SUSPECTED",
                f"two men of {finding.before.san(move)} were moved at once",
                by=name_of(finding.before.turn),
                confidence="low",
            )

    def _say(self, code: str, text: str, **fields: object) -> None:
        self.desk.alerts.raise_again(code, None, text, **fields)

    def _removed_late(self, finding: Settled, turn: "_Turn") -> None:
        pressed = self._pressed.get(finding.before.turn)
        victim = victim_square(finding.before, finding.move)
        gone = next((away.left for away in turn.gone if away.square == victim), None)
        if pressed is None or gone is None or not turn.begun < pressed < gone - REMOVED_LATE:
            return
        late = gone - pressed
        known = self.desk.told.raised.get("EN_PASSANT_INCOMPLETE")
        if known is not None and known.at >= pressed:
            return
        self.desk.alerts.raise_again(
            "EN_PASSANT_INCOMPLETE",
            "warning",
            f"the pawn taken by {finding.before.san(finding.move)} was removed "
            f"{late:.1f} s after the press",
            reason="EP_PAWN_NOT_REMOVED",
            remedy="the arbiter decides",
            by=name_of(finding.before.turn),
            confidence="medium",
        )


class _Turn:
    """What changed on the board from the beginning of a turn to its last man's rest.

    ``gone`` are the men that left their squares and did not come back, ``stays`` where men stood
    meanwhile, ``landed`` when the men of the move came to stand.
    """

    def __init__(self, finding: Settled, begun: float, trace: list[tuple[float, str]]) -> None:
        self.begun = begun
        self.baseline = cells_of(finding.before)
        self.gone: list[_Away] = []
        self.stays: list[_Stay] = []
        self.landed: list[float] = []
        self._back: list[_Away] = []
        self._since: dict[chess.Square, float] = {}
        before = self.baseline
        for at, cells in trace:
            if at > finding.stood_from and not finding.before.is_en_passant(finding.move):
                break
            for square in chess.scan_forward(difference(before, cells)):
                self._changes(square, before[square], cells[square], at)
            before = cells
        for square, at in self._since.items():
            if before[square] != self.baseline[square] != EMPTY:
                self.gone.append(_Away(square, at, None))
            if before[square] not in (EMPTY, self.baseline[square]):
                self.landed.append(at)

    def _changes(self, square: chess.Square, was: str, now: str, at: float) -> None:
        """Follow one square; it is known since when it shows something else than at first."""
        first = self.baseline[square]
        if now == first and first != EMPTY:
            self._back.append(_Away(square, self._since.pop(square, at), at))
        elif was not in (EMPTY, first):
            self.stays.append(_Stay(square, was, self._since.pop(square, at), at))
        else:
            self._since.setdefault(square, at)

    def returned(self) -> list[_Away]:
        """Return the men that were lifted and put back, but for nudges and men brushed together."""
        longer = [away for away in self._back if away.duration >= NUDGE]
        return [away for away in longer if not any(_swept(away, each) for each in self._back)]

    def touched(self, returned: list[_Away]) -> list[chess.Square]:
        """Return the squares of touched men in the order of touching."""
        men = sorted((*returned, *self.gone), key=lambda away: away.left - self._head_start(away))
        return [away.square for away in men]

    def _head_start(self, away: _Away) -> float:
        return BEFORE_THE_KING if self.baseline[away.square] in "Kk" else 0.0


def _fewest_changes(finding: Settled) -> int:
    """Return how often a board changes by the move and nothing else; the rest tells something."""
    before, move = finding.before, finding.move
    if before.is_castling(move) or before.is_en_passant(move):
        return 0
    return 2 + (before.piece_type_at(move.to_square) is not None)


def _swept(one: _Away, other: _Away) -> bool:
    near = chess.square_distance(one.square, other.square) == 1
    return near and abs(one.left - other.left) <= SWEPT


def _names(men: list[_Away]) -> str:
    return " and ".join(chess.square_name(away.square) for away in men)


def _confidence(men: list[_Away]) -> Confidence:
    longest = max(away.duration for away in men)
    return "high" if longest > SURE else "medium" if longest >= LIKELY else "low"
