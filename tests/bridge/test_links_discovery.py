"""Finding boards on real ptys: simulated DGT boards among things that are none."""

import asyncio
import contextlib
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest

from bridge.links import candidates, discovery
from bridge.links.candidates import Candidate
from bridge.links.claims import Claims
from bridge.links.discovery import Finder, in_order
from bridge.links.probing import Found, NotABoard, probe
from drivers.boards.dgt import Dgt, DgtBus
from drivers.codec import NOTHING, Codec, Fingerprint, Option, Outgoing
from drivers.errors import AddressError, PortMissingError
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.pty import PtyPort
from tests.ptys import Pty, plugged, power

START = time.monotonic()


def now() -> float:
    return time.monotonic() - START


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Callable[..., Pty]]:
    """Makes ports in one folder, plugged in and closed at the end."""
    with contextlib.ExitStack() as stack:
        yield lambda name: stack.enter_context(plugged(tmp_path / name))


@pytest.fixture(autouse=True)
def only_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever is plugged into this machine is left alone."""
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    monkeypatch.setattr(candidates, "BY_ID", tmp_path / "by-id")
    monkeypatch.setattr(candidates, "BY_PATH", tmp_path / "by-path")


def board(pty: Pty, serial: str = "30123", long_serial: str | None = "3000147740") -> None:
    power(pty, DgtBoard(Passport(serial=serial, long_serial=long_serial)), now)


def finder(folder: Path, claims: Claims | None = None, **options: Any) -> Finder:
    options = {"seconds": 1.0} | options
    return Finder(
        [Dgt], now=now, claims=claims or Claims(), patterns=[f"{folder}/usb-*"], **options
    )


def test_a_board_says_who_it_is(hall: Callable[..., Pty]) -> None:
    async def run() -> None:
        port = hall("usb-a")
        board(port)
        assert await probe(port.address, Dgt, now=now, seconds=5.0) == Found(
            address=port.address,
            driver="dgt",
            serial="30123",
            long_serial="3000147740",
            version="3.1",
        )

    asyncio.run(run())


def test_an_old_board_has_no_long_number(hall: Callable[..., Pty]) -> None:
    async def run() -> None:
        port = hall("usb-a")
        board(port, "00042", None)
        found = await probe(port.address, Dgt, now=now, seconds=5.0)
        assert isinstance(found, Found)
        assert found.serials == ("00042",)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda data: data, "answers, but not as a DGT e-board"),
        (lambda data: b"$GPGGA,123519,4807.038,N*47\r\n", "answers, but not as a DGT e-board"),
        (lambda data: bytes(b ^ 0xD5 for b in data * 9), "answers, but not as a DGT e-board"),
        (lambda data: b"", "no dgt board answers"),
    ],
    ids=["echo", "GPS", "wrong speed", "silent"],
)
def test_what_is_no_board(
    hall: Callable[..., Pty], answer: Callable[[bytes], bytes], reason: str
) -> None:
    async def run() -> None:
        port = hall("usb-a")
        port.answer(answer)
        found = await probe(port.address, Dgt, now=now, seconds=0.8)
        assert isinstance(found, NotABoard)
        assert found.reason.startswith(reason)

    asyncio.run(run())


def test_ports_that_cannot_be_asked(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        missing = await probe(f"serial:{tmp_path}/none", Dgt, now=now)
        assert isinstance(missing, NotABoard)
        assert "no such port" in missing.reason
        port = hall("usb-a")
        gone = asyncio.create_task(probe(port.address, Dgt, now=now))
        await asyncio.sleep(0.05)
        port.unplug()
        assert isinstance(await gone, NotABoard)
        with pytest.raises(AddressError):
            await probe("ttyUSB0", Dgt, now=now)

    asyncio.run(run())


def test_a_board_that_goes_after_it_was_recognised(hall: Callable[..., Pty]) -> None:
    async def run() -> None:
        port = hall("usb-a")

        def once(data: bytes) -> bytes:
            if b"\x4d" not in data:
                return b""
            asyncio.get_running_loop().call_later(0.05, port.unplug)
            return b"\x93\x00\x05\x03\x01"

        port.answer(once)
        found = await probe(port.address, Dgt, now=now)
        assert found == Found(address=port.address, driver="dgt", version="3.1")

    asyncio.run(run())


def test_a_capture_that_cannot_be_played() -> None:
    answer = asyncio.run(probe("replay:/dev/null", Dgt, now=now))
    assert isinstance(answer, NotABoard)
    assert "names no driver" in answer.reason


def test_a_port_that_does_not_open() -> None:
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
            address = server.getsockname()
            with contextlib.ExitStack() as crowd:  # fills the queue; the next is not answered
                for _ in range(8):
                    one = crowd.enter_context(socket.socket())
                    one.setblocking(False)
                    one.connect_ex(address)
                answer = await probe(f"tcp:127.0.0.1:{address[1]}", Dgt, now=now, seconds=0.05)
        assert isinstance(answer, NotABoard)
        assert answer.reason == "does not open within 0.05 s"

    asyncio.run(run())


def test_all_ports_at_once(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        for number in range(4):
            board(hall(f"usb-{number}"), f"3000{number}", f"300000000{number}")
        hall("usb-5").answer(lambda data: data)
        begun = now()
        answers = await finder(tmp_path, seconds=3.0).discover()
        assert now() - begun < 8.0
        assert [a.serial for a in answers if isinstance(a, Found)] == [
            "30000",
            "30001",
            "30002",
            "30003",
        ]
        assert [a.address for a in answers if isinstance(a, NotABoard)] == [
            f"serial:{tmp_path}/usb-5"
        ]

    asyncio.run(run())


def test_one_board_under_two_names(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        port = hall("usb-a")
        (tmp_path / "usb-b").symlink_to(port.node)
        board(port)
        other = hall("usb-c")  # the same board over Bluetooth, say
        board(other)
        (answer,) = await finder(tmp_path).discover()
        assert isinstance(answer, Found)
        assert (answer.address, answer.remarks) == (port.address, f"also at {other.address}")

    asyncio.run(run())


def test_boards_without_a_number_are_not_one(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        board(hall("usb-a"), "00000", None)
        board(hall("usb-b"), "00000", None)
        answers = await finder(tmp_path).discover()
        assert [type(answer) for answer in answers] == [Found, Found]

    asyncio.run(run())


def test_ports_that_links_hold_are_left_alone(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        port = hall("usb-a")
        claims = Claims()
        claims.take_port("table 1", port.address)
        answers = await finder(tmp_path, claims).discover()
        assert answers == [NotABoard(address=port.address, reason="is served by table 1")]
        assert port.received() == b""

    asyncio.run(run())


def test_where_a_board_is_now(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        first, second = hall("usb-a"), hall("usb-b")
        board(first, "30001", None)
        board(second, "30002", "3000000002")
        found = finder(tmp_path, seconds=2.0)
        assert await found.locate(Dgt, "30002") == second.address
        assert await found.locate(Dgt, "3000000002") == second.address
        second.unplug()
        third = hall("usb-c")
        board(third, "30002", "3000000002")
        await asyncio.sleep(discovery.LISTED)
        assert await found.locate(Dgt, "30002") == third.address
        with pytest.raises(PortMissingError, match="no dgt board 39999 at any of 2 ports"):
            await found.locate(Dgt, "39999")

    asyncio.run(run())


def test_any_board_that_is_free(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        claims = Claims()
        first, second = hall("usb-a"), hall("usb-b")
        board(first, "30001", None)
        board(second, "30002", None)
        found = finder(tmp_path, claims, seconds=2.0)
        assert await found.locate(Dgt) == first.address
        claims.take_board("table 1", "dgt", "30001")
        assert await found.locate(Dgt) == second.address
        claims.take_board("table 2", "dgt", "30002")
        with pytest.raises(PortMissingError, match="no free dgt board"):
            await found.locate(Dgt)

    asyncio.run(run())


def test_an_answer_is_remembered_for_a_while(
    hall: Callable[..., Pty], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def run() -> None:
        nonlocal asked

        def count(data: bytes) -> bytes:
            nonlocal asked
            asked += data.count(b"\x42")
            return b""

        hall("usb-a").answer(count)
        found = finder(tmp_path, seconds=0.3)
        assert await found.discover() == await found.discover()
        assert asked == 1
        monkeypatch.setattr(discovery, "REMEMBERED", 0.0)
        await found.discover()
        assert asked == 2

    asyncio.run(run())


def test_a_port_that_went_while_we_looked(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        (tmp_path / "usb-gone").symlink_to(tmp_path / "nothing")
        assert await finder(tmp_path).discover() == []
        (answer,) = await finder(tmp_path).discover([f"serial:{tmp_path}/usb-gone"])
        assert isinstance(answer, NotABoard)
        assert answer.address == f"serial:{tmp_path}/usb-gone"
        assert "there is no such port" in answer.reason

    asyncio.run(run())


def test_nobody_to_ask_with(hall: Callable[..., Pty], tmp_path: Path) -> None:
    async def run() -> None:
        hall("usb-a")
        none: list[type[Codec]] = []
        found = Finder(none, now=now, claims=Claims(), patterns=[f"{tmp_path}/usb-*"])
        assert await found.discover() == []
        assert await finder(tmp_path).discover(["usb:1-1"]) == [
            NotABoard(address="usb:1-1", reason="no driver to ask with")
        ]

    asyncio.run(run())


def test_every_driver_is_asked(hall: Callable[..., Pty], tmp_path: Path) -> None:
    class Other(Dgt):
        info = replace(Dgt.info, name="other", title="Other board")

    async def run() -> None:
        port = hall("usb-a")
        found = Finder(
            [Dgt, Other, Dgt], now=now, claims=Claims(), patterns=[f"{tmp_path}/*"], seconds=0.1
        )
        (answer,) = await found.discover()
        assert isinstance(answer, NotABoard)
        assert answer.address == port.address
        assert answer.reason == ("no dgt or other board answers: is one there, and switched on?")

    asyncio.run(run())


class Locked(Dgt):
    info = replace(
        Dgt.info,
        name="locked",
        title="Locked board",
        options=(Option(name="key", about="the key", required=True),),
    )


class Unlocked(Locked):
    """Takes the option."""

    def __init__(self, key: str) -> None:
        assert key == "1234"
        super().__init__()


class Listener(Dgt):
    """Never sends anything."""

    info = replace(Dgt.info, name="listener")

    def poll(self, *, at: float) -> Outgoing:
        return NOTHING


class Row(Dgt):
    info = replace(Dgt.info, name="row", shared=True)


class Named(Dgt):
    info = replace(Dgt.info, name="named", fingerprint=Fingerprint(port_names=("usb-Acme_*",)))


class Radio(Dgt):
    info = replace(Dgt.info, name="radio", transports=("ble",), line=None)


def test_whom_to_ask_first() -> None:
    acme = Candidate(kind="serial", addresses=("serial:/dev/a",), labels=("usb-Acme_1-if00",))
    order = in_order(acme, [Radio, Row, Locked, Dgt, Listener, Named])
    assert order == [Named, Listener, Row, Dgt, Locked]
    chip = Candidate(kind="serial", addresses=("serial:/dev/b",), usb=(0x0403, 0x6001))
    assert in_order(chip, [Named, Row, Dgt]) == [Row, Dgt, Named]


def test_a_board_that_speaks_by_itself_is_sent_nothing(
    hall: Callable[..., Pty], tmp_path: Path
) -> None:
    async def run() -> None:
        port = hall("usb-a")
        dump = b"\x86\x00\x43" + bytes(64)
        speaking = asyncio.create_task(repeat(port, dump))
        found = Finder([Dgt, Listener], now=now, claims=Claims(), patterns=[f"{tmp_path}/usb-*"])
        (answer,) = await found.discover()
        speaking.cancel()
        assert isinstance(answer, Found)
        assert answer.driver == "listener"
        assert port.received() == b""

    asyncio.run(run())


async def repeat(port: Pty, message: bytes) -> None:
    while True:
        port.send(message)
        await asyncio.sleep(0.1)


def test_a_board_that_needs_an_option_is_named_and_not_asked(
    hall: Callable[..., Pty], tmp_path: Path
) -> None:
    async def run() -> None:
        port = hall("usb-a")
        found = Finder([Locked], now=now, claims=Claims(), patterns=[f"{tmp_path}/usb-*"])
        (answer,) = await found.discover()
        assert isinstance(answer, NotABoard)
        assert answer.reason == ("may be a Locked board, which needs the option 'key' to be asked")
        assert port.received() == b""

    asyncio.run(run())


def test_a_board_that_needs_an_option_is_asked_with_it(
    hall: Callable[..., Pty], tmp_path: Path
) -> None:
    async def run() -> None:
        board(hall("usb-a"))
        options = {"locked": {"key": "1234"}}
        patterns = [f"{tmp_path}/usb-*"]
        found = Finder([Unlocked], now=now, claims=Claims(), patterns=patterns, options=options)
        (answer,) = await found.discover()
        assert isinstance(answer, Found)
        assert answer.driver == "locked"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("drivers", "reason"),
    [
        ([Dgt], "answers, but not as a DGT e-board: wrong baud or another device"),
        ([Dgt, Named], "answers, but not as a dgt or named board: wrong baud or another device"),
    ],
)
def test_a_stranger_on_a_chip_that_boards_share(
    hall: Callable[..., Pty],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    drivers: list[type[Codec]],
    reason: str,
) -> None:
    async def run() -> None:
        port = hall("usb-a")
        port.answer(lambda data: b"$GPGGA,123519*47\r\n")
        found = Finder(drivers, now=now, claims=Claims(), seconds=0.5)
        candidate = Candidate(kind="serial", addresses=(port.address,), usb=(0x0403, 0x6001))
        answer = await found.ask(candidate)
        assert answer == NotABoard(
            address=port.address,
            reason=f"{reason}; its USB chip is one that boards share with other devices",
        )
        monkeypatch.setattr(discovery, "PAUSE", 0.0)
        known = replace(candidate, labels=("usb-DGT_DGT_Chessboard-if00",))
        assert isinstance(known_answer := await found.ask(known), NotABoard)
        assert known_answer.reason == reason

    asyncio.run(run())


def test_what_could_not_be_looked_at_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serial.tools.list_ports", None)

    async def run() -> None:
        found = Finder([Dgt], now=now, claims=Claims())
        assert await found.discover() == []
        (trouble,) = found.trouble
        assert "eboard-bridge[serial]" in trouble
        with pytest.raises(PortMissingError, match=r"at any of 0 ports; looking for serial"):
            await found.locate(Dgt, "30123")

    asyncio.run(run())


def row_of(pty_link: Path, *addresses: int) -> PtyPort:
    at = asyncio.get_running_loop().time()
    boards = [DgtBoard(Passport(serial=f"{n:05}", bus_address=n)) for n in addresses]
    for one in boards:
        one.set_up(chess.Board().piece_map(), at=at)
    port = PtyPort(pty_link, DgtRow(boards))
    port.plug()
    return port


@pytest.mark.parametrize(
    ("addresses", "driver"), [((101, 102, 103), "dgt_bus"), ((104,), "dgt")], ids=["row", "one"]
)
def test_a_row_is_told_from_a_board_that_has_its_line_alone(
    tmp_path: Path, addresses: tuple[int, ...], driver: str
) -> None:
    async def run() -> None:
        if len(addresses) > 1:
            port = row_of(tmp_path / "port", *addresses)
        else:
            port = PtyPort(tmp_path / "port", DgtBoard(Passport(bus_address=addresses[0])))
            port.plug()
        found = Finder([Dgt, DgtBus], now=time.monotonic, claims=Claims(), seconds=5.0)
        (answer,) = await found.discover([str(tmp_path / "port")])
        port.close()
        assert isinstance(answer, Found)
        assert answer.driver == driver
        if driver == "dgt_bus":
            assert set(answer.units) == set(map(str, addresses))

    asyncio.run(run())


def test_a_row_of_one_is_a_row_where_no_single_boards_are_wanted(tmp_path: Path) -> None:
    async def run() -> None:
        port = row_of(tmp_path / "port", 101)
        found = Finder([DgtBus], now=time.monotonic, claims=Claims(), seconds=4.0)
        (answer,) = await found.discover([str(tmp_path / "port")])
        port.close()
        assert isinstance(answer, Found)
        assert answer.units == ("101",)

    asyncio.run(run())
