"""What a table told of illegal moves, as tests ask for it."""

from bridge.core.model import (
    AlertRaised,
)
from tests.bridge.core.dialogue import TableTalk


def grave(table: TableTalk) -> list[tuple[str, str]]:
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    return [(alert.code, alert.severity) for alert in told]


def loud(table: TableTalk) -> list[tuple[str, str]]:
    return [each for each in grave(table) if each[1] != "silent"]


def unresolved(table: TableTalk) -> list[str]:
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    return [alert.severity for alert in told if alert.code == "POSITION_UNRESOLVED"]


def accused(table: TableTalk) -> list[AlertRaised]:
    """The alerts of illegal moves, whatever was looked at already."""
    return [fact for fact in table.facts if isinstance(fact, AlertRaised) and fact.illegal]
