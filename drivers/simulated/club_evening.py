"""A board on which people play as people do, one game after the other, until they are stopped."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import chess
import chess.pgn

from drivers.simulated import games
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.exhibition import Exhibition
from drivers.simulated.pty import PtyPort
from drivers.simulated.streams.clockwork import do
from drivers.simulated.streams.proceedings import Proceedings
from drivers.simulated.streams.profile import CLUB, Tempo
from drivers.simulated.streams.profile import Proceedings as Habits
from drivers.simulated.streams.world import Change, ClockAct, ClockSet, World

BRISK = Tempo(base=600, increment=5, think=1.6, spread=0.8, longest=10.0)
CONTROL = TimeControl(base=BRISK.base, increment=BRISK.increment)
EVENING = replace(
    CLUB,
    name="evening",
    mishaps=replace(CLUB.mishaps, illegal=1.0, stands=0.1),
    proceedings=Habits(rotated=0.0, set_up=1.0, gesture=1.0, analysis=0.3),
    tempos={BRISK: 1.0},
)
"""A club evening in a hurry, with an illegal move in most games."""

FIRST_SERIAL = 10101
PULLED_EVERY = (60.0, 150.0)
"""Between two cables that somebody trips over (s)."""
PULLED_FOR = (4.0, 12.0)


class ClubEvening(Exhibition):
    """Plays *game* for ever on a DGT board with its clock, each time with other mishaps."""

    def __init__(self, game: chess.pgn.Game, number: int, *, seed: int) -> None:
        serial = FIRST_SERIAL + number - 1
        self._dgt = DgtBoard(
            Passport(serial=f"{serial:05}", long_serial=f"{serial:010}", bus_address=serial),
            clock=Clock(CONTROL),
            seed=seed,
        )
        super().__init__(self._dgt, number)
        self._game = game
        self._people = Random(f"{seed} people")
        self._standing: Mapping[chess.Square, chess.Piece] = {}

    def _begin_game(self, *, at: float) -> None:
        world = World(EVENING.hands, self._people)
        world.standing = dict(self._standing)
        Proceedings(world, EVENING, self._people).hold(self._game)
        self._standing = dict(world.standing)
        deeds = [
            *((change.at, partial(self._change, change)) for change in world.changes),
            *((act.at, partial(self._act, act)) for act in world.acts),
        ]
        deeds.sort(key=lambda deed: deed[0])
        self._programme += [(at + due, deed) for due, deed in deeds]
        self._programme.append((at + world.now, self._begin_game))

    def _change(self, change: Change, *, at: float) -> None:
        if change.piece is None:
            self._dgt.lift(change.square, at=at)
        else:
            self._dgt.put(change.square, change.piece, at=at)

    def _act(self, act: ClockAct, *, at: float) -> None:
        if isinstance(act, ClockSet):
            self._dgt.clock = Clock(act.control, turn=act.turn)
        elif self._dgt.clock is not None:  # pragma: no branch - it has one from the beginning
            do(replace(act, at=at), self._dgt.clock)


async def hold(names: Sequence[str], folder: Path, *, seed: int, stop: asyncio.Event) -> None:
    """Play the games of *names* on ptys ``folder/dev/board-N`` until *stop* is set.

    Now and then a cable is pulled out for some seconds. ``folder/boards.json`` says what is played
    where.
    """
    rng = Random(f"{seed} cables")
    ports = [
        PtyPort(
            folder / "dev" / f"board-{number}",
            ClubEvening(games.load(name), number, seed=seed * 1000 + number),
        )
        for number, name in enumerate(names, start=1)
    ]
    stopped = asyncio.create_task(stop.wait())
    try:
        for port in ports:
            port.plug()
        _write_boards(names, folder / "boards.json")
        while not stopped.done():
            await asyncio.wait({stopped}, timeout=rng.uniform(*PULLED_EVERY))
            port = rng.choice(ports)
            port.unplug()
            await asyncio.wait({stopped}, timeout=rng.uniform(*PULLED_FOR))
            port.plug()
    finally:
        stopped.cancel()
        for port in ports:
            port.close()


def _write_boards(names: Sequence[str], path: Path) -> None:
    boards = [
        {"name": f"board-{number}", "game": name, "time_control": str(CONTROL)}
        for number, name in enumerate(names, start=1)
    ]
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(json.dumps({"boards": boards}) + "\n", encoding="utf-8")
    fresh.replace(path)
