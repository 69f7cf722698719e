"""Files that people bring: configurations, pairings, games, captures, streams of boards."""

import contextlib
from functools import cache
from pathlib import Path

from bridge.config import ConfigError, parse
from bridge.core.capture_readings import readings_of, units_of
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.reading import PgnError, read_games
from bridge.core.stream import OutputWriter, StreamError, infer
from bridge.core.table import Table
from bridge.pairings import PairingError, read_pairings
from drivers import capture
from drivers.catalogue import all_drivers
from drivers.errors import CaptureError
from drivers.simulated import games
from drivers.simulated.streams import PROFILES, play_session
from tests.fuzzing.target import Target
from tests.measuring import not_measured

ROOT = Path(__file__).resolve().parents[2]
DRIVERS = all_drivers()
NOWHERE = Path("/nowhere/hall.yaml")

TRF16 = (
    b"012 Open\r\n132" + b" " * 67 + b"26/11/20\r\n"
    b"001    1 mGM Kramer, Anna                      2500 NED   12345678 1990/01/01  1.0    1"
    b"     2 w 1  \r\n"
    b"001    2 w   Okafor, Ben                       2300 NGR   87654321 1991/01/01  0.0    2"
    b"     1 b 0  \r\n"
)
TRF26 = b"###\nXXR 9\n352 Town\n" + TRF16 + b"XXZ 1\n162 W 1.0 D 0.5\n"
CSV = "board;white;white elo;black;black elo;sp\n1;Müller, Jörg;2100;Wang, Wei;1900;518\n".encode()
PGN = (
    b'[Event "Open"]\n[Round "1.1"]\n[White "Kramer, Anna"]\n[Black "Wang, Wei"]\n[Board "1"]\n'
    b'[FEN "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1"]\n[SetUp "1"]\n'
    b'[Variant "Chess960"]\n[Result "*"]\n\n1. e4 {[%clk 0:05:00] [%emt 0:00:01]} *\n\n'
)
CAPTURE = (
    b"# Driver: dgt\n# Played: e4 e5\n! 0.000 opened\n> 0.000 42\n< 0.120 86 00 43 "
    b"04 02 03 06 05 03 02 04 "
    + b"01 " * 8
    + b"00 " * 32
    + b"07 " * 8
    + b"0a 08 09 0c 0b 09 08 0a\n< 5.000 8e 00 05 34 00\n< 5.500 8e 00 05 24 07\n! 9.000 lost\n"
)


def targets() -> dict[str, Target]:
    """Return a target for each kind of file."""
    return {
        "config": Target(_configure, lambda: [(ROOT / "config/example.yaml").read_bytes()]),
        "pairings": Target(_pair, lambda: [TRF16, TRF26, CSV, PGN, CSV.decode().encode("utf-16")]),
        "games": Target(_read_games, _games),
        "capture": Target(_replay, lambda: [CAPTURE]),
        "stream": Target(_infer, _streams),
    }


def _configure(data: bytes) -> None:
    with contextlib.suppress(ConfigError):
        parse(data.decode(errors="replace"), NOWHERE)


def _pair(data: bytes) -> None:
    with contextlib.suppress(PairingError):
        read_pairings(data)


def _read_games(data: bytes) -> None:
    with contextlib.suppress(PgnError):
        for record in read_games(data.decode(errors="replace")):
            to_pgn(record)


def _replay(data: bytes) -> None:
    """Read a capture, decode it and follow the game, as ``replay`` does."""
    try:
        read = capture.parse(data, name="made up", lenient=True)
    except CaptureError:
        return
    codec = DRIVERS.get(read.header.get("Driver", ""))
    if codec is None:
        return
    for unit in units_of(read, codec)[:2]:
        table = Table("1")
        for reading in readings_of(read, codec, table="1", unit=unit):
            table.apply(reading)


def _infer(data: bytes) -> None:
    with contextlib.suppress(StreamError):
        for _ in infer(data.splitlines(), name="made up", writer=OutputWriter(explain=True)):
            pass


def _games() -> list[bytes]:
    folder = Path(games.__file__).parent / "games"
    return [PGN, *(path.read_bytes() for path in sorted(folder.glob("*.pgn")))]


@cache
def _streams() -> tuple[bytes, ...]:
    profile = PROFILES["chaos"]
    sessions = (
        play_session([games.load(name)], profile, board="identity", seed=1, name=name)[0]
        for name in games.names()[:2]
    )
    with not_measured():
        return tuple("\n".join(lines[:30]).encode() for lines in sessions)
