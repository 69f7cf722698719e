"""The plies of a game: a list while it is played, and small when another game has begun.

A daemon knows the games of a whole tournament, as any of them may still be corrected. Nearly all
are over and seldom asked for, so these are kept as compressed bytes, the same for all who keep
them, and only become plies where somebody reads them.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import overload
from weakref import WeakValueDictionary

import msgspec

from bridge.core.model import Colour

OPEN = 8
"""So many games that were read last are kept as plies too: who reads one reads all of it."""


class Ply(msgspec.Struct, frozen=True, kw_only=True):
    """One settled move; ``clk_ms`` is the mover's remaining time after it, where known.

    ``stands``: it is illegal and was played on. ``draw_offer``: its player offered a draw with it.
    """

    uci: str
    san: str
    fen_after: str
    at: float
    wall: float
    clk_ms: int | None = None
    estimated: bool = False
    stands: bool = False
    draw_offer: bool = False

    @property
    def colour(self) -> Colour:
        """Whose move it is."""
        return _mover(self.fen_after)[1]

    @property
    def number(self) -> int:
        """The number of the move."""
        return _mover(self.fen_after)[0]

    @property
    def numbered(self) -> str:
        """The move with its number, as players write it."""
        return numbered(self.san, self.fen_after)


def numbered(san: str, fen_after: str) -> str:
    """Return a move with its number, which the position after it tells.

    >>> numbered("e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    '1... e5'
    """
    number, colour = _mover(fen_after)
    return f"{number}{'.' if colour == 'white' else '...'} {san}"


def _mover(fen_after: str) -> tuple[int, Colour]:
    """Return number and colour of the move that led to a position."""
    fields = fen_after.split()
    number = int(fields[5])
    return (number, "white") if fields[1] == "b" else (number - 1, "black")


class PackedPlies(Sequence[Ply]):
    """Plies that take little room; they do not change."""

    __slots__ = ("__weakref__", "_count", "_packed")

    def __init__(self, packed: bytes, count: int) -> None:
        self._packed, self._count = packed, count

    @classmethod
    def of(cls, plies: Sequence[Ply]) -> "PackedPlies":
        """Return *plies* packed; equal ones are the same object as long as somebody keeps it."""
        packed = zlib.compress(_encode(plies))
        found = _kept.get(packed)
        if found is None:
            found = _kept[packed] = cls(packed, len(plies))
        return found

    def copy(self) -> "PackedPlies":
        """Return what later changes of a copy do not change."""
        return self

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Ply: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Ply]: ...

    def __getitem__(self, index: int | slice) -> Ply | Sequence[Ply]:
        return _unpacked(self._packed)[index]

    def __iter__(self) -> Iterator[Ply]:
        return iter(_unpacked(self._packed))

    def __eq__(self, other: object) -> bool:
        """Whether the same was played, packed or not."""
        if isinstance(other, PackedPlies):
            return self._packed == other._packed
        return list(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))


_kept: WeakValueDictionary[bytes, PackedPlies] = WeakValueDictionary()
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Ply, ...]).decode


@lru_cache(maxsize=OPEN)
def _unpacked(packed: bytes) -> tuple[Ply, ...]:
    return _decode(zlib.decompress(packed))
