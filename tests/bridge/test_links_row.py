"""A line that several tables share: who hears what, and what outlives an opening."""

import asyncio
import logging
import math
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.core.model import LinkChange, LinkState
from bridge.links.keeper import Keeper
from bridge.links.row import Row
from drivers.codec import Codec, Outgoing
from drivers.events import Event, Identity, Noise, Notice, Presence, Snapshot
from tests.invented import INVENTED
from tests.ptys import Pty, plugged

CELLS = "." * 64


class Desks:
    """Two tables on one line, and what each has heard."""

    def __init__(self) -> None:
        self.heard: dict[str, list[Event | LinkChange]] = {"7": [], "8": []}
        self.row = Row("row x", {unit: heard.append for unit, heard in self.heard.items()})

    def line(self, state: LinkState, detail: str = "") -> None:
        self.row(LinkChange(state=state, detail=detail))

    def board(self, unit: str, *, present: bool = True, detail: str = "") -> None:
        self.row(Presence(at=1.0, unit=unit, present=present, detail=detail))

    def states(self, unit: str) -> list[tuple[str, str]]:
        return [(h.state, h.detail) for h in self.heard[unit] if isinstance(h, LinkChange)]


def test_each_table_hears_its_own_board() -> None:
    desks = Desks()
    seven, eight = Snapshot(at=1.0, unit="7", cells=CELLS), Snapshot(at=1.0, unit="8", cells=CELLS)
    for event in (seven, eight, Snapshot(at=1.0, unit="9", cells=CELLS)):
        desks.row(event)
    desks.row(Noise(at=1.0, data="ff", why="nothing"))
    assert desks.heard == {"7": [seven], "8": [eight]}


def test_a_table_is_live_when_its_board_answers_on_a_live_line() -> None:
    desks = Desks()
    desks.board("7")
    assert desks.states("7") == []
    desks.line("live")
    desks.board("8", present=False, detail="does not answer")
    assert desks.states("7") == [("live", "")]
    assert desks.states("8") == [("lost", "does not answer")]
    desks.board("8")
    desks.board("8")
    assert desks.states("8")[1:] == [("live", "")]


def test_what_happens_to_the_line_happens_to_every_table() -> None:
    desks = Desks()
    desks.line("live")
    desks.board("7")
    desks.line("stale", "silent")
    desks.line("live")
    desks.line("lost", "unplugged")
    desks.line("live")
    assert desks.states("7") == [("live", ""), ("stale", "silent"), ("live", ""), *LOST]
    assert desks.states("8") == [("stale", "silent"), *LOST]
    desks.board("7")
    assert desks.states("7")[-1] == ("live", "")


LOST = [("lost", "unplugged")]


def test_boards_without_a_table_and_notices_of_the_line_are_told_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    desks = Desks()
    for present in (False, True, True):
        desks.board("9", present=present)
    desks.board("7", present=False, detail="does not answer")
    desks.board("7")
    desks.row(Notice(at=1.0, text="it rains"))
    desks.row(Notice(at=1.0, unit="7", text="this is for the table"))
    assert [record.getMessage() for record in caplog.records] == [
        "row x: board 9 answers, and no table has it",
        "row x: board 7 does not answer",
        "row x: board 7 answers",
        "row x: it rains",
    ]
    assert [type(thing) for thing in desks.heard["7"]] == [Notice]


class Counter(Codec):
    """A row whose boards are counted through all openings; a byte is the number of a board."""

    info = replace(INVENTED, name="counter", longest_message=1, silence_limit=60.0, shared=True)

    def __init__(self, units: str = "") -> None:
        self.heard = 0
        self.greeted = 0

    @property
    def buffered(self) -> int:
        return 0

    def greet(self, *, at: float) -> None:
        self.greeted += 1

    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"", math.inf)

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        if b"\xff" in data:
            raise ZeroDivisionError("a fault in a driver")
        if b"\x00" in data:
            return [Presence(at=at, unit="1", present=False)]
        self.heard += len(data)
        value = f"{self.heard} in {self.greeted}"
        return [Identity(at=at, unit=str(data[0]), field="version", value=value)]


def kept(link: Path, *sent: bytes | None) -> list[Event | LinkChange]:
    """Keep a line over which *sent* comes; ``None``: it is unplugged and comes back."""
    told: list[Event | LinkChange] = []

    async def answered(port: Pty, data: bytes) -> None:
        before = len(told)
        for _ in range(2000):
            if len(told) > before:
                return
            if len(told) == before and keeper.address:
                port.send(data)
            await asyncio.sleep(0.02)
        pytest.fail("nothing came")

    keeper = Keeper(
        "row",
        f"serial:{link}",
        Counter,
        now=time.monotonic,
        deliver=told.append,
        first_wait=0.01,
        longest_wait=0.5,
    )

    async def run(port: Pty) -> None:
        task = asyncio.create_task(keeper.run())
        for data in sent:
            if data is None:
                port.unplug()
                await asyncio.sleep(0.05)
                port.plug()
            else:
                await answered(port, data)
        task.cancel()
        await asyncio.wait([task])

    with plugged(link) as port:
        asyncio.run(run(port))
    return told


def test_the_codec_of_a_row_outlives_an_opening(tmp_path: Path) -> None:
    told = kept(tmp_path / "row", b"\x01", None, b"\x02")
    values = [thing.value for thing in told if isinstance(thing, Identity)]
    assert values[0].endswith(" in 1")
    assert values[-1].endswith(" in 2")
    assert int(values[-1].split()[0]) > 1


def test_it_does_not_outlive_a_fault_of_its_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    told = kept(tmp_path / "row", b"\x01", b"\xff", b"\x02")
    assert [thing.value for thing in told if isinstance(thing, Identity)][-1].endswith(" in 1")


def test_that_a_board_is_absent_proves_no_line(tmp_path: Path) -> None:
    told = kept(tmp_path / "row", b"\x00", b"\x01")
    kinds = [thing.state if isinstance(thing, LinkChange) else type(thing) for thing in told]
    first = [kind for number, kind in enumerate(kinds) if kind not in kinds[:number]]
    assert first == [Presence, "live", Identity]
