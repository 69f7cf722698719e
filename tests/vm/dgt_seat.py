"""A DGT board with its clock behind anything the kernel carries, and hands that play."""

import asyncio
from collections.abc import Callable

import chess

from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Passport
from tests.playing import play

GAME = ("e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "c8g4", "b1c3", "g7g6")
PACE = 0.4


class DgtSeat:
    """The board; who carries it says how it is woken."""

    def __init__(self) -> None:
        self.clock = Clock(TimeControl(base=300, increment=3))
        self.board = DgtBoard(
            Passport(serial="31234", long_serial="3333331234"), clock=self.clock, seed=1
        )
        self.board.set_up(chess.Board().piece_map(), at=0.0)

    async def play(self, begin: int, end: int, wake: Callable[[], None]) -> None:
        """Play some plies; the clock is pressed behind each."""
        loop = asyncio.get_running_loop()
        for ply in range(begin, end):
            if not ply:
                self.clock.start(at=loop.time())
            await play(self.board, GAME, range(ply, ply + 1), wake, pace=PACE)
            self.clock.press("right" if ply % 2 else "left", at=loop.time())
            wake()
            await asyncio.sleep(PACE)
