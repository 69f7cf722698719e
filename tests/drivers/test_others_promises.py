"""What the codecs of several families promise about bytes: none is special."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.boards.chessup import ChessUp
from drivers.boards.chessup.protocol import move_frame, occupancy_of, state_frame
from drivers.boards.dgt import Pegasus
from drivers.boards.dgt3000_gateway import Dgt3000Gateway
from drivers.boards.ichessone import IChessOne, body_of
from drivers.boards.novag import Novag
from drivers.boards.squareoff import SquareOffNeo, SquareOffPro
from drivers.boards.squareoff.text import digits_of
from drivers.events import Noise
from tests.drivers.promises import (
    Family,
    keeps_a_lost_byte,
    keeps_any_cut,
    keeps_noise,
    keeps_single_bytes,
)

START = "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr"
AFTER_E4 = START[:12] + "." + START[13:28] + "P" + START[29:]
E4 = chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
TIMES = (
    b'{"type":"timeUpdate","timestamp":5,"data":{"leftHours":0,"leftMinutes":5,"leftSeconds":0,'
    b'"rightHours":0,"rightMinutes":5,"rightSeconds":0}}'
)
POSITION = tuple(
    f"{row}\r\n".encode()
    for row in (
        "Position Board",
        ".  aa bb cc dd ee ff gg hh",
        ".8 br bn bb bq bk bb bn br 8",
        ".7 bp bp bp bp bp bp bp bp 7",
        ".6    ::    ::    ::    :: 6",
        ".5 ::    ::    ::    ::    5",
        ".4    ::    :: WP ::    :: 4",
        ".3 ::    ::    ::    ::    3",
        ".2 WP WP WP WP    WP WP WP 2",
        ".1 WR WN WB WQ WK WB WN WR 1",
    )
)
DIGITS, DIGITS_E4 = digits_of(START), digits_of(AFTER_E4)

FAMILIES = {
    "ichessone": Family(
        IChessOne,
        (
            b"=p" + body_of(START),
            b"=b\x01\x64",
            b"=hrev 2",
            b"=p" + body_of(AFTER_E4),
            b"=b\x00\x58",
            b"=p" + body_of(AFTER_E4),
        ),
        again=3,
    ),
    "chessup": Family(
        ChessUp,
        (
            bytes.fromhex("b2 00 01 09 00 01 00 00 0d ef 36 d0 01 04 00 01"),
            state_frame(chess.Board()),
            occupancy_of(chess.Board().occupied),
            bytes.fromhex("b8 0c 00"),
            bytes.fromhex("bb b0 01 b1 22 23 24 33 01"),
            occupancy_of(E4.occupied),
            move_frame(chess.Move.from_uci("e2e4")),
            bytes.fromhex("97 04 bd"),
            state_frame(E4),
            occupancy_of(E4.occupied),
        ),
        again=2,
    ),
    "squareoff": Family(
        SquareOffPro,
        (
            f"30#{DIGITS}*".encode(),
            b"0#e2u*",
            b"0#e4d*",
            b"14#GO*22#3.52*",
            f"30#{DIGITS_E4}*".encode(),
            b"0#e7u*",
            b"0#e5d*",
        ),
        again=2,
    ),
    "squareoff_neo": Family(
        SquareOffNeo,
        (
            DIGITS.encode(),
            b"1#XX:XX:XX:XX:XX:XX*",
            b"e2u",
            b"e4d",
            DIGITS_E4.encode(),
            b"OK",
            b"4#3752.50*",
            DIGITS_E4.encode(),
            b"e7u",
            b"e5d",
        ),
        again=2,
    ),
    "pegasus": Family(
        Pegasus,
        (
            b"\x86\x00\x43" + b"\1" * 16 + b"\0" * 32 + b"\1" * 16,
            bytes.fromhex("91 00 08 31 32 33 34 35"),
            bytes.fromhex("8e 00 05 34 00"),
            bytes.fromhex("8e 00 05 24 01"),
            bytes.fromhex("a0 00 0c 58 7f 7f 01 1e 00 00 00 02"),
            b"\x86\x00\x43" + b"\1" * 12 + b"\0" * 40 + b"\1" * 12,
            bytes.fromhex("8e 00 05 34 01"),
        ),
    ),
    "novag": Family(
        Novag,
        (
            b"ID. UCBII V1.09\r\n",
            *POSITION,
            b"M   1   e2-e4\r\n",
            b"Clock 00:05:00\r\n00:05:00\r\n",
            b"Clock 00:04:59\r\n00:05:00\r\n",
            *POSITION,
            b"T   1   e2-e4\r\n",
            b"M   1   O-O\r\n",
        ),
        again=3,
    ),
    "dgt3000_gateway": Family(
        Dgt3000Gateway,
        (
            b'{"type":"connectionStatus","timestamp":1,"data":{"connected":true}}',
            TIMES,
            b'{"type":"buttonEvent","timestamp":7,"data":{"button":"lever_right"}}',
            b'{"type":"error","timestamp":8,"data":{"errorCode":3,"errorMessage":"}{"}}\r\n',
            TIMES.replace(b'"leftMinutes":5', b'"leftMinutes":4'),
            b'{"type":"buttonEvent","timestamp":9,"data":{"button":"plus"}}',
        ),
        again=2,
    ),
}
everybody = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)


@everybody
def test_one_byte_at_a_time_gives_the_same(family: Family) -> None:
    keeps_single_bytes(family)
    assert not any(isinstance(event, Noise) for event in family.events(family.stream))


@everybody
@given(cuts=st.lists(st.integers(0, 10_000), max_size=12), noise=st.binary(max_size=60))
def test_any_cut_gives_the_same(family: Family, cuts: list[int], noise: bytes) -> None:
    keeps_any_cut(family, family.stream + noise + family.stream, cuts)


@everybody
def test_a_lost_byte_never_harms_the_message_after_the_next(family: Family) -> None:
    keeps_a_lost_byte(family)


@everybody
@given(noise=st.binary(max_size=200))
def test_noise_is_told_and_left_behind(family: Family, noise: bytes) -> None:
    keeps_noise(family, noise)
