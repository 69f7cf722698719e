"""Board streams in, engine output lines out: the exchange format of ``eboard-bridge infer``.

One JSON object a line on both sides (``formats/board-stream``, version 1). Reading a stream
makes the same readings as a live board would; writing turns facts into the lines that the
outside world would have been told. Pure: text in, text out.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import chess
import msgspec

from bridge.core.audience import is_silent
from bridge.core.inference.placement import cells_from_placement
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    LinkChange,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    Payload,
    PositionAdopted,
    Reading,
    StateExplained,
    TableSetup,
)
from bridge.core.table import Table
from drivers.events import (
    EMPTY,
    PIECES,
    UNKNOWN_CELLS,
    UNNAMED,
    ClockReading,
    Snapshot,
    SquareChange,
)

AFTERTIME = 10.0
"""Silence that is assumed after the last line, so that what rests may still settle (s)."""
OCCUPIED = "x"
_SHOWN = {*PIECES, EMPTY, UNNAMED, OCCUPIED}


class StreamError(ValueError):
    """A line that does not fit; the message names file, line and reason."""


class _Game(msgspec.Struct):
    variant: Literal["standard", "chess960", "from_position"] = "standard"
    start_fen: str | None = None


_Seconds = Annotated[int, msgspec.Meta(ge=0)]


class _Meta(msgspec.Struct, tag="meta", tag_field="kind"):
    t: float
    board: Literal["identity", "occupancy"]
    clock: bool
    games: list[_Game]
    stream: str = ""


class _Snapshot(msgspec.Struct, tag="snapshot", tag_field="kind"):
    t: float
    board: str


class _Field(msgspec.Struct, tag="field", tag_field="kind"):
    t: float
    square: str
    piece: str | None


class _Clock(msgspec.Struct, tag="clock", tag_field="kind"):
    t: float
    left: _Seconds
    right: _Seconds
    turn: Literal["left", "right"] | None
    run: bool


class _Link(msgspec.Struct, tag="link", tag_field="kind"):
    t: float
    state: Literal["down", "up"]


_Line = _Meta | _Snapshot | _Field | _Clock | _Link
_KINDS = {"meta", "snapshot", "field", "clock", "link"}
_decoder: msgspec.json.Decoder[_Line] = msgspec.json.Decoder(_Line)


class _Kind(msgspec.Struct):
    kind: str


class StreamReader:
    """Turns the lines of one stream into readings; unknown kinds and keys are passed over."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._line = 0
        self._t = 0.0
        self._seq = 0
        self._cells = UNKNOWN_CELLS
        self._meta: _Meta | None = None

    def setup(self, game: int) -> TableSetup | None:
        """Return how game number *game* (from 1) of the stream is set up, if the stream says."""
        if self._meta is None or game > len(self._meta.games):
            return None
        told = self._meta.games[game - 1]
        return TableSetup(
            start_fen=told.start_fen,
            chess960=told.variant == "chess960",
            has_clock=self._meta.clock,
            sensing=self._meta.board,
        )

    def read(self, line: str | bytes) -> list[Reading]:
        """Return the readings of the next line.

        Raises:
            StreamError: the line is malformed or time goes back.
        """
        self._line += 1
        if not line.strip():
            return []
        decoded = self._decode(line)
        if decoded is None:
            return []
        if isinstance(decoded, _Meta) == (self._meta is not None):
            raise self._error("a stream has one meta line, before all others")
        if decoded.t < self._t:
            raise self._error(f"time goes back from {self._t} to {decoded.t}")
        self._t = decoded.t
        return [self._reading(payload) for payload in self._payloads(decoded)]

    def _decode(self, line: str | bytes) -> _Line | None:
        try:
            return _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            if self._is_unknown_kind(line):
                return None
            raise self._error(str(error)) from error

    def _is_unknown_kind(self, line: str | bytes) -> bool:
        try:
            return msgspec.json.decode(line, type=_Kind).kind not in _KINDS
        except (msgspec.DecodeError, UnicodeError):
            return False

    def _payloads(self, line: _Line) -> Iterator[Payload]:
        match line:
            case _Meta():
                yield self._setup(line)
            case _Snapshot():
                self._cells = self._placement(line.board)
                yield Snapshot(at=line.t, cells=self._cells)
            case _Field():
                yield self._change(line)
            case _Clock():
                yield ClockReading(
                    at=line.t,
                    left_ms=line.left * 1000,
                    right_ms=line.right * 1000,
                    running=line.run,
                    turn=line.turn,
                )
            case _Link(state="down"):
                self._cells = UNKNOWN_CELLS
                yield LinkChange(state="lost", detail="the stream says so")
            case _Link():
                yield LinkChange(state="live")

    def _setup(self, meta: _Meta) -> TableSetup:
        for game in meta.games:
            self._check(game)
        self._meta = meta
        return self.setup(1) or TableSetup(has_clock=meta.clock, sensing=meta.board)

    def _check(self, game: _Game) -> None:
        if game.variant == "from_position" and game.start_fen is None:
            raise self._error("a game from a position needs its start_fen")
        try:
            chess.Board(game.start_fen or chess.STARTING_FEN)
        except ValueError as error:
            raise self._error(f"start_fen: {error}") from error

    def _placement(self, board: str) -> str:
        try:
            cells = cells_from_placement(board)
        except ValueError as error:
            raise self._error(str(error)) from error
        strange = sorted(set(cells) - _SHOWN)
        if strange:
            raise self._error(f"{strange[0]!r} is no piece")
        return cells.replace(OCCUPIED, UNNAMED)

    def _change(self, line: _Field) -> SquareChange:
        name = line.square
        if name not in chess.SQUARE_NAMES:
            raise self._error(f"{name!r} is no square")
        piece = EMPTY if line.piece is None else line.piece
        if piece not in _SHOWN:
            raise self._error(f"{piece!r} is no piece")
        square = chess.parse_square(name)
        piece = piece.replace(OCCUPIED, UNNAMED)
        self._cells = f"{self._cells[:square]}{piece}{self._cells[square + 1 :]}"
        return SquareChange(at=line.t, square=square, piece=piece, cells=self._cells)

    def _reading(self, payload: Payload) -> Reading:
        self._seq += 1
        return Reading(
            table=self.name, link="stream", seq=self._seq, at=self._t, wall=self._t, payload=payload
        )

    def _error(self, what: str) -> StreamError:
        return StreamError(f"{self.name}:{self._line}: {what}")


