"""Frames of the row bus, whole, cut, damaged and in company."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.boards.dgt.bus_framing import (
    LENGTHS,
    LONGEST_REPLY,
    PAUSE,
    BusFramer,
    Reply,
    Stray,
    bus_command,
    sealed,
)
from drivers.boards.dgt.protocol import BusCommand, BusMessage
from drivers.events import Noise
from tests.shared import shared

PING = bytes.fromhex("870006080116")
VERSION = bytes.fromhex("89000808010102 1d")
CLOCK = bytes.fromhex("84000d0801012959013000 13 61")
CHANGES = bytes.fromhex("85000d080140344124712955 63")
DUMP = bytes.fromhex(
    "830046080108090a0c0b0a0908" + "07" * 8 + "00" * 32 + "01" * 8 + "02030406050403027c"
)
EVERY_KIND = (PING, VERSION, CLOCK, CHANGES, DUMP, bytes.fromhex("850006080114"))
WORDS = {
    "87 00 00 07": (BusCommand.PING, 0),
    "8a 08 01 13": (BusCommand.IGNORE_NEXT_BUS_PING, 1025),
    "8b 08 01 14": (BusCommand.SEND_VERSION, 1025),
    "83 08 01 0c": (BusCommand.SEND_CHANGES, 1025),
    "84 08 01 0d": (BusCommand.REPEAT_CHANGES, 1025),
    "81 08 01 0a": (BusCommand.SEND_CLK, 1025),
    "82 08 01 0b": (BusCommand.SEND_BRD, 1025),
    "83 06 50 59": (BusCommand.SEND_CHANGES, 0x350),
}


def fed(*chunks: bytes, at: float = 0.0) -> list[Reply | Stray | Noise]:
    framer = BusFramer()
    pieces = [piece for chunk in chunks for piece in framer.feed(chunk, at)]
    assert len(framer) <= LONGEST_REPLY
    return pieces


def replies(*chunks: bytes) -> list[Reply | Stray]:
    return [piece for piece in fed(*chunks) if not isinstance(piece, Noise)]


@pytest.mark.parametrize("text", WORDS)
def test_commands_have_four_bytes(text: str) -> None:
    assert bus_command(*WORDS[text]).hex(" ") == text


def test_a_reply_names_its_board() -> None:
    assert fed(PING) == [Reply(BusMessage.PING, 1025, b"")]
    assert fed(VERSION) == [Reply(BusMessage.VERSION, 1025, b"\x01\x02")]
    (reply,) = fed(DUMP)
    assert isinstance(reply, Reply)
    assert reply.data[:8].hex() == "08090a0c0b0a0908"


def test_the_layouts_of_every_kind_are_known() -> None:
    for kind in BusMessage:
        assert kind in LENGTHS


@settings(deadline=None)
@given(st.lists(st.sampled_from(EVERY_KIND)), st.lists(st.integers(1, 20)))
def test_any_cut_gives_the_same(frames: list[bytes], sizes: list[int]) -> None:
    stream, chunks = b"".join(frames), []
    rest = stream
    for size in sizes:
        chunks.append(rest[:size])
        rest = rest[size:]
    assert fed(*chunks, rest) == fed(stream)
    assert len(fed(stream)) == len(frames)


@pytest.mark.parametrize("frame", EVERY_KIND)
def test_a_lost_byte_never_harms_the_next_reply(frame: bytes) -> None:
    for lost in range(len(frame)):
        stream = frame[:lost] + frame[lost + 1 :] + VERSION + PING
        assert replies(stream)[-2:] == fed(VERSION + PING)


@pytest.mark.parametrize("frame", EVERY_KIND)
def test_a_wrong_bit_is_no_reply_and_is_told(frame: bytes) -> None:
    for place in range(len(frame)):
        for bit in range(8):
            bent = bytearray(frame)
            bent[place] ^= 1 << bit
            pieces = fed(bytes(bent) + PING)
            assert pieces[-1] == Reply(BusMessage.PING, 1025, b"")
            assert [piece for piece in pieces[:-1] if isinstance(piece, Reply)] == []
            told = b"".join(bytes.fromhex(p.data) for p in pieces if isinstance(p, Noise))
            strays = b"".join(p.data for p in pieces if isinstance(p, Stray))
            assert len(told) + len(strays) == len(frame)


def test_the_reasons_are_told() -> None:
    reasons = {
        "20 21": "no reply of a row begins with 0x20",
        "87 00 07 01": "reply 0x87 is never 7 bytes long",
        "87 00 06 08 01 15": "wrong checksum",
        "87 00 06 08": "cut short by the next reply",
    }
    for damaged, why in reasons.items():
        noise, reply = fed(bytes.fromhex(damaged) + PING)
        assert noise == Noise(at=0.0, data=damaged, why=why)
        assert isinstance(reply, Reply)


def test_the_rest_of_a_reply_is_not_awaited_for_ever() -> None:
    framer = BusFramer()
    assert framer.feed(DUMP[:20], 1.0) == []
    noise, reply = framer.feed(PING, 1.1 + PAUSE)
    assert noise == Noise(at=1.1 + PAUSE, data=DUMP[:20].hex(" "), why="not completed in time")
    assert reply == Reply(BusMessage.PING, 1025, b"")


def test_a_long_reply_may_take_long() -> None:
    """The whole ring takes more than eight seconds at 9600 baud."""
    head = bytes([0x85, LONGEST_REPLY >> 7, LONGEST_REPLY & 0x7F, 8, 1])
    frame = sealed(head + b"\x7f" * (LONGEST_REPLY - len(head) - 1))
    framer, at = BusFramer(), 0.0
    pieces = []
    for start in range(0, len(frame), 16):
        at += 0.0167
        pieces += framer.feed(frame[start : start + 16], at)
        assert len(framer) <= LONGEST_REPLY
    (reply,) = pieces
    assert isinstance(reply, Reply)
    assert len(reply.data) == 7936


def test_boards_outside_bus_mode_are_known_by_what_they_say() -> None:
    change, tick = bytes.fromhex("8e00053400"), bytes.fromhex("8d000a20030220030109")
    assert fed(change + tick + PING) == [Stray(change), Stray(tick), *fed(PING)]


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=20))
def test_arbitrary_bytes_are_noise_replies_or_kept(chunks: list[bytes]) -> None:
    framer = BusFramer()
    seen = 0
    for chunk in chunks:
        for piece in framer.feed(chunk, 0.0):
            match piece:
                case Noise():
                    seen += len(bytes.fromhex(piece.data))
                case Stray():
                    seen += len(piece.data)
                case Reply():
                    seen += 6 + len(piece.data)
    assert seen + len(framer) == sum(map(len, chunks))


def test_recorded_frames_of_a_centaur_have_the_framing_of_a_row() -> None:
    """Inside it speaks like a board of a row, with more kinds of messages than those have."""
    lines = shared("protocols/captures/dgt_centaur_frames.hex").read_text().splitlines()
    frames = [bytes.fromhex(line) for line in lines if not line.startswith("#")]
    assert len(frames) == 16
    assert all(sealed(frame[:-1]) == frame for frame in frames)
    asks, *_ = frames
    assert bus_command(BusCommand.SEND_CHANGES, 0x350) == asks
    (nothing_new,) = (frame for frame in frames if frame[0] == BusMessage.UPDATE)
    assert fed(nothing_new) == [Reply(BusMessage.UPDATE, 0x350, b"")]
    keys = b"".join(frame for frame in frames[8:] if frame[0] == 0xB1)
    assert all(isinstance(piece, Noise) for piece in fed(keys))
    assert fed(keys + nothing_new)[-1] == Reply(BusMessage.UPDATE, 0x350, b"")
