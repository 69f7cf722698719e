"""Chessnut boards: Air, Air+, Pro and Go by USB or Bluetooth LE, and Move by Bluetooth LE."""

from drivers.boards.chessnut.board import Chessnut, ChessnutMove

__all__ = ["Chessnut", "ChessnutMove"]
