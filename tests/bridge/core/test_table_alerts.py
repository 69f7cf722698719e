"""The alerts that stand at a table: one for each cause, for as long as it lasts."""

import pytest

from bridge.core.model import AlertCleared, AlertRaised
from bridge.core.table.alerts import CALM, UNRESOLVED, Alerts
from bridge.core.table.told import Told


@pytest.fixture
def told() -> Told:
    return Told("7")


@pytest.fixture
def alerts(told: Told) -> Alerts:
    return Alerts(told)


def of(told: Told) -> list[tuple[str, str]]:
    """Return what was raised and cleared since the last time."""
    return [
        ("raised" if isinstance(fact, AlertRaised) else "cleared", fact.code)
        for fact in told.take()
        if isinstance(fact, (AlertRaised, AlertCleared))
    ]


def test_an_illegal_move_is_over_when_play_goes_on(alerts: Alerts, told: Told) -> None:
    alerts.raise_("ILLEGAL_MOVE", None, "-")
    alerts.play_goes_on("-")
    assert of(told) == [("raised", "ILLEGAL_MOVE"), ("cleared", "ILLEGAL_MOVE")]


def test_a_lost_record_is_told_once_until_play_is_followed_again(
    alerts: Alerts, told: Told
) -> None:
    alerts.raise_(UNRESOLVED, None, "-")
    for _ in range(CALM - 1):
        alerts.play_goes_on("-")
    alerts.raise_(UNRESOLVED, None, "the same again")
    for _ in range(CALM - 1):
        alerts.play_goes_on("-")
    assert of(told) == [("raised", UNRESOLVED)]
    alerts.play_goes_on("-")
    assert of(told) == [("cleared", UNRESOLVED)]
    alerts.raise_(UNRESOLVED, None, "another time")
    assert of(told) == [("raised", UNRESOLVED)]


def test_men_that_are_put_right_end_it_at_once(alerts: Alerts, told: Told) -> None:
    alerts.raise_(UNRESOLVED, None, "-")
    alerts.clear_of_moves("-")
    assert of(told) == [("raised", UNRESOLVED), ("cleared", UNRESOLVED)]
