"""Every form of a time control is read and printed back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.timecontrol import (
    Period,
    TimeControl,
    TimeControlError,
    parse_time_control,
    pgn_time_control,
)


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("-", ()),
        ("300", (Period(300),)),
        ("5400+30", (Period(5400, increment=30),)),
        ("40/7200", (Period(7200, moves=40),)),
        ("40/7200:3600", (Period(7200, moves=40), Period(3600))),
        ("40/7200:20/3600:900+30", (Period(7200, 40), Period(3600, 20), Period(900, None, 30))),
        ("40/5400+30:1800+30", (Period(5400, 40, 30), Period(1800, None, 30))),
        ("*180", (Period(180, sandglass=True),)),
    ],
)
def test_the_forms_of_the_standard(text: str, periods: tuple[Period, ...]) -> None:
    control = parse_time_control(f" {text} ")
    assert control == TimeControl(periods)
    assert str(control) == text


def test_unknown_is_none() -> None:
    assert parse_time_control("?") is None


def test_armageddon_gives_each_side_its_own_time() -> None:
    control = parse_time_control("W300+2-B240")
    assert control is not None
    assert control.periods_of("white") == (Period(300, increment=2),)
    assert control.periods_of("black") == (Period(240),)
    assert str(control) == "W300+2-B240"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", '"" is not understood'),
        ("90 min + 30 sec/move", "seconds, moves/seconds"),
        ("5400 +30", "not understood"),
        ("40/7200:", '"" is not understood'),
        ("3600:40/7200", '"3600" can only stand last'),
        ("*60:300", r"\*60\" can only stand last"),
        ("0/300", "period of no moves"),
        ("W300-B", "not understood"),
        ("٣٠٠", "not understood"),
    ],
)
def test_anything_else_says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(TimeControlError, match=said.replace('\\"', '"')):
        parse_time_control(text)


def test_the_period_of_a_move_is_found_by_counting() -> None:
    control = parse_time_control("40/7200:20/3600:900+30")
    assert control is not None
    by_move = {move: control.period_at("white", move) for move in (1, 40, 41, 60, 61, 200)}
    assert [p.seconds if p else None for p in by_move.values()] == [
        7200,
        7200,
        3600,
        3600,
        900,
        900,
    ]


def test_the_last_period_repeats_and_no_clock_has_none() -> None:
    assert TimeControl((Period(7200, 40),)).period_at("black", 95) == Period(7200, 40)
    assert TimeControl().period_at("white", 1) is None


def test_the_increment_is_that_of_the_period() -> None:
    control = parse_time_control("40/5400+30:1800+10")
    assert control is not None
    assert [control.increment_at("black", move) for move in (1, 40, 41)] == [30, 30, 10]
    assert TimeControl().increment_at("white", 1) == 0


seconds = st.integers(0, 20_000)
moves = st.integers(1, 99)
increments = st.integers(0, 120)
timed = st.builds(Period, seconds, moves, increments)
final = st.one_of(
    timed,
    st.builds(Period, seconds, st.none(), increments),
    st.builds(Period, seconds, sandglass=st.just(True)),
)
sides = st.builds(lambda first, last: (*first, last), st.lists(timed, max_size=3), final)


@given(st.builds(TimeControl, sides, st.one_of(st.none(), sides)))
def test_what_is_printed_is_read_back(control: TimeControl) -> None:
    assert parse_time_control(str(control)) == control


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("?", "?"),
        ("-", "-"),
        ("*180", "*180"),
        (" 40/7200:3600 ", "40/7200:3600"),
        ("40/5400+30:1800+30", "40/5400+30:1800+30"),
        ("W300-B240", "?"),
        ("90 min + 30 sec/move", "?"),
        ("", "?"),
    ],
)
def test_a_tag_says_only_what_pgn_knows(text: str, tag: str) -> None:
    assert pgn_time_control(text) == tag