class OutputWriter:
    """Turns facts into engine output lines."""

    def __init__(self, *, provisional: bool = False, explain: bool = False) -> None:
        self._provisional = provisional
        self._explain = explain

    def lines(self, facts: Iterable[Fact]) -> list[str]:
        """Return the lines for *facts*, without line ends."""
        made = [self._line(fact) for fact in facts]
        return [msgspec.json.encode(line).decode() for line in made if line]

    def _line(self, fact: Fact) -> dict[str, Any] | None:
        t = round(fact.at, 6)
        match fact:
            case MoveSettled():
                line = {"t": t, "move": fact.uci, "ply": fact.ply, "san": fact.san}
                return self._because(line, fact, basis=fact.basis, seen=fact.because)
            case MoveProvisional() if self._provisional:
                return {"t": t, "provisional": fact.uci}
            case MovesCorrected():
                return {"t": t, "retract": fact.count, "reason": fact.reason}
            case AlertRaised() | AlertCleared() if is_silent(fact) and not self._explain:
                return None
            case AlertRaised():
                return self._because(_alert_line(t, fact), fact, text=fact.text)
            case AlertCleared():
                return {"t": t, "cleared": fact.code}
            case GameEnded(result="*") | PositionAdopted() | StateExplained():
                return {"t": t, "state": _state(fact)}
            case GameEnded():
                return {"t": t, "result": fact.result, "by": fact.by}
            case GameStarted() if fact.game > 1 or t > 0:
                return {"t": t, "new_game": True, "fen": fact.fen}
            case _:
                return None

    def _because(self, line: dict[str, Any], fact: Fact, **why: str) -> dict[str, Any]:
        if self._explain:
            line["because"] = {**why, "readings": fact.evidence}
        return line


def _state(fact: GameEnded | PositionAdopted | StateExplained) -> str:
    match fact:
        case GameEnded():
            return f"the game ended without a result: {fact.by}"
        case PositionAdopted():
            return f"play goes on from {fact.fen} after ply {fact.ply}: {fact.reason}"
        case StateExplained():
            return fact.text


def _alert_line(t: float, fact: AlertRaised) -> dict[str, Any]:
    line: dict[str, Any] = {
        "t": t,
        "alert": fact.code,
        "illegal": fact.illegal,
        "severity": fact.severity,
        "by": fact.by,
        "reason": fact.reason,
        "article": fact.article,
        "san_tried": fact.san_tried,
        "restore": fact.restore,
        "text": fact.text,
    }
    return {key: value for key, value in line.items() if value not in (None, "")}


def infer(lines: Iterable[str | bytes], *, name: str, writer: OutputWriter) -> Iterator[str]:
    """Yield the engine output of a board stream, line by line.

    Raises:
        StreamError: a malformed line.
    """
    reader, table = StreamReader(name), Table(name)
    last: Reading | None = None
    for line in lines:
        for reading in reader.read(line):
            last = reading
            facts = table.apply(reading)
            yield from writer.lines(facts)
            yield from writer.lines(set_up_next(reader, table, reading, facts))
    if last is not None:
        yield from writer.lines(table.tick(last.at + AFTERTIME))


def set_up_next(
    reader: StreamReader, table: Table, last: Reading, facts: Iterable[Fact]
) -> list[Fact]:
    """Set the table up for the game behind the one that *facts* end, if the stream says how."""
    ended = next((fact.game for fact in facts if isinstance(fact, GameEnded)), None)
    setup = None if ended is None else reader.setup(ended + 1)
    # The array that ends an abandoned game begins the next one already.
    if setup is None or (table.game != ended and setup == table.setup):
        return []
    return table.apply(msgspec.structs.replace(last, payload=setup))
