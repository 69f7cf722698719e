"""A busy machine comes late to what lines have brought: what was first still counts as first."""

import asyncio
import time
from pathlib import Path

import chess
import pytest

from bridge.core.model import Fact, LinkChange, MoveProvisional, TableSetup
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
def test_a_deadline_gives_way_to_what_came_before_it(
    tmp_path: Path, deadline_is_under_way: bool
) -> None:
    """A pawn on e4 goes on to d4 just before e4 would count; the machine learns of it too late."""
    began = time.monotonic()
    facts: list[Fact] = []

    def now() -> float:
        return time.monotonic() - began

    async def run() -> None:
        # Writes wait for others, so that the deadline waits for its turn as well.
        with Journal.open(tmp_path / "journal.sqlite3", window=1.0, batch=3) as journal:
            hall = Hall(journal, now=now, publish=facts.append)
            hall.restore(["7"], facts.append)
            hall.deliver("7", "link", TableSetup(has_clock=False))
            hall.deliver("7", "link", Snapshot(at=now(), cells=cells()))
            hall.deliver("7", "link", Snapshot(at=now(), cells=cells("e4")))
            async with asyncio.timeout(30):
                while hall.table("7").wake_at == float("inf"):  # noqa: ASYNC110 - a thread makes it
                    await asyncio.sleep(0.001)
            due = hall.table("7").wake_at
            if deadline_is_under_way:
                await asyncio.sleep(due + 0.1 - now())
            else:
                time.sleep(max(0.0, due + 0.1 - now()))  # noqa: ASYNC251 - the loop is busy with others
            hall.deliver("7", "link", Snapshot(at=due - 0.01, cells=cells("d4")))
            async with asyncio.timeout(30):
                while not provisional():  # noqa: ASYNC110 - a thread makes it so
                    await asyncio.sleep(0.01)
            hall.stop()

    def provisional() -> list[str | None]:
        return [fact.san for fact in facts if isinstance(fact, MoveProvisional)]

    asyncio.run(run())
    assert provisional() == ["d4"]
