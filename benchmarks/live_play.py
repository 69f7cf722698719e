"""Games at many boards as facts, told to a feed at their time as a hall would tell them."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

import chess

from bridge.config import Config
from bridge.core.inference.placement import EMPTY
from bridge.core.model import (
    BoardChanged,
    ClockUpdated,
    Fact,
    GameStarted,
    LinkChanged,
    MoveSettled,
    MoveTimed,
)
from bridge.outputs.feed import Feed
from drivers.cells import cells_of

PLY_EVERY = 5.0
"""Seconds between two plies of a board."""
IN_HAND = 0.4
"""Seconds for which a man is in the air."""
TO_THE_CLOCK = 0.3
"""Seconds from putting it down to the press."""
CLOCK_MS = 5_400_000


@dataclass
class Hall:
    """Boards at which moves are made, and when each was settled, by the monotonic clock."""

    config: Config
    port: int
    feed: Feed
    ply_every: float = PLY_EVERY
    hears: list[Callable[[Fact], None]] = field(default_factory=list)
    settled: dict[tuple[str, int], float] = field(default_factory=dict)

    async def play(self, table: str, seed: int) -> None:
        """Play a game at a table until cancelled; clocks are told each second."""
        rng, board = Random(seed), chess.Board()
        await asyncio.sleep(rng.uniform(0, self.ply_every))
        for ply, move in enumerate(_wandering(board, rng), 1):
            lifted = cells_of(board)
            source = move.from_square
            self._tell(table, BoardChanged, cells=lifted[:source] + EMPTY + lifted[source + 1 :])
            await asyncio.sleep(IN_HAND)
            san = board.san_and_push(move)
            self._tell(table, BoardChanged, cells=cells_of(board))
            await asyncio.sleep(TO_THE_CLOCK)
            pressed = self.settled[table, ply] = time.monotonic()
            self._tell(
                table,
                MoveSettled,
                pressed,
                ply=ply,
                uci=move.uci(),
                san=san,
                colour="black" if board.turn else "white",
                fen=board.fen(),
                basis="press",
            )
            self._tell(table, MoveTimed, pressed, ply=ply, clk_ms=CLOCK_MS)
            self._clock(table, pressed, turn=chess.COLOR_NAMES[board.turn])
            thinking = rng.uniform(0.9, 1.1) * self.ply_every - IN_HAND - TO_THE_CLOCK
            while thinking > 0:
                await asyncio.sleep(min(1.0, thinking))
                thinking -= 1.0
                self._clock(table, turn=chess.COLOR_NAMES[board.turn])

    def begin(self, table: str) -> None:
        """Put the men up and start the clock."""
        self._tell(table, LinkChanged, state="live")
        self._tell(table, BoardChanged, cells=cells_of(chess.Board()))
        setup = self.config.setup(next(t for t in self.config.tables if t.table == table))
        self._tell(table, GameStarted, setup=setup, fen=chess.STARTING_FEN, rotated=False)
        self._clock(table, turn="white")

    def _clock(self, table: str, at: float | None = None, *, turn: str) -> None:
        left = CLOCK_MS - round(1000 * (time.monotonic() % 1000))
        self._tell(table, ClockUpdated, at, white_ms=left, black_ms=left, running=True, turn=turn)

    def _tell(
        self, table: str, kind: Callable[..., Fact], at: float | None = None, **fields: object
    ) -> None:
        """Tell a fact of the moment *at*, which is now unless several are of one moment."""
        now = time.monotonic() if at is None else at
        where = {"table": table, "game": 1, "at": now, "wall": time.time(), "evidence": (1, 1)}
        fact = kind(**where, **fields)
        self.feed.tell(fact)
        for hear in self.hears:
            hear(fact)


def _wandering(board: chess.Board, rng: Random) -> Iterator[chess.Move]:
    while moves := list(board.legal_moves):
        yield rng.choice(moves)
