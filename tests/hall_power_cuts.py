"""A daemon at play whose power goes at random moments, and what it makes of what is left."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from bridge.config import load
from bridge.core.model import (
    AlertRaised,
    Fact,
    GameStarted,
    LinkChange,
    MoveSettled,
    Payload,
    Reading,
)
from bridge.core.table import Table
from bridge.daemon.service import Service
from bridge.daemon.status import ask
from drivers.events import Snapshot, SquareChange
from testbed.power_cut.trace import Step, can_trace, is_whole, steps, traced
from tests.halls import (
    Daemon,
    Seat,
    at,
    eventually,
    first_game,
    game_file,
    readings,
    refold,
    refolded_pgn,
    seated,
    write_config,
)

TABLES = (1, 2)
AWAY = (0.5, 3.0)
"""Seconds from the last reading that is left until the board is followed again."""
AFTERTIME = 15.0
DOUBTS = {"SCORESHEET_GAP", "RECORD_CORRECTED", "POSITION_UNRESOLVED"}


@dataclass(frozen=True)
class Evening:
    """A daemon's life: what it did to the disk, what was played, all that came from the boards."""

    taken: Sequence[Step]
    played: Sequence[tuple[str, ...]]
    readings: Sequence[Sequence[Reading]]


def play(folder: Path) -> Evening:
    """Let a traced daemon follow two boards through a game, with all its files in *folder*."""
    if not can_trace():
        pytest.skip("strace is missing, or not allowed to trace")
    folder.mkdir()
    trace = folder.with_suffix(".trace")

    async def evening() -> list[Seat]:
        ports = folder.with_name("dev")
        seats = [Seat(ports / f"{table}", serial=f"3123{table}") for table in TABLES]
        config = write_config(folder, [at(seat.port.path) for seat in seats])
        told = ["--json", "--audience", "arbiter"]
        async with (
            seated(seats),
            Daemon(config, *told, wrapper=traced([], trace)) as daemon,
        ):
            for table in TABLES:
                await daemon.live(table)
            await asyncio.gather(*(seat.plays() for seat in seats))
            await eventually(
                lambda: all("#" in game_file(folder, table).read_text() for table in TABLES),
                "both games in their files",
            )
            assert await daemon.end() == 0
        await eventually(lambda: is_whole(trace), "the end of the trace")
        return seats

    seats = asyncio.run(evening())
    return Evening(
        taken=steps(trace, folder),
        played=[seat.played.moves for seat in seats],
        readings=[readings(folder, table) for table in TABLES],
    )


def comes_back(evening: Evening, words: Sequence[str], folder: Path, rng: Random) -> bool:
    """See what a daemon makes of what is left in *folder*; return whether both games are exact.

    *words* are the facts that were told before. What was told is still true, the files become
    those of the journal, and the games can be followed to their end.
    """
    left = [readings(folder, table) if _journal(folder).exists() else [] for table in TABLES]
    asyncio.run(_serve(folder))
    told = [json.loads(word) for word in words]
    exact = True
    for number, table in enumerate(TABLES):
        facts = refold(folder, table)
        settled = {(f.ply, f.san) for f in facts if isinstance(f, MoveSettled)}
        assert {(f["ply"], f["san"]) for f in told if _is_move(f, table)} <= settled
        if settled:
            assert refolded_pgn(folder, table) == game_file(folder, table).read_text("utf-8")
        seen = evening.readings[number]
        assert left[number] == list(seen[: len(left[number])])
        exact &= _goes_on(left[number], seen, evening.played[number], rng)
    assert list(folder.rglob("*damaged*")) == []
    return exact


def _journal(folder: Path) -> Path:
    return folder / "data" / "journal.sqlite3"


async def _serve(folder: Path) -> None:
    """Start a daemon on what is left, and stop it as soon as it serves."""
    service, stop = Service(load(folder / "hall.yaml")), asyncio.Event()
    serving = asyncio.create_task(service.run(stop))
    while not await asyncio.to_thread(_serves, folder):
        await asyncio.wait([serving], timeout=0.01)
        assert not serving.done()
    stop.set()
    await serving
    assert service.journal_note is None


def _serves(folder: Path) -> bool:
    try:
        ask(folder / "data")
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    return True


def _is_move(fact: dict[str, object], table: int) -> bool:
    return fact["fact"] == "MoveSettled" and fact["table"] == f"{table}"


def _goes_on(
    left: Sequence[Reading], seen: Sequence[Reading], played: tuple[str, ...], rng: Random
) -> bool:
    """Fold what is left and then what the boards say to who comes back; doubts are told."""
    table = Table(seen[0].table)
    facts: list[Fact] = [fact for reading in left for fact in table.apply(reading)]
    since = left[-1].at + rng.uniform(*AWAY) if left else 0.0
    rest = [reading for reading in seen[len(left) :] if reading.at >= since]
    if left:
        for payload in _return(seen, since):
            facts += table.apply(_reading(payload, len(left), since, seen[0]))
    for reading in rest:
        facts += table.apply(reading)
    facts += table.tick(max(since, seen[-1].at) + AFTERTIME)
    if not any(isinstance(fact, GameStarted) for fact in facts):
        return False  # nobody saw it begin, and nothing was told of it
    exact = tuple(ply.uci for ply in first_game(facts).plies) == played
    doubts = {fact.code for fact in facts if isinstance(fact, AlertRaised)} & DOUBTS
    assert exact or doubts, "a wrong game is never silent"
    return exact


def _return(seen: Sequence[Reading], since: float) -> list[Payload]:
    """Return what is journaled when a board is followed again: its link and all its squares."""
    cells = [
        reading.payload.cells
        for reading in seen
        if reading.at < since and isinstance(reading.payload, Snapshot | SquareChange)
    ]
    away = LinkChange(state="lost", detail="eboard-bridge was not running")
    stands = [Snapshot(at=since, cells=cells[-1])] if cells else []
    return [away, LinkChange(state="live", detail=""), *stands]


def _reading(payload: Payload, seq: int, at: float, like: Reading) -> Reading:
    return Reading(
        table=like.table, link=like.link, seq=seq + 1, at=at, wall=like.wall, payload=payload
    )


def bring_config(source: Path, target: Path) -> None:
    """Copy what nobody writes while a daemon runs."""
    shutil.copy(source / "hall.yaml", target)
