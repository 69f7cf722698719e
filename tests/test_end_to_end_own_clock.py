"""A board and its clock on two ports: the daemon times the game, and tells one from the other."""

import asyncio
from pathlib import Path

from bridge.core.model import AlertRaised, LinkChange, MoveTimed
from drivers.events import ClockFault, ClockReading, Snapshot
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.hands import Lift, Press, Put
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.pty import PtyPort
from tests.conversations import hands, ready
from tests.following import moves_of
from tests.halls import Daemon, eventually, readings, refold

GAME = ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5", "g1f3", "c8g4")
LOST_AFTER = 4
"""Presses until the clock's cable is out."""


def configuration(folder: Path) -> Path:
    path = folder / "hall.yaml"
    path.write_text(
        f"""\
event: {{name: Test, round: 1, date: 2026-11-20}}
tables:
  - table: "1"
    board: {{driver: ichessone, port: {folder}/board}}
    clock: {{driver: dgt, port: auto}}
ports: [{folder}/cloc*]
""",
        encoding="utf-8",
    )
    return path


class Table:
    """A board on one port, and on another a clock behind a board on which nothing stands."""

    def __init__(self, folder: Path) -> None:
        self.now = asyncio.get_running_loop().time
        self.clock = Clock(TimeControl(base=300, increment=3))
        self.board = IChessOneBoard()
        ready(self.board)
        beside = DgtBoard(Passport(), clock=self.clock)
        self.board_port = PtyPort(folder / "board", self.board)
        self.clock_port = PtyPort(folder / "clock", beside)

    async def plays(self, daemon: Daemon) -> None:
        self.clock.start(at=self.now())
        presses = 0
        for action in hands(GAME):
            match action:
                case Lift(square=square):
                    self.board.lift(square, at=self.now())
                case Put(square=square, piece=piece):
                    self.board.put(square, piece, at=self.now())
                case Press(colour=colour):
                    await asyncio.sleep(0.3)
                    self.clock.press("left" if colour else "right", at=self.now())
                    presses += 1
                    if presses == LOST_AFTER:
                        await self.loses_the_clock(daemon)
                case _:
                    pass
            self.board_port.wake()
            self.clock_port.wake()
            await asyncio.sleep(0.6 if isinstance(action, Press) else 0.15)

    async def loses_the_clock(self, daemon: Daemon) -> None:
        self.clock_port.wake()
        await asyncio.sleep(0.5)
        self.clock_port.unplug()
        await eventually(lambda: daemon.log("CLOCK_DISCONNECTED: the link"), "the clock is lost")
        self.clock_port.plug()
        await eventually(lambda: daemon.log("CLOCK_DISCONNECTED is over"), "it is back")


def times(folder: Path) -> dict[int, int]:
    """Return the clock time of each ply."""
    return {fact.ply: fact.clk_ms for fact in refold(folder) if isinstance(fact, MoveTimed)}


async def play(folder: Path) -> Table:
    table = Table(folder)
    daemon = Daemon(configuration(folder))
    ports = (table.board_port, table.clock_port)
    for port in ports:
        port.plug()
    try:
        async with daemon:
            await eventually(lambda: daemon.log(" table 1: live on "), "the board is live")
            await eventually(lambda: daemon.log(" table 1 clock: live on "), "the clock is live")
            await asyncio.sleep(1.0)
            await table.plays(daemon)
            await eventually(lambda: len(times(folder)) == len(GAME), "a time for each move")
            assert await daemon.end() == 0
    finally:
        for port in ports:
            port.close()
    return table


def test_a_game_is_timed_by_a_clock_on_another_port_which_is_lost_and_comes_back(
    tmp_path: Path,
) -> None:
    table = asyncio.run(play(tmp_path))
    facts = refold(tmp_path)
    assert moves_of(facts) == list(GAME)
    timed = times(tmp_path)
    at_the_end = table.clock.reading(at=0.0)
    assert (timed[7], timed[8]) == (at_the_end.left_s * 1000, at_the_end.right_s * 1000)
    said = {fact.code for fact in facts if isinstance(fact, AlertRaised)}
    assert "CLOCK_DISCONNECTED" in said
    assert "BOARD_DISCONNECTED" not in said

    of_links = {
        name: [reading.payload for reading in readings(tmp_path) if reading.link == name]
        for name in ("table 1", "table 1 clock")
    }
    board, clock = of_links.values()
    assert [each for each in board if isinstance(each, LinkChange)] == [LinkChange(state="live")]
    assert not any(isinstance(each, ClockReading | ClockFault) for each in board)
    assert any(isinstance(each, ClockFault) for each in clock)
    assert not any(isinstance(each, LinkChange | Snapshot) for each in clock)
    captures = {path.name.partition("@")[0] for path in (tmp_path / "data").rglob("*.capture")}
    assert captures == {"1", "1%20clock"}
