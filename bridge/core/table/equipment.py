"""Alerts for whoever looks after the equipment: batteries, clocks, and boards that fall silent."""

from bridge.core.model import Hindrance, LinkChange
from bridge.core.table.alerts import Alerts
from drivers.events import Battery, ClockFault, ClockReading, Identity

LOW_PERCENT = 15
"""A battery with less is low, whatever the board says of it."""
GOOD_PERCENT = 25
"""From here on it is no longer low; between the two nothing changes."""

MOST_INVALID = 5
"""So many times that are none, with no good one between, are a fault of the clock."""
LOW_READINGS = 2
"""So many readings in a row say that a clock's battery is low; one may be noise on the line."""

_REMEDIES = {
    "BROADCAST_HELD": "settle the alert of the move; then it goes out",
    "BROADCAST_STALLED": "look at the connection; the record is not touched by it",
    "DISK_OR_LOG_FAULT": "make room on the disk, or change it; the game goes on",
}
_OVER = {
    "BROADCAST_HELD": "no move is held back",
    "BROADCAST_STALLED": "moves leave again",
    "DISK_OR_LOG_FAULT": "everything is written again",
}
"""Of the codes of a :class:`Hindrance`."""


class Equipment:
    """Tells the operator what the equipment of a table says of itself.

    ``percent`` is the last state of the board's battery, ``serial`` the board's number.
    """

    def __init__(self, alerts: Alerts) -> None:
        self.percent: int | None = None
        self.serial: str | None = None
        self._alerts = alerts
        self._invalid = self._low = 0

    def battery(self, battery: Battery) -> None:
        """Take what the board says of its battery."""
        self.percent = battery.percent
        if battery.charging or battery.percent >= GOOD_PERCENT:
            self._alerts.clear("LOW_BATTERY", "the battery is charged")
        elif battery.percent < LOW_PERCENT:
            left = battery.minutes_left
            more = "" if left is None else f", for {left} minutes"
            self._alerts.raise_(
                "LOW_BATTERY",
                None,
                f"the battery of the board is at {battery.percent} %{more}",
                remedy="charge it, or have another board ready",
            )

    def identity(self, identity: Identity) -> None:
        """Take what the board says it is."""
        if identity.field == "serial":
            self.serial = identity.value

    def clock(self, reading: ClockReading, *, playing: bool) -> None:
        """Take that the clock tells times, and what it says of its battery."""
        if self._invalid >= MOST_INVALID:
            self._alerts.clear("CLOCK_FAULT", "the clock tells times again")
        self._invalid = 0
        self._low = self._low + 1 if reading.low_battery else 0
        if not self._low:
            self._alerts.clear("CLOCK_LOW_BATTERY", "the clock no longer says so")
        if self._low < LOW_READINGS:
            return
        self._alerts.raise_(
            "CLOCK_LOW_BATTERY",
            "warning" if playing else None,
            "the clock says that its battery is low",
            remedy="have another clock ready, and the times written down",
        )

    def clock_fault(self, fault: ClockFault, *, playing: bool) -> None:
        """Take that the clock has told a time that is none; once is the line's fault."""
        if fault.fault != "invalid":
            return
        self._invalid += 1
        if self._invalid == MOST_INVALID:
            self._alerts.raise_(
                "CLOCK_FAULT",
                "warning" if playing else None,
                f"the clock tells times that are none, {MOST_INVALID} times in a row",
                remedy="look at the clock and its cable; the last good times are on the record",
            )

    def hindered(self, hindrance: Hindrance) -> None:
        """Take what keeps the program from its work for the table, or does so no more."""
        code = hindrance.code
        if hindrance.detail:
            self._alerts.raise_(code, None, hindrance.detail, remedy=_REMEDIES[code])
        else:
            self._alerts.clear(code, _OVER[code])

    def link(self, change: LinkChange) -> None:
        """Take how the link to the board is."""
        self._tell_twins(change)
        if change.state != "stale":
            self._alerts.clear("SNAPSHOT_STALE", "the board answers, or its link is lost")
            return
        self._alerts.raise_(
            "SNAPSHOT_STALE",
            None,
            f"the board has fallen silent: {change.detail}",
            remedy="what stands on it is not known until it answers",
        )

    def _tell_twins(self, change: LinkChange) -> None:
        if not change.twice:
            self._alerts.clear("DUPLICATE_DEVICE", "no other link has a board of this number")
            return
        detail = change.detail or "another link has a board that says the same serial number"
        self._alerts.raise_(
            "DUPLICATE_DEVICE",
            None,
            detail,
            remedy="look which board is at which table, and at the ports in the configuration",
        )
