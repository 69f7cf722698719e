"""A daemon that is killed, stopped, started twice and started again in the middle of a game."""

import asyncio
import contextlib
import signal
import sqlite3
from pathlib import Path

import pytest

from bridge.store.journal import Journal
from tests.halls import (
    Daemon,
    Seat,
    at,
    game_file,
    link_changes,
    moves_differ,
    readings,
    refolded_pgn,
    seated,
    verdict,
    write_config,
    written,
)


async def killed_again_and_again(folder: Path, seat: Seat) -> list[int]:
    """Return how many readings were durable at each kill."""
    daemon = Daemon(write_config(folder, [at(seat.port.path)]))
    durable = []
    async with seated([seat]):
        # Before each kill some plies, and as many that nobody sees.
        for seen, unseen in ((1, 0), (1, 1), (2, 2), (0, 0), (1, 1)):
            async with daemon:
                await daemon.live()
                await seat.plays(seen)
                durable.append(last_seq(folder))
                assert await daemon.end(signal.SIGKILL) == -signal.SIGKILL
            await seat.plays(unseen)
            daemon = Daemon(folder / "hall.yaml")
        async with daemon:
            await daemon.live()
            await seat.plays()
            await written(folder, seat)
            assert await daemon.end() == 0
    return durable


def last_seq(folder: Path) -> int:
    """The last durable number, as another process sees it right now."""
    path = folder / "data" / "journal.sqlite3"
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        (seq,) = database.execute("SELECT max(seq) FROM readings").fetchone()
        assert isinstance(seq, int)
        return seq


@pytest.mark.timeout(120)
def test_killed_in_the_middle_of_a_game(tmp_path: Path) -> None:
    async def play() -> tuple[Seat, list[int]]:
        seat = Seat(tmp_path / "usb-board")
        return seat, await killed_again_and_again(tmp_path, seat)

    seat, durable = asyncio.run(play())
    assert durable == sorted(durable)
    seqs = [reading.seq for reading in readings(tmp_path)]
    assert seqs == list(range(1, len(seqs) + 1)), "what was durable is there, each once"
    assert len(seqs) > durable[-1] > 5
    times = [reading.at for reading in readings(tmp_path)]
    assert times == sorted(times)
    path = tmp_path / "data" / "journal.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    notes: list[str] = []
    Journal.open(path, note=notes.append).close()
    assert notes == []
    assert moves_differ(verdict(tmp_path, seat)) == []
    assert verdict(tmp_path, seat).differences == (), "unseen times are there, marked as estimated"
    assert refolded_pgn(tmp_path) == game_file(tmp_path).read_text("utf-8")
    states = [change.state for change in link_changes(tmp_path)]
    assert states == ["live", *["lost", "live"] * 5]


@pytest.mark.timeout(120)
def test_stopped_and_started_again(tmp_path: Path) -> None:
    async def play() -> tuple[Seat, list[str]]:
        seat = Seat(tmp_path / "usb-board", moves=["e2e4", "e7e5", "g1f3", "b8c6"])
        config = write_config(tmp_path, [at(seat.port.path)])
        async with seated([seat]):
            async with Daemon(config) as daemon:
                await daemon.live()
                await seat.plays(1)
                async with Daemon(config) as second:
                    refused = await second.end(signal.SIGCONT)
                await seat.plays(1)
                assert await daemon.end(signal.SIGTERM) == 0
            await seat.plays(1)
            async with Daemon(config) as daemon:
                await daemon.live()
                await seat.plays(1)
                await asyncio.sleep(1.0)
                assert await daemon.end(signal.SIGINT) == 0
        assert refused == 2
        return seat, second.log()

    seat, said = asyncio.run(play())
    (line,) = said
    assert "is in use by another eboard-bridge (process " in line
    assert "stop that one, or give this one another journal" in line
    assert verdict(tmp_path, seat).differences == ()
    away = [change.detail for change in link_changes(tmp_path) if change.state == "lost"]
    assert away == ["eboard-bridge was not running"]
    assert refolded_pgn(tmp_path) == game_file(tmp_path).read_text("utf-8")
