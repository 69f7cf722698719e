"""Millennium ChessLink: Exclusive, King Performance, Supreme Tournament 55, eONE, modules."""

from drivers.boards.millennium.board import Millennium

__all__ = ["Millennium"]
