"""Engine output against the truth of a stream: what was right, what was wrong, how late it came.

Pure. ``board-truth/1`` is what a playing simulator writes beside a board stream: what was really
played, when each man came to rest, when the clock was pressed, and what disturbed each ply. Engine
output is what ``infer --provisional`` writes (``formats/board-stream``, section 2). All times are
stream seconds.
"""

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated

import chess
import msgspec

ALERT_WINDOW = 5.0
"""How long after the press an illegal move may be reported, if nobody moves meanwhile (s)."""
UNDISTURBED = "(undisturbed)"
"""Stands for the plies that nothing touched."""


class TrueMove(msgspec.Struct):
    """A move that was played; ``rest`` is when its last man stood.

    ``reported``: when the stream first showed the press; ``reply``: when it first showed the reply
    being begun.
    """

    uci: str
    rest: float
    press: float | None = None
    reported: float | None = None
    reply: float | None = None
    how: tuple[str, ...] = ()

    @property
    def decided(self) -> float | None:
        """When the stream had shown what decides the move; ``None`` if it never did."""
        shown = [at for at in (self.reported, self.reply) if at is not None]
        return max(self.rest, min(shown)) if shown else None


class TrueIllegal(msgspec.Struct):
    """An illegal move that was completed by a press; ``stands``: it was played on from."""

    ply: int
    press: float
    uci: str
    reason: str
    stands: bool = False


class TrueGame(msgspec.Struct):
    """One game of a stream; ``determinable``: whether the stream can tell its moves at all."""

    moves: tuple[TrueMove, ...]
    started: float
    ended: float
    variant: str = "standard"
    start_fen: str = chess.STARTING_FEN
    time_control: str = "?"
    result: str = "*"
    illegal: tuple[TrueIllegal, ...] = ()
    determinable: bool = True


class Truth(msgspec.Struct):
    """What really happened on a board; ``games`` are in the order they were played."""

    stream: str
    profile: str
    board: str
    games: Annotated[tuple[TrueGame, ...], msgspec.Meta(min_length=1)]


class Told(msgspec.Struct):
    """A line of engine output; what another kind of line would hold is left at its default."""

    t: float
    move: str | None = None
    ply: int = 0
    retract: int = 0
    alert: str | None = None
    illegal: bool = False
    san_tried: str | None = None
    result: str | None = None
    new_game: bool = False
    provisional: str | msgspec.UnsetType | None = msgspec.UNSET


_truth_decoder = msgspec.json.Decoder(Truth)
_told_decoder = msgspec.json.Decoder(Told)


def read_truth(text: str | bytes) -> Truth:
    """Return the truth that *text* holds.

    Raises:
        msgspec.DecodeError: it does not hold a truth.
    """
    return _truth_decoder.decode(text)


def read_told(lines: Iterable[str]) -> list[Told]:
    """Return engine output, line by line."""
    return [_told_decoder.decode(line) for line in lines]


@dataclass
class Failure:
    """One thing that went wrong, for whoever looks for its cause."""

    stream: str
    game: int
    what: str
    ply: int
    t: float
    expected: str
    got: str
    how: str


@dataclass
class Touched:
    """Plies that a disturbance touched; ``first``: how many were the first wrong of their game."""

    plies: int = 0
    bad: int = 0
    first: int = 0

    def add(self, other: "Touched") -> None:
        """Count *other* in."""
        self.plies += other.plies
        self.bad += other.bad
        self.first += other.first


def _samples() -> "array[float]":
    return array("d")


@dataclass
class Tally:
    """What was counted and measured over some streams; delays in seconds, costs in microseconds.

    ``standing`` are the moves that stood at the end, ``settled`` all that were ever published.
    """

    streams: int = 0
    failed: int = 0
    games: int = 0
    exact: int = 0
    determinable: int = 0
    determinable_exact: int = 0
    plies: int = 0
    standing: int = 0
    matched: int = 0
    settled: int = 0
    settled_wrong: int = 0
    determinable_plies: int = 0
    determinable_wrong: int = 0
    illegal: int = 0
    alerts: int = 0
    illegal_found: int = 0
    determinable_illegal: int = 0
    determinable_illegal_found: int = 0
    results: int = 0
    determinable_results: int = 0
    determinable_results_right: int = 0
    results_right: int = 0
    results_wrong: int = 0
    results_missing: int = 0
    after_rest: "array[float]" = field(default_factory=_samples)
    determinable_after_rest: "array[float]" = field(default_factory=_samples)
    after_evidence: "array[float]" = field(default_factory=_samples)
    provisional_after_rest: "array[float]" = field(default_factory=_samples)
    settling_us: "array[float]" = field(default_factory=_samples)
    other_us: "array[float]" = field(default_factory=_samples)
    line_us: "array[float]" = field(default_factory=_samples)
    touched: dict[str, Touched] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Count *other* in."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, int):
                setattr(self, each.name, mine + theirs)
            elif isinstance(mine, dict):
                for how, touched in theirs.items():
                    mine.setdefault(how, Touched()).add(touched)
            else:
                mine.extend(theirs)


