"""Square Off boards: they tell what is lifted and placed, over Bluetooth LE."""

from drivers.boards.squareoff.neo import SquareOffNeo
from drivers.boards.squareoff.pro import SquareOffPro

__all__ = ["SquareOffNeo", "SquareOffPro"]
