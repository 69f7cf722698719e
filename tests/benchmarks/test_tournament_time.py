"""Two processes share their time: it waits for whoever has no core."""

import math
from pathlib import Path

import pytest

from benchmarks.tournament import faster
from benchmarks.tournament.faster import AHEAD, SharedTime

RATE, BEGIN = 8.0, 100.0


class Outside:
    """The time outside, which a test lets go by."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Outside:
    time = Outside()
    monkeypatch.setattr(faster, "real_time", time)
    return time


@pytest.fixture
def both(tmp_path: Path, outside: Outside) -> tuple[SharedTime, SharedTime]:
    path = tmp_path / "time"
    SharedTime.begin(path)
    one, other = (SharedTime(path, place, rate=RATE, since=outside.now) for place in (0, 1))
    return one, other


def test_time_goes_faster_and_the_same_in_both(
    both: tuple[SharedTime, SharedTime], outside: Outside
) -> None:
    for each in both:
        each.enter()
    for _ in range(100):
        outside.now += 0.01
        assert both[0].now() == pytest.approx(both[1].now())
        for each in both:
            each.done()
    assert both[0].now() == pytest.approx(BEGIN + RATE)
    assert both[0].lost == pytest.approx(0.0)


def test_time_stands_still_for_both_until_what_was_due_is_done(
    both: tuple[SharedTime, SharedTime], outside: Outside
) -> None:
    playing, starved = both
    for each in both:
        each.enter()
    for _ in range(50):  # the other has no core
        outside.now += 0.1
        playing.done()
    stood = playing.now()
    assert stood == pytest.approx(BEGIN + AHEAD)
    assert starved.now() <= stood, "it wakes, and it is no later than it is for the other"
    starved.done()
    playing.done()
    outside.now += 0.01
    assert stood < playing.now() <= stood + AHEAD, "what was lost is not made up for"
    assert playing.lost == pytest.approx(50 * 0.1 * RATE - AHEAD)


def test_time_never_goes_back(both: tuple[SharedTime, SharedTime], outside: Outside) -> None:
    one, other = both
    one.enter()
    seen = []
    for step in range(40):
        outside.now += 0.05
        if step == 10:
            other.enter()
        if step % 3:
            one.done()
        if step % 7 == 0:
            other.done()
        seen.append(one.now())
    assert seen == sorted(seen)


def test_who_has_left_is_waited_for_no_more(
    both: tuple[SharedTime, SharedTime], outside: Outside
) -> None:
    one, other = both
    for each in both:
        each.enter()
    other.leave()
    before = one.now()
    for _ in range(100):
        outside.now += 0.01
        one.done()
    assert one.now() == pytest.approx(before + RATE)
    assert math.isfinite(one.now())
