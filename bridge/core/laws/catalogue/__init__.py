"""The alert catalogue as data: every code with its severity, visibility, deadline and articles.

``docs/alerts.md`` is written from it.
"""

from bridge.core.laws.catalogue.clocks import CLOCKS
from bridge.core.laws.catalogue.equipment import EQUIPMENT
from bridge.core.laws.catalogue.kinds import AlertKind, Until
from bridge.core.laws.catalogue.moves import MOVES
from bridge.core.laws.catalogue.results import RECORD, RESULTS
from bridge.core.laws.catalogue.starting import STARTING

__all__ = ["CATALOGUE", "PARTS", "AlertKind", "Until"]

PARTS: dict[str, tuple[AlertKind, ...]] = {
    "Before the first move": STARTING,
    "Moves": MOVES,
    "Clock": CLOCKS,
    "Draws, claims and results": RESULTS,
    "Record": RECORD,
    "Equipment": EQUIPMENT,
}
"""The kinds of alerts by subject, in the order of the page."""

CATALOGUE: dict[str, AlertKind] = {kind.code: kind for kinds in PARTS.values() for kind in kinds}
"""Every kind of alert by its code."""
