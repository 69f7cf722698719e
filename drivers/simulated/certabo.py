"""Certabo and Tabutronic boards: the board's side of the wire.

Facts: the vendor's software of 2020, recorded scans and hosts; numbers in
:mod:`drivers.boards.certabo.protocol`. How often an occupancy board speaks is not known; ten
times a second is a guess.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import chess

from drivers.boards.certabo.protocol import (
    BLUE,
    COLOURED_BEGIN,
    COLOURED_LENGTH,
    CORNERS,
    SQUARES,
    TAG_BYTES,
    THREE_COLOURS,
    corners_of,
)
from drivers.cells import ranks_from_eighth
from drivers.events import EMPTY, PIECES
from drivers.simulated.line import Faults
from drivers.simulated.model import ScanningBoard

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


class _StreamingBoard(ScanningBoard):
    """A board that says what it reads once in a *period*, whoever listens.

    ``lamp_line``: what it says behind each line, nothing in some boards; ``D`` is said by boards
    with lamps of three colours. ``lamps``: what came of a command for them, and ``lit`` the squares
    with light, in its own numbering. What is cut off makes the next command a wrong one.
    """

    def __init__(
        self, *, period: float, piece: int, rotated: bool, faults: Faults | None, seed: int
    ) -> None:
        super().__init__(baud=38400, piece=piece, rotated=rotated, faults=faults, seed=seed)
        self.lamps = b""
        self.lit: set[chess.Square] = set()
        self.lamp_line = b"L\r\n"
        self._period = period
        self._junk = JUNK

    def _hear(self, data: bytes, at: float) -> None:
        """Take lamps; nothing is ever answered."""
        del at
        self.lamps += data
        coloured = self.lamp_line.startswith(THREE_COLOURS)
        if coloured:
            self.lamps = self.lamps[max(0, self.lamps.find(COLOURED_BEGIN)) :]
        length = COLOURED_LENGTH if coloured else SQUARES // 8
        while len(self.lamps) >= length:
            command, self.lamps = self.lamps[:length], self.lamps[length:]
            self.lit = _coloured(command) if coloured else _of_ranks(command)

    def _scan(self, at: float) -> float:
        self._send(self._junk + self._said() + self.lamp_line, at)
        self._junk = b""
        return self._period

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
        """Take an empty board.

        Args:
            men: number of the set; every number has tags of its own.
            spare: letters of the men beside the board.
            rotated: whether White sits at the far side.
            reading: how well squares are read.
            piece: bytes after which a line is cut, 20 over Bluetooth LE.
            faults: what is wrong with the line.
            seed: of all chances.
        """
        super().__init__(period=SCAN_PERIOD, piece=piece, rotated=rotated, faults=faults, seed=seed)
        self.reading = reading or Reading()
        self._set = men_of(men, spare)
        self._letters = {tag: letter for letter, tags in self._set.items() for tag in tags}
        self._tags = [_NOTHING] * SQUARES
        self._lifted: list[bytes] = []

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* of the set on the board and take away everything else."""
        super().set_up(pieces, at=at)
        self._lifted.clear()
        self._tags = [_NOTHING] * SQUARES
        for square, letter in enumerate(self._cells):
            if letter != EMPTY:
                self._tags[square] = self._free(self._set[letter])[0]

    def exchange(self, one: chess.Square, other: chess.Square, *, at: float) -> None:
        """Exchange the tags of two squares, as when two men are exchanged that look the same."""
        self.advance(at=at)
        if self.rotated:
            one, other = 63 - one, 63 - other
        self._tags[one], self._tags[other] = self._tags[other], self._tags[one]

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        """Move tags; a man that was not lifted yet is being slid, and is read on both squares."""
        del before, at
        letter = self._cells[square]
        tag, self._tags[square] = self._tags[square], _NOTHING
        if letter == EMPTY:
            self._lifted.append(tag)
        else:
            self._tags[square] = self._tag(square, letter) or _foreign(self._rng)

    def _tag(self, square: chess.Square, letter: str) -> bytes:
        """Return the tag of the man that comes to *square*: lifted, slid there, or new."""
        in_hand = [tag for tag in self._lifted if self._letters.get(tag) == letter]
        beside = [self._tags[s] for s in chess.SquareSet(chess.BB_KING_ATTACKS[square])]
        slid = [tag for tag in beside if self._letters.get(tag) == letter]
        return next(iter([*self._free(in_hand[::-1]), *slid, *self._free(self._set[letter])]), b"")

    def _free(self, tags: list[bytes]) -> list[bytes]:
        return [tag for tag in tags if tag not in self._tags]

    def _said(self) -> bytes:
        read = [self._read(tag) for tag in self._tags]
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
        super().__init__(period=FEEL_PERIOD, piece=piece, rotated=rotated, faults=faults, seed=seed)

    def _said(self) -> bytes:
        ranks = ranks_from_eighth("".join(self._cells))
        # The a-file is the highest of the eight bits.
        numbers = [int("".join("01"[man != EMPTY] for man in rank), 2) for rank in ranks]
        return b":" + b" ".join(b"%d" % number for number in numbers) + b"\r\n"


def _of_ranks(ranks: bytes) -> set[chess.Square]:
    """Return the squares that eight bytes light: the eighth rank first, bit 0 the a-file."""
    bits = int.from_bytes(ranks)
    return {square for square in chess.SQUARES if bits >> square & 1}


def _coloured(command: bytes) -> set[chess.Square]:
    """Return the squares of which all four corners have light."""
    colours = command[len(COLOURED_BEGIN) :]
    step = len(BLUE)
    lamps = {lamp for lamp in range(CORNERS) if any(colours[step * lamp : step * (lamp + 1)])}
    return {square for square in chess.SQUARES if lamps.issuperset(corners_of(square))}


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
