"""A ChessLink board: the board's side of the wire.

Facts: the vendor's protocol note of 2017 and hosts; numbers in
:mod:`drivers.boards.millennium.protocol`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import chess

from drivers.boards.millennium.protocol import (
    CHECK_DIGITS,
    LAMPS,
    SCAN_UNIT,
    SQUARES,
    cells_of,
    check_of,
    corners_of,
    message,
)
from drivers.events import EMPTY
from drivers.simulated.line import Faults
from drivers.simulated.model import ScanningBoard

RESTART = 3.0
"""Seconds of silence after the command T."""

INTERVAL_UNIT = 0.004096
"""Seconds of one unit of register 03."""

SHORTEST_SCAN = 15
USUAL_SCAN = 20

_COMMANDS = {"V": 3, "S": 3, "X": 3, "T": 3, "R": 5, "W": 7, "I": 5, "L": 5 + 2 * LAMPS}
"""Letter of a command to its length, check digits included."""

_EVERY_SCAN, _ON_REQUEST, _TIMED = range(3)
_REGISTERS = {"00": 0, "01": USUAL_SCAN, "02": _EVERY_SCAN, "03": 0, "04": 14}


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What differs between boards of the family.

    ``parity``: whether it sends odd parity and wants it. ``name``: what it answers to I, which
    older boards do not know. ``guesses``: it feels only that a man stands there, and takes what
    was lifted last for what is put down. ``lower_case``: its check digits.
    """

    version: str
    parity: bool = True
    name: str | None = None
    guesses: bool = False
    lower_case: bool = False


EXCLUSIVE = Profile(version="0103")
SUPREME = Profile(version="3130", parity=False, name="55mm")
EONE = Profile(version="0200", parity=False, name="e-one", guesses=True, lower_case=True)


class MillenniumBoard(ScanningBoard):
    """One board with nothing on it.

    ``rotated``: the cable is on White's left. What is in the registers outlives connections.
    ``missed`` is the chance that a scan does not read one of the men. ``piece``: bytes after
    which a message is cut, 20 over Bluetooth LE.
    """

    def __init__(
        self,
        profile: Profile = EXCLUSIVE,
        *,
        rotated: bool = False,
        missed: float = 0.0,
        piece: int = 64,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(baud=38400, piece=piece, rotated=rotated, faults=faults, seed=seed)
        self.profile = profile
        self.missed = missed
        self.registers = dict(_REGISTERS)
        self.lamps = ""
        self._guessed = [EMPTY] * SQUARES
        self._in_hand: list[str] = []
        self._read = self._reported = EMPTY * SQUARES
        self._report_at = self._silent_until = -math.inf
        self._input = bytearray()
        self._answers: dict[str, Callable[[str, float], None]] = {
            "V": lambda _, at: self._say(f"v{profile.version}", at),
            "S": lambda _, at: self._report(at),
            "X": self._lamps_off,
            "T": self._restart,
            "R": self._read_register,
            "W": self._write_register,
            "I": self._identify,
            "L": self._light,
        }

    @property
    def lit(self) -> set[chess.Square]:
        """The squares of which all four corners have light, in its own numbering.

        A square between lit ones may be among them that nobody meant.
        """
        slots = self.lamps[2:]
        lamps = {lamp for lamp in range(LAMPS) if slots[2 * lamp : 2 * lamp + 2].strip("0")}
        return {square for square in chess.SQUARES if lamps.issuperset(corners_of(square))}

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* on the board and take away everything else; a guessing board is told."""
        super().set_up(pieces, at=at)
        self._guessed = self._cells.copy()
        self._in_hand.clear()

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        """Guess what is lifted and put down; a man exchanged for another is not noticed."""
        del at
        if self._cells[square] == EMPTY:
            self._in_hand.append(self._guessed[square])
            self._guessed[square] = EMPTY
        elif before == EMPTY:
            self._guessed[square] = self._in_hand.pop() if self._in_hand else self._cells[square]

    def _hear(self, data: bytes, at: float) -> None:
        """Take commands; what is damaged or not known is not answered."""
        if at < self._silent_until:
            return
        for byte in data:
            if self.profile.parity and byte.bit_count() % 2 == 0:
                self._input.clear()
                continue
            self._input.append(byte & 0x7F)
            self._obey(at)

    # --- scanning -------------------------------------------------------------------------------

    def _scan(self, at: float) -> float:
        if at >= self._silent_until:
            self._read_squares(at)
        units = self.registers["01"]
        return SCAN_UNIT * (units if units >= SHORTEST_SCAN else USUAL_SCAN)

    def _read_squares(self, at: float) -> None:
        letters = cells_of("".join(self._guessed) if self.profile.guesses else self.cells)
        men = [place for place, letter in enumerate(letters) if letter != EMPTY]
        if men and self._rng.random() < self.missed:
            place = self._rng.choice(men)
            letters = f"{letters[:place]}{EMPTY}{letters[place + 1 :]}"
        self._read = letters
        due = {
            _EVERY_SCAN: True,
            _ON_REQUEST: False,
            _TIMED: at >= self._report_at,
        }
        if due.get(self.registers["02"], letters != self._reported):
            self._report(at)

    def _report(self, at: float) -> None:
        self._reported = self._read
        self._report_at = at + self.registers["03"] * INTERVAL_UNIT
        self._say(f"s{self._read}", at)

    # --- commands -------------------------------------------------------------------------------

    def _obey(self, at: float) -> None:
        """Carry out the command that is complete; give up what begins none."""
        length = _COMMANDS.get(chr(self._input[0]), 0)
        if len(self._input) < length:
            return
        content = bytes(self._input[: length - CHECK_DIGITS])
        check = bytes(self._input[length - CHECK_DIGITS : length])
        self._input.clear()
        if length and check == check_of(content):
            text = content.decode("ascii")
            self._answers[text[0]](text[1:], at)

    def _lamps_off(self, _: str, at: float) -> None:
        self.lamps = ""
        self._say("x", at)

    def _light(self, lamps: str, at: float) -> None:
        self.lamps = lamps
        self._say("l", at)

    def _restart(self, _: str, at: float) -> None:
        self.lamps = ""
        self._read = EMPTY * SQUARES
        self._silent_until = at + RESTART

    def _read_register(self, register: str, at: float) -> None:
        self._say(f"r{register}{self.registers.get(register, 0):02X}", at)

    def _write_register(self, written: str, at: float) -> None:
        self.registers[written[:2]] = bytes.fromhex(written[2:])[0]
        self._say(f"w{written}", at)

    def _identify(self, _: str, at: float) -> None:
        if self.profile.name is not None:
            self._send(f"i00{self.profile.name}\n".encode("ascii"), at=at)

    def _say(self, text: str, at: float) -> None:
        data = message(text, parity=self.profile.parity)
        if self.profile.lower_case:
            data = data[:-CHECK_DIGITS] + data[-CHECK_DIGITS:].lower()
        self._send(data, at=at)
