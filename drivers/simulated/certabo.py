"""Certabo and Tabutronic boards: the board's side of the wire.

Facts: the vendor's software of 2020, recorded scans and hosts; numbers in
:mod:`drivers.boards.certabo.protocol`. How often an occupancy board speaks is not known; ten
times a second is a guess.
"""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import chess

from drivers.boards.certabo.protocol import SQUARES, TAG_BYTES
from drivers.codec import Outgoing
from drivers.events import PIECES
from drivers.simulated.line import Faults, Line

SCAN_PERIOD = 0.25
"""A scan of 880 characters takes 0.22 s of the line."""

FEEL_PERIOD = 0.1
USB_PACKET = 64
SPARE = "Qq"
"""Men that come with a set and stand beside the board until they are needed."""

JUNK = b"0 17 255 \r"
"""The end of a line that nobody saw begin."""

_NOTHING = bytes(TAG_BYTES)
_BOARD_ORDER = [square ^ 56 for square in chess.SQUARES]
"""Squares in the order a8 … h8, …, a1 … h1."""


@dataclass(kw_only=True)
class Reading:
    """How well squares are read; every field can be changed while the board runs.

    ``noise`` is the chance that an empty square reads random bytes in a scan, ``missed`` that a
    man is not read.
    """

    noise: float = 0.25
    missed: float = 0.0


class _StreamingBoard(ABC):
    """A board that says what it reads once in a *period*, whoever listens."""

    def __init__(self, *, period: float, piece: int, faults: Faults | None, seed: int) -> None:
        self.faults = faults or Faults()
        self.lamps = b""
        self.lamp_line = b"L"
        self._rng = Random(seed)
        self._line = Line(self.faults, self._rng, baud=38400, piece=piece)
        self._period = period
        self._scan_at = -math.inf

    def receive(self, data: bytes, *, at: float) -> None:
        """Take lamps; nothing is ever answered."""
        self.advance(at=at)
        self.lamps += data

    def poll(self, *, at: float) -> Outgoing:
        """Go on to time *at*; return what was sent until then and when to poll again."""
        self.advance(at=at)
        data, line_at = self._line.poll(at=at)
        return Outgoing(data, min(line_at, self._scan_at))

    def advance(self, *, at: float) -> None:
        """Scan until time *at*; what is to be said waits to be polled.

        The first time is when the board is powered up.
        """
        if self._scan_at == -math.inf:
            self._line.send(JUNK, at=at)
            self._scan_at = at
        while self._scan_at <= at:
            self._line.send(self._said(), at=self._scan_at)
            if self.lamp_line:
                self._line.send(self.lamp_line + b"\r\n", at=self._scan_at)
            self._scan_at += self._period

    @abstractmethod
    def _said(self) -> bytes:
        """Return the line that tells one scan."""


