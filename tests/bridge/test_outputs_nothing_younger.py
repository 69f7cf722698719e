"""No byte that anybody can get depends on what is younger than the delay.

Two halls that are the same up to the delay and differ after it are told to all files, servers and
receivers of games; everything that they write, answer, send and keep to be sent is compared.
"""

import asyncio
import contextlib
import json
import re
import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bridge.config import parse
from bridge.core.model import Fact, Reading
from bridge.core.table import Table
from bridge.daemon.outputs import Outputs
from bridge.outputs.health import Health
from bridge.store.outbox import Outbox
from drivers.events import Battery, Identity
from tests.bridge.courses import ENDING, HARMLESS, WITHDRAWING, Course, Step
from tests.bridge.spectators import TOURNAMENT, Spectator
from tests.livechess import PATIENCE, Client, client, free_port
from tests.web import Stage

MARK = "younger"
YOUNG_CLOCK = re.compile(rb"\b7[0-5][0-9]{2}(?:[0-9]{3})?\b|\b(1:5[6-9]|2:0[0-9]):[0-9]{2}\b")
"""A time of what bears the mark, in s, in ms or as in PGN; all others are below 5600 s."""
POSITIONS = re.compile(rb',"positions":\[[0-9,]*\]')
"""Digests that are not sent."""
MINUTE = 60.0

Shown = dict[str, bytes]


def steps(kinds: str, size: int) -> st.SearchStrategy[list[Step]]:
    one = st.builds(
        Step,
        kind=st.sampled_from(kinds),
        table=st.sampled_from("12"),
        pause=st.sampled_from([0.5, 1.0, 7.0, 20.0]),
        choice=st.integers(0, 500),
    )
    return st.lists(one, max_size=size)


class Hall:
    """All outputs, with a clock of their own; ``table`` is what the boards say of themselves."""

    def __init__(self, folder: Path, delay: str) -> None:
        self.folder, self.port, self.at = folder, free_port(), 0.0
        text = (
            f"pgn: {{folder: pgn, delay: {delay}}}\n"
            f"cloud: {{folder: cloud, id: {TOURNAMENT}, delay: {delay}}}\n"
            f"livechess: {{host: 127.0.0.1, port: {self.port}, delay: {delay}}}\n"
            f"web: {{port: {free_port()}, delay: {delay}}}\n"
            f"webhooks: [{{name: dead, url: 'http://localhost:9/', delay: {delay}}}]\n"
            "lichess: {server: 'http://localhost:9', rounds: {1: Round001, '?': Round002},"
            f" delay: {delay}}}\n"
            'tables: [{table: "1", board: {port: /dev/a}}, {table: "2", board: {port: /dev/b}}]'
        )
        self.config = config = parse(text, folder / "hall.yaml")
        self.outputs = Outputs(config, lambda: self.at, today="2026.11.22", json_for="public")
        self.stage = Stage(config)
        self.tables = {name: Table(name) for name in "12"}

    def hear(self, number: int) -> None:
        """Let boards tell what they tell of themselves, and the program how it is."""
        for name, table in self.tables.items():
            for event in (
                Identity(at=self.at, field="serial", value=f"{name}{number}"),
                Battery(at=self.at, percent=number % 100, charging=False),
            ):
                where: dict[str, Any] = {"table": name, "link": name, "wall": 0.0}
                table.apply(Reading(seq=number, at=self.at, payload=event, **where))
            table._shown.rotated = number % 2 == 1
        self.stage.health = Health("degraded", (f"table 1: {number} moves behind",))
        self.stage.figures = b"eboard_moves_settled_total %d" % number
        self.stage.equipment["troubles"] = [f"{number} moves cannot be sent"]

    async def lives(self, facts: Iterable[Fact], until: float) -> None:
        """Let everything happen at its time."""
        for fact in facts:
            await self._comes(fact.at)
            self.outputs.tell(fact)
            self.stage.tell(fact)
            await _rest()
        await self._comes(until)

    async def _comes(self, at: float) -> None:
        feeds = [*self.outputs._all_feeds(), self.stage.web._public]
        while (due := min(feed._gate.wake_at for feed in feeds)) <= at:
            self.at = self.stage.now = max(self.at, due)
            for feed in feeds:
                feed._let_through()
            await _rest()
        self.at = self.stage.now = at

    async def queued(self) -> None:
        """Wait until all that is to be sent is in the outbox."""
        webhooks = self.outputs._webhooks
        assert webhooks is not None
        (hook,) = webhooks._hooks
        async with asyncio.timeout(PATIENCE):
            while hook._waiting:  # noqa: ASYNC110 - a thread writes
                await asyncio.sleep(0.001)
        hook._idle.set()  # it need not be tried to the end

    def waiting(self) -> Shown:
        """Return what is kept to be sent."""
        with Outbox(self.config.data.outbox) as outbox:
            return {
                f"{output} {entry.key}": POSITIONS.sub(b"", entry.content)
                for output in outbox.outputs()
                for entry in outbox.waiting(output, 10_000)
            }


async def _rest() -> None:
    for _ in range(4):
        await asyncio.sleep(0)


