"""DGT boards: e-boards in single-board mode, and the Pegasus."""

from drivers.boards.dgt.board import Dgt
from drivers.boards.dgt.pegasus import Pegasus

__all__ = ["Dgt", "Pegasus"]
