"""Pages of a daemon that cannot begin yet: they say why, and show no game."""

import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext

from bridge.config import Config
from bridge.core.model import Ruling
from bridge.daemon.metrics import Metrics
from bridge.outputs.health import Health, Watch

logger = logging.getLogger(__name__)


def saying_why(
    config: Config,
    now: Callable[[], float],
    troubles: Callable[[], list[str]],
    metrics: Metrics,
    *,
    today: str,
) -> AbstractAsyncContextManager[object]:
    """Return what serves pages where the configuration wants any; *troubles* say why."""
    if config.web is None:
        return nullcontext()

    async def health() -> Health:
        return Health("failing", tuple(troubles()))

    async def equipment() -> dict[str, object]:
        return {"troubles": troubles(), "links": [], "outputs": []}

    async def figures() -> tuple[bytes, str]:
        return await metrics.text(now=now(), links=(), readings={}, unwritten=0, reports=())

    from bridge.web.server import Web  # who serves no pages waits for none

    watch = Watch(figures, health, equipment)
    return Web(config, config.web, now, _refuse, today=today, watch=watch)


def _refuse(table: str, _link: str, _ruling: Ruling) -> None:
    logger.error("table %s: nothing can be ordered before there are games", table)
