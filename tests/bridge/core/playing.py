"""Whole games played by simple hands on a board that reports every change."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import chess
import chess.pgn

from bridge.core.inference.placement import turned
from bridge.core.model import (
    Fact,
    GameEnded,
    LinkChange,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    Payload,
    Reading,
    TableSetup,
)
from bridge.core.table import Table
from drivers.cells import cells_of
from drivers.events import ClockReading, Side, Snapshot, SquareChange
from tests.shared import shared

Step = tuple[int, str]
"""A square and what it shows from then on."""


class Game(NamedTuple):
    name: str
    fen: str
    chess960: bool
    moves: tuple[chess.Move, ...]

    def setup(self, *, clock: bool) -> TableSetup:
        fen = None if self.fen == chess.STARTING_FEN else self.fen
        return TableSetup(start_fen=fen, chess960=self.chess960, has_clock=clock)


def sample_games() -> list[Game]:
    """All games of the shared sample."""
    games: list[Game] = []
    with shared("data/games-sample.pgn").open(encoding="utf-8") as pgn:
        while True:
            builder = chess.pgn.read_game(pgn)
            if builder is None:
                return games
            board = builder.board()
            moves = tuple(builder.mainline_moves())
            if moves:
                name = f"{len(games)} {builder.headers['White']}-{builder.headers['Black']}"
                games.append(Game(name, board.fen(), board.chess960, moves))


def steps_of(board: chess.Board, move: chess.Move, rng: random.Random) -> list[Step]:
    """Return how a hand makes *move*: one square after the other, in one of the usual orders."""
    before = cells_of(board)
    after_board = board.copy(stack=False)
    after_board.push(move)
    after = cells_of(after_board)
    emptied = [(s, ".") for s in range(64) if before[s] != after[s] and after[s] == "."]
    filled = [(s, after[s]) for s in range(64) if before[s] != after[s] and after[s] != "."]
    if board.is_castling(move):
        return _castling(board, move, emptied, filled, rng)
    rng.shuffle(emptied)  # en passant: either pawn first
    steps: list[Step] = list(emptied)
    if move.promotion and rng.random() < 0.5:  # the pawn stands there for a moment
        steps += [(move.to_square, "P" if board.turn else "p"), (move.to_square, ".")]
    elif board.is_capture(move) and not board.is_en_passant(move) and rng.random() < 0.4:
        steps.insert(rng.randrange(2), (move.to_square, "."))
    steps += filled
    if rng.random() < 0.15 and not board.is_capture(move) and not move.promotion:
        steps = [*filled, *emptied]  # one scan saw the new square before the old one
    return steps


def _castling(
    board: chess.Board,
    move: chess.Move,
    emptied: list[Step],
    filled: list[Step],
    rng: random.Random,
) -> list[Step]:
    """King first, rook first, or both lifted."""
    king = "K" if board.turn else "k"
    kings = [s for s in filled if s[1] == king]
    rooks = [s for s in filled if s[1] != king]
    origin = [s for s in emptied if s[0] == move.from_square]
    corner = [s for s in emptied if s[0] != move.from_square]
    match rng.randrange(3):
        case 0:
            return [*origin, *kings, *corner, *rooks]
        case 1 if not board.chess960:
            return [*corner, *rooks, *origin, *kings]
        case _:
            return [*emptied, *filled]


@dataclass
class Play:
    """How a game is played and seen; times in seconds."""

    clock: bool = True
    rotated: bool = False
    white_side: Side = "left"
    press_late: float = 0.0
    think: float = 2.0
    increment: int = 2
    quick_replies: bool = False
    snapshot_every: int = 0
    seed: int = 0


@dataclass
class Score:
    """What a player would have written, and what the clock showed at each press."""

    moves: list[str] = field(default_factory=list)
    times: list[int] = field(default_factory=list)


class _Clock:
    def __init__(self, play: Play) -> None:
        self.play = play
        self.ms = {chess.WHITE: 5_400_000.0, chess.BLACK: 5_400_000.0}
        self.turn = chess.WHITE
        self.since = 0.0

    def begin(self, turn: chess.Color, at: float) -> None:
        self.turn, self.since = turn, at

    def reading(self, at: float) -> ClockReading:
        ms = dict(self.ms)
        ms[self.turn] -= (at - self.since) * 1000
        shown = {colour: int(ms[colour] // 1000) * 1000 for colour in ms}
        right: Side = "right"
        left: Side = "left"
        white_left = self.play.white_side == left
        return ClockReading(
            at=at,
            left_ms=shown[chess.WHITE if white_left else chess.BLACK],
            right_ms=shown[chess.BLACK if white_left else chess.WHITE],
            running=True,
            turn=left if self.turn == white_left else right,
        )

    def press(self, at: float) -> int:
        self.ms[self.turn] += self.play.increment * 1000 - (at - self.since) * 1000
        shown = int(self.ms[self.turn] // 1000) * 1000
        self.turn, self.since = not self.turn, at
        return shown


def readings_of(game: Game, play: Play) -> tuple[list[Reading], Score]:
    """Return what a table hears while *game* is played, and what was played."""
    rng = random.Random(f"{game.name}{play.seed}")
    score = Score()
    timeline = sorted(_timeline(game, play, rng, score), key=lambda item: item[0])
    readings = [
        Reading(table="t", link="b", seq=seq, at=at, wall=at, payload=payload)
        for seq, (at, payload) in enumerate(timeline, 1)
    ]
    return readings, score


def _timeline(
    game: Game, play: Play, rng: random.Random, score: Score
) -> Iterator[tuple[float, Payload]]:
    board = chess.Board(game.fen, chess960=game.chess960)
    cells = cells_of(board)
    clock = _Clock(play)
    clock.begin(board.turn, 1.0)
    yield 0.0, game.setup(clock=play.clock)
    yield 0.0, _snapshot(cells, play, 0.0)
    if play.clock:
        yield 1.0, clock.reading(1.0)
    at = 1.0
    for ply, move in enumerate(game.moves, 1):
        if play.clock and play.snapshot_every == 0:
            second = at + play.think * 0.4 + play.press_late
            yield second, clock.reading(at + play.think * 0.4)
        at += play.think
        steps = steps_of(board, move, rng)
        board.push(move)
        score.moves.append(move.uci())
        cells, seen = _seen(cells, steps, at, ply, play, last=ply == len(game.moves))
        yield from seen
        at += 0.25 * (len(steps) - 1)
        if play.clock:
            pressed = at + 0.45
            score.times.append(clock.press(pressed))
            if play.snapshot_every == 0:
                yield pressed + play.press_late, clock.reading(pressed)
            at = pressed if not play.quick_replies else pressed - 0.25
    if play.clock and play.snapshot_every:
        yield at + 1.0, clock.reading(at + 1.0)


def _seen(
    cells: str, steps: list[Step], at: float, ply: int, play: Play, *, last: bool
) -> tuple[str, list[tuple[float, Payload]]]:
    """Return the cells after *steps* and what the board reports of them."""
    reported: list[tuple[float, Payload]] = []
    for number, (square, letter) in enumerate(steps):
        cells = cells[:square] + letter + cells[square + 1 :]
        when = at + 0.25 * number
        own = 63 - square if play.rotated else square
        change = SquareChange(
            at=when, square=own, piece=letter, cells=turned(cells) if play.rotated else cells
        )
        reported.append((when, change))
    if play.snapshot_every == 0:
        return cells, reported
    end = reported[-1][0]
    if ply % play.snapshot_every and not last:
        return cells, [(at - 0.5, LinkChange(state="lost"))]
    return cells, [(end, LinkChange(state="live")), (end, _snapshot(cells, play, end))]


def _snapshot(cells: str, play: Play, at: float) -> Snapshot:
    return Snapshot(at=at, cells=turned(cells) if play.rotated else cells)


@dataclass
class Told:
    """The record that a table made."""

    facts: list[Fact]

    @property
    def moves(self) -> list[str]:
        moves: list[str] = []
        for fact in self.facts:
            if isinstance(fact, MoveSettled):
                moves.append(fact.uci)
            elif isinstance(fact, MovesCorrected):
                del moves[-fact.count :]
        return moves

    @property
    def times(self) -> dict[int, tuple[int, bool]]:
        return {f.ply: (f.clk_ms, f.estimated) for f in self.facts if isinstance(f, MoveTimed)}

    @property
    def results(self) -> list[str]:
        return [f"{f.result} {f.by}" for f in self.facts if isinstance(f, GameEnded)]


def follow(readings: list[Reading], *, aftertime: float = 10.0) -> Told:
    """Let a table follow *readings* and wait a while."""
    table = Table("t")
    facts = [fact for reading in readings for fact in table.apply(reading)]
    return Told(facts + table.tick(readings[-1].at + aftertime))
