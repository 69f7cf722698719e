"""What a table told of illegal moves, as tests ask for it."""

from bridge.core.model import AlertRaised
from tests.bridge.core.dialogue import TableTalk


def raised(table: TableTalk) -> list[AlertRaised]:
    """All alerts, whatever was looked at already."""
    return [fact for fact in table.facts if isinstance(fact, AlertRaised)]


def grave(table: TableTalk) -> list[tuple[str, str]]:
    return [(alert.code, alert.severity) for alert in raised(table)]


def loud(table: TableTalk) -> list[tuple[str, str]]:
    return [each for each in grave(table) if each[1] != "silent"]


def unresolved(table: TableTalk) -> list[str]:
    return [alert.severity for alert in raised(table) if alert.code == "POSITION_UNRESOLVED"]


def accused(table: TableTalk) -> list[AlertRaised]:
    """The alerts of illegal moves."""
    return [alert for alert in raised(table) if alert.illegal]


def accusations(table: TableTalk) -> list[str]:
    """The codes of the alerts of illegal moves."""
    return [alert.code for alert in accused(table)]
