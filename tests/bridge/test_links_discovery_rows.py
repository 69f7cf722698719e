"""Looking for boards at a line that a row of them shares, and at one that could be such a line."""

import asyncio
import time
from pathlib import Path

from bridge.links.claims import Claims
from bridge.links.discovery import Finder
from bridge.links.probing import Found, NotABoard
from drivers.boards.dgt import Dgt, DgtBus
from drivers.codec import Codec
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.pty import PtyPort
from tests.drivers.rows import still_board

DRIVERS: list[type[Codec]] = [Dgt, DgtBus]


def asked(path: Path, addresses: range) -> Found | NotABoard:
    async def ask() -> list[Found | NotABoard]:
        row = DgtRow([still_board(address) for address in addresses])
        row.poll(at=asyncio.get_running_loop().time())
        port = PtyPort(path, row)
        port.plug()
        try:
            finder = Finder(DRIVERS, now=time.monotonic, claims=Claims())
            return await finder.discover([f"serial:{path}"])
        finally:
            port.close()

    (answer,) = asyncio.run(ask())
    return answer


def test_all_boards_of_a_row_are_listed(tmp_path: Path) -> None:
    answer = asked(tmp_path / "row", range(1025, 1037))
    assert isinstance(answer, Found)
    assert answer.driver == "dgt_bus"
    assert sorted(answer.units) == [str(address) for address in range(1025, 1037)]


def test_a_board_alone_is_no_row(tmp_path: Path) -> None:
    answer = asked(tmp_path / "board", range(1025, 1026))
    assert isinstance(answer, Found)
    assert (answer.driver, answer.serial, answer.units) == ("dgt", "01025", ())


def test_nobody_at_all(tmp_path: Path) -> None:
    answer = asked(tmp_path / "empty", range(0))
    assert isinstance(answer, NotABoard)
    assert "no dgt_bus or dgt board answers" in answer.reason
