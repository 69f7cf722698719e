"""A board, two hands and a clock: what a scanning board reports while men are really moved.

A scene is the physical side: a man is on one square or in a hand, and a square holds one man;
anything else is an error of who wrote the scene. From it a board stream is made as a DGT board
makes it: one square after the other is sampled, the scan takes about a fifth of a second, and
only differences are told; the clock is asked once a second.

All times lie on a grid of 1/1024 s. So they are exact as floats and stay so when a power of two
is added: a scene that happens later is the same scene to the last bit.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import chess

from drivers.events import Side

Sensing = Literal["identity", "occupancy"]

GRID = 1024
SAMPLING = 3
"""From one square to the next (grid steps): about 3 ms, as measured on DGT boards."""
SCAN = 205
"""From one scan to the next (grid steps): 5 Hz."""
ASKING = 1024
"""From one question to the clock to the next (grid steps): 1 Hz."""
CLOCK_PHASE = 410
EMPTY = "."
START_SECONDS = 600
QUIET = 3.0
"""How long the stream goes on after the last thing that happened (s)."""


def on_grid(seconds: float) -> int:
    return round(seconds * GRID)


@dataclass(frozen=True)
class Reads:
    """A fault: from ``since`` until ``until`` the sensor of ``square`` reads ``letter``.

    ``instead_of`` limits it to one man; ``None`` means whatever stands there.
    """

    square: chess.Square
    letter: str
    since: int
    until: int
    instead_of: str | None


@dataclass(frozen=True)
class _Period:
    since: int
    until: int

    def __contains__(self, at: int) -> bool:
        return self.since <= at < self.until


class _Clock:
    """Two physical sides, whole seconds, no increment."""

    def __init__(self) -> None:
        self.changes: list[tuple[int, Side | None, bool]] = [(0, None, False)]

    def change(self, at: int, turn: Side | None, *, run: bool) -> None:
        self.changes.append((at, turn, run))

    def shown(self, at: int) -> dict[str, Any]:
        """Return what the clock answers at *at*."""
        left = {"left": START_SECONDS * GRID, "right": START_SECONDS * GRID}
        known = [change for change in self.changes if change[0] <= at]
        ends = [when for when, _, _ in known[1:]] + [at]
        for (since, side, running), until in zip(known, ends, strict=True):
            if running and side is not None:
                left[side] -= until - since
        _, turn, run = known[-1]
        return {
            "kind": "clock",
            "left": left["left"] // GRID,
            "right": left["right"] // GRID,
            "turn": turn,
            "run": run,
        }


class Scene:
    """Hands act one after the other; each call first lets *after* seconds pass."""

    def __init__(
        self,
        fen: str = chess.STARTING_FEN,
        *,
        variant: str = "standard",
        rotated: bool = False,
        whole_boards: bool = False,
        clock: bool = True,
    ) -> None:
        """Set the men up; with *whole_boards* a scan tells the placement, not the differences."""
        self.board = chess.Board(fen, chess960=variant == "chess960")
        self.rotated = rotated
        self.whole_boards = whole_boards
        self.games: list[dict[str, str]] = [{"variant": variant}]
        if variant == "from_position":
            self.games[0]["start_fen"] = fen
        self.has_clock = clock
        self.clock = _Clock()
        self.now = 0
        placed = self.board.piece_map()
        self._men = {square: man.symbol() for square, man in placed.items()}
        self._history: dict[chess.Square, list[tuple[int, str]]] = {
            square: [(-1, self._men.get(square, EMPTY))] for square in chess.SQUARES
        }
        self._faults: list[Reads] = []
        self._missed: list[_Period] = []
        self._down: list[_Period] = []
        if clock:
            self.runs(1.0, self.board.turn)

    # -- hands -------------------------------------------------------------------------------------

    def wait(self, seconds: float) -> "Scene":
        self.now += on_grid(seconds)
        return self

    def lift(self, after: float, *names: str) -> "Scene":
        """Take men off their squares, one hand all at once."""
        self.wait(after)
        for name in names:
            square = chess.parse_square(name)
            assert square in self._men, f"nothing to lift on {name}"
            del self._men[square]
            self._history[square].append((self.now, EMPTY))
        return self

    def put(self, after: float, *men: str) -> "Scene":
        """Put men down: ``"Pe4"`` is a white pawn on e4."""
        self.wait(after)
        for man in men:
            square = chess.parse_square(man[1:])
            assert square not in self._men, f"{man[1:]} is taken"
            self._men[square] = man[0]
            self._history[square].append((self.now, man[0]))
        return self

    def shift(self, after: float, origin: str, *names: str, dwell: float = 0.25) -> "Scene":
        """Move a man from square to square; it is in the air for half of *dwell* each time."""
        man = self._men[chess.parse_square(origin)]
        for name in names:
            self.lift(after, origin).put(dwell / 2, f"{man}{name}")
            origin, after = name, dwell / 2
        return self

    def moved(self, *sans: str) -> "Scene":
        """Note that these moves are done, however the hands did them."""
        for san in sans:
            self.board.push_san(san)
        return self

    def play(
        self, *sans: str, think: float = 2.0, hand: float = 0.4, reach: float = 0.5
    ) -> "Scene":
        """Make plain moves: think, lift, put after *hand*, press after *reach*."""
        for san in sans:
            move = self.board.parse_san(san)
            assert not self.board.is_castling(move), "castle by hand"
            assert not self.board.is_en_passant(move), "take by hand"
            man = chess.Piece.symbol(self.board.piece_at(move.from_square) or chess.Piece(1, True))
            self.lift(think, chess.square_name(move.from_square))
            if self.board.is_capture(move):
                self.lift(hand / 2, chess.square_name(move.to_square))
            self.put(hand, man + chess.square_name(move.to_square))
            self.board.push(move)
            self.press(reach)
        return self

    def takes_place(self, fen: str, *, since: float = 0.5) -> "Scene":
        """Bring the men to the placement *fen*: clear what is wrong, then fill, slowly."""
        wanted = {
            s: man.symbol()
            for s, man in chess.BaseBoard(fen.split(maxsplit=1)[0]).piece_map().items()
        }
        wrong = [s for s, man in self._men.items() if wanted.get(s) != man]
        for square in wrong:
            self.lift(since, chess.square_name(square))
        for square in [s for s in wanted if s not in self._men]:
            self.put(since, wanted[square] + chess.square_name(square))
        return self

    def new_game(self, fen: str = chess.STARTING_FEN, *, variant: str = "standard") -> "Scene":
        """Set the men up for another game of the same board."""
        self.takes_place(fen, since=0.25)
        self.board = chess.Board(fen, chess960=variant == "chess960")
        self.games.append({"variant": variant})
        return self

    # -- clock -------------------------------------------------------------------------------------

    def _side(self, colour: chess.Color) -> Side:
        return "left" if colour != self.rotated else "right"

    def runs(self, after: float, colour: chess.Color) -> "Scene":
        """Let the clock of *colour* run: a press by the other side, or the arbiter's doing."""
        self.wait(after)
        self.clock.change(self.now, self._side(colour), run=True)
        return self

    def press(self, after: float) -> "Scene":
        """Press the clock for the last move that was made: now the side to move has its turn."""
        return self.runs(after, self.board.turn) if self.has_clock else self.wait(after)

    def stop(self, after: float) -> "Scene":
        """Stop both clocks."""
        self.wait(after)
        _, turn, _ = self.clock.changes[-1]
        self.clock.change(self.now, turn, run=False)
        return self

    # -- what goes wrong ---------------------------------------------------------------------------

    def reads(
        self, after: float, name: str, letter: str, seconds: float, *, instead_of: str | None = None
    ) -> "Scene":
        """From now on the sensor of a square reads *letter* for a while."""
        self.wait(after)
        until = self.now + on_grid(seconds)
        fault = Reads(chess.parse_square(name), letter, self.now, until, instead_of)
        self._faults.append(fault)
        return self

    def misses(self, after: float, seconds: float) -> "Scene":
        """For a while the board's scans do not get through; the clock's messages do."""
        self.wait(after)
        self._missed.append(_Period(self.now, self.now + on_grid(seconds)))
        return self

    def link_down(self, after: float, seconds: float) -> "Scene":
        """The link is lost for a while, with it all messages; hands go on."""
        self.wait(after)
        self._down.append(_Period(self.now, self.now + on_grid(seconds)))
        return self

    def just_after_sampling(self, name: str) -> "Scene":
        """Wait until the scan has just passed over a square: it is sampled next in 0.2 s."""
        sampled = SAMPLING * self._order(chess.parse_square(name))
        scans = (self.now - sampled) // SCAN + 1
        self.now = scans * SCAN + sampled + 1
        return self

    # -- the stream --------------------------------------------------------------------------------

    def _order(self, square: chess.Square) -> int:
        return 63 - square if self.rotated else square

    def _read(self, square: chess.Square, at: int) -> str:
        history = self._history[square]
        _, letter = history[bisect_right(history, at, key=lambda entry: entry[0]) - 1]
        for fault in self._faults:
            if fault.square == square and fault.since <= at < fault.until:
                return fault.letter if fault.instead_of in (None, letter) else letter
        return letter

    def lines(self, board: Sensing = "identity", *, later: int = 0) -> list[str]:
        """Return the board stream; *later* shifts all but the meta line by whole seconds."""
        messages = sorted(self._messages(board), key=lambda message: message[0])
        meta = {
            "t": 0.0,
            "kind": "meta",
            "format": "board-stream/1",
            "stream": "scene",
            "board": board,
            "scan_hz": round(GRID / SCAN, 2),
            "clock": self.has_clock,
            "games": self.games,
        }
        timed = [{"t": at / GRID + later, **message} for at, message in messages]
        return [json.dumps(line) for line in [meta, *timed]]

    def _messages(self, board: Sensing) -> Iterator[tuple[int, dict[str, Any]]]:
        end = self.now + on_grid(QUIET)
        heard = [*self._scans(board, end)]
        if self.has_clock:
            heard += [(at, self.clock.shown(at)) for at in range(CLOCK_PHASE, end, ASKING)]
        yield from (message for message in heard if not self._is_down(message[0]))
        for period in self._down:
            yield period.since, {"kind": "link", "state": "down"}
            yield period.until, {"kind": "link", "state": "up"}

    def _is_down(self, at: int) -> bool:
        return any(at in period for period in self._down)

    def _scans(self, board: Sensing, end: int) -> Iterator[tuple[int, dict[str, Any]]]:
        told = {square: self._read(square, 0) for square in chess.SQUARES}
        yield 0, self._whole(told, board)
        for scan in range(SCAN, end, SCAN):
            if any(scan in period for period in self._missed):
                continue
            if self._is_down(scan):
                told.clear()
                continue
            yield from self._scan(scan, told, board)

    def _scan(
        self, scan: int, told: dict[chess.Square, str], board: Sensing
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Sample every square once; *told* is what was reported before and kept up to date."""
        fresh = not told
        before = {square: _sensed(letter, board) for square, letter in told.items()}
        differing: list[tuple[int, dict[str, Any]]] = []
        for square in sorted(chess.SQUARES, key=self._order):
            at = scan + SAMPLING * self._order(square)
            told[square] = self._read(square, at)
            sensed = _sensed(told[square], board)
            if before.get(square) != sensed:
                field = {
                    "square": chess.square_name(self._order(square)),
                    "piece": _or_null(sensed),
                }
                differing.append((at, {"kind": "field", **field}))
        done = scan + SAMPLING * 64
        if fresh or (self.whole_boards and differing):
            yield done, self._whole(told, board)
        elif not self.whole_boards:
            yield from differing

    def _whole(self, told: dict[chess.Square, str], board: Sensing) -> dict[str, Any]:
        ranks = []
        for rank in range(7, -1, -1):
            seen = [chess.square(file, rank) for file in range(8)]
            squares = [63 - square if self.rotated else square for square in seen]
            ranks.append("".join(_sensed(told[square], board) for square in squares))
        placement = "/".join(ranks)
        for count in range(8, 0, -1):
            placement = placement.replace(EMPTY * count, str(count))
        return {"kind": "snapshot", "board": placement}


def _sensed(letter: str, board: Sensing) -> str:
    return "x" if board == "occupancy" and letter != EMPTY else letter


def _or_null(letter: str) -> str | None:
    return None if letter == EMPTY else letter
