"""Board streams: the readings that a live board would make, from lines of JSON."""

from collections.abc import Iterator
from typing import Annotated, Literal

import chess
import msgspec

from bridge.core.inference.placement import cells_from_placement
from bridge.core.json_errors import NOT_JSON
from bridge.core.model import LinkChange, Payload, Reading, TableSetup
from drivers.events import (
    EMPTY,
    PIECES,
    UNKNOWN_CELLS,
    UNNAMED,
    ClockReading,
    Snapshot,
    SquareChange,
)

OCCUPIED = "x"
_SHOWN = {*PIECES, EMPTY, UNNAMED, OCCUPIED}
_NO_PIECE = f"is no piece: men are written as in FEN, and {OCCUPIED!r} where they have no names"


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
        except NOT_JSON as error:
            if self._is_unknown_kind(line):
                return None
            raise self._error(str(error)) from error

    def _is_unknown_kind(self, line: str | bytes) -> bool:
        try:
            return msgspec.json.decode(line, type=_Kind).kind not in _KINDS
        except NOT_JSON:
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
            raise self._error(f"{strange[0]!r} {_NO_PIECE}")
        return cells.replace(OCCUPIED, UNNAMED)

    def _change(self, line: _Field) -> SquareChange:
        name = line.square
        if name not in chess.SQUARE_NAMES:
            raise self._error(f"{name!r} is no square")
        piece = EMPTY if line.piece is None else line.piece
        if piece not in _SHOWN:
            raise self._error(f"{piece!r} {_NO_PIECE}")
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
