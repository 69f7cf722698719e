"""Hands that play on a simulated board in real time."""

import asyncio
from collections.abc import Callable, Sequence

from drivers.simulated.hands import Press
from drivers.transports.simulated import Device
from tests.conversations import do, hands


async def play(
    board: Device,
    game: Sequence[str],
    plies: range,
    wake: Callable[[], None],
    *,
    pace: float,
    rest: float = 0.0,
) -> None:
    """Play *plies* of *game*: *pace* between two deeds, and a *rest* behind every move.

    *wake* is called behind each deed.
    """
    ply = 0
    for action in hands(game):
        if ply in plies:
            do(board, action, at=asyncio.get_running_loop().time())
            wake()
            await asyncio.sleep(rest if isinstance(action, Press) else pace)
        ply += isinstance(action, Press)
