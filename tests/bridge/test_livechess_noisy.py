"""A strict program follows noisy games: each frame brings one move at most, and none is lost."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.config import parse
from bridge.config.delays import NO_DELAY
from bridge.core.model import Fact, MovesCorrected, MoveSettled
from bridge.core.stream import AFTERTIME, StreamReader
from bridge.core.table import Table
from bridge.outputs.feed import Feed
from bridge.outputs.livechess import hub
from drivers.simulated import games
from drivers.simulated.streams import PROFILES, play_session
from drivers.simulated.streams.sensor import BoardKind
from tests.livechess import Differ, Play, text_of

CONFIG = parse('tables: [{table: "1", board: {port: /dev/ttyACM0}}]', Path("hall.yaml"))


def facts_of(profile: str, board: BoardKind, seed: int) -> Iterator[list[Fact]]:
    """Play a session and yield what the table concludes, reading by reading."""
    names = games.names()
    chosen = [games.load(names[seed % len(names)])]
    lines, _ = play_session(chosen, PROFILES[profile], board=board, seed=seed)
    reader, table = StreamReader("1"), Table("1")
    yield [Play().link("live")]
    for line in lines:
        for reading in reader.read(line):
            yield table.apply(reading)
    yield table.tick(reading.at + AFTERTIME)


@pytest.mark.parametrize(
    ("profile", "board", "seed"),
    [
        ("club", "identity", 1),
        ("chaos", "identity", 2),
        ("chaos", "identity", 3),
        ("chaos", "identity", 6),
        ("club", "occupancy", 5),
    ],
)
def test_one_frame_one_move(profile: str, board: BoardKind, seed: int) -> None:
    differ, frames = Differ(), list[bytes]()
    grown = settled = 0

    async def run() -> Feed:
        nonlocal grown, settled
        feed = Feed(NO_DELAY, lambda: 0.0, audience="operator", tables=("1",))
        boards = hub.Hub(CONFIG.tables, feed, lambda _: Table("1"))
        task = asyncio.create_task(boards.follow())
        boards.begin(boards.open(b"1", frames.append, "1"))
        await asyncio.sleep(0)
        for facts in facts_of(profile, board, seed):
            for fact in facts:
                feed.tell(fact)
                settled += isinstance(fact, MoveSettled) and fact.basis != "stands"
            await asyncio.sleep(0)
            for frame in frames:
                before = len(differ.san)
                differ.take(json.loads(text_of(frame))["param"])
                grown += len(differ.san) > before
            frames.clear()
        task.cancel()
        return feed

    feed = asyncio.run(run())
    assert grown == settled > 10
    record = feed.book.records()[-1]
    assert differ.san == [ply.san for ply in record.plies][-len(differ.san) :]
    assert differ.board.fen().split()[:2] == record.plies[-1].fen_after.split()[:2]


def test_the_games_above_are_corrected_now_and_then() -> None:
    corrected = [
        fact
        for seed in (2, 3)
        for facts in facts_of("chaos", "identity", seed)
        for fact in facts
        if isinstance(fact, MovesCorrected)
    ]
    assert corrected
