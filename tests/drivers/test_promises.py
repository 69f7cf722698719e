"""What every codec promises: kept by all of ours, and noticed where another one does not."""

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.boards.chessup.protocol import state_frame
from drivers.catalogue import all_drivers, driver, simulated_boards
from drivers.codec import Codec, Fingerprint, GattSettings, Outgoing
from drivers.events import Event, Noise, Notice, Snapshot
from drivers.promises import problems_of, tried
from drivers.transports.simulated import Device, make_board
from tests.conversations import Conversation
from tests.drivers.promises import Family, keeps_any_cut
from tests.invented import INVENTED
from tests.shared import shared

LONG_ENOUGH = 60.0
BYTES = 2500


class Overheard:
    """A device, and what it has said piece by piece."""

    def __init__(self, device: Device) -> None:
        self.said: list[bytes] = []
        self._device = device

    def receive(self, data: bytes, *, at: float) -> None:
        self._device.receive(data, at=at)

    def poll(self, *, at: float) -> Outgoing:
        outgoing = self._device.poll(at=at)
        if outgoing.data:
            self.said.append(outgoing.data)
        return outgoing


@cache
def said_by(name: str) -> Sequence[bytes]:
    """Return what a simulated board says from the greeting on, at most so many bytes."""
    device = Overheard(make_board(name, 1))
    talk = Conversation(driver(name)(), device)
    while talk.at < LONG_ENOUGH and sum(map(len, device.said)) < BYTES:
        talk.go_on(talk.at + 1.0)
    return device.said


@pytest.mark.parametrize("name", all_drivers())
def test_every_driver_has_a_simulated_board_and_declares_what_is_needed(name: str) -> None:
    assert name in simulated_boards()
    assert problems_of(driver(name).info) == []


@pytest.mark.parametrize("name", all_drivers())
def test_every_codec_keeps_its_promises_on_what_a_simulated_board_says(name: str) -> None:
    for promise, broken in tried(driver(name), said_by(name)):
        assert not broken, promise


@pytest.mark.parametrize("name", sorted({*all_drivers()} - {"cpp"}))  # whose messages have no end
@settings(max_examples=15)
@given(cuts=st.lists(st.integers(0, BYTES), max_size=12), noise=st.binary(max_size=60))
def test_any_cut_gives_the_same_on_what_a_simulated_board_says(
    name: str, cuts: list[int], noise: bytes
) -> None:
    reads = said_by(name)
    keeps_any_cut(Family(driver(name), reads), b"".join(reads) + noise + b"".join(reads), cuts)


# --- recordings of real boards --------------------------------------------------------------------


def hexadecimal(name: str, pattern: str) -> list[bytes]:
    text = shared(f"protocols/captures/{name}").read_text(encoding="utf-8")
    return [bytes.fromhex(found) for found in re.findall(pattern, text, re.MULTILINE)]


def scans(name: str) -> list[bytes]:
    """Return recorded scans of tags, as the board ends them."""
    lines = shared(f"protocols/captures/{name}").read_text(encoding="utf-8").splitlines()
    numbers = [line.removeprefix(":").strip() for line in lines if not line.startswith("#")]
    return [f":{line} \r\n".encode() for line in numbers]


def neo() -> list[bytes]:
    text = shared("protocols/captures/squareoff_neo_game.txt").read_text(encoding="utf-8")
    return [said.encode() for said in re.findall(r"^\d+ < \w (.*)$", text, re.MULTILINE)]


RECORDED: dict[str, tuple[str, Callable[[], list[bytes]]]] = {
    "a game on a DGT board": (
        "dgt",
        lambda: hexadecimal("dgt_usb_game1_normal.hex", r"^(8[0-9a-f](?: [0-9a-f]{2})+)$"),
    ),
    "a game on a ChessUp 2": (
        "chessup",
        lambda: [
            state_frame(chess.Board()),
            *hexadecimal("chessup2_game.hex", r"((?:a3 35|97)(?: [0-9a-f]{2})+) +\w+"),
        ],
    ),
    "a game on a Neo": ("squareoff_neo", neo),
    "scans of a Certabo": ("certabo", lambda: scans("certabo_rfid_frames.txt")),
    "scans of another Certabo": ("certabo", lambda: scans("certabo_calibration_frames.txt")),
}


@pytest.mark.parametrize(("name", "recorded"), RECORDED.values(), ids=RECORDED)
def test_every_codec_keeps_its_promises_on_what_real_boards_said(
    name: str, recorded: Callable[[], list[bytes]]
) -> None:
    reads = recorded()
    assert len(reads) > 3
    for promise, broken in tried(driver(name), reads):
        assert not broken, promise


@pytest.mark.parametrize(("name", "recorded"), RECORDED.values(), ids=RECORDED)
@settings(max_examples=10)
@given(cuts=st.lists(st.integers(0, 10_000), max_size=12), noise=st.binary(max_size=60))
def test_any_cut_gives_the_same_on_what_real_boards_said(
    name: str, recorded: Callable[[], list[bytes]], cuts: list[int], noise: bytes
) -> None:
    stream = b"".join(recorded())[:3000]
    keeps_any_cut(Family(driver(name), [stream]), stream + noise + stream, cuts)


