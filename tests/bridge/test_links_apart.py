"""A board and a clock with a link each: nothing of one is taken for the other's."""

from bridge.core.model import AlertCleared, AlertRaised, Fact, LinkChange, LinkChanged, Reading
from bridge.core.table import Table
from bridge.links.apart import OfBoard, OfClock
from drivers.events import (
    Battery,
    Button,
    ClockAck,
    ClockFault,
    ClockReading,
    Event,
    Identity,
    Notice,
    Snapshot,
)

TIMES = ClockReading(at=1.0, left_ms=1000, right_ms=1000, running=False, turn=None)
CLOCKS: list[Event] = [
    TIMES,
    ClockFault(at=1.0, fault="absent"),
    ClockAck(at=1.0, command=3, ok=True),
    Button(at=1.0, button="plus"),
]
BOARDS: list[Event | LinkChange] = [
    Snapshot(at=1.0, cells="." * 64),
    Battery(at=1.0, percent=5, charging=False),
    Identity(at=1.0, field="serial", value="1"),
    LinkChange(state="lost"),
]
NOTICE = Notice(at=1.0, text="look here")


def test_a_board_is_not_asked_about_the_clock() -> None:
    told: list[Event | LinkChange] = []
    take = OfBoard(told.append)
    for thing in (*CLOCKS, *BOARDS, NOTICE):
        take(thing)
    assert told == [*BOARDS, NOTICE]


def test_a_clock_tells_nothing_of_a_board() -> None:
    told: list[Event | LinkChange] = []
    take = OfClock(told.append, now=lambda: 7.0)
    for thing in (*CLOCKS, *BOARDS[:-1], NOTICE, LinkChange(state="live")):
        take(thing)
    assert told == [*CLOCKS, NOTICE]


def test_the_loss_of_its_link_is_the_loss_of_the_clock() -> None:
    told: list[Event | LinkChange] = []
    take = OfClock(told.append, now=lambda: 7.0)
    take(LinkChange(state="stale", detail="silent"))
    take(LinkChange(state="lost", detail="gone"))
    assert told == [
        ClockFault(at=7.0, fault="absent", detail=f"the link to the clock is lost: {why}")
        for why in ("silent", "gone")
    ]


def test_a_table_says_that_its_clock_is_lost_and_not_its_board() -> None:
    table, facts = Table("1"), list[Fact]()

    def fold(event: Event | LinkChange) -> None:
        at = table_time.pop(0)
        reading = Reading(table="1", link="c", seq=len(facts) + 1, at=at, wall=at, payload=event)
        facts.extend(table.apply(reading))

    table_time = [1.0, 2.0, 3.0]
    take = OfClock(fold, now=lambda: 2.0)
    take(TIMES)
    take(LinkChange(state="lost", detail="gone"))
    take(TIMES)
    assert not any(isinstance(fact, LinkChanged) for fact in facts)
    (raised,) = [fact for fact in facts if isinstance(fact, AlertRaised)]
    assert (raised.code, raised.text) == (
        "CLOCK_DISCONNECTED",
        "the link to the clock is lost: gone",
    )
    assert [fact.code for fact in facts if isinstance(fact, AlertCleared)] == [raised.code]
