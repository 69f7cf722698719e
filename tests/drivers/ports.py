"""A simulated board on a real port, and the daemon that follows it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from drivers.simulated.hands import Lift, Press, Put
from drivers.simulated.model import BoardModel
from drivers.simulated.pty import PtyPort
from tests.conversations import hands, ready
from tests.halls import Daemon, at, eventually, write_config, written_moves


async def play_on_port(folder: Path, driver: str, board: BoardModel, moves: Sequence[str]) -> None:
    """Play *moves*, the cable pulled out after the third; wait until the file has all of them."""
    ready(board)
    place = folder / "dev" / "port"
    port = PtyPort(place, board)
    daemon = Daemon(write_config(folder, [f"driver: {driver}, {at(place)}"]))
    presses = 0
    port.plug()
    try:
        async with daemon:
            await daemon.live()
            for action in hands(moves):
                await _act(board, action)
                port.wake()
                presses += isinstance(action, Press)
                if isinstance(action, Press) and presses == 3:
                    port.unplug()
                    await asyncio.sleep(0.3)
                    port.plug()
                    await daemon.live()
            await eventually(lambda: written_moves(folder) == list(moves), f"{moves} in the file")
            assert await daemon.end() == 0
    finally:
        port.close()


async def _act(board: BoardModel, action: object) -> None:
    now = asyncio.get_running_loop().time()
    match action:
        case Lift(square=square):
            board.lift(square, at=now)
        case Put(square=square, piece=piece):
            board.put(square, piece, at=now)
        case _:
            await asyncio.sleep(0.8)
    await asyncio.sleep(0.15)
