"""Boards on USB from the socket to the moves: real pyusb on a virtual USB."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from random import Random

import chess

from bridge.core.model import LinkChange, Payload, TableSetup
from bridge.links.keeper import Keeper
from bridge.links.probing import Found, probe
from drivers.boards.chessnut import Chessnut
from drivers.events import Snapshot
from drivers.simulated.hands import Action, Put
from testbed.usb_boards import UsbBoard, now
from testbed.virtual_usb import HidInterface, VirtualUsb, usb_threads, virtual_usb
from tests.conversations import actions_of, do, moves_in
from tests.following import Follower

CASTLED = [
    *("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"),
    *("b5c6", "d7c6", "e1g1", "c8g4", "h2h3", "g4f3", "d1f3", "d8f6"),
]


class Seat:
    """A link to one board, and the table it serves."""

    def __init__(self, address: str) -> None:
        self.follower = Follower(TableSetup(has_clock=False))
        self.links: list[LinkChange] = []
        self.reports = 0
        self.keeper = Keeper(
            address,
            address,
            Chessnut,
            now=now,
            deliver=self._take,
            first_wait=0.05,
            longest_wait=0.1,
        )

    def _take(self, payload: Payload) -> None:
        at = now()
        self.follower.rest(at)
        self.follower.take(at, payload)
        if isinstance(payload, LinkChange):
            self.links.append(payload)
        if isinstance(payload, Snapshot):
            self.reports += 1

    async def reported(self, reports: int) -> None:
        wanted = self.reports + reports
        await until(lambda: self.reports >= wanted, f"{reports} reports")


async def until(true: Callable[[], bool], what: str) -> None:
    for _ in range(6000):
        if true():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"never came: {what}")


@contextlib.asynccontextmanager
async def kept(*seats: Seat) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(seat.keeper.run()) for seat in seats]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await until(lambda: not usb_threads(), "the end of all threads")


async def play(seat: Seat, board: UsbBoard, actions: Sequence[Action]) -> None:
    """Do all of *actions*; a man that was put rests for half a second of the board's time."""
    for action in actions:
        do(board.model, action, at=action.at)
        await seat.reported(3 if isinstance(action, Put) else 2)


async def rest(seat: Seat) -> None:
    await seat.reported(40)
    seat.follower.rest(now())


def moves(ucis: Sequence[str]) -> list[chess.Move]:
    return [chess.Move.from_uci(uci) for uci in ucis]


def test_two_boards_at_once_one_of_which_is_unplugged_in_mid_game() -> None:
    special, opera = moves_in("special"), moves_in("opera")

    async def run(bus: VirtualUsb) -> tuple[Seat, Seat]:
        boards = UsbBoard(bus, 1), UsbBoard(bus, 2, 3, seed=1)
        seats = Seat("usb:1-1"), Seat("usb:1-2.3")
        for board in boards:
            board.plug()

        async def first() -> None:
            actions = actions_of(special, begin=0.0, seed=6)
            half = len(actions) // 2
            await play(seats[0], boards[0], actions[:half])
            boards[0].unplug()
            await until(lambda: seats[0].keeper.state == "lost", "the loss")
            for action in actions[half : half + 4]:
                do(boards[0].model, action, at=action.at)
            boards[0].plug()
            await play(seats[0], boards[0], actions[half + 4 :])
            await rest(seats[0])

        async def second() -> None:
            await play(seats[1], boards[1], actions_of(opera, begin=0.0, seed=7))
            await rest(seats[1])

        async with kept(*seats):
            await asyncio.gather(*(seat.reported(10) for seat in seats))
            await asyncio.gather(first(), second())
        for board in boards:
            assert board.device.handles == 0
            assert board.device.interfaces[0].kernel_driver
            board.close()
        return seats

    with virtual_usb() as bus:
        seats = asyncio.run(run(bus))
    assert seats[0].follower.moves == special
    assert seats[1].follower.moves == opera
    states = [link.state for link in seats[0].links]
    assert (states[0], states[-1]) == ("live", "live")
    assert "lost" in states


def test_garbage_and_reports_of_wrong_length_are_passed_over() -> None:
    async def run(bus: VirtualUsb) -> Seat:
        board, seat, rng = UsbBoard(bus, 1), Seat("usb:1-1"), Random(8)
        board.plug()
        async with kept(seat):
            await seat.reported(10)
            for action in actions_of(moves(CASTLED), begin=0.0, seed=9):
                await play(seat, board, [action])
                board.device.report(rng.randbytes(rng.choice((1, 8, 63, 64, 65, 130))))
                board.device.report(b"\x01\x3d"[: rng.randrange(3)] or b"\x01\x24\xff")
            await rest(seat)
        board.close()
        return seat

    with virtual_usb() as bus:
        seat = asyncio.run(run(bus))
    assert seat.follower.moves == moves(CASTLED)


def test_a_board_that_may_not_be_opened_or_is_held_by_others_says_so_and_is_waited_for() -> None:
    async def run(bus: VirtualUsb) -> Seat:
        board, seat = UsbBoard(bus, 1), Seat("usb:1-1")
        async with kept(seat):
            await until(lambda: bool(seat.links), "a reason")
            board.plug()
            board.device.denied = True
            await until(lambda: len(seat.links) == 2, "a second reason")
            board.device.denied = False
            board.device.interfaces[0] = HidInterface(kernel_driver=False, holder="another program")
            await until(lambda: len(seat.links) == 3, "a third reason")
            board.device.interfaces[0].holder = None
            await seat.reported(1)
        board.close()
        return seat

    with virtual_usb() as bus:
        missing, denied, busy, live = asyncio.run(run(bus)).links[:4]
    assert "plug the board in" in missing.detail
    assert "udev rules" in denied.detail
    assert "another program holds this board" in busy.detail
    assert live.state == "live"


def test_discovery_knows_a_board_by_its_answers() -> None:
    async def run(bus: VirtualUsb) -> None:
        board = UsbBoard(bus, 1)
        board.plug()
        found = await probe("usb:1-1", Chessnut, now=now, seconds=60.0)
        assert isinstance(found, Found)
        assert (found.driver, found.address) == ("chessnut", "usb:1-1")
        await until(lambda: not usb_threads(), "the end of all threads")
        board.close()

    with virtual_usb() as bus:
        asyncio.run(run(bus))
