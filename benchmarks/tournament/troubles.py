"""What goes wrong at tables, from when it begins until their boards are followed again."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from benchmarks.tournament.radio import Air, RadioSeat
from benchmarks.tournament.seats import DgtSeat, Seat

RETURN = 12.0
"""Seconds in which the daemon has to have a board again; players wait as long."""

LOOK_EVERY = 0.5
PATIENCE = 600.0
"""Seconds after which a board that is not asked again counts as given up."""


async def back(seats: Sequence[Seat]) -> None:
    """Wait until all boards are asked again, and have told what stands on them.

    Raises:
        TimeoutError: one never was.
    """
    async with asyncio.timeout(PATIENCE):
        while not all(seat.followed for seat in seats):  # noqa: ASYNC110 - boards call nobody
            await asyncio.sleep(LOOK_EVERY)
    await asyncio.sleep(RETURN)


@contextmanager
def hidden(seats: Sequence[Seat]) -> Iterator[None]:
    """Say that nobody sees these boards until left."""
    with ExitStack() as stack:
        for seat in seats:
            stack.enter_context(seat.hidden())
        yield


async def unplug(seats: Sequence[Seat], seconds: float) -> None:
    """Take boards away, and bring them back as other ports, or into reach again."""
    with hidden(seats):
        for seat in seats:
            seat.port.unplug()
        await asyncio.sleep(seconds)
        for seat in seats:
            seat.port.plug()
        await back(seats)


async def hang(seats: Sequence[DgtSeat], seconds: float) -> None:
    """Let nothing through in either way, while the ports stay."""
    with hidden(seats):
        for seat in seats:
            seat.faults.disconnected = True
        await asyncio.sleep(seconds)
        for seat in seats:
            seat.faults.disconnected = False
        await back(seats)


async def disturb(seats: Sequence[DgtSeat], seconds: float) -> None:
    """Lose, add and change bytes."""
    for seat in seats:
        seat.faults.split = seat.faults.merge = 0.1
        seat.faults.lose = seat.faults.insert = seat.faults.wrong_length = 0.01
        seat.faults.null_clock = seat.faults.invalid_clock = 0.05
    await asyncio.sleep(seconds)
    for seat in seats:
        seat.faults.split = seat.faults.merge = 0.0
        seat.faults.lose = seat.faults.insert = seat.faults.wrong_length = 0.0
        seat.faults.null_clock = seat.faults.invalid_clock = 0.0


async def no_clock(seats: Sequence[DgtSeat], seconds: float) -> None:
    """Unplug clocks; play goes on."""
    for seat in seats:
        seat.faults.clock_unplugged = True
    await asyncio.sleep(seconds)
    for seat in seats:
        seat.faults.clock_unplugged = False


async def dead_clock(seats: Sequence[DgtSeat], seconds: float, *, silent: bool) -> None:
    """Let clocks tell nothing, or the same again and again; play goes on."""
    for seat in seats:
        seat.faults.clock_silent, seat.faults.clock_frozen = silent, not silent
    await asyncio.sleep(seconds)
    for seat in seats:
        seat.faults.clock_silent = seat.faults.clock_frozen = False


async def exchange(one: Seat, other: Seat, *, seconds: float) -> None:
    """Plug each board in where the other one was, after *seconds*."""
    assert isinstance(one, DgtSeat)  # noqa: S101 - plans exchange cables alone
    assert isinstance(other, DgtSeat)  # noqa: S101
    with hidden((one, other)):
        one.port.unplug()
        other.port.unplug()
        await asyncio.sleep(seconds)
        one.port.path, other.port.path = other.port.path, one.port.path
        one.port.plug()
        other.port.plug()
        await back((one, other))


async def on_the_radio(what: str, air: Air, seats: Sequence[RadioSeat], seconds: float) -> None:
    """Let the air storm, the adapter hang, or bluetoothd be killed."""
    with hidden(seats):
        match what:
            case "storm":
                await air.storm(seats, seconds)
            case "adapter":
                await air.hang(seconds)
            case _:
                await air.kill(seconds)
        await back(seats)
