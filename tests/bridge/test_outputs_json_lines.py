"""Facts as JSON Lines: for readers that are late, slow, gone or have no room."""

import asyncio
import contextlib
import fcntl
import json
import logging
import os
import struct
import termios
import threading
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from bridge.cli.frame import AUDIENCES
from bridge.core.audience import Audience
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    ClockUpdated,
    Fact,
    LinkChanged,
    MoveProvisional,
)
from bridge.outputs import json_lines
from bridge.outputs.bus import QUEUE_SIZE, Bus
from bridge.outputs.json_lines import JsonLines, as_line
from bridge.outputs.recap import Recap
from tests.bridge.scoresheets import WALL, line, started
from tests.halls import eventually
from tests.livechess import Play

PATIENCE = 20.0
WHERE: dict[str, Any] = {"table": "1", "game": 1, "at": 1.0, "wall": WALL, "evidence": (1, 1)}


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):  # the test has closed it
            os.close(end)
        # Who still writes would write into what gets the number of the other end next.
        for thread in threading.enumerate():
            if thread.name == "json lines":
                thread.join(PATIENCE)


def alert(code: str) -> AlertRaised:
    return AlertRaised(**WHERE, code=code, severity="critical", text=code)


def clock(white_ms: int) -> ClockUpdated:
    return ClockUpdated(**WHERE, white_ms=white_ms, black_ms=0, running=True, turn="white")


# --- what matters still ---------------------------------------------------------------------------


def recap_of(*facts: Fact) -> list[Fact]:
    recap = Recap()
    for fact in facts:
        recap.apply(fact)
    return list(recap.facts())


def test_the_audiences_of_the_command_line_are_those_of_the_gate() -> None:
    assert sorted(AUDIENCES) == sorted(get_args(Audience))


def test_a_game_is_told_from_its_beginning_and_of_clocks_the_last() -> None:
    begun, *moves = line("e4 e5")
    assert recap_of(begun, clock(3), *moves, clock(2)) == [begun, *moves, clock(2)]


def test_a_new_game_makes_the_last_one_idle_but_not_its_board_and_alerts() -> None:
    link = LinkChanged(**WHERE, state="live")
    standing = MoveProvisional(**WHERE, ply=3, uci="g1f3", san="Nf3")
    before = [link, *line("e4 e5"), clock(3), standing, alert("BOARD_ROTATED")]
    again = started(game=2)
    assert recap_of(*before, again) == [link, alert("BOARD_ROTATED"), again]


def test_an_alert_that_is_over_is_told_no_more() -> None:
    over = AlertCleared(**WHERE, code="FLAG_FALL")
    both = alert("FLAG_FALL"), alert("WRONG_SETUP")
    assert recap_of(*both, over, over) == [alert("WRONG_SETUP")]


# --- writing --------------------------------------------------------------------------------------


def test_each_fact_is_a_line_as_soon_as_it_is_told(pipe: tuple[int, int]) -> None:
    before, after = list(line("e4")), [clock(5)]

    async def main() -> None:
        bus, reader = Bus(), os.fdopen(pipe[0], "rb", closefd=False)
        async with JsonLines(pipe[1], bus, lambda: before, audience="public"):
            for fact in before:
                assert await asyncio.to_thread(reader.readline) == as_line(fact)
            bus.publish(alert("FLAG_FALL"))
            bus.publish(after[0])
            said = json.loads(await asyncio.to_thread(reader.readline))
        assert said == {
            **WHERE,
            "fact": "ClockUpdated",
            "evidence": [1, 1],
            "white_ms": 5,
            "black_ms": 0,
            "running": True,
            "turn": "white",
        }

    asyncio.run(main())


def test_a_reader_that_is_gone_is_written_to_no_more(
    pipe: tuple[int, int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    async def main() -> None:
        bus = Bus()
        async with JsonLines(pipe[1], bus, list, audience="public") as lines:
            os.close(pipe[0])
            for fact in line("e4 e5"):
                bus.publish(fact)
            await asyncio.wait_for(asyncio.shield(lines._task), PATIENCE)
            bus.publish(clock(1))

    asyncio.run(main())
    assert [each.getMessage() for each in caplog.records] == [
        "standard output: Broken pipe; no facts are written any more"
    ]


def test_a_full_disk_ends_it_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device is no path of ours

        async def main() -> None:
            async with JsonLines(full.fileno(), Bus(), lambda: line("e4"), audience="public"):
                pass

        asyncio.run(main())
    assert "No space left on device; no facts are written" in caplog.text


def _unread(end: int) -> int:
    """How many bytes wait in a pipe."""
    size = fcntl.ioctl(end, termios.FIONREAD, struct.pack("i", 0))
    return int(struct.unpack("i", size)[0])


def test_a_slow_reader_is_told_the_games_anew(
    pipe: tuple[int, int], caplog: pytest.LogCaptureFixture
) -> None:
    play, recap = Play(), Recap()
    game = [*play.start(), *play.plays("e4", "e5")]

    async def main() -> list[bytes]:
        bus, reader = Bus(), os.fdopen(pipe[0], "rb", closefd=False)
        async with JsonLines(pipe[1], bus, recap.facts, audience="arbiter"):
            for fact in game:
                recap.apply(fact)
                bus.publish(fact)
            written = len(b"".join(map(as_line, game)))
            await eventually(lambda: _unread(pipe[0]) == written, "the game is in the pipe")
            # More than what the pipe and the queue hold, for nobody reads yet.
            for fact in map(clock, range(QUEUE_SIZE + 1000)):
                recap.apply(fact)
                bus.publish(fact)
                await asyncio.sleep(0)
            taking = asyncio.create_task(asyncio.to_thread(reader.readlines))
        os.close(pipe[1])
        return await asyncio.wait_for(taking, PATIENCE)

    taken = asyncio.run(main())
    assert "standard output: read too slowly" in caplog.text
    *of_game, last = map(as_line, recap.facts())
    assert taken[: len(game)] == list(map(as_line, game))
    anew = taken.index(of_game[0], 1)
    assert taken[anew : anew + len(of_game)] == of_game
    assert taken[-1] == last


def test_a_reader_that_takes_nothing_keeps_nobody_from_ending(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(json_lines, "LAST_WRITE_SECONDS", 0.1)

    async def main() -> None:
        facts = [clock(n) for n in range(2000)]
        async with JsonLines(pipe[1], Bus(), lambda: facts, audience="public"):
            await asyncio.sleep(0)

    asyncio.run(main())
    assert "nobody takes the last facts" in caplog.text
    os.close(pipe[0])  # wakes the thread that still writes
