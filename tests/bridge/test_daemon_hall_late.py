"""A busy machine comes late to what lines have brought: what was first still counts as first."""

import asyncio
from pathlib import Path

import chess
import pytest

from bridge.core.model import Fact, LinkChange, MoveProvisional, Payload, TableSetup
from bridge.daemon.hall import Hall
from bridge.store.journal import Journal
from drivers.events import Snapshot


def cells(*moves: str) -> str:
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    pieces = (board.piece_at(square) for square in chess.SQUARES)
    return "".join(piece.symbol() if piece else "." for piece in pieces)


def test_a_reading_has_the_time_its_line_brought_it_and_time_never_goes_back(
    tmp_path: Path,
) -> None:
    async def run() -> list[float]:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            hall = Hall(journal, now=lambda: 10.0, publish=lambda _: None)
            hall.restore(["7"], lambda _: None)
            for payload in (
                Snapshot(at=9.0, cells=cells()),
                Snapshot(at=8.0, cells=cells()),
                Snapshot(at=9.5, cells=cells()),
                Snapshot(at=99.0, cells=cells()),
                LinkChange(state="lost"),
            ):
                hall.deliver("7", "link", payload)
            await journal.append(())
            return [reading.at for _, reading in journal.read()]

    assert asyncio.run(run()) == [9.0, 9.0, 9.5, 10.0, 10.0]


@pytest.mark.parametrize("deadline_is_under_way", [False, True])
@pytest.mark.parametrize("came", ["e4", "d4"])
def test_a_deadline_gives_way_to_what_came_before_it(
    tmp_path: Path, came: str, deadline_is_under_way: bool
) -> None:
    """A pawn on e4 goes on to d4 just before e4 would count; the machine learns of it too late."""
    now = 0.0
    facts: list[Fact] = []

    async def run() -> None:
        nonlocal now
        # Three readings are written together, and nothing before: a deadline waits for its turn.
        with Journal.open(tmp_path / "journal.sqlite3", window=600.0, batch=3) as journal:
            hall = Hall(journal, now=lambda: now, publish=facts.append)
            hall.restore(["7"], facts.append)

            async def take(*payloads: Payload) -> None:
                until = hall.readings["7"] + len(payloads)
                for payload in payloads:
                    hall.deliver("7", "link", payload)
                async with asyncio.timeout(30):
                    while hall.readings["7"] < until:  # noqa: ASYNC110 - a thread makes it so
                        await asyncio.sleep(0.001)

            first, e4 = (Snapshot(at=0.0, cells=cells(*moves)) for moves in ((), ("e4",)))
            await take(TableSetup(has_clock=False), first, e4)
            now = hall.table("7").wake_at  # until then it may be a slip of the hand
            await take(*[Snapshot(at=now, cells=e4.cells)] * 3)
            due = hall.table("7").wake_at
            now = due + 0.1
            if deadline_is_under_way:
                hall.start()
                await asyncio.sleep(0.01)  # timers fall in their order: this one is the later
            await take(*[Snapshot(at=due - 0.01, cells=cells(came))] * 3)
            now = due + 10.0
            await take(*[Snapshot(at=now, cells=cells(came))] * 3)
            hall.stop()

    asyncio.run(run())
    assert [fact.san for fact in facts if isinstance(fact, MoveProvisional)] == [came]
