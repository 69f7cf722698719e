"""A Novag Citrine as referee: the unit's side of the wire, with its own game and clock.

Lines in :mod:`drivers.boards.novag.lines`. Of commands less than 0.1 s apart some are lost, as
users report; here all but the first are.
"""

import math

import chess

from drivers.boards.novag.lines import CAPTION
from drivers.cells import cells_of
from drivers.events import Side
from drivers.simulated.clock import Clock
from drivers.simulated.judging import JUDGED_AFTER, move_to
from drivers.simulated.line import Faults
from drivers.simulated.model import BoardModel

APART = 0.1
NAME = "ID. UCBII V1.09"
_START = cells_of(chess.Board())


class CitrineUnit(BoardModel):
    """One unit; it reports moves once it was told to. ``clock`` is pressed by its own moves."""

    def __init__(
        self, *, clock: Clock | None = None, faults: Faults | None = None, seed: int = 0
    ) -> None:
        super().__init__(baud=57600, faults=faults, seed=seed)
        self.game = chess.Board()
        self.clock = clock
        self.lost_commands = 0
        self._reports = False
        self._input = b""
        self._heard_at = -math.inf

    def _hear(self, data: bytes, at: float) -> None:
        *commands, self._input = (self._input + data).split(b"\r\n")
        for command in commands:
            if at - self._heard_at < APART:
                self.lost_commands += 1
                continue
            self._heard_at = at
            self._obey(command.replace(b" ", b"").upper(), at)

    def _obey(self, command: bytes, at: float) -> None:
        match command:
            case b"I":
                self._say(NAME, at)
            case b"XON":
                self._reports = True
            case b"P":
                self._say_position(at)
            case b"C":
                self._say_times(at)
            case b"N":
                self._begin(at)
            case _:
                pass

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        del square, before  # it looks at the whole board
        self._due_at = at + JUDGED_AFTER

    def _falls_due(self, at: float) -> None:
        if self.cells == cells_of(self.game):
            return
        if self.cells == _START:
            self._begin(at)
            return
        move = move_to(self.game, self.cells)
        if move is not None:
            self._report("M", move, at)
            self._press(at)
            self.game.push(move)
        elif self.game.move_stack:
            self._take_back(at)

    def _take_back(self, at: float) -> None:
        """Take the last move back, if what stood before it stands again."""
        move = self.game.pop()
        if cells_of(self.game) == self.cells:
            self._report("T", move, at)
        else:
            self.game.push(move)

    def _begin(self, at: float) -> None:
        self.game = chess.Board()
        self._say("New Game", at)

    def _press(self, at: float) -> None:
        if self.clock is None:
            return
        side: Side = "left" if self.game.turn else "right"
        self.clock.start(at=at)
        self.clock.press(side, at=at)

    def _report(self, what: str, move: chess.Move, at: float) -> None:
        if self._reports:
            comma = " " if self.game.turn else ","
            number = self.game.fullmove_number
            self._say(f"{what} {number:3}{comma}  {_text_of(self.game, move)}", at)

    def _say(self, line: str, at: float) -> None:
        self._send(f"{line}\r\n".encode(), at)

    def _say_position(self, at: float) -> None:
        ranks = [self._rank(rank) for rank in range(7, -1, -1)]
        header = ".  aa bb cc dd ee ff gg hh"
        self._say("\r\n".join([CAPTION, header, *ranks]), at)

    def _rank(self, rank: int) -> str:
        cells = [self._cell(chess.square(file, rank)) for file in range(8)]
        return f".{rank + 1} {' '.join(cells)} {rank + 1}"

    def _cell(self, square: chess.Square) -> str:
        """Return what the unit's game has on a square, whatever stands there."""
        piece = self.game.piece_at(square)
        if piece is not None:
            return f"{'W' if piece.color else 'b'}{piece.symbol()}"
        return "::" if chess.BB_SQUARES[square] & chess.BB_DARK_SQUARES else "  "

    def _say_times(self, at: float) -> None:
        if self.clock is None:
            left = right = 0
        else:
            face = self.clock.reading(at=at)
            left, right = face.left_s, face.right_s
        self._say(f"Clock {_hms(left)}\r\n{_hms(right)}", at)


def _text_of(board: chess.Board, move: chess.Move) -> str:
    if board.is_castling(move):
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"
    sign = "x" if board.is_capture(move) else "-"
    squares = sign.join(chess.square_name(s) for s in (move.from_square, move.to_square))
    promotion = f"/{chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    return f"{squares}{promotion}{'ep' if board.is_en_passant(move) else ''}"


def _hms(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
