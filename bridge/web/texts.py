"""Texts that are asked for again and again: sent when they have changed, or a part of them."""

import hashlib
import time
from typing import NamedTuple, Self

from aiohttp import hdrs, web

STEADY_AFTER = 1.0
"""A text that is so old has a time of its own: ``Last-Modified`` counts whole seconds."""


class Text(NamedTuple):
    """What is answered; ``since`` is when it became so (s since 1970)."""

    body: bytes
    etag: str
    since: float

    @classmethod
    def of(cls, body: bytes, since: float) -> Self:
        """Return a text, which the same bytes give the same tag."""
        return cls(body, hashlib.sha256(body).hexdigest()[:32], since)

    @property
    def is_steady(self) -> bool:
        """Whether nothing else can come in the second of ``since``."""
        return time.time() - self.since >= STEADY_AFTER

    def is_known(self, request: web.Request) -> bool:
        """Whether who asks has it already."""
        if request.if_none_match is not None:
            return any(tag.value in (self.etag, "*") for tag in request.if_none_match)
        since = request.if_modified_since
        return since is not None and self.is_steady and int(self.since) <= since.timestamp()


def unchanged(text: Text, content_type: str) -> web.Response:
    """Return the answer to who has the text already."""
    return _headed(web.Response(status=304), text, content_type)


def sent(request: web.Request, text: Text, content_type: str) -> web.Response:
    """Return the text, or the part of it that is asked for."""
    whole = web.Response(body=text.body)
    if_range = request.headers.get(hdrs.IF_RANGE)
    if hdrs.RANGE not in request.headers or if_range not in (None, f'"{text.etag}"'):
        return _headed(whole, text, content_type)
    size = len(text.body)
    try:
        start, stop, _ = request.http_range.indices(size)
    except ValueError:
        # A range that is none is passed over (RFC 9110, 14.2).
        return _headed(whole, text, content_type)
    if start >= stop:
        none = web.Response(status=416, headers={"Content-Range": f"bytes */{size}"})
        return _headed(none, text, content_type)
    part = web.Response(status=206, body=text.body[start:stop])
    part.headers["Content-Range"] = f"bytes {start}-{stop - 1}/{size}"
    return _headed(part, text, content_type)


def _headed(response: web.Response, text: Text, content_type: str) -> web.Response:
    response.headers["Content-Type"] = content_type
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Cache-Control"] = "no-cache"
    response.etag = text.etag
    if text.is_steady:
        response.last_modified = int(text.since)
    return response
