"""Games as facts: what tests of scoresheet and outputs write down."""

import random
from collections.abc import Iterator

import chess

from bridge.core.model import (
    Fact,
    GameEnded,
    GameStarted,
    MoveSettled,
    MoveTimed,
    Result,
    TableSetup,
)
from bridge.core.scoresheet.record import Scorebook

WALL = 1_790_000_000.0


def started(
    table: str = "1",
    game: int = 1,
    *,
    fen: str = chess.STARTING_FEN,
    setup: TableSetup | None = None,
) -> GameStarted:
    return GameStarted(
        table=table,
        game=game,
        at=0.0,
        wall=WALL,
        evidence=(1, 1),
        setup=setup or TableSetup(),
        fen=fen,
        rotated=False,
    )


def settled(
    board: chess.Board, move: chess.Move, ply: int, table: str = "1", game: int = 1
) -> MoveSettled:
    """Play the move on the board and return the fact of it."""
    colour = chess.COLOR_NAMES[board.turn]
    san = board.san_and_push(move)
    return MoveSettled(
        table=table,
        game=game,
        at=float(ply),
        wall=WALL + ply,
        evidence=(ply, ply),
        ply=ply,
        uci=move.uci(),
        san=san,
        colour="white" if colour == "white" else "black",
        fen=board.fen(),
        basis="press",
    )


def timed(
    ply: int, clk_ms: int, table: str = "1", game: int = 1, *, estimated: bool = False
) -> MoveTimed:
    return MoveTimed(
        table=table,
        game=game,
        at=float(ply),
        wall=WALL + ply,
        evidence=(ply, ply),
        ply=ply,
        clk_ms=clk_ms,
        estimated=estimated,
    )


def ended(result: Result, by: str, table: str = "1", game: int = 1) -> GameEnded:
    return GameEnded(
        table=table, game=game, at=999.0, wall=WALL + 999, evidence=(9, 9), result=result, by=by
    )


def line(
    sans: str,
    table: str = "1",
    game: int = 1,
    *,
    fen: str = chess.STARTING_FEN,
    setup: TableSetup | None = None,
    clocks: tuple[int, ...] = (),
) -> Iterator[Fact]:
    """Yield the facts of a game played so far; ``clocks`` in seconds, one a ply."""
    yield started(table, game, fen=fen, setup=setup)
    board = chess.Board(fen, chess960=setup is not None and setup.chess960)
    for ply, san in enumerate(sans.split(), 1):
        yield settled(board, board.parse_san(san), ply, table, game)
        if ply <= len(clocks):
            yield timed(ply, 1000 * clocks[ply - 1], table, game)


def random_game(seed: int, table: str = "1", game: int = 1) -> Iterator[Fact]:
    """Yield the facts of a game of random moves; some from Chess960 or with missing clocks."""
    rng = random.Random(seed)
    chess960 = rng.random() < 0.3
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    left_ms = [5_400_000, 5_400_000]
    setup = TableSetup(
        event=f"Open {seed}",
        white="Łódzki, Żaneta",
        black='O"Neil, Back\\slash',
        round="3",
        board=rng.randrange(1, 100),
        time_control="40/5400+30:1800+30",
        chess960=chess960,
    )
    yield started(table, game, fen=board.fen(), setup=setup)
    for ply in range(1, rng.randrange(1, 160)):
        moves = list(board.legal_moves)
        if not moves:
            break
        side = ply % 2
        left_ms[side] = max(0, left_ms[side] + 30_000 - rng.randrange(200_000))
        yield settled(board, rng.choice(moves), ply, table, game)
        if rng.random() < 0.9:
            yield timed(ply, left_ms[side], table, game, estimated=rng.random() < 0.1)
    outcome = board.outcome()
    result: Result = rng.choice(["1-0", "0-1", "1/2-1/2"])
    if outcome is not None and outcome.winner is not None:
        yield ended("1-0" if outcome.winner else "0-1", "checkmate", table, game)
    elif outcome is not None:
        yield ended("1/2-1/2", "stalemate", table, game)
    elif rng.random() < 0.8:
        yield ended(result, rng.choice(["kings", "flag", "arbiter"]), table, game)


def book(*facts: Fact) -> Scorebook:
    """Return the scoresheets of these facts."""
    sheets = Scorebook()
    for fact in facts:
        sheets.apply(fact)
    return sheets
