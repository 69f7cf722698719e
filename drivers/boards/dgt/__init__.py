"""DGT e-boards in single-board mode: serial, USB and Bluetooth classic."""

from drivers.boards.dgt.board import Dgt

__all__ = ["Dgt"]
