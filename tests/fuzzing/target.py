"""What is fed with made-up bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

LONGEST = 8192
"""Bytes of an input where no example is longer."""


@dataclass(frozen=True)
class Target:
    """``feed`` takes any bytes and raises only what is a mistake; ``seeds`` are good examples."""

    feed: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]

    @property
    def longest(self) -> int:
        """How many bytes an input may have: a good example that is cut short is none."""
        return max(LONGEST, *map(len, self.seeds()))
