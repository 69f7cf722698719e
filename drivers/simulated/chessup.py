"""A ChessUp board: the board's side of the wire, with its own game and its own rules.

Numbers of the protocol in :mod:`drivers.boards.chessup.protocol`. That moves are repeated until
they are acknowledged, and that the board gives the link up then, is known from real boards; the
times are our guesses.
"""

import math

import chess

from drivers.boards.chessup.protocol import (
    AT_START,
    CODE_OF_PIECE,
    INFORMATION,
    PLAY_OVER_THE_BOARD,
    PROMOTED,
    PROMOTION,
    RELEASED,
    TOUCHED,
    UNDONE,
    move_frame,
    occupancy_of,
    state_frame,
)
from drivers.cells import START_CELLS
from drivers.events import EMPTY
from drivers.simulated.judging import JUDGED_AFTER, move_to
from drivers.simulated.line import Faults
from drivers.simulated.model import BoardModel

REPEATED_AFTER = 0.5
MOST_REPEATS = 6
SCAN = 0.25
"""Seconds between two looks at the squares; what is sensed is told with each, once asked for."""

MEMORY = bytes.fromhex("00 01 09 00 01 00 00 0d ef 36 d0 01 04 00 01")
"""What the board says of itself behind the first byte, as a recorded one did."""


class ChessUpBoard(BoardModel):
    """One board in a mode of its own: it judges nothing before a host has set it to.

    ``unheard`` acknowledgements are lost on their way. ``undo`` is the board's own button.
    """

    def __init__(self, *, faults: Faults | None = None, seed: int = 0) -> None:
        super().__init__(baud=100_000, faults=faults, seed=seed)
        self.game = chess.Board()
        self.unheard = 0
        self.games_begun = 0
        self._playing = False
        self._judge_at = math.inf
        self._scan_at = math.inf
        self._unacknowledged: list[bytes] = []
        self._repeat_at = math.inf
        self._repeats = 0

    def undo(self, *, at: float) -> None:
        """Take back the last move of the board's game; the men are put back by hands."""
        self.advance(at=at)
        self.game.pop()
        self._send(bytes((UNDONE,)), at)

    def reconnect(self, *, at: float) -> None:
        """Let a new link hear the board; nothing of the old one waits."""
        self.advance(at=at)
        self._scan_at = math.inf
        self._unacknowledged.clear()
        self.faults.disconnected = False
        self._plan()

    def _hear(self, data: bytes, at: float) -> None:
        if data == PLAY_OVER_THE_BOARD:
            self.game = chess.Board()
            self.games_begun += 1
            self._playing = True
            return
        match data:
            case b"\x67":
                self._send(state_frame(self.game), at)
            case b"\xb2":
                self._send(bytes((INFORMATION,)) + MEMORY, at)
            case b"\x50":
                self._scan_at = at
            case b"\x21" | b"\x23":
                self._acknowledged(at)
            case _:
                pass
        self._plan()

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        letter = self._cells[square]
        if letter == EMPTY:
            self._send(bytes((TOUCHED, square, CODE_OF_PIECE[before])), at)
        else:
            self._send(bytes((RELEASED,)), at)
        if self.cells == START_CELLS:
            self._send(bytes((AT_START, 1)), at)
        self._judge_at = at + JUDGED_AFTER
        self._plan()

    def _falls_due(self, at: float) -> None:
        if self._judge_at <= at:
            self._judge_at = math.inf
            self._judge(at)
        if self._scan_at <= at:
            self._scan_at = at + SCAN
            squares = chess.SquareSet(s for s in chess.SQUARES if self._cells[s] != EMPTY)
            self._send(occupancy_of(int(squares)), at)
        if self._repeat_at <= at:
            self._repeat(at)
        self._plan()

    def _judge(self, at: float) -> None:
        """Report the legal move that leads to what stands, if there is one."""
        move = move_to(self.game, self.cells) if self._playing else None
        if move is not None:
            self.game.push(move)
            self._report(move, at)

    def _report(self, move: chess.Move, at: float) -> None:
        self._unacknowledged = [move_frame(move)]
        if move.promotion:
            letter = chess.piece_symbol(move.promotion)
            code = next(code for code, piece in PROMOTED.items() if piece == letter)
            self._unacknowledged.append(bytes((PROMOTION, code)))
        self._repeats = 0
        self._send(self._unacknowledged[0], at)
        self._repeat_at = at + REPEATED_AFTER

    def _acknowledged(self, at: float) -> None:
        if self.unheard:
            self.unheard -= 1
            return
        if self._unacknowledged:
            del self._unacknowledged[0]
            self._repeats = 0
        if self._unacknowledged:
            self._send(self._unacknowledged[0], at)
            self._repeat_at = at + REPEATED_AFTER

    def _repeat(self, at: float) -> None:
        self._repeats += 1
        if self._repeats > MOST_REPEATS:
            self.faults.disconnected = True
            self._unacknowledged.clear()
        else:
            self._send(self._unacknowledged[0], at)
            self._repeat_at = at + REPEATED_AFTER

    def _plan(self) -> None:
        if not self._unacknowledged:
            self._repeat_at = math.inf
        self._due_at = min(self._judge_at, self._scan_at, self._repeat_at)