class CertaboBoard(_StreamingBoard):
    """A board that reads the tags of the men.

    A man keeps its tag wherever it goes.
    """

    def __init__(
        self,
        *,
        men: int = 0,
        spare: str = SPARE,
        rotated: bool = False,
        reading: Reading | None = None,
        piece: int = USB_PACKET,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        """Power a board up empty.

        Args:
            men: number of the set; every number has tags of its own.
            spare: letters of the men beside the board.
            rotated: whether White sits at the far side.
            reading: how well squares are read.
            piece: bytes after which a line is cut, 20 over Bluetooth LE.
            faults: what is wrong with the line.
            seed: of all chances.
        """
        super().__init__(period=SCAN_PERIOD, piece=piece, faults=faults, seed=seed)
        self.rotated = rotated
        self.reading = reading or Reading()
        self._set = men_of(men, spare)
        self._letters = {tag: letter for letter, tags in self._set.items() for tag in tags}
        self._standing = [_NOTHING] * SQUARES
        self._lifted: list[bytes] = []

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* of the set on the board and take away everything else."""
        self.advance(at=at)
        self._standing = [_NOTHING] * SQUARES
        self._lifted.clear()
        for square, piece in pieces.items():
            self._standing[square] = self._free(self._set[piece.symbol()])[0]

    def lift(self, square: chess.Square, *, at: float) -> None:
        """Take what stands on *square* away."""
        self.advance(at=at)
        tag, self._standing[square] = self._standing[square], _NOTHING
        if tag != _NOTHING:
            self._lifted.append(tag)

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        """Put *piece* on *square*, whatever stood there.

        A man that was not lifted yet is being slid, and is read on both squares.
        """
        self.advance(at=at)
        self._standing[square] = _NOTHING
        self._standing[square] = self._tag(square, piece.symbol()) or _foreign(self._rng)

    def exchange(self, one: chess.Square, other: chess.Square, *, at: float) -> None:
        """Exchange two men that look the same, or a man and what is beside it."""
        self.advance(at=at)
        standing = self._standing
        standing[one], standing[other] = standing[other], standing[one]

    def _tag(self, square: chess.Square, letter: str) -> bytes:
        """Return the tag of the man that comes to *square*: lifted, slid there, or new."""
        in_hand = [tag for tag in self._lifted if self._letters.get(tag) == letter]
        beside = [self._standing[s] for s in chess.SquareSet(chess.BB_KING_ATTACKS[square])]
        slid = [tag for tag in beside if self._letters.get(tag) == letter]
        return next(iter([*self._free(in_hand[::-1]), *slid, *self._free(self._set[letter])]), b"")

    def _free(self, tags: list[bytes]) -> list[bytes]:
        return [tag for tag in tags if tag not in self._standing]

    def _said(self) -> bytes:
        read = [self._read(tag) for tag in self._standing]
        if self.rotated:
            read.reverse()
        return b":" + b"".join(b"%d " % n for s in _BOARD_ORDER for n in read[s]) + b"\r\n"

    def _read(self, tag: bytes) -> bytes:
        if tag == _NOTHING:
            noisy = self._rng.random() < self.reading.noise
            return self._rng.randbytes(TAG_BYTES) if noisy else _NOTHING
        return _NOTHING if self._rng.random() < self.reading.missed else tag


class SentioBoard(_StreamingBoard):
    """A board that feels where men stand."""

    def __init__(
        self,
        *,
        rotated: bool = False,
        piece: int = USB_PACKET,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(period=FEEL_PERIOD, piece=piece, faults=faults, seed=seed)
        self.rotated = rotated
        self._standing = 0

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* on the board and take away everything else."""
        self.advance(at=at)
        self._standing = sum(chess.BB_SQUARES[square] for square in pieces)

    def lift(self, square: chess.Square, *, at: float) -> None:
        """Take what stands on *square* away."""
        self.advance(at=at)
        self._standing &= ~chess.BB_SQUARES[square]

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        """Put *piece* on *square*, whatever stood there; which it is nobody feels."""
        del piece
        self.advance(at=at)
        self._standing |= chess.BB_SQUARES[square]

    def _said(self) -> bytes:
        standing = self._standing
        if self.rotated:
            standing = chess.flip_vertical(chess.flip_horizontal(standing))
        # Bit 7 of a number is the a-file, the lowest bit of python-chess's ranks.
        ranks = chess.flip_horizontal(standing).to_bytes(8, "big")
        return b":" + b" ".join(b"%d" % rank for rank in ranks) + b"\r\n"


def men_of(number: int, spare: str = SPARE) -> dict[str, list[bytes]]:
    """Return the tags of set *number* by letter: the men of the array, then the *spare* ones.

    All tags of a set begin alike, as they do in recorded scans.
    """
    rng = Random(number)
    men = Counter(piece.symbol() for piece in chess.Board().piece_map().values())
    letters = [*men.elements(), *spare]
    ends = rng.sample(range(0x0101, 0xFFFF), len(letters))
    tags: dict[str, list[bytes]] = {letter: [] for letter in PIECES}
    for letter, end in zip(letters, ends, strict=True):
        tags[letter].append(bytes((3, 1 + number, 84)) + _two_bytes(end))
    return tags


def _two_bytes(number: int) -> bytes:
    return number.to_bytes(2, "big")


def _foreign(rng: Random) -> bytes:
    """Return the tag of a man of no set that is known here."""
    return bytes((9, 9, 9)) + _two_bytes(rng.randrange(0x0101, 0xFFFF))
