"""ChessUp and ChessUp 2: boards that judge moves by their own rules, over Bluetooth LE."""

from drivers.boards.chessup.board import ChessUp

__all__ = ["ChessUp"]
