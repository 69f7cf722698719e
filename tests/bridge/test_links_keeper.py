"""Links on real ptys, with a small family of boards of our own and with simulated DGT boards."""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import replace
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

from bridge.core.model import LinkChange
from bridge.links.capture_files import CaptureFiles
from bridge.links.claims import Claims
from bridge.links.keeper import Keeper
from bridge.links.recorder import Recorder, Scribe
from drivers.boards.dgt import Dgt
from drivers.codec import NOTHING, Codec, Outgoing
from drivers.errors import PortMissingError
from drivers.events import Event, Identity, Noise, Notice, Snapshot
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.transports import load_capture
from tests.invented import INVENTED
from tests.ptys import Pty, plugged, power

CELLS = "." * 64
SNAPSHOT = bytes([0xA5, 1, 0, 0xA5 ^ 1])
NOTICE = bytes([0xA5, 3, 0, 0xA5 ^ 3])


def identity(number: int) -> bytes:
    head = bytes([0xA5, 2, number])
    return head + bytes([reduce(xor, head)])


class Acme(Codec):
    """Four bytes a message: start, kind, value, xor of them."""

    info = replace(INVENTED, silence_limit=0.15)

    def __init__(self) -> None:
        self._buffer = b""
        self._queue = b""

    @property
    def buffered(self) -> int:
        return len(self._buffer)

    def greet(self, *, at: float) -> None:
        self._queue = b"\x01"

    def poll(self, *, at: float) -> Outgoing:
        data, self._queue = self._queue, b""
        return Outgoing(data, math.inf) if data else NOTHING

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        self._buffer += data
        events: list[Event] = []
        while len(self._buffer) >= 4:
            message = self._buffer[:4]
            if message[0] != 0xA5 or reduce(xor, message):
                self._buffer = self._buffer[1:]
                events.append(Noise(at=at, data=message[:1].hex(), why="no message"))
                continue
            self._buffer = self._buffer[4:]
            events.append(self.decode(message, at))
        return events

    def decode(self, message: bytes, at: float) -> Event:
        match message[1]:
            case 1:
                return Snapshot(at=at, cells=CELLS)
            case 2:
                return Identity(at=at, field="serial", value=str(message[2]))
            case _:
                return Notice(at=at, text="notice")


class Patient(Acme):
    """An Acme that may be silent for longer than any test takes."""

    info = replace(Acme.info, silence_limit=60.0)


class Faulty(Patient):
    def decode(self, message: bytes, at: float) -> Event:
        raise ZeroDivisionError("a fault in a driver")


class Lit(Patient):
    """Says on its line which squares shall be lit."""

    def light(self, squares: Collection[int]) -> None:
        self._queue += bytes([0x80 | square for square in squares] or [0x7F])


class Greedy(Patient):
    """Wants to be polled at once, for ever."""

    polls = 0

    def poll(self, *, at: float) -> Outgoing:
        Greedy.polls += 1
        return Outgoing(b"", at)


class Heard:
    """What a keeper delivered, as words where the tests only ask for the order."""

    def __init__(self) -> None:
        self.all: list[Event | LinkChange] = []

    def __call__(self, thing: Event | LinkChange) -> None:
        self.all.append(thing)

    @property
    def story(self) -> list[str]:
        return [
            thing.state if isinstance(thing, LinkChange) else type(thing).__name__
            for thing in self.all
        ]

    @property
    def states(self) -> list[LinkChange]:
        return [thing for thing in self.all if isinstance(thing, LinkChange)]

    async def until(self, story: list[str]) -> None:
        """Wait until the story is this one."""
        for _ in range(2000):
            if self.story == story:
                return
            await asyncio.sleep(0.005)
        pytest.fail(f"{self.story} is not {story}")


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    with plugged(tmp_path / "usb-Acme_Board-if00") as pty:
        yield pty


def greeted(data: bytes) -> bytes:
    return SNAPSHOT * data.count(b"\x01")


async def eventually(condition: Callable[[], object]) -> None:
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.005)
    pytest.fail("waited in vain")


async def opened(port: Pty) -> None:
    """Wait for the greeting: what a board says before is not listened to."""
    await eventually(port.received)


def keeper(where: Any, heard: Heard, driver: type[Codec] = Patient, **options: Any) -> Keeper:
    options = {"first_wait": 0.01, "longest_wait": 0.05} | options
    return Keeper("table 7", where, driver, now=time.monotonic, deliver=heard, **options)


