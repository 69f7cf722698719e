"""The sending half of a serial line: order, speed, and what can go wrong on the way."""

import math
from collections import deque
from dataclasses import dataclass
from random import Random

from drivers.codec import Outgoing

BITS_PER_BYTE = 10
LONGEST_PIECE = 128
"""Longer messages leave in pieces; shorter ones were seen to arrive in one read over USB."""

SPLIT_DELAY = (0.005, 0.05)
MERGE_DELAY = (0.05, 0.3)


@dataclass(kw_only=True)
class Faults:
    """What is wrong with a board at present; every field can be changed while it runs.

    Numbers are chances per message. ``split``: the second part comes later. ``merge``: it waits
    and arrives with the next ones. ``lose``, ``insert``: one byte too few or too many.
    ``wrong_length``: the length field is damaged. ``null_clock``, ``invalid_clock``: an all-zero
    frame, or one with digits that are no time, goes before a clock frame. ``clock_frozen``: the
    clock tells again and again what it told last; ``clock_silent``: it tells nothing.
    ``disconnected``: the board neither hears nor is heard, but goes on.
    """

    split: float = 0.0
    merge: float = 0.0
    lose: float = 0.0
    insert: float = 0.0
    wrong_length: float = 0.0
    null_clock: float = 0.0
    invalid_clock: float = 0.0
    clock_unplugged: bool = False
    clock_frozen: bool = False
    clock_silent: bool = False
    disconnected: bool = False


class Line:
    """Messages leave in the order they were sent, one after another at *baud*.

    They arrive in pieces of up to *piece* bytes, as USB and radios cut them.
    """

    def __init__(
        self, faults: Faults, rng: Random, *, baud: int, piece: int = LONGEST_PIECE
    ) -> None:
        self._faults = faults
        self._rng = rng
        self._seconds_per_byte = BITS_PER_BYTE / baud
        self._longest = piece
        self._free_at = -math.inf
        self._pieces: deque[tuple[float, bytes]] = deque()

    def send(self, message: bytes, *, at: float) -> None:
        """Queue *message* at time *at*; it begins to leave when the line is free."""
        message = damaged(message, self._faults, self._rng)
        begin = max(at, self._free_at)
        if self._chance(self._faults.merge):
            begin += self._rng.uniform(*MERGE_DELAY)
        self._free_at = begin + len(message) * self._seconds_per_byte
        for offset in range(0, len(message), self._longest):
            due = begin + offset * self._seconds_per_byte
            self._pieces.append((due, message[offset : offset + self._longest]))
        if self._chance(self._faults.split):
            self._split_last()

    def poll(self, *, at: float) -> Outgoing:
        """Return what has left by time *at*; nothing of it while disconnected."""
        data = bytearray()
        while self._pieces and self._pieces[0][0] <= at:
            data += self._pieces.popleft()[1]
        wake_at = self._pieces[0][0] if self._pieces else math.inf
        return Outgoing(b"" if self._faults.disconnected else bytes(data), wake_at)

    def _split_last(self) -> None:
        due, piece = self._pieces.pop()
        cut = self._rng.randrange(len(piece))
        later = due + self._rng.uniform(*SPLIT_DELAY)
        self._pieces += (due, piece[:cut]), (later, piece[cut:])
        self._free_at = max(self._free_at, later)

    def _chance(self, probability: float) -> bool:
        return chance(probability, self._rng)


def damaged(message: bytes, faults: Faults, rng: Random) -> bytes:
    """Return *message* as it arrives with these *faults*."""
    bent = bytearray(message)
    if chance(faults.wrong_length, rng):
        bent[2] ^= 1 << rng.randrange(7)
    if chance(faults.lose, rng):
        del bent[rng.randrange(len(bent))]
    if chance(faults.insert, rng):
        bent.insert(rng.randrange(len(bent)), rng.randrange(256))
    return bytes(bent)


def chance(probability: float, rng: Random) -> bool:
    """Say whether something of this probability happens now."""
    return probability > 0 and rng.random() < probability
