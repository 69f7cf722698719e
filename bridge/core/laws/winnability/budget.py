"""How much work a search may do: a count, not a time, so that every machine answers alike."""


class Budget:
    """Positions that may still be looked at; other work is counted in what as much would cost."""

    def __init__(self, positions: int) -> None:
        self.left = positions

    def spend(self, positions: int = 1) -> bool:
        """Take *positions* away and return whether any are left."""
        self.left -= positions
        return self.left > 0