def keep(kept: Keeper, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """Run *kept* for as long as *meanwhile* takes."""

    async def run() -> None:
        task = asyncio.create_task(kept.run())
        try:
            await meanwhile()
        finally:
            task.cancel()
            await asyncio.wait([task])
        assert task.cancelled(), task.exception()

    asyncio.run(run())


def test_unplugged_and_plugged_in_elsewhere(port: Pty, caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        port.answer(greeted)
        await heard.until(["live", "Snapshot"])
        port.send(SNAPSHOT[:2])
        await asyncio.sleep(0.02)
        port.unplug()
        await heard.until(["live", "Snapshot", "lost", "lost"])
        await asyncio.sleep(0.2)
        port.plug()
        port.answer(greeted)
        await heard.until(["live", "Snapshot", "lost", "lost", "live", "Snapshot"])

    keep(keeper(port.address, heard), meanwhile)
    gone, missing = heard.states[1:3]
    assert "usb-Acme_Board-if00" in gone.detail
    assert "no such port" in missing.detail
    ours = [r for r in caplog.records if r.name == "bridge.links.keeper"]
    warnings = [r for r in ours if r.levelno >= logging.WARNING]
    assert len(warnings) == 1, "the first loss; the tries after it are for debugging"


def test_a_board_that_was_away_for_long_is_not_waited_for(
    port: Pty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.links.keeper.MISSING_WAIT", 0.02)
    heard, waits = Heard(), []
    kept = keeper(port.address, heard, first_wait=0.01, longest_wait=100.0)

    async def meanwhile() -> None:
        port.answer(greeted)
        await heard.until(["live", "Snapshot"])
        port.unplug()
        for _ in range(50):
            await asyncio.sleep(0.02)
            waits.append(kept._wait)
        port.plug()
        port.answer(greeted)
        await heard.until(["live", "Snapshot", "lost", "lost", "live", "Snapshot"])

    keep(kept, meanwhile)
    assert max(waits) <= 0.04


class Ear:
    """Answers like any Acme board, and keeps what it was told."""

    def __init__(self) -> None:
        self.told = b""

    def __call__(self, data: bytes) -> bytes:
        self.told += data
        return greeted(data)


def test_lamps_are_left_alone_until_somebody_wishes(port: Pty) -> None:
    kept, ear = keeper(port.address, heard := Heard(), Lit), Ear()

    async def meanwhile() -> None:
        port.answer(ear)
        await heard.until(["live", "Snapshot"])
        assert ear.told == b"\x01"
        kept.light([1, 2])
        await eventually(lambda: ear.told == b"\x01\x81\x82")

    keep(kept, meanwhile)


def test_squares_are_lit_again_when_the_board_is_back_and_has_answered(port: Pty) -> None:
    kept, ear = keeper(port.address, heard := Heard(), Lit), Ear()
    kept.light([5])

    async def meanwhile() -> None:
        port.answer(ear)
        await eventually(lambda: ear.told == b"\x01\x85")
        port.unplug()
        await heard.until(["live", "Snapshot", "lost", "lost"])
        kept.light([])
        port.plug()
        port.answer(ear)
        await eventually(lambda: ear.told == b"\x01\x85\x01\x7f")

    keep(kept, meanwhile)


def test_a_look_that_took_long_is_followed_by_the_next_one_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bridge.links.keeper.MISSING_WAIT", 60.0)
    looks, at = 0, 0.0

    async def locate() -> str:
        nonlocal looks, at
        looks += 1
        at += 100.0
        raise PortMissingError("nowhere")

    kept = Keeper("table 7", locate, Patient, now=lambda: at, deliver=Heard(), first_wait=60.0)
    keep(kept, lambda: eventually(lambda: looks >= 4))


def test_a_port_that_only_opens_does_not_reset_the_wait(port: Pty) -> None:
    kept = keeper(port.address, heard := Heard(), Acme)
    greetings = 0

    def late(data: bytes) -> bytes:
        nonlocal greetings
        greetings += 1
        if greetings < 4:
            return b"\xff\xff\xff\xff"
        waits.append(kept._wait)
        return greeted(data)

    waits: list[float] = []

    async def meanwhile() -> None:
        port.answer(late)
        await eventually(lambda: kept.state == "live")
        waits.append(kept._wait)

    keep(kept, meanwhile)
    assert waits == [0.05, 0.01]
    assert heard.states[0].state == "lost"


def test_silence_is_a_state(port: Pty) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        await opened(port)
        port.send(SNAPSHOT)
        await heard.until(["live", "Snapshot", "stale"])
        port.send(SNAPSHOT)
        await heard.until(["live", "Snapshot", "stale", "live", "Snapshot", "stale", "lost"])

    keep(keeper(port.address, heard, Acme), meanwhile)
    assert heard.states[1].detail == "has said nothing valid for 0.15 s"


def test_the_watchdog_opens_a_line_anew(port: Pty) -> None:
    heard = Heard()
    greetings: list[bytes] = []

    def mute(data: bytes) -> bytes:
        greetings.append(data)
        return greeted(data) if len(greetings) == 3 else b""

    async def meanwhile() -> None:
        port.answer(mute)
        await heard.until(["lost", "live", "Snapshot"])

    keep(keeper(port.address, heard, Acme), meanwhile)
    assert greetings == [b"\x01"] * 3
    assert heard.states[0].detail.startswith("the port is open, but nothing answers")


@pytest.mark.parametrize(
    "noise", [b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9*47\r\n", bytes(range(200, 256))]
)
def test_answers_of_something_else(
    port: Pty, noise: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.links.opening.GARBAGE_PATIENCE", 0.1)
    heard = Heard()

    async def meanwhile() -> None:
        await opened(port)
        port.send(noise)
        await eventually(lambda: heard.states)
        port.send(noise)
        await asyncio.sleep(0.05)

    keep(keeper(port.address, heard), meanwhile)
    assert heard.states == [
        LinkChange(
            state="lost",
            detail="answers, but not as a Acme board: wrong baud or another device",
        )
    ]
    assert set(heard.story) == {"Noise", "lost"}


def test_noise_keeps_no_link_alive(port: Pty) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        await opened(port)
        port.send(SNAPSHOT)
        while [change.state for change in heard.states] != ["live", "stale", "lost"]:
            port.send(b"\xff\xff\xff\xff")
            await asyncio.sleep(0.01)

    keep(keeper(port.address, heard, Acme), meanwhile)
    assert "answers, but not as a Acme board" in heard.states[1].detail


def test_bytes_are_counted_and_those_that_make_no_message(port: Pty) -> None:
    heard = Heard()
    kept = keeper(port.address, heard)

    async def meanwhile() -> None:
        await opened(port)
        port.send(b"\xff\xfe\xfd" + SNAPSHOT)
        await heard.until(["Noise", "Noise", "Noise", "live", "Snapshot"])

    keep(kept, meanwhile)
    assert (kept.received, kept.noise) == (7, 3)


def test_a_notice_keeps_a_link_alive_and_brings_none_to_life(port: Pty) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        await opened(port)
        port.send(NOTICE)
        await heard.until(["Notice"])
        port.send(SNAPSHOT)
        await heard.until(["Notice", "live", "Snapshot"])
        for _ in range(10):
            port.send(NOTICE)
            await asyncio.sleep(0.04)

    keep(keeper(port.address, heard, replace_limit(0.3)), meanwhile)
    assert [change.state for change in heard.states] == ["live"]


def test_what_is_said_of_a_board_that_proves_nothing_is_why_it_is_lost(port: Pty) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        await opened(port)
        port.send(NOTICE)
        await heard.until(["Notice", "lost"])
        await opened(port)  # anew, after three limits of silence
        port.send(NOTICE + SNAPSHOT)
        await heard.until(["Notice", "lost", "live", "Snapshot"])

    keep(keeper(port.address, heard, replace_limit(0.2)), meanwhile)
    assert heard.states[0].detail == "notice"


def replace_limit(seconds: float) -> type[Codec]:
    class Other(Acme):
        info = replace(Acme.info, silence_limit=seconds)

    return Other


def test_half_a_message_is_not_inherited(port: Pty) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        port.answer(greeted)
        await heard.until(["live", "Snapshot"])
        port.send(SNAPSHOT[:3])
        await asyncio.sleep(0.02)
        port.unplug()
        port.plug()
        port.answer(greeted)
        await eventually(lambda: heard.story.count("Snapshot") == 2)

    keep(keeper(port.address, heard), meanwhile)
    assert "Noise" not in heard.story


def test_a_fault_in_a_driver_ends_only_this_opening(
    port: Pty, caplog: pytest.LogCaptureFixture
) -> None:
    heard = Heard()
    kept = keeper(port.address, heard, Faulty)

    async def meanwhile() -> None:
        await opened(port)
        port.send(SNAPSHOT)
        await heard.until(["lost"])
        await opened(port)
        assert kept._wait == 0.05
        port.send(b"\xff\xff\xff\xff")
        await heard.until(["lost", "Noise"])

    keep(kept, meanwhile)
    assert heard.states[0].detail == "a fault of ours, see the log"
    assert any(r.exc_info and "ZeroDivisionError" in str(r.exc_info[0]) for r in caplog.records)


def test_a_codec_that_never_rests_takes_no_processor(port: Pty) -> None:
    Greedy.polls = 0

    async def meanwhile() -> None:
        await asyncio.sleep(0.2)

    keep(keeper(port.address, Heard(), Greedy), meanwhile)
    assert 0 < Greedy.polls <= 120


def test_where_the_board_is_is_asked_before_every_try(tmp_path: Path) -> None:
    heard = Heard()
    answers: list[str | None] = []

    async def locate() -> str:
        answers.append(None)
        if len(answers) == 1:
            raise PortMissingError("no acme board 42 at any of 0 ports")
        return second.address if len(answers) > 2 else first.address

    with plugged(tmp_path / "a") as first, plugged(tmp_path / "b") as second:

        async def meanwhile() -> None:
            first.answer(greeted)
            second.answer(greeted)
            await heard.until(["lost", "live", "Snapshot"])
            first.unplug()
            await heard.until(["lost", "live", "Snapshot", "lost", "live", "Snapshot"])
            assert kept.address == second.address

        kept = keeper(locate, heard)
        keep(kept, meanwhile)
    assert len(answers) == 3


def test_the_wrong_board(port: Pty) -> None:
    heard = Heard()
    kept = keeper(port.address, heard, serial="42")

    async def meanwhile() -> None:
        await opened(port)
        port.send(SNAPSHOT + identity(7))  # another kind of number says nothing
        port.send(identity(41) + SNAPSHOT)
        await heard.until(["lost"])
        await opened(port)
        assert kept._wait == 0.05

    keep(kept, meanwhile)
    assert heard.states[-1].detail == "this is board 41, not 42"


def test_nothing_is_delivered_before_the_board_is_known(port: Pty) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        await opened(port)
        port.send(SNAPSHOT + identity(7))
        await asyncio.sleep(0.05)
        assert heard.all == []
        port.send(identity(42))
        await heard.until(["live", "Snapshot", "Identity", "Identity"])

    keep(keeper(port.address, heard, serial="42"), meanwhile)


def test_a_board_that_does_not_say_who_it_is(port: Pty) -> None:
    heard = Heard()

    async def meanwhile() -> None:
        await opened(port)
        for _ in range(15):
            port.send(SNAPSHOT)
            await asyncio.sleep(0.02)
        await heard.until(["lost"])

    keep(keeper(port.address, heard, Acme, serial="42"), meanwhile)
    assert heard.states[0].detail == "the board does not say whether it is 42"


def test_a_board_that_another_link_serves(port: Pty) -> None:
    heard, claims = Heard(), Claims()
    claims.take_board("table 3", "acme", "42")

    async def meanwhile() -> None:
        await opened(port)
        port.send(identity(42) + SNAPSHOT)
        await heard.until(["lost"])
        assert claims.port_holder(port.address) == "table 7", "nobody else shall look there"

    keep(keeper(port.address, heard, claims=claims), meanwhile)
    assert heard.states[0].detail == "board 42 is served by table 3 already"
    assert heard.states[0].twice
    assert claims.port_holder(port.address) is None
    assert claims.board_holder("acme", "42") == "table 3"


def test_a_board_that_was_refused_is_heard_only_when_it_says_another_number(port: Pty) -> None:
    """Else it would come and go at every try, before it says once more who it is."""
    heard, claims = Heard(), Claims()
    claims.take_board("table 3", "acme", "42")

    async def meanwhile() -> None:
        for _ in range(3):
            await opened(port)
            port.send(SNAPSHOT + identity(42))
        await heard.until(["live", "Snapshot", "lost"])
        claims.release("table 3")
        port.answer(lambda data: SNAPSHOT + identity(42) if data else b"")
        await heard.until(["live", "Snapshot", "lost", "live", "Snapshot", "Identity"])

    keep(keeper(port.address, heard, claims=claims), meanwhile)
    assert [state.twice for state in heard.states] == [False, True, False]


def test_a_board_that_was_refused_may_be_one_that_says_no_number(port: Pty) -> None:
    heard, claims = Heard(), Claims()
    claims.take_board("table 3", "acme", "42")

    async def meanwhile() -> None:
        await opened(port)
        port.send(identity(42))
        await heard.until(["lost"])
        port.answer(greeted)
        await eventually(lambda: "Snapshot" in heard.story)

    keep(keeper(port.address, heard, Acme, claims=claims), meanwhile)
    assert [state.detail for state in heard.states[:2]] == [
        "board 42 is served by table 3 already",
        "the board does not say its number any more",
    ]


def test_two_links_to_one_port(port: Pty) -> None:
    claims = Claims()
    claims.take_port("table 3", port.address)
    heard = Heard()

    async def meanwhile() -> None:
        await heard.until(["lost"])
        claims.release("table 3")
        port.answer(greeted)
        await heard.until(["lost", "live", "Snapshot"])

    keep(keeper(port.address, heard, claims=claims), meanwhile)
    assert "served by table 3" in heard.states[0].detail


def test_the_bytes_are_recorded(port: Pty, tmp_path: Path) -> None:
    heard = Heard()
    folder = tmp_path / "raw"

    async def meanwhile() -> None:
        files = CaptureFiles(folder, "table 7", {"Driver": "acme"})
        recorder = Recorder(files, Scribe(), wall=time.time)
        kept = keeper(port.address, heard, recorder=recorder)
        task = asyncio.create_task(kept.run())
        port.answer(greeted)
        await heard.until(["live", "Snapshot"])
        port.unplug()
        await heard.until(["live", "Snapshot", "lost", "lost"])
        task.cancel()
        await asyncio.wait([task])
        await recorder.aclose()

    asyncio.run(meanwhile())
    (path,) = folder.iterdir()
    records = load_capture(path).records
    assert [(r.direction, r.data or r.text) for r in records] == [
        ("!", "opened"),
        (">", b"\x01"),
        ("<", SNAPSHOT),
        ("!", "lost"),
    ]


def test_the_log_shows_bytes_to_who_wants_them(port: Pty, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    heard = Heard()

    async def meanwhile() -> None:
        port.answer(greeted)
        await heard.until(["live", "Snapshot"])

    keep(keeper(port.address, heard), meanwhile)
    said = [record.getMessage() for record in caplog.records if record.name.startswith("bridge")]
    assert said == [
        "table 7: > 01",
        "table 7: < a5 01 00 a4",
        f"table 7: live on {port.address}",
    ]


def test_a_dgt_board_through_a_pulled_cable(port: Pty) -> None:
    heard = Heard()
    start = time.monotonic()

    def now() -> float:
        return time.monotonic() - start

    async def shown(*, e2: str, e4: str) -> None:
        await eventually(
            lambda: any(
                isinstance(thing, Snapshot) and (thing.cells[12], thing.cells[28]) == (e2, e4)
                for thing in heard.all
            )
        )

    async def meanwhile() -> None:
        import chess

        board = DgtBoard(Passport(serial="30123"))
        board.set_up(chess.Board().piece_map(), at=now())
        power(port, board, now)
        await shown(e2="P", e4=".")
        board.lift(chess.E2, at=now())
        board.put(chess.E4, chess.Piece.from_symbol("P"), at=now())
        port.unplug()
        port.plug()
        power(port, board, now)
        await shown(e2=".", e4="P")
        changes = heard.story.count("SquareChange")
        board.lift(chess.E7, at=now())
        await eventually(lambda: heard.story.count("SquareChange") > changes)

    kept = Keeper("table 7", port.address, Dgt, now=now, deliver=heard, first_wait=0.05)
    keep(kept, meanwhile)
    assert {heard.states[0].state, heard.states[-1].state} == {"live"}
    serials = [t.value for t in heard.all if isinstance(t, Identity) and t.field == "serial"]
    assert serials[0] == "30123"


class Locked(Dgt):
    """Sends a secret with everything."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key.encode()

    def poll(self, *, at: float) -> Outgoing:
        data, wake_at = super().poll(at=at)
        return Outgoing(data + self._key if data else b"", wake_at)

    def shown(self, data: bytes) -> bytes:
        return data.replace(self._key, b"*" * len(self._key))


def test_a_secret_stands_in_no_log_and_no_capture(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def run() -> None:
        with plugged(tmp_path / "usb-a") as port:
            files = CaptureFiles(tmp_path / "captures", "a", {"Driver": "dgt"})
            recorder = Recorder(files, Scribe(), wall=time.time)
            keeper = Keeper(
                "a",
                port.address,
                Locked,
                now=time.monotonic,
                deliver=lambda _: None,
                recorder=recorder,
                options={"key": "xyzzy"},
            )
            link = asyncio.create_task(keeper.run())
            heard = b""
            while b"xyzzy" not in heard:
                await asyncio.sleep(0.01)
                heard += port.received()
            link.cancel()
            await asyncio.gather(link, return_exceptions=True)
            await recorder.aclose()

    asyncio.run(run())
    (file,) = (tmp_path / "captures").glob("*.capture")
    for text in (caplog.text, file.read_text()):
        assert b"*****".hex(" ") in text
        assert b"xyzzy".hex(" ") not in text
