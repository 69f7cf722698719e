"""What was really played, beside the stream that shows it (``board-truth/1``).

Times are those of the stream, in seconds.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import chess

from drivers.simulated.streams.clocks import Told
from drivers.simulated.streams.faults import DEAD_SQUARE, FLICKER, MISREAD, Troubles
from drivers.simulated.streams.knowable import Glimpse, why_unknowable
from drivers.simulated.streams.sensor import BoardKind, Fault, Pause, Seen
from drivers.simulated.streams.world import Illegal, Played, PlayedGame

LOOK_AFTER = 10.0
"""A reply whose first piece was not seen to go this long (s) after it went is never seen so."""

LINK_LOSS = "link loss"
MISSED_SCAN = "missed scan"
GLANCE = 0.3
"""A position that stood this long outside a pause was seen (s)."""


class Truth:
    """Compares a world with what the stream showed of it."""

    def __init__(
        self, seen: Sequence[Seen], told: Sequence[Told], troubles: Troubles, kind: BoardKind
    ) -> None:
        self._kind = kind
        self._troubles = troubles
        self._reported: dict[float, float] = {}
        for line in told:
            if line.shows_press is not None:
                self._reported.setdefault(line.shows_press, line.at)
        self._shown: dict[int, list[Seen]] = defaultdict(list)
        for change in seen:
            self._shown[change.square].append(change)

    def of(self, game: PlayedGame) -> dict[str, Any]:
        """Return the truth of *game*."""
        plies = game.plies
        replies = [*plies[1:], None]
        how = [list(dict.fromkeys([*ply.how, *self._troubles_of(game, ply)])) for ply in plies]
        phenomena = Counter(name for names in how for name in names)
        why_not = self._why_not(game)
        return {
            "variant": game.variant,
            "start_fen": game.start.fen(),
            "rotated": game.rotated,
            "time_control": str(game.control or "?"),
            "started": _round(game.started),
            "ended": _round(game.ended),
            "moves": [
                {
                    "uci": ply.uci,
                    "rest": _round(ply.rest),
                    "press": _round(ply.press),
                    "reported": _round(self._reported.get(ply.press or -1.0)),
                    "reply": _round(self._reply(game, reply)),
                    "how": names,
                }
                for ply, reply, names in zip(plies, replies, how, strict=True)
            ],
            "result": game.result,
            "by": game.by,
            "shown_at": _round(game.shown_at),
            "illegal": [_illegal(wrong) for wrong in game.illegal],
            "phenomena": dict(sorted(phenomena.items())),
            "determinable": not why_not,
            "why_not": why_not,
        }

    def _reply(self, game: PlayedGame, reply: Played | None) -> float | None:
        """Return when the stream first shows a piece of *reply* leaving its square."""
        if reply is None:
            return None
        left = []
        for square in reply.origins:
            shown = self._shown[game.on_board(square)]
            piece = reply.before.piece_at(square)
            symbol = piece.symbol() if piece and self._kind == "identity" else "x"
            for change in shown[bisect_left(shown, reply.begun, key=lambda seen: seen.at) :]:
                if change.letter != symbol and change.at <= reply.rest + LOOK_AFTER:
                    left.append(change.at)
                    break
        return min(left, default=None)

    # --- what touched a ply ---------------------------------------------------------------------

    def _troubles_of(self, game: PlayedGame, ply: Played) -> list[str]:
        """Return the names of the troubles that the sensors or the link had during *ply*."""
        end = ply.rest + 1.0
        squares = {game.on_board(square) for square in ply.changed}
        names = [
            fault.name
            for fault in self._troubles.faults
            if fault.begin <= end
            and fault.end >= ply.thinking_since
            and (fault.name != DEAD_SQUARE or fault.square in squares)
            and (fault.name != MISREAD or self._kind == "identity")
        ]
        if any(_meet(pause, ply.begun, end) for pause in self._troubles.missed):
            names.append(MISSED_SCAN)
        if any(_meet(pause, ply.thinking_since, end) for pause in self._troubles.lost):
            names.append(LINK_LOSS)
        return names

    # --- whether the moves can be known ---------------------------------------------------------

    def _why_not(self, game: PlayedGame) -> str:
        glimpses = [self._glimpse(game, number) for number in range(len(game.plies))]
        start, first = game.start, 0
        for stood in [wrong.ply for wrong in game.illegal if wrong.stands]:
            why = why_unknowable(start, glimpses[first : stood - 1], self._kind)
            if why:
                return why
            if not glimpses[stood - 1].seen:
                return "an illegal move that stood was not seen"
            start, first = game.plies[stood - 1].after, stood
        return why_unknowable(start, glimpses[first:], self._kind)

    def _glimpse(self, game: PlayedGame, number: int) -> Glimpse:
        ply = game.plies[number]
        last = number + 1 == len(game.plies)
        until = game.ended if last else max(game.plies[number + 1].begun, ply.rest)
        pauses = [*self._troubles.lost, *self._troubles.missed]
        hidden = any(p.begin <= ply.rest and until <= p.end + GLANCE for p in pauses)
        blind = 0
        for fault in self._troubles.faults:
            reads_wrongly = fault.name == DEAD_SQUARE or self._kind == "identity"
            if fault.name != FLICKER and reads_wrongly and _meet(fault, ply.rest, until):
                blind |= chess.BB_SQUARES[game.on_board(fault.square)]
        emptied = 0
        for square in ply.changed:
            shown = self._shown[game.on_board(square)]
            first = bisect_left(shown, ply.thinking_since, key=lambda seen: seen.at)
            changed_again = [s for s in shown[first:] if s.at <= ply.rest + GLANCE]
            if any(s.letter is None for s in changed_again):
                emptied |= chess.BB_SQUARES[square]
        return Glimpse(board=ply.after, seen=not hidden, blind=blind, emptied=emptied)


def _meet(span: Pause | Fault, begin: float, end: float) -> bool:
    return span.begin <= end and begin <= span.end


def _illegal(wrong: Illegal) -> dict[str, Any]:
    return {
        "ply": wrong.ply,
        "by": "white" if wrong.by == chess.WHITE else "black",
        "press": _round(wrong.press),
        "uci": wrong.uci,
        "reason": wrong.reason,
        "stands": wrong.stands,
    }


def _round(at: float | None) -> float | None:
    return None if at is None else round(at, 3)
