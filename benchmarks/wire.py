"""What boards say: bytes of simulated games, and those of a recorded one where they are at hand."""

from pathlib import Path
from random import Random

import chess
import chess.pgn

from drivers.boards.dgt import Dgt
from drivers.boards.dgt.protocol import HEADER
from drivers.simulated import games
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Passport
from drivers.simulated.hands import BLITZ, Style
from drivers.simulated.performance import Performance, stage

RECORDED = (
    Path(__file__).resolve().parents[2] / "shared/protocols/captures/dgt_usb_game1_normal.hex"
)
"""A blitz game of a real USB board, one message a line; it lies beside the project."""

SET_UP_BY = 1.0
"""By then the board has seen every piece that was set up at time 0 (s)."""
BEGIN_AT = 3.0


def recorded_game() -> list[bytes] | None:
    """Return the messages of the recorded game, ``None`` where it is not beside the project."""
    if not RECORDED.is_file():
        return None
    lines = RECORDED.read_text("ascii").splitlines()
    return [bytes.fromhex(line) for line in lines if not line.startswith("#")]


def simulated_game(name: str, *, seed: int, style: Style = BLITZ) -> list[tuple[float, bytes]]:
    """Return the messages of a board on which the game *name* is played, and when they come.

    Board and codec talk in virtual time as they do over a line, so dumps are among them.
    """
    control = TimeControl(base=1800, increment=2)
    passport = Passport(long_serial="0000000042")
    return _listen(
        stage(games.load(name), passport=passport, control=control, style=style, seed=seed)
    )


def _listen(performance: Performance) -> list[tuple[float, bytes]]:
    codec = Dgt()
    at = SET_UP_BY
    codec.greet(at=at)
    heard: list[tuple[float, bytes]] = []
    while not performance.finished:
        if performance.begun_at is None and at >= BEGIN_AT:
            performance.begin(at=at)
        data, board_at = performance.poll(at=at)
        if data:
            heard += [(at, message) for message in whole_messages(data)]
            codec.receive(data, at=at)
        asked, codec_at = codec.poll(at=at)
        if asked:
            performance.receive(asked, at=at)
            continue  # an answer may be due at once
        begin_at = BEGIN_AT if performance.begun_at is None else codec_at
        at = min(board_at, codec_at, begin_at)
    return heard


def whole_messages(stream: bytes) -> list[bytes]:
    """Cut an undamaged stream where the lengths of its messages say."""
    messages, start = [], 0
    while start < len(stream):
        length = stream[start + 1] << 7 | stream[start + 2]
        if length < HEADER or start + length > len(stream):
            raise ValueError(f"byte {start}: the stream is damaged")
        messages.append(stream[start : start + length])
        start += length
    return messages


def wandering_game(plies: int, rng: Random) -> chess.pgn.Game:
    """Return an unfinished game of *plies* random legal moves, for as long as a load is wanted.

    Nothing in it ends a game: no mate, no stalemate, no king that walks to where results are
    shown. Kings move only where nothing else is legal.
    """
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    board = game.board()
    for _ in range(plies):
        move = _wander(board, rng)
        board.push(move)
        node = node.add_variation(move)
    return game


def _wander(board: chess.Board, rng: Random) -> chess.Move:
    moves = list(board.legal_moves)
    rng.shuffle(moves)
    moves.sort(key=lambda move: board.piece_type_at(move.from_square) == chess.KING)
    return next(move for move in moves if _goes_on(board, move))


def _goes_on(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    goes_on = any(board.generate_legal_moves())
    board.pop()
    return goes_on
