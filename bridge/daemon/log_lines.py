"""What the log says of the facts of a hall."""

import logging

from bridge.core.audience import for_audience, is_silent
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    SetupCorrected,
    StartFound,
    StateExplained,
)
from bridge.daemon.recent import FOR_ARBITERS

logger = logging.getLogger(__name__)


def log(fact: Fact) -> None:
    """Tell the operator what an arbiter would be told; most halls are run without a display."""
    match fact:
        case AlertRaised() | AlertCleared() if is_silent(fact):
            pass
        case AlertRaised():
            level = logging.INFO if fact.severity in ("notice", "silent") else logging.WARNING
            remedy = f"; {fact.remedy}" if fact.remedy else ""
            said = "table %s: %s: %s%s"
            logger.log(level, said, fact.table, fact.code, fact.text, remedy, extra=_kept_for(fact))
        case AlertCleared():
            said = "table %s: %s is over: %s"
            logger.info(said, fact.table, fact.code, fact.text, extra=_kept_for(fact))
        case GameStarted():
            logger.info("table %s: game %d begins", fact.table, fact.game)
        case StartFound():
            said = "table %s: game %d began from %s, as play shows"
            logger.info(said, fact.table, fact.game, fact.fen)
        case SetupCorrected():
            names = fact.setup.white, fact.setup.black
            logger.info("table %s: game %d is that of %s and %s", fact.table, fact.game, *names)
        case StateExplained():
            logger.info("table %s: %s", fact.table, fact.text)
        case GameEnded():
            logger.info(
                "table %s: game %d ended %s, %s", fact.table, fact.game, fact.result, fact.by
            )
        case _:
            pass


def _kept_for(fact: Fact) -> dict[str, bool]:
    """Return what keeps a line of the log from those on the pages who may not know *fact*."""
    return {} if for_audience(fact, "operator") == fact else FOR_ARBITERS
