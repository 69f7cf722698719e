"""Says in the log what was refused to whom, so that attempts are seen by who looks after the hall.

Whoever tries a thousand times fills no log: the 1st, 2nd, 4th, 8th refusal of a kind is told.
"""

import logging
import time
from collections import OrderedDict

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bridge.web.entrance import COOKIE

logger = logging.getLogger(__name__)

FORGOTTEN_AFTER = 900.0
"""Seconds without another refusal after which they are counted anew."""
MOST_KEPT = 1000

_NOTED = frozenset({401, 403, 413})


class Refusals:
    """Counts refusals by address and status. Time is an argument (s)."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str, int], tuple[int, float]] = OrderedDict()

    def count(self, address: str, status: int, now: float) -> int:
        """Return how many there were lately, with this one."""
        before, last = self._seen.pop((address, status), (0, now))
        number = 1 if now - last > FORGOTTEN_AFTER else before + 1
        self._seen[address, status] = number, now
        if len(self._seen) > MOST_KEPT:
            self._seen.popitem(last=False)
        return number


def noting_refusals() -> Middleware:
    """Return a middleware that says in the log what was refused."""
    refusals = Refusals()

    @web.middleware
    async def note(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as error:
            if error.status in _NOTED and (error.status != 401 or _claims_an_account(request)):
                address = request.remote or ""
                number = refusals.count(address, error.status, time.monotonic())
                if number & (number - 1) == 0:
                    why = "no such session or token" if error.status == 401 else error.text
                    logger.warning("web: refused to %s, number %d: %s", address, number, why)
            raise

    return note


def _claims_an_account(request: web.Request) -> bool:
    """Whether somebody shows a session or a token; all others are only asked to log in."""
    return COOKIE in request.cookies or "Authorization" in request.headers
