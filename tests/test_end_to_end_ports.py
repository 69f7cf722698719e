"""Ports that cannot be used: one clear message each, and the board is served once it was done."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from bridge.core.model import LinkChange
from drivers.codec import Outgoing
from drivers.simulated.pty import PtyPort
from tests.halls import (
    Daemon,
    Seat,
    at,
    eventually,
    game_file,
    link_changes,
    refolded_pgn,
    seated,
    unprivileged,
    verdict,
    write_config,
    written,
)

SHORT = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
GPS = b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"


class Stranger:
    """A device that is no board: it answers what *answer* makes of the bytes, and may talk."""

    def __init__(self, answer: Callable[[bytes], bytes], *, says: bytes = b"") -> None:
        self._answer = answer
        self._says = says
        self._out = bytearray()
        self._next = 0.0

    def receive(self, data: bytes, *, at: float) -> None:
        self._out += self._answer(data)

    def poll(self, *, at: float) -> Outgoing:
        if self._says and at >= self._next:
            self._out += self._says
            self._next = at + 1.0
        data = bytes(self._out)
        self._out.clear()
        return Outgoing(data, self._next if self._says else float("inf"))


def wrong_baud(data: bytes) -> bytes:
    """What a board's answer looks like at another speed."""
    return bytes(byte * 37 % 251 & 0x7F for byte in data * 9)


STRANGERS = {
    "answers at another speed": lambda: Stranger(wrong_baud),
    "a modem that echoes": lambda: Stranger(lambda data: data),
    "a GPS receiver": lambda: Stranger(lambda data: b"", says=GPS),
    "silent": lambda: Stranger(lambda data: b""),
}
TROUBLES = {
    "missing": "there is no such port; plug the board in and switch it on",
    "busy": "another program holds this port; end it",
    "denied": "this user may not open the port; add the user to the group that owns it",
    "answers at another speed": "wrong baud or another device",
    "a modem that echoes": "wrong baud or another device",
    "a GPS receiver": "wrong baud or another device",
    "silent": "nothing answers: is the board switched on?",
}
BUSY, DENIED = (list(TROUBLES).index(trouble) for trouble in ("busy", "denied"))


@contextlib.contextmanager
def held(port: Path) -> Iterator[None]:
    """Another program has this port open."""
    with serial.Serial(str(port), exclusive=True):
        yield


async def put_right_in_time(folder: Path) -> tuple[list[Seat], dict[str, list[str]]]:
    """Return the seats, and what the log said of each port before anybody put it right."""
    ports = [folder / "dev" / str(number) / "usb-board" for number, _ in enumerate(TROUBLES)]
    seats = [Seat(port, moves=SHORT, serial=str(40000 + n)) for n, port in enumerate(ports)]
    strangers = [
        PtyPort(port, STRANGERS[trouble]())
        for port, trouble in zip(ports, TROUBLES, strict=True)
        if trouble in STRANGERS
    ]
    daemon = Daemon(write_config(folder, [at(port) for port in ports]), wrapper=unprivileged())

    def said(number: int) -> list[str]:
        lines = daemon.log(f" table {number}: ")
        return [line for line in lines if " INFO " not in line]

    async def sit(number: int) -> None:
        await daemon.live(number)
        await seats[number - 1].plays()

    async with seated(seats, plug=False):
        for port in (*strangers, seats[BUSY].port, seats[DENIED].port):
            port.plug()
        ports[DENIED].resolve().chmod(0)
        with held(ports[BUSY]):
            await daemon.start()
            numbers = range(1, len(TROUBLES) + 1)
            await eventually(lambda: all(map(said, numbers)), "a message for each port")
            told = {trouble: said(n) for n, trouble in enumerate(TROUBLES, start=1)}
        async with daemon:
            ports[DENIED].resolve().chmod(0o600)
            for stranger in strangers:
                stranger.close()
            for seat in seats:
                seat.port.plug()
            await asyncio.gather(*map(sit, numbers))
            for number in numbers:
                await written(folder, seats[number - 1], number)
            assert await daemon.end() == 0
    return seats, told


@pytest.mark.timeout(120)
def test_each_port_says_what_to_do_and_is_served_once_it_was_done(tmp_path: Path) -> None:
    seats, told = asyncio.run(put_right_in_time(tmp_path))
    assert {trouble: len(lines) for trouble, lines in told.items()} == dict.fromkeys(TROUBLES, 1)
    for trouble, (line,) in told.items():
        assert TROUBLES[trouble] in line
        assert " WARNING " in line
    for number, (trouble, seat) in enumerate(zip(TROUBLES, seats, strict=True), start=1):
        differences = verdict(tmp_path, seat, number).differences
        assert differences == (), trouble
        assert refolded_pgn(tmp_path, number) == game_file(tmp_path, number).read_text("utf-8")
        first, *_, last = link_changes(tmp_path, number)
        assert first.state == "lost"
        assert TROUBLES[trouble] in first.detail
        assert last == LinkChange(state="live")
