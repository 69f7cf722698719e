"""A row of boards on one pty that play different games, and the daemon that follows them."""

import asyncio
from functools import partial
from pathlib import Path

import chess.pgn

from bridge.cli.compare import Played, compare
from drivers.boards.dgt.protocol import Command
from drivers.capture import parse
from drivers.events import Presence
from drivers.simulated import games
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Passport
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.hands import Style
from drivers.simulated.performance import Performance, stage
from drivers.simulated.pty import PtyPort
from tests.halls import (
    PATIENCE,
    Daemon,
    eventually,
    game_file,
    link_changes,
    readings,
    write_config,
    written_moves,
)

ROW = {1025: "special", 1026: "immortal", 16000: "evergreen", 77: "opera"}
DEAD = 4
"""The table of the last board, whose cable is pulled in the middle of the game."""
PLIES = 13
"""As far as both captures en passant of the first game, and its first castling."""

QUICK = Style(think=(0.15, 0.4), travel=(0.1, 0.25), regrip=(0.1, 0.15), dwell=(0.25, 0.35))
"""Quick, but nobody presses before the board has read the square: a scan takes 0.22 s."""


def beginning(name: str) -> chess.pgn.Game:
    """The first moves of a game; it goes on in another hall."""
    whole = games.load(name)
    game = chess.pgn.Game({"Result": "*"})
    node: chess.pgn.GameNode = game
    for move in list(whole.mainline_moves())[:PLIES]:
        node = node.add_variation(move)
    return game


def performance(address: int, game: str) -> Performance:
    return stage(
        beginning(game),
        passport=Passport(serial=f"{address:05}", bus_address=address),
        control=TimeControl(base=300, increment=2),
        style=QUICK,
        seed=address,
    )


async def play(folder: Path) -> tuple[list[Performance], DgtRow, Daemon]:
    loop = asyncio.get_running_loop()
    performances = [performance(address, game) for address, game in ROW.items()]
    row = DgtRow(performances)
    row.poll(at=loop.time())
    port = PtyPort(folder / "dev" / "row", row)
    boards = [
        f'driver: dgt_bus, port: {folder}/dev/row, unit: "{address}"' for address in (*ROW, 999)
    ]
    port.plug()
    try:
        async with Daemon(write_config(folder, boards)) as daemon:
            await eventually(lambda: len(daemon.log("answers")) == len(ROW), "all answer")
            await asyncio.sleep(1.5)
            for each in performances:
                each.begin(at=loop.time())
            row.wake()
            port.wake()
            await asyncio.sleep(2.0)
            row.boards[0].board.faults.lose = 0.1
            row.boards[DEAD - 1].dead = True
            async with asyncio.timeout(PATIENCE):
                while not daemon.log(
                    "had left bus mode"
                ):  # until a board spoke before it was asked
                    row.receive(bytes([Command.SEND_UPDATE_NICE]), at=loop.time())
                    await asyncio.sleep(0.05)
            await asyncio.sleep(1.5)
            port.unplug()
            await asyncio.sleep(2.5)
            row.boards[DEAD - 1].dead = False
            port.plug()
            await eventually(lambda: all(each.finished for each in performances), "the end")
            for table, each in enumerate(performances, start=1):
                written = partial(is_written, folder, table, each)
                await eventually(written, f"the game of table {table} as it was played")
            assert await daemon.end() == 0
    finally:
        port.close()
    return performances, row, daemon


def is_written(folder: Path, table: int, played: Performance) -> bool:
    return written_moves(folder, table) == list(played.truth().moves)


def test_a_row_plays_is_lost_and_goes_on(tmp_path: Path) -> None:
    performances, row, daemon = asyncio.run(play(tmp_path))
    for table, each in enumerate(performances, start=1):
        truth = each.truth()
        assert len(truth.moves) == PLIES
        text = game_file(tmp_path, table).read_text("utf-8")
        times = compare(text, Played(truth.moves, truth.clock_ms, "*")).differences
        assert len(times) <= 1, "a time is told a second late where the clock was asked just then"
    states = {
        table: [change.state for change in link_changes(tmp_path, table)] for table in range(1, 6)
    }
    assert states[1] == states[2] == states[3]
    assert [state for state in states[1] if state != "lost"] == ["live", "live"]
    assert states[DEAD][-2:] == ["lost", "live"]
    assert "live" not in states[5], "a board that was never there"
    assert link_changes(tmp_path, 5)[-1].detail == "does not answer"
    kinds = {
        type(reading.payload) for table in range(1, 6) for reading in readings(tmp_path, table)
    }
    assert Presence not in kinds
    assert not daemon.log("ERROR")
    (capture,) = (tmp_path / "data" / "captures").glob("*.capture")
    header = parse(capture.read_bytes(), name=capture.name).header
    assert header["Driver"] == "dgt_bus"
    assert header["Board"].startswith("table 1 is unit 1025, table 2 is unit 1026")
    assert row.boards[0].address == 1025