# --- codecs that break their promises -------------------------------------------------------------

START = 0xA5
SOUND = replace(INVENTED, longest_message=3)
READS = [bytes((START, n, START ^ n)) for n in range(1, 20)]


class Sound(Codec):
    """Three bytes a message: a start, how many men stand from a1 on, and a check."""

    info = SOUND

    def __init__(self) -> None:
        self._buffer = b""

    @property
    def buffered(self) -> int:
        return len(self._buffer)

    def greet(self, *, at: float) -> None:
        pass

    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"", math.inf)

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        self._buffer += data
        events: list[Event] = []
        while self._buffer:
            message = self._buffer[:3]
            if message[0] != START or (len(message) == 3 and not self.is_sound(message)):
                events += self.dropped(self._buffer[:1], at)
                self._buffer = self._buffer[1:]
            elif len(message) < 3:
                break
            else:
                self._buffer = self._buffer[3:]
                events.append(Snapshot(at=at, cells="P" * message[1] + "." * (64 - message[1])))
        return events

    def is_sound(self, message: bytes) -> bool:
        return START ^ message[1] == message[2] and 0 < message[1] < 64

    def dropped(self, data: bytes, at: float) -> list[Event]:
        return [Noise(at=at, data=data.hex(), why="no message")]


class Raises(Sound):
    def is_sound(self, message: bytes) -> bool:
        if message[1] == 0:
            raise ZeroDivisionError("no men")
        return super().is_sound(message)


class Hoards(Sound):
    info = replace(SOUND, longest_message=1)


class Deaf(Sound):
    def is_sound(self, message: bytes) -> bool:
        return False


class Silent(Sound):
    def dropped(self, data: bytes, at: float) -> list[Event]:
        return []


class Impatient(Sound):
    """Takes each read for a message, unless it is the start of one."""

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        if data[:1] == bytes((START,)) or len(data) == 1:
            return super().receive(data, at=at)
        return [Notice(at=at, text="what is that?")]


class Trusting(Sound):
    """Never looks for another start once it has begun."""

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        self._buffer += data
        events: list[Event] = []
        while len(self._buffer) >= 3:
            message, self._buffer = self._buffer[:3], self._buffer[3:]
            if message[0] == START and self.is_sound(message):
                events.append(Snapshot(at=at, cells="P" * message[1] + "." * (64 - message[1])))
            else:
                events += self.dropped(message, at)
        return events


class Restless(Sound):
    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"", at)


class Chatty(Sound):
    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"?", at)


class Masked(Sound):
    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"?", at + 1.0)

    def shown(self, data: bytes) -> bytes:
        return b""


def broken_by(codec: type[Codec], reads: Collection[bytes] = READS) -> dict[str, str]:
    return {promise: broken for promise, broken in tried(codec, list(reads)) if broken}


def test_a_sound_codec_breaks_nothing() -> None:
    assert broken_by(Sound) == {}


@pytest.mark.parametrize(
    ("codec", "promise", "why"),
    [
        (Raises, "leaves noise behind, and says so", "raises ZeroDivisionError: no men"),
        (Hoards, "gives the same however the bytes are cut", "holds back 2 bytes"),
        (Deaf, "understands what the board said", "no position is told"),
        (Silent, "leaves noise behind, and says so", "nothing is ever told as noise"),
        (Impatient, "gives the same however the bytes are cut", "in pieces of 2 bytes"),
        (Trusting, "after a lost byte finds the same again", "where byte 0 is lost"),
        (Restless, "says what to send, and when to ask again", "wants to be polled at 0 s"),
        (Chatty, "says what to send, and when to ask again", "is never done sending"),
        (Masked, "says what to send, and when to ask again", "'shown' returns more or fewer"),
    ],
)
def test_a_promise_that_is_broken_is_named(codec: type[Codec], promise: str, why: str) -> None:
    assert why in broken_by(codec)[promise]


def test_what_a_board_said_is_tried_up_to_a_limit() -> None:
    assert "no position is told" in "".join(broken_by(Sound, [b"x" * 8001, *READS]).values())


def test_what_is_wrong_with_a_declaration_is_named() -> None:
    nothing = replace(SOUND, transports=(), longest_message=0, silence_limit=0.0)
    assert len(problems_of(nothing)) == 3
    bare = replace(SOUND, transports=("serial", "usb", "ble", "tcp"), line=None)
    assert problems_of(bare) == [
        "transport serial needs 'line'",
        "transport tcp needs 'line'",
        "transport usb needs 'hid'",
        "transport ble needs 'gatt'",
        "a USB board is found by 'usb_ids' of its fingerprint: there are none",
        "a radio board is found by 'ble_names' or 'ble_services': there are none",
    ]
    gatt = GattSettings(notify=("1",), write="2")
    named = replace(
        SOUND, transports=("ble",), gatt=gatt, fingerprint=Fingerprint(ble_names=("A",))
    )
    assert problems_of(named) == []