async def served(folder: Path, delay: str, facts: list[Fact], until: float, number: int) -> Shown:
    """Return all that is answered and sent until *until*; the files are whole when it returns."""
    hall = Hall(folder, delay)
    found: Shown = {}
    async with hall.stage.web, aiohttp.ClientSession(hall.stage.url) as visitor:
        spectator = Spectator(visitor)
        async with hall.outputs.running(hall.tables.__getitem__):
            async with client(hall.port) as one, client(hall.port) as late, spectator.following():
                for table in "12":
                    await one.subscribe(table, feed=int(table))
                hall.hear(number)
                await hall.lives(facts, until)
                found["list"] = await _answer(one, "eboards")
                found["frames"] = json.dumps([_untimed(frame) for frame in one.frames]).encode()
                for table in "12":
                    found[f"snapshot {table}"] = _json(await late.subscribe(table, feed=int(table)))
                await spectator.ask()
            await hall.queued()
            async with aiohttp.ClientSession() as session:
                for path in ("/", "/api/v1.0/eboards"):
                    async with session.get(f"http://127.0.0.1:{hall.port}{path}") as response:
                        found[path] = await response.read()
        await spectator.ask_for_files()
    return found | spectator.shown | hall.waiting()


async def _answer(one: Client, call: str) -> bytes:
    return _json(await one.ask(call, 77))


def _json(frame: dict[str, Any]) -> bytes:
    return json.dumps(_untimed(frame)).encode()


def _untimed(frame: dict[str, Any]) -> dict[str, Any]:
    """Without the time of the server, which tells nothing of the hall."""
    return {key: value for key, value in frame.items() if key != "time"}


def seen(delay: str, facts: list[Fact], until: float, number: int) -> Shown:
    """Return all bytes that are to be had at *until*; boards tell *number* of themselves."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with (root / "lines").open("w") as lines, contextlib.redirect_stdout(lines):
            found = asyncio.run(served(root, delay, facts, until, number))
        files = {
            path for path in root.rglob("*") if path.is_file() and root / "data" != path.parent
        }
        return found | {str(path.relative_to(root)): path.read_bytes() for path in files}


def fork(
    common: list[Step], young: list[Step], *, lasts: float, mark: str
) -> tuple[list[Fact], float]:
    """Return a course of which *young* comes in the last so many seconds, and its end."""
    course = Course()
    course.go_on(common)
    until = course.at + lasts
    course.go_on(young, mark, until)
    return course.facts, until


few = partial(
    settings,
    max_examples=20,
    deadline=None,
    phases=[Phase.reuse, Phase.generate],  # shrinking halls takes minutes
    suppress_health_check=[HealthCheck.too_slow],
)
ANYTHING = HARMLESS + ENDING + WITHDRAWING


@few()
@given(steps(ANYTHING, 25), steps(HARMLESS + ENDING, 15), steps(HARMLESS + ENDING, 15))
def test_nothing_tells_what_happened_within_the_minutes(
    common: list[Step], young: list[Step], other: list[Step]
) -> None:
    delay = "{minutes: 1}"
    one = seen(delay, *fork(common, young, lasts=MINUTE - 0.1, mark=MARK), 10)
    two = seen(delay, *fork(common, other, lasts=MINUTE - 0.1, mark=""), 11)
    assert one == two
    assert one["list"]


@few()
@given(steps(ANYTHING, 25), steps(ANYTHING, 25), st.booleans())
def test_what_is_withdrawn_within_the_minutes_only_leaves_out(
    common: list[Step], young: list[Step], all_at_end: bool
) -> None:
    """A correction or the end of a game may hide what was due; it adds nothing that is younger."""
    if all_at_end:  # of a game that has ended nothing is held back any more
        common, young = (
            [step for step in steps if step.kind not in ENDING] for steps in (common, young)
        )
    delay = f"{{minutes: 1, all_at_end: {str(all_at_end).lower()}}}"
    found = seen(delay, *fork(common, young, lasts=MINUTE - 0.1, mark=MARK), 10)
    for name, content in found.items():
        assert MARK.encode() not in content, name
        assert not YOUNG_CLOCK.search(content), f"{name}: a clock of then"


@few()
@given(
    steps(HARMLESS, 30), st.integers(1, 4), st.lists(st.integers(0, 500), min_size=8, max_size=8)
)
def test_nothing_tells_of_the_moves_that_are_waited_for(
    common: list[Step], made: int, choices: list[int]
) -> None:
    """Of the last plies it can only be known that they were made."""
    delay = "{moves: 2}"
    halves = choices[:4], choices[4:]
    young = [
        [
            Step(kind, table, 1.0, choice + place)
            for choice in half[:made]
            for place, kind in enumerate("bcs")
            for table in "12"
        ]
        for half in halves
    ]
    one = seen(delay, *fork(common, young[0], lasts=MINUTE, mark=MARK), 10)
    two = seen(delay, *fork(common, young[1], lasts=MINUTE, mark=""), 11)
    assert one == two


def test_without_a_delay_it_would_be_seen() -> None:
    """What is compared above is there, and differs where it may."""
    common = [Step("m", table, 1.0, 0) for table in "12"]
    common += [Step("s", table, 1.0, number) for number in range(6) for table in "12"]
    young = [Step("s", "1", 1.0, 5), Step("c", "1", 1.0, 3), Step("m", "2", 1.0, 1)]
    one = seen("{}", *fork(common, young, lasts=10.0, mark=MARK), 10)
    two = seen("{}", *fork(common, [], lasts=10.0, mark=""), 11)
    differ = {name for name in one if one[name] != two.get(name)}
    assert {"list", "frames", "snapshot 1", "/", "/api/v1.0/eboards"} <= differ
    assert {"lines", "stream", "events", "late", "/api/v1/games", "/pgn/1/1.pgn"} <= differ
    assert f"/get/{TOURNAMENT}/round-1/game-1.json" in differ
    assert {re.split("[/ ]", name)[0] for name in differ} >= {"pgn", "cloud", "webhook", "lichess"}
    assert MARK.encode() in b"".join(one.values())