def judge(truth: Truth, told: Sequence[Told]) -> Tally:
    """Return what *told* got right and wrong of *truth*."""
    tally = Tally(streams=1)
    shown = [line for line in told if line.provisional is not msgspec.UNSET or line.move]
    for number, (true, records) in enumerate(pair(truth, told), start=1):
        _judge_game(_Case(truth.stream, number, true, tally), records, shown)
    _judge_alerts(truth, told, tally)
    return tally


# --- which output belongs to which game ----------------------------------------------------------


@dataclass
class Record:
    """What was told of one game: the moves that stand at the end, and all there ever were."""

    standing: dict[int, Told] = field(default_factory=dict)
    settled: list[Told] = field(default_factory=list)
    results: list[Told] = field(default_factory=list)

    def take(self, line: Told) -> None:
        """Follow the next line of output."""
        if line.move is not None:
            self.standing[line.ply] = line
            self.settled.append(line)
        elif line.retract:
            for ply in sorted(self.standing)[-line.retract :]:
                del self.standing[ply]
        elif line.result is not None:
            self.results.append(line)

    @property
    def moves(self) -> list[str]:
        """The moves that stand, in order."""
        return [self.standing[ply].move or "" for ply in sorted(self.standing)]

    @property
    def began(self) -> float:
        """When the first of its moves or results was told."""
        return min(line.t for line in (*self.settled[:1], *self.results[:1]))


def records(told: Iterable[Told]) -> list[Record]:
    """Split output at each new game; games of which nothing was told are left out."""
    found = [Record()]
    for line in told:
        if line.new_game:
            found.append(Record())
        else:
            found[-1].take(line)
    return [record for record in found if record.settled or record.results]


def pair(truth: Truth, told: Iterable[Told]) -> Iterator[tuple[TrueGame, list[Record]]]:
    """Yield each game with what was told of it, the best first: more than one if it was cut up.

    A record belongs to the game that was going on, or over, when its first move was told, so that a
    game that was not noticed does not spoil the ones behind it.
    """
    starts = [game.started for game in truth.games]
    of_game: list[list[Record]] = [[] for _ in starts]
    for record in records(told):
        of_game[max(0, bisect_right(starts, record.began) - 1)].append(record)
    for game, its in zip(truth.games, of_game, strict=True):
        played = [move.uci for move in game.moves]
        its.sort(key=lambda record: -len(aligned(played, record.moves)))
        yield game, its


def aligned(played: Sequence[str], found: Sequence[str]) -> dict[int, int]:
    """Return a longest common subsequence: index in *played* to index in *found*."""
    most = min(len(played), len(found))
    head = next((i for i in range(most) if played[i] != found[i]), most)
    most -= head
    tail = next((i for i in range(most) if played[-1 - i] != found[-1 - i]), most)
    pairs = {i: i for i in range(head)}
    middle = played[head : len(played) - tail], found[head : len(found) - tail]
    pairs |= {head + i: head + j for i, j in _common(*middle)}
    shift = len(found) - len(played)
    return pairs | {i: i + shift for i in range(len(played) - tail, len(played))}


