"""The hall on a real journal: what is durable when, and that a fold of it tells the same again."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import chess
import pytest

from bridge.core.model import (
    AddNote,
    Fact,
    GameStarted,
    LinkChange,
    LinkChanged,
    MoveSettled,
    Payload,
    Reading,
    Ruling,
    RulingMade,
    TableSetup,
)
from bridge.core.table import Table
from bridge.daemon.hall import Hall
from bridge.store.journal import Journal
from drivers.boards.dgt import Dgt
from drivers.codec import Codec
from drivers.events import Noise, Snapshot
from drivers.simulated.dgt import Passport
from drivers.simulated.games import load
from drivers.simulated.performance import Performance, stage
from drivers.simulated.scenario import PROGRAMMES
from tests.following import moves_of

QUICK = 8.0
"""Journal seconds to a second, so that a test is short; deadlines of the hall count in these."""
STILL = 0.05
"""Seconds that may pass between two looks at the time; in more, a hand would play unseen."""


class Told:
    """A hall with a journal, and what it has told."""

    def __init__(self, journal: Journal, *, begin: float = 0.0, pace: float = 1.0) -> None:
        self.facts: list[Fact] = []
        self._at, self._looked, self._pace = begin, time.monotonic(), pace
        self.hall = Hall(journal, now=self.now, publish=self.facts.append)

    def now(self) -> float:
        """Journal time, which stands still while a busy machine does."""
        before, self._looked = self._looked, time.monotonic()
        self._at += min(self._looked - before, STILL) * self._pace
        return self._at

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(30):
            while not true():  # noqa: ASYNC110 - the journal's thread makes it true
                await asyncio.sleep(0.005)


def cells(board: chess.Board) -> str:
    pieces = (board.piece_at(square) for square in chess.SQUARES)
    return "".join(piece.symbol() if piece else "." for piece in pieces)


def refolded(journal: Journal, table: str, *, until: float) -> list[Fact]:
    fold = Table(table)
    facts = [fact for _, reading in journal.read(table=table) for fact in fold.apply(reading)]
    return facts + fold.tick(until)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def test_nothing_is_concluded_before_it_is_durable(path: Path) -> None:
    async def run() -> None:
        with Journal.open(path, window=0.0) as journal:
            told = Told(journal)
            told.hall.restore(["7"], told.facts.append)
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")  # as long as this lasts, nothing can be written
                told.hall.deliver("7", "link", LinkChange(state="live"))
                told.hall.deliver("7", "link", Snapshot(at=0.0, cells=cells(chess.Board())))
                await asyncio.sleep(0.3)
                assert told.facts == []
                assert list(journal.read()) == []
                other.execute("ROLLBACK")
            await told.until(lambda: len(told.facts) >= 3)
            assert [type(fact) for fact in told.facts[:2]] == [LinkChanged, GameStarted]
            assert [reading.seq for _, reading in journal.read()] == [1, 2]

    asyncio.run(run())


def test_an_arbiter_is_heard_as_boards_are(path: Path) -> None:
    ruling = Ruling(by="A. Arbiter", order=AddNote(text="the lamp fell"))

    async def run() -> None:
        with Journal.open(path, window=0.0) as journal:
            told = Told(journal, begin=50.0)
            told.hall.restore(["7"], told.facts.append)
            told.hall.deliver("7", "arbiter", ruling)
            await told.until(lambda: told.facts)
            (reading,) = [reading for _, reading in journal.read(table="7")]
            assert (reading.link, reading.seq, reading.payload) == ("arbiter", 1, ruling)
            assert reading.at >= 50.0
            assert told.facts == refolded(journal, "7", until=reading.at)
            assert isinstance(told.facts[0], RulingMade)

    asyncio.run(run())


def test_a_deadline_waits_for_every_reading_that_came_before_it(path: Path) -> None:
    """The disk is slow; a move is replaced by another before it has rested long enough."""
    first, second = chess.Board(), chess.Board()
    first.push_san("e4")
    second.push_san("d4")

    async def run() -> None:
        with Journal.open(path, window=0.0) as journal:
            told = Told(journal)
            told.hall.restore(["7"], told.facts.append)
            told.hall.start()
            see = partial(told.hall.deliver, "7", "link")
            see(TableSetup(has_clock=False))
            see(Snapshot(at=0.0, cells=cells(chess.Board())))
            see(Snapshot(at=0.0, cells=cells(first)))
            await told.until(lambda: told.hall.table("7").wake_at < float("inf"))
            wake_at = told.hall.table("7").wake_at
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                see(Snapshot(at=0.0, cells=cells(second)))
                before = list(told.facts)
                await told.until(lambda: told.now() > wake_at + 0.1)
                assert told.facts == before, "the deadline has passed, and waits for the journal"
                other.execute("ROLLBACK")
            await told.until(lambda: told.now() > wake_at + 1.0 and journal.waiting == 0)
            await journal.append(())
            await asyncio.sleep(0.05)
            told.hall.stop()
            assert told.facts == refolded(journal, "7", until=told.now())
            moves = [fact.san for fact in told.facts if isinstance(fact, MoveSettled)]
            assert "e4" not in moves

    asyncio.run(run())


async def follow(told: Told, codec: Codec, performance: Performance, plies: int) -> None:
    """Let the hall follow *plies* of a game, event by event, in its own hurried time."""
    codec.greet(at=told.now())
    while len(performance.truth().moves) < plies:
        now = told.now()
        request, wake_at = codec.poll(at=now)
        if request:
            performance.receive(request, at=now)
        if performance.begun_at is None and now > 2.0:
            performance.begin(at=now)
        data, board_at = performance.poll(at=now)
        for event in codec.receive(data, at=now):
            if not isinstance(event, Noise):
                told.hall.deliver("7", "link", event)
        rest = (min(wake_at, board_at) - told.now()) / QUICK
        await asyncio.sleep(max(0.001, min(rest, 0.05)))


def test_a_fold_of_the_journal_tells_what_was_told_live(path: Path) -> None:
    """A real game with a stop in the middle; the facts of all that time, and none other."""
    programme = PROGRAMMES["special"]
    performance = stage(
        load("special"),
        passport=Passport(),
        control=programme.control,
        style=programme.style,
        seed=5,
        rotated=True,
    )
    times: list[float] = []

    async def run(begin: float, plies: int) -> list[Fact]:
        with Journal.open(path, window=0.005) as journal:
            told = Told(journal, begin=begin, pace=QUICK)
            told.hall.restore(["7"], told.facts.append)
            told.hall.start()
            await follow(told, Dgt(), performance, plies)
            await asyncio.sleep(0.1)
            await journal.append(())
            await asyncio.sleep(0.01)
            told.hall.stop()
            times.append(told.now())
            anew = refolded(journal, "7", until=times[-1])
            assert told.facts == anew[: len(told.facts)]
            # The last deadline may not have been answered yet when the hall was stopped.
            assert len(told.facts) >= len(refolded(journal, "7", until=0.0))
            return anew

    before = asyncio.run(run(0.0, 12))
    after = asyncio.run(run(times[-1] + 0.5, 30))
    assert after[: len(before)] == before
    moves = moves_of(after)  # a busy machine may settle a rook before its king has castled
    assert tuple(moves) == performance.truth().moves[: len(moves)]
    assert len(moves) >= 28


def test_numbers_of_a_link_go_on_after_a_restart(path: Path) -> None:
    async def run() -> None:
        with Journal.open(path, window=0.0) as journal:
            told = Told(journal)
            told.hall.restore(["7", "8"], told.facts.append)
            told.hall.deliver("7", "left", LinkChange(state="live"))
            told.hall.deliver("8", "right", LinkChange(state="live"))
            told.hall.deliver("7", "left", LinkChange(state="lost"))
            await journal.append(())

    asyncio.run(run())
    asyncio.run(run())
    with Journal.open(path) as journal:
        seqs = {table: [r.seq for _, r in journal.read(table=table)] for table in ("7", "8")}
    assert seqs == {"7": [1, 2, 3, 4], "8": [1, 2]}


def test_a_deadline_that_passed_while_nobody_ran_is_answered_at_the_start(path: Path) -> None:
    board = chess.Board()
    board.push_san("e4")
    payloads: list[Payload] = [
        TableSetup(has_clock=False),
        Snapshot(at=0.0, cells=cells(chess.Board())),
        Snapshot(at=0.0, cells=cells(board)),
    ]
    with Journal.open(path, window=0.0) as journal:
        readings = [
            Reading(table="7", link="link", seq=n, at=0.1 * n, wall=0.1 * n, payload=payload)
            for n, payload in enumerate(payloads, start=1)
        ]
        asyncio.run(journal.append(readings))

    async def run() -> list[Fact]:
        with Journal.open(path) as journal:
            told = Told(journal, begin=100.0)
            told.hall.restore(["7"], lambda fact: None)
            assert told.hall.table("7").wake_at < 100.0
            told.hall.start()
            await told.until(lambda: told.hall.table("7").wake_at > 100.0)
            told.hall.stop()
            return told.facts

    facts = asyncio.run(run())
    assert [fact.san for fact in facts if isinstance(fact, MoveSettled)] == ["e4"]


def test_a_reading_that_cannot_be_digested_stops_nothing(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> list[Fact]:
        with Journal.open(path, window=0.0) as journal:
            told = Told(journal)
            told.hall.restore(["7"], told.facts.append)
            told.hall.deliver("7", "link", TableSetup(start_fen="no position at all"))
            told.hall.deliver("7", "link", LinkChange(state="live"))
            await journal.append(())
            await asyncio.sleep(0.01)
            return told.facts

    live, restored = asyncio.run(run()), asyncio.run(run())
    assert [type(fact) for fact in live] == [LinkChanged]
    assert restored[0] == live[0], "a restart passes over it too"
    assert len([r for r in caplog.records if "was passed over" in r.message]) >= 2
