"""DGT boards: e-boards alone on a line and in rows on a serial bus, and the Pegasus."""

from drivers.boards.dgt.board import Dgt
from drivers.boards.dgt.bus import DgtBus
from drivers.boards.dgt.pegasus import Pegasus

__all__ = ["Dgt", "DgtBus", "Pegasus"]
