"""What is fed with made-up bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """``feed`` takes any bytes and raises only what is a mistake; ``seeds`` are good examples."""

    feed: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]
