"""Slows down who guesses passwords, and nobody else. Time is an argument (s).

What waits is a name together with the address that guesses it: neither can somebody lock an
arbiter out who logs in elsewhere, nor do others behind the same address wait.
"""

from collections import OrderedDict
from dataclasses import dataclass

FREE = 5
"""Wrong passwords after which one has to wait before the next."""
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
FORGOTTEN_AFTER = 900.0
"""Seconds without a wrong password after which all is forgotten."""
MOST_KEPT = 10_000


@dataclass(slots=True)
class _Guesses:
    """``count`` wrong ones; no other is looked at before ``until``, and all forgotten ``by``."""

    count: int = 0
    until: float = 0.0
    by: float = 0.0


class Throttle:
    """Counts wrong passwords by address and name."""

    def __init__(self) -> None:
        self._guesses: OrderedDict[tuple[str, str], _Guesses] = OrderedDict()

    def wait(self, address: str, name: str, now: float) -> float:
        """Return how many seconds have to pass before a password is looked at."""
        guesses = self._guesses.get((address, name))
        return 0.0 if guesses is None else max(0.0, guesses.until - now)

    def wrong(self, address: str, name: str, now: float) -> int:
        """Note a wrong password; return how many there were."""
        guesses = self._guesses.pop((address, name), None)
        if guesses is None or guesses.by <= now:
            guesses = _Guesses()
        guesses.count += 1
        if guesses.count >= FREE:
            doubled = FIRST_WAIT * 2.0 ** min(guesses.count - FREE, 30)
            guesses.until = now + min(doubled, LONGEST_WAIT)
        guesses.by = now + FORGOTTEN_AFTER
        self._guesses[address, name] = guesses
        while len(self._guesses) > MOST_KEPT:
            self._guesses.popitem(last=False)
        return guesses.count

    def right(self, address: str, name: str) -> None:
        """Forget the wrong passwords of who is in."""
        self._guesses.pop((address, name), None)
