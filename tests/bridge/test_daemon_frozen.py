"""A table as bytes: it goes on as if nothing had been, and nothing else comes of such bytes."""

import os
import pickle
from functools import partial

import chess
import msgspec
import pytest

from benchmarks.inference import Played, simulated
from bridge.core.model import AddNote, Reading, Ruling, TableSetup
from bridge.core.stream.reading import StreamReader
from bridge.core.table import Table
from bridge.daemon.frozen import FrozenError, code_of, freeze, thaw
from drivers.cells import cells_of
from drivers.events import Snapshot
from tests.bridge.core.dialogue import TableTalk

AFTERTIME = 20.0
EVERY = 7
SESSIONS = simulated(1, seed=5)


def test_what_is_told_is_the_same_to_the_byte() -> None:
    """JSON leaves out what is a default, and knows it by the object, not by what it says."""
    talk = TableTalk(TableSetup(white="Kramer, Anna"))
    state = freeze(talk.table)
    assert state is not None
    thawed = thaw(state)
    reading = Reading(
        table="7",
        link="board",
        seq=9,
        at=5.0,
        wall=5.0,
        payload=Snapshot(at=5.0, cells=cells_of(chess.Board())),
    )
    told = [
        [*map(msgspec.json.encode, (*table.apply(reading), *table.tick(9.0)))]
        for table in (talk.table, thawed)
    ]
    assert told[0] == told[1]
    assert any(b'"GameStarted"' in fact for fact in told[0])


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("session", SESSIONS, ids=lambda each: f"{each.profile} {each.board}")
def test_what_follows_is_the_same(session: Played) -> None:
    lines, _ = session.load()
    reader, whole, again = StreamReader("1"), Table("1"), Table("1")
    readings = [reading for line in lines for reading in reader.read(line)]
    for number, reading in enumerate(readings, 1):
        assert again.apply(reading) == whole.apply(reading), number
        if number % EVERY == 0:
            state = freeze(again)
            assert state is not None
            again = thaw(state)
    assert again.tick(readings[-1].at + AFTERTIME) == whole.tick(readings[-1].at + AFTERTIME)
    assert whole.game > 0


def test_a_table_of_which_an_arbiter_has_ruled_is_not_told_in_bytes() -> None:
    """What would take a ruling back is known as functions."""
    table = Table("1")
    ruling = Ruling(by="A. Arbiter", order=AddNote(text="the lamp fell"))
    table.apply(Reading(table="1", link="arbiter", seq=1, at=1.0, wall=1.0, payload=ruling))
    assert freeze(table) is None


class Evil:
    """What somebody could put where a state is expected."""

    def __init__(self, *made: object) -> None:
        self._made = made

    def __reduce__(self) -> tuple[object, ...]:
        return self._made[0], self._made[1:]


@pytest.mark.parametrize(
    "evil",
    [
        Evil(os.system, "true"),
        Evil(eval, "1"),
        Evil(getattr, "text", "upper"),
        Evil(getattr, Table("1"), "__class__"),
        Evil(getattr, Table("1"), "name"),
        Evil(partial, os.remove, "file"),
        Evil(pickle.loads, b""),
        "no table",
    ],
)
def test_nothing_but_tables_comes_of_it(evil: object) -> None:
    with pytest.raises(FrozenError):
        thaw(pickle.dumps(evil))


def test_what_a_module_has_of_others_is_not_to_be_had() -> None:
    for name in ("chess", "chess.Board", "partial", "math"):
        with pytest.raises(FrozenError):
            thaw(b"cbridge.core.table.fold\n" + name.encode() + b"\n.")


@pytest.mark.parametrize("state", [b"", b"no state", b"\x80\x05."])
def test_spoilt_bytes_are_refused(state: bytes) -> None:
    with pytest.raises(FrozenError):
        thaw(state)


def test_the_code_has_a_name() -> None:
    assert len(code_of()) == 64
    assert code_of() == code_of()
