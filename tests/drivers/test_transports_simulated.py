"""A simulated board as a line: a device model behind an address."""

import asyncio
import time

import pytest

from drivers.boards.dgt import Dgt
from drivers.catalogue import driver, simulated_boards
from drivers.errors import AddressError, LinkLostError
from drivers.events import Event, Identity
from drivers.transports import Line, open_line
from drivers.transports.line import INBOX_BYTES
from drivers.transports.simulated import SimulatedLine


async def listen(line: Line, seconds: float, until: int = 0) -> list[Event]:
    """Greet and return what is heard, up to *until* identities."""
    codec = Dgt()
    codec.greet(at=time.monotonic())
    events: list[Event] = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        data, wake_at = codec.poll(at=time.monotonic())
        if data:
            line.write(data)
        chunk = await line.read(max(0.01, min(wake_at, deadline) - time.monotonic()))
        if chunk is not None:
            events += codec.receive(chunk[1], at=chunk[0])
        if until and sum(isinstance(event, Identity) for event in events) >= until:
            break
    return events


def serial_in(events: list[Event]) -> str:
    (serial,) = (e.value for e in events if isinstance(e, Identity) and e.field == "serial")
    return serial


@pytest.mark.parametrize(("address", "serial"), [("dgt", "20001"), ("dgt/7", "20007")])
def test_the_number_makes_the_board(address: str, serial: str) -> None:
    async def run() -> None:
        line = open_line(f"simulated:{address}", Dgt.info)
        await line.open()
        assert serial_in(await listen(line, 30.0, until=3)) == serial
        line.close()
        await line.open()  # the same board still
        assert serial_in(await listen(line, 30.0, until=3)) == serial
        line.close()

    asyncio.run(run())


def test_a_line_that_is_not_open_is_lost() -> None:
    async def run() -> None:
        line = open_line("simulated:dgt", Dgt.info)
        with pytest.raises(LinkLostError, match="simulated:dgt: is not open"):
            line.write(b"\x40")
        await line.open()
        assert await line.read(0.01) is None
        line.close()
        with pytest.raises(LinkLostError, match="simulated:dgt: closed"):
            await line.read(None)

    asyncio.run(run())


def test_a_reader_that_takes_nothing_misses_what_does_not_fit() -> None:
    async def run() -> None:
        moment = 0.0
        line = open_line("simulated:dgt", Dgt.info, now=lambda: moment)
        await line.open()
        for _ in range(INBOX_BYTES // 67 + 200):
            line.write(b"\x40\x42")  # reset, dump
            moment += 0.1
        line.write(b"\x40")
        size = 0
        while chunk := await line.read(0.01):
            size += len(chunk[1])
        line.close()
        assert INBOX_BYTES <= size < INBOX_BYTES + 4096

    asyncio.run(run())


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("simulated:dgt/two", "not simulated:dgt/NUMBER"),
        ("simulated:acme", "does not speak like driver dgt"),
        ("simulated:dgt?speed=2", "simulated: has no option 'speed'"),
    ],
)
def test_an_address_that_means_nothing(address: str, says: str) -> None:
    with pytest.raises(AddressError, match=says):
        open_line(address, Dgt.info)


def test_a_driver_without_a_simulated_board() -> None:
    from dataclasses import replace

    with pytest.raises(AddressError, match=r"no simulated board 'acme'; there are: .*dgt"):
        open_line("simulated:acme", replace(Dgt.info, name="acme"))


@pytest.mark.parametrize("name", simulated_boards())
def test_every_simulated_board_is_one_its_driver_understands(name: str) -> None:
    codec = driver(name)
    assert isinstance(open_line(f"simulated:{name}", codec.info), SimulatedLine)
