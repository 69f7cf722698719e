"""A broadcast that is killed again and again: what Lichess shows in the end is what was played."""

import asyncio
import random
import signal
import sys
from collections import deque
from functools import partial
from pathlib import Path

import msgspec
import pytest

from bridge.config import load
from bridge.core.capture_readings import readings_of
from bridge.core.model import TableSetup
from bridge.store.journal import Journal
from drivers.boards.dgt import Dgt
from drivers.capture import parse
from testbed.fake_lichess import TOKEN, FakeLichess, Trouble
from testbed.lichess_rounds import BroadcastRound
from tests.halls import Daemon, write_config
from tests.lichess import eventually, one_move
from tests.lichess_hall import BOARDS, ROUNDS, Truth, event

KILLS = 3
TROUBLES: tuple[Trouble, ...] = ("busy", "broken", "before", "after", "echo")


async def hall(folder: Path, url: str, seed: int) -> asyncio.subprocess.Process:
    log = (folder / "log").open("ab")
    try:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.lichess_hall", str(folder), url, str(seed)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=log,
        )
    finally:
        log.close()


def was_called(lichess: FakeLichess, times: int, by: asyncio.subprocess.Process) -> bool:
    return len(lichess.calls) >= times or by.returncode is not None


async def broadcast_and_kill(folder: Path, seed: int) -> FakeLichess:
    rng = random.Random(seed)
    lichess = FakeLichess()
    for name, round_id in ROUNDS.items():
        lichess.add_round(round_id, f"Round {name}")
    async with lichess.serving() as url:
        for _ in range(KILLS):
            process = await hall(folder, url, seed)
            lichess.trouble.extend([None, rng.choice(TROUBLES), None, rng.choice(TROUBLES)])
            until = len(lichess.calls) + rng.randrange(1, 12)
            await eventually(partial(was_called, lichess, until, process))
            await asyncio.sleep(rng.random() * 0.05)
            if process.returncode is None:
                process.send_signal(signal.SIGKILL)
            await process.wait()
        lichess.trouble.extend(TROUBLES)
        process = await hall(folder, url, seed)
        assert await process.wait() == 0
        # Trouble at its end may have kept something back.
        lichess.trouble.clear()
        process = await hall(folder, url, seed)
        assert await process.wait() == 0
    return lichess


def shown(round_: BroadcastRound) -> list[Truth]:
    return [
        Truth(
            white=chapter.tags["White"],
            board=int(chapter.tags["Board"]),
            moves=chapter.moves,
            result=chapter.tags["Result"],  # type: ignore[arg-type]
            corrected=bool(chapter.variations),
        )
        for chapter in round_.chapters
    ]


@pytest.mark.timeout(300)
def test_thirty_boards_three_rounds_outages_and_kills(tmp_path: Path) -> None:
    seed = random.randrange(1_000_000)
    lichess = asyncio.run(broadcast_and_kill(tmp_path, seed))
    truth = event(seed).truth
    for name, round_id in ROUNDS.items():
        round_ = lichess.rounds[round_id]
        assert len(round_.chapters) == BOARDS, f"seed {seed}"
        found = shown(round_)
        for game, expected in zip(found, truth[name], strict=True):
            # A line that was withdrawn may have been put right before it was ever pushed.
            assert game.corrected <= expected.corrected, f"seed {seed}"
            game.corrected = expected.corrected
        assert found == truth[name], f"seed {seed}"
        assert len({chapter.tags["GameId"] for chapter in round_.chapters}) == BOARDS
        assert round_.finished
    assert lichess.most_at_once == 1
    assert (tmp_path / "log").stat().st_size > 0
    for file in tmp_path.iterdir():
        if file.name != "lichess.token":
            assert TOKEN.encode() not in file.read_bytes(), file.name


# --- the daemon -----------------------------------------------------------------------------------


def journaled(folder: Path, config: Path) -> None:
    """Put a game of one move at each table into the journal, as if it had been recorded."""
    loaded = load(config)
    with Journal.open(folder / "data" / "journal.sqlite3") as journal:
        for settings in loaded.tables:
            readings = readings_of(parse(one_move(), name="e4.capture"), Dgt, table=settings.table)
            known = [
                msgspec.structs.replace(each, link=f"was {settings.table}")
                for each in readings
                if not isinstance(each.payload, TableSetup)
            ]
            begun = msgspec.structs.replace(
                known[0], link="setup", seq=int(settings.table), payload=loaded.setup(settings)
            )
            asyncio.run(journal.append([begun, *known]))


async def run_and_kill(folder: Path) -> tuple[FakeLichess, str]:
    lichess = FakeLichess(trouble=deque(["slow"]))
    lichess.add_round("AbCd1234")
    (folder / "lichess.token").write_text(TOKEN)
    async with lichess.serving() as url:
        section = f"lichess: {{server: '{url}', token_file: lichess.token, interval: 1,"
        boards = [f"port: /dev/absent-{number}" for number in (1, 2, 3)]
        config = write_config(folder, boards, f"{section} rounds: {{1: AbCd1234}}}}")
        text = config.read_text()
        for number in (1, 2, 3):
            names = f'white: "White, {number}", black: "Black, {number}", number: {number},'
            text = text.replace(f"number: {number},", names)
        config.write_text(f"{text}log: {{level: debug}}\n")
        await asyncio.to_thread(journaled, folder, config)
        killed = Daemon(config)
        async with killed:
            await eventually(lambda: lichess.calls)
            await killed.end(signal.SIGKILL)
        again = Daemon(config)
        async with again:
            await eventually(lambda: again.log("round 1 is pushed to AbCd1234"))
            assert await again.end() == 0
        pushes = len(lichess.bodies)
        third = Daemon(config)
        async with third:
            await eventually(lambda: third.log("absent-3"))
            assert await third.end() == 0
        assert len(lichess.bodies) == pushes, "Lichess has it all"
        return lichess, "\n".join([*killed.log(), *again.log(), *third.log()])


@pytest.mark.timeout(120)
def test_a_daemon_that_is_killed_while_it_pushes(tmp_path: Path) -> None:
    lichess, log = asyncio.run(run_and_kill(tmp_path))
    chapters = lichess.rounds["AbCd1234"].chapters
    names = [f"White, {number}" for number in (1, 2, 3)]
    assert [chapter.tags["White"] for chapter in chapters] == names
    assert [chapter.moves for chapter in chapters] == [["e2e4"]] * 3
    assert [chapter.clocks for chapter in chapters] == [[5457]] * 3
    assert TOKEN not in log
    for file in tmp_path.rglob("*"):
        if file.is_file() and file.name != "lichess.token":
            assert TOKEN.encode() not in file.read_bytes(), file.name
