"""Work of an output that lasts: what a mistake of ours ends begins again after a while."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from bridge.outputs.patience import Patience, rest
from bridge.outputs.tally import Tally

PATIENCE = Patience(longest=60.0)

logger = logging.getLogger(__name__)


async def lasting(
    name: str,
    work: Callable[[], Awaitable[None]],
    tally: Tally,
    *,
    ended: asyncio.Event | None = None,
    patience: Patience = PATIENCE,
) -> None:
    """Do *work* until it returns, and begin it again after a while whenever it fails.

    The pauses double, until the work has lasted for as long as the longest of them. When *ended* is
    set it is begun once more at most. *name* is what the log calls it.
    """
    ended = ended or asyncio.Event()
    failures = 0
    while True:
        began = time.monotonic()
        try:
            await work()
        except Exception:
            lasted = time.monotonic() - began
            failures = 1 if lasted > patience.longest else failures + 1
            wait = patience.after(failures)
            logger.exception("%s: a mistake of ours; it begins again in %.0f s", name, wait)
        else:
            return
        with tally.broken():
            if ended.is_set():
                return
            await rest(wait, ended)
