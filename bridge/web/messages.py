"""JSON that comes with a request and goes with an answer."""

import asyncio
from typing import TypeVar

import msgspec
from aiohttp import web

from bridge.core.json_errors import NOT_JSON

SMALLEST_COMPRESSED = 4096
"""Bytes from which on an answer is compressed."""
LARGEST_AT_ONCE = 65536
"""Bytes up to which that is done on the loop: all games of 500 tables are 5 MB, and take 0.3 s."""
READ_PATIENCE = 10.0
"""Seconds that a request may take to come."""

_T = TypeVar("_T")


async def read_json(request: web.Request, kind: type[_T]) -> _T:
    """Return what was sent.

    Raises:
        web.HTTPException: it is no JSON, not of *kind*, too much, or does not come.
    """
    if request.content_type != "application/json":
        # A form of another site could send any other type without asking.
        raise web.HTTPUnsupportedMediaType(text="send application/json")
    try:
        async with asyncio.timeout(READ_PATIENCE):
            body = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(text="the request did not come") from None
    return decoded(body, kind)


def decoded(body: bytes, kind: type[_T]) -> _T:
    """Return what a body says.

    Raises:
        web.HTTPBadRequest: it is no JSON, or not of *kind*.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except NOT_JSON as error:
        raise web.HTTPBadRequest(text=str(error)) from None


def answer(value: object, *, status: int = 200) -> web.Response:
    """Return *value* as JSON; a long one is compressed beside the loop."""
    body = msgspec.json.encode(value)
    response = web.Response(
        status=status,
        body=body,
        content_type="application/json",
        zlib_executor_size=LARGEST_AT_ONCE,
    )
    if len(body) >= SMALLEST_COMPRESSED:
        response.enable_compression()
    return response