def _common(played: Sequence[str], found: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a longest common subsequence, by the usual table of lengths."""
    rows, columns = len(played), len(found)
    longest = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            if played[i] == found[j]:
                longest[i][j] = longest[i + 1][j + 1] + 1
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    i = j = 0
    while i < rows and j < columns:
        if played[i] == found[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1


# --- one game ------------------------------------------------------------------------------------


@dataclass
class _Case:
    """A game that is being judged, and where it is counted."""

    stream: str
    number: int
    true: TrueGame
    tally: Tally

    def fails(self, what: str, ply: int, t: float, expected: str, got: str) -> None:
        """Note a failure at *ply* (from 1; 0: at none)."""
        failure = Failure(self.stream, self.number, what, ply, t, expected, got, self._how(ply))
        self.tally.failures.append(failure)

    def _how(self, ply: int) -> str:
        """Name what touched *ply*, and its neighbours: what they do is often the cause."""
        touched = []
        for at, where in ((ply, ""), (ply - 1, "before: "), (ply + 1, "after: ")):
            how = self.true.moves[at - 1].how if 0 < at <= len(self.true.moves) else ()
            if ply and how:
                touched.append(where + ", ".join(how))
        return "; ".join(touched)


def _judge_game(case: _Case, records: list[Record], shown: Sequence[Told]) -> None:
    tally, true = case.tally, case.true
    best = records[0] if records else Record()
    played, found = [move.uci for move in true.moves], best.moves
    pairs = aligned(played, found)
    standing = sum(len(record.standing) for record in records)
    exact = found == played and standing == len(played)
    tally.games += 1
    tally.exact += exact
    tally.determinable += true.determinable
    tally.determinable_exact += exact and true.determinable
    tally.plies += len(played)
    tally.determinable_plies += len(played) if true.determinable else 0
    tally.standing += standing
    tally.matched += len(pairs)
    others = standing - len(best.standing)
    wrong = None if exact else _first_wrong(case, found, others)
    _count_touched(case, pairs, wrong)
    _count_settled(case, records, exact=exact)
    _measure_delays(case, best, pairs, shown)
    _judge_result(case, records)


def _first_wrong(case: _Case, found: Sequence[str], others: int) -> int:
    """Note and return the first index at which the record differs from what was played."""
    moves = case.true.moves
    same = (move.uci == got for move, got in zip(moves, found, strict=False))
    index = next((i for i, right in enumerate(same) if not right), min(len(moves), len(found)))
    expected = moves[index].uci if index < len(moves) else "-"
    none = f"{others} more of another game" if others else "-"
    got = found[index] if index < len(found) else none
    t = moves[index].rest if index < len(moves) else case.true.ended
    case.fails("move" if case.true.determinable else "open move", index + 1, t, expected, got)
    return index


def _count_touched(case: _Case, pairs: dict[int, int], wrong: int | None) -> None:
    for index, move in enumerate(case.true.moves):
        for how in sorted(set(move.how)) or [UNDISTURBED]:
            touched = case.tally.touched.setdefault(how, Touched())
            touched.plies += 1
            touched.bad += index not in pairs
            touched.first += index == wrong


def _count_settled(case: _Case, records: Iterable[Record], *, exact: bool) -> None:
    moves = case.true.moves
    for line in (line for record in records for line in record.settled):
        played = moves[line.ply - 1].uci if 0 < line.ply <= len(moves) else "-"
        case.tally.settled += 1
        if line.move != played:
            case.tally.settled_wrong += 1
            case.tally.determinable_wrong += case.true.determinable
            if exact:
                case.fails("corrected", line.ply, line.t, played, line.move or "")


def _measure_delays(
    case: _Case, best: Record, pairs: dict[int, int], shown: Sequence[Told]
) -> None:
    plies = sorted(best.standing)
    for index, place in pairs.items():
        move, line = case.true.moves[index], best.standing[plies[place]]
        case.tally.after_rest.append(line.t - move.rest)
        if case.true.determinable:
            case.tally.determinable_after_rest.append(line.t - move.rest)
        if (decided := move.decided) is not None:
            case.tally.after_evidence.append(line.t - decided)
        known = min(first_shown(shown, move.uci, move.rest), max(line.t, move.rest))
        case.tally.provisional_after_rest.append(known - move.rest)


def first_shown(shown: Sequence[Told], uci: str, rest: float) -> float:
    """Return when, from *rest* on, *uci* was first told, provisionally or settled.

    That is *rest* itself where it was the last that was told provisionally; infinity for never.
    """
    at = bisect_left(shown, rest, key=lambda line: line.t)
    earlier = (line for line in reversed(shown[:at]) if line.provisional is not msgspec.UNSET)
    if (last := next(earlier, None)) is not None and last.provisional == uci:
        return rest
    later = (line.t for line in shown[at:] if uci in (line.provisional, line.move))
    return next(later, math.inf)


def _judge_result(case: _Case, records: Iterable[Record]) -> None:
    tally, true = case.tally, case.true
    told = [line for record in records for line in record.results]
    tally.results += true.result != "*"
    tally.determinable_results += true.determinable and true.result != "*"
    wrong = next((line for line in told if line.result != true.result), None)
    if wrong is not None:
        tally.results_wrong += 1
        case.fails("result", 0, wrong.t, true.result, wrong.result or "")
    elif told:
        tally.results_right += 1
        tally.determinable_results_right += true.determinable
    elif true.result != "*":
        tally.results_missing += 1
        case.fails("result", 0, true.ended, true.result, "-")


# --- illegal moves -------------------------------------------------------------------------------


def _judge_alerts(truth: Truth, told: Sequence[Told], tally: Tally) -> None:
    left = [line for line in told if line.illegal and line.alert is not None]
    tally.alerts += len(left)
    for number, game in enumerate(truth.games, start=1):
        case = _Case(truth.stream, number, game, tally)
        for illegal in game.illegal:
            tally.illegal += 1
            tally.determinable_illegal += game.determinable
            until = reportable_until(game, illegal)
            found = next((line for line in left if illegal.press <= line.t <= until), None)
            if found is None:
                tried = f"{illegal.uci} {illegal.reason}"
                case.fails("illegal missed", illegal.ply, illegal.press, tried, "-")
            else:
                tally.illegal_found += 1
                tally.determinable_illegal_found += game.determinable
                left.remove(found)
    starts = [game.started for game in truth.games]
    for line in left:
        number = max(1, bisect_right(starts, line.t))
        game = truth.games[number - 1]
        ply = bisect_left(game.moves, line.t, key=lambda move: move.rest)
        told_of = f"{line.alert} {line.san_tried or ''}".rstrip()
        _Case(truth.stream, number, game, tally).fails("false alert", ply, line.t, "-", told_of)


def reportable_until(game: TrueGame, illegal: TrueIllegal) -> float:
    """Return how late *illegal* may be reported: until the next man came to rest, at least 5 s."""
    follows = illegal.ply if illegal.stands else illegal.ply - 1
    moved = game.moves[follows].rest if follows < len(game.moves) else game.ended
    return max(illegal.press + ALERT_WINDOW, moved)
