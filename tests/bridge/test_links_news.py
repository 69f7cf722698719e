import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.links.news import CONFIRMATIONS, SAME_SCANS, SCAN_EVERY, News
from drivers.events import (
    Battery,
    Button,
    ClockFault,
    ClockReading,
    Event,
    Identity,
    Noise,
    Notice,
    RawTags,
    Snapshot,
    SquareChange,
)

START = "RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr"
E4 = "RNBQKBNRPPPP.PPP............P...................pppppppprnbqkbnr"


def clock(left_ms: int = 60_000, *, at: float = 0.0) -> ClockReading:
    return ClockReading(at=at, left_ms=left_ms, right_ms=60_000, running=True, turn="left")


def told(*events: Event) -> list[bool]:
    news = News()
    return [news.is_new(event) for event in events]


def later(event: Event, seconds: float = 9.0) -> Event:
    return msgspec.structs.replace(event, at=event.at + seconds)


def test_a_position_is_told_once_whichever_way_it_came() -> None:
    assert told(
        Snapshot(at=0.0, cells=START),
        Snapshot(at=30.0, cells=START),
        SquareChange(at=31.0, square=28, piece="P", cells=E4),
        Snapshot(at=31.3, cells=E4),
        Snapshot(at=40.0, cells=START),
    ) == [True, False, True, False, True]


def test_a_time_may_be_confirmed_and_not_repeated_for_hours() -> None:
    readings = [clock(at=float(second)) for second in range(9)]
    assert told(*readings) == [True] + CONFIRMATIONS * [True] + (8 - CONFIRMATIONS) * [False]


def test_another_time_is_news_and_may_be_confirmed_again() -> None:
    events = [clock(60_000), clock(60_000), clock(60_000), clock(59_000), clock(59_000)]
    assert told(*events, clock(59_000), clock(60_000)) == [
        True,
        True,
        False,
        True,
        True,
        False,
        True,
    ]


def test_a_missing_clock_is_told_like_a_time() -> None:
    absent, null = ClockFault(at=0.0, fault="absent"), ClockFault(at=0.0, fault="null")
    events: list[Event] = [clock(), absent, absent, absent, null, absent, clock()]
    assert told(*events) == [True, True, True, False, True, True, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            Identity(at=0.0, field="serial", value="30123"),
            Identity(at=0.0, field="serial", value="30124"),
        ),
        (Battery(at=0.0, percent=80, charging=False), Battery(at=0.0, percent=79, charging=False)),
    ],
)
def test_what_a_board_says_about_itself_is_told_when_it_changes(one: Event, other: Event) -> None:
    assert told(one, later(one), other, later(other), one) == [True, False, True, False, True]


def test_fields_of_identity_do_not_hide_each_other() -> None:
    serial = Identity(at=0.0, field="serial", value="3.1")
    version = Identity(at=0.0, field="version", value="3.1")
    assert told(serial, version, later(serial)) == [True, True, False]


def test_noise_is_never_told_and_a_button_always() -> None:
    noise = Noise(at=0.0, data="ff", why="no message")
    button, notice = Button(at=0.0, button="lever"), Notice(at=0.0, text="checked")
    assert told(noise, button, button, notice, notice) == [False, True, True, True, True]


@given(st.lists(st.sampled_from([START, E4])))
def test_who_hears_only_news_knows_as_much(positions: list[str]) -> None:
    news, known = News(), ""
    for cells in positions:
        if news.is_new(Snapshot(at=0.0, cells=cells)):
            known = cells
        assert known == cells


def test_the_same_tags_are_told_until_they_are_learned_and_then_now_and_then() -> None:
    scans = [RawTags(at=number / 4, tags=("1",) * 64) for number in range(200)]
    passed = [scan.at for scan, new in zip(scans, told(*scans), strict=True) if new]
    assert passed[:SAME_SCANS] == [number / 4 for number in range(SAME_SCANS)]
    first = passed[SAME_SCANS - 1]
    assert passed[SAME_SCANS:] == [first + SCAN_EVERY * n for n in range(1, 5)]


def test_other_tags_are_news_at_once() -> None:
    one, other = (RawTags(at=0.0, tags=(tag,) * 64) for tag in ("1", "2"))
    assert told(*[one] * SAME_SCANS, one, other, one, one) == (
        [True] * SAME_SCANS + [False, True, True, True]
    )
