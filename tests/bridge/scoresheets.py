"""Games as facts: what tests of scoresheet and outputs write down."""

import random
from collections.abc import Iterator
from typing import Any

import chess

from bridge.core.model import (
    Fact,
    GameEnded,
    GameResumed,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    Result,
    TableSetup,
)
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.outputs.bus import Bus

WALL = 1_790_000_000.0


def said_of(
    table: str, game: int, at: float, since: int, until: int | None = None
) -> dict[str, Any]:
    """Return what all facts carry: of which game they are, when, and on which readings."""
    evidence = (since, since if until is None else until)
    return {"table": table, "game": game, "at": at, "wall": WALL + at, "evidence": evidence}


def started(
    table: str = "1",
    game: int = 1,
    *,
    fen: str = chess.STARTING_FEN,
    setup: TableSetup | None = None,
) -> GameStarted:
    return GameStarted(
        **said_of(table, game, 0.0, 1),
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
        **said_of(table, game, float(ply), ply),
        ply=ply,
        uci=move.uci(),
        san=san,
        colour="white" if colour == "white" else "black",
        fen=board.fen(),
        basis="press",
    )


def stands(
    board: chess.Board, uci: str, san: str, ply: int, table: str = "1", game: int = 1
) -> MoveSettled:
    """Play an illegal move on the board and return the fact that it was played on."""
    move, mover = chess.Move.from_uci(uci), board.turn
    piece = board.remove_piece_at(move.from_square)
    assert piece is not None
    board.set_piece_at(move.to_square, piece)
    board.fullmove_number += not mover
    board.turn = not mover
    board.ep_square = None
    return MoveSettled(
        **said_of(table, game, float(ply), ply),
        ply=ply,
        uci=uci,
        san=san,
        colour="white" if mover else "black",
        fen=board.fen(),
        basis="stands",
    )


def adopted(ply: int, fen: str, reason: str = "nothing legal leads there") -> PositionAdopted:
    return PositionAdopted(**said_of("1", 1, float(ply), ply), ply=ply, fen=fen, reason=reason)


def timed(
    ply: int, clk_ms: int, table: str = "1", game: int = 1, *, estimated: bool = False
) -> MoveTimed:
    return MoveTimed(
        **said_of(table, game, float(ply), ply),
        ply=ply,
        clk_ms=clk_ms,
        estimated=estimated,
    )


def withdrawn(ply: int, count: int = 1, table: str = "1", game: int = 1) -> MovesCorrected:
    """Withdraw the last *count* plies, of which *ply* is the first."""
    return MovesCorrected(
        **said_of(table, game, float(ply), 1), ply=ply, count=count, reason="read again"
    )


def ended(result: Result, by: str, table: str = "1", game: int = 1) -> GameEnded:
    return GameEnded(**said_of(table, game, 999.0, 9), result=result, by=by)


def resumed(table: str = "1", game: int = 1) -> GameResumed:
    return GameResumed(**said_of(table, game, 1000.0, 9, 10))


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


def broken_game(seed: int) -> Iterator[Fact]:
    """Yield the facts of a game in which illegal moves stand and moves were missed for good."""
    rng = random.Random(seed)
    board = chess.Board()
    yield started(setup=TableSetup(event=f"Broken {seed}", time_control="5400+30"))
    for ply in range(1, rng.randrange(2, 60)):
        if rng.random() < 0.1:
            for _ in range(rng.randrange(2, 6)):
                board.push(rng.choice(list(board.legal_moves) or [chess.Move.null()]))
            yield adopted(
                ply - 1, board.fen(), f"{{5}} [%clk 0:00:0{ply % 10}]\n%of it (seed {seed})"
            )
        moves = list(board.legal_moves)
        king = board.king(board.turn)
        if king is None:  # an illegal move let it be taken
            break
        if rng.random() < 0.1:
            target = rng.choice(list(chess.SquareSet(~board.occupied)))
            name = chess.square_name(target)
            yield stands(board, f"{chess.square_name(king)}{name}", f"K{name}", ply)
        elif moves:
            yield settled(board, rng.choice(moves), ply)
        else:
            break
        if rng.random() < 0.8:
            yield timed(ply, rng.randrange(5_400_000), estimated=rng.random() < 0.2)
    if rng.random() < 0.8:
        yield ended(rng.choice(["1-0", "0-1", "1/2-1/2"]), "arbiter")


class Telling:
    """What a feed does: enters a fact on the scoresheets, then publishes it."""

    def __init__(self, *facts: Fact) -> None:
        self.bus = Bus()
        self.book = book(*facts)

    def say(self, *facts: Fact) -> None:
        for fact in facts:
            self.book.apply(fact)
            self.bus.publish(fact)


def book(*facts: Fact) -> Scorebook:
    """Return the scoresheets of these facts."""
    sheets = Scorebook()
    for fact in facts:
        sheets.apply(fact)
    return sheets


def record_of(*facts: Fact) -> GameRecord:
    """Return the scoresheet of the only game in these facts."""
    (record,) = book(*facts).records()
    return record
