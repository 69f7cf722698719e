"""Novag Citrine: a chess computer that referees moves, with a serial port."""

from drivers.boards.novag.board import Novag

__all__ = ["Novag"]
