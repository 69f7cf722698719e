import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.daemon.clock import JournalClock, WallClock


def test_a_new_journal_begins_at_zero() -> None:
    clock = JournalClock()
    first, second = clock.now(), clock.now()
    assert 0.0 <= first <= second < 60.0


def test_it_goes_on_by_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000_090.0)
    assert 140.0 <= JournalClock((50.0, 1_000_000.0)).now() < 170.0


def test_it_goes_on_too_when_the_wall_clock_was_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 900_000.0)
    assert JournalClock((50.0, 1_000_000.0)).now() > 50.0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(walls=st.lists(st.floats(0, 2e9), min_size=2, max_size=8))
def test_it_never_goes_back_over_any_restarts(
    walls: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    last: tuple[float, float] | None = None
    for wall in walls:
        monkeypatch.setattr(time, "time", lambda wall=wall: wall)
        at = JournalClock(last).now()
        assert last is None or at > last[0]
        last = at, wall


def test_it_is_known_by_how_much_the_wall_clock_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    really, ahead = time.time, 0.0
    monkeypatch.setattr(time, "time", lambda: really() + ahead)
    clock = WallClock()
    for set_by in (0.0, 3600.0, 0.0, -7200.0):
        ahead += set_by
        assert clock.was_set() == pytest.approx(set_by, abs=1.0)


def test_the_day_is_the_one_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 86_400.0 * 3)
    clock = WallClock()
    assert clock.day().startswith("1970.01.0")
    monkeypatch.setattr(time, "time", lambda: 1_795_351_200.0)
    assert clock.day() == time.strftime("%Y.%m.%d", time.localtime(1_795_351_200.0))
