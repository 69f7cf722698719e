"""A whole round of 30 boards, while another program reads its files all the time."""

import asyncio
import json
import random
import shutil
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import chess
import pytest

from bridge.config.delays import NO_DELAY
from bridge.core.model import Fact, MovesCorrected, Result, SetupCorrected, TableSetup
from bridge.outputs.cloud.files import CloudFiles, Seat
from bridge.outputs.feed import Feed
from bridge.outputs.pgn_files import PgnFiles
from tests.bridge.round_reader import BOARDS, ROUND
from tests.bridge.scoresheets import WALL, ended, settled, started, timed

PLIES = 50
PACE = 0.02
"""Seconds for a ply of all boards."""


def setup(board: int, white: str = "") -> TableSetup:
    name = f'{white or "Ł"}, "Q\\{board}"'
    return TableSetup(event="Open", round=f"{ROUND}", board=board, white=name, black="B, {x} [y]")


def game(board: int) -> Iterator[list[Fact]]:
    """Yield what happens with each ply; some are corrected, and once a name is."""
    table, rng, position = f"{board}", random.Random(board), chess.Board()
    where = {"table": table, "game": 1, "at": 1.0, "wall": WALL, "evidence": (1, 1)}
    yield [started(table, setup=setup(board))]
    for ply in range(1, PLIES + 1):
        legal = list(position.legal_moves)
        facts: list[Fact] = []
        if rng.random() < 0.1:
            yield [settled(position.copy(), rng.choice(legal), ply, table)]
            facts.append(MovesCorrected(**where, ply=ply, count=1, reason="read again"))  # type: ignore[arg-type]
        facts.append(settled(position, rng.choice(legal), ply, table))
        facts.append(timed(ply, 5_400_000 - 1000 * ply, table))
        if ply == board:
            facts.append(SetupCorrected(**where, setup=setup(board, "Corrected")))  # type: ignore[arg-type]
        if (outcome := position.outcome()) is not None:
            results: dict[bool | None, Result] = {True: "1-0", False: "0-1", None: "1/2-1/2"}
            yield [*facts, ended(results[outcome.winner], "checkmate", table)]
            return
        yield facts
    yield [ended(rng.choice(("1-0", "0-1", "1/2-1/2")), "arbiter", table)]


async def play(root: Path, program: str) -> dict[str, object]:
    """Play the round; return what the reader found."""
    reader = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bridge.round_reader", str(root), program),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    seats = [Seat(f"{board}", setup(board), f"{board}") for board in range(1, BOARDS + 1)]
    async with Feed(NO_DELAY, lambda: 0.0) as feed:
        pgn = PgnFiles(root / "pgn", feed.bus, feed.book.records, interval=0.01)
        cloud = CloudFiles(root / "cloud", seats, feed.bus, feed.book.records, interval=0.01)
        async with pgn, cloud:
            for facts_of_all in zip_longest(*map(game, range(1, BOARDS + 1)), fillvalue=[]):
                for fact in (fact for facts in facts_of_all for fact in facts):
                    feed.tell(fact)
                await asyncio.sleep(PACE)
    output, _ = await reader.communicate(b"")
    found: dict[str, object] = json.loads(output)
    return found


def test_each_read_parses(tmp_path: Path) -> None:
    program = shutil.which("pgn-extract", path="/usr/bin:/usr/games:/usr/local/bin")
    if program is None:
        pytest.skip("pgn-extract is not installed")
    found = asyncio.run(play(tmp_path, program))
    assert found["wrong"] == []
    reads, lengths = found["reads"], found["lengths"]
    assert isinstance(reads, int)
    assert isinstance(lengths, int)
    assert reads >= 12
    assert lengths > 5, "it was read while it went on"
    text = (tmp_path / "pgn" / f"{ROUND}" / "games.pgn").read_text("utf-8")
    assert text.count('[White "Corrected') == BOARDS
    assert text.count('[Result "*"]') == 0
