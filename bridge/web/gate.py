"""Who may ask, and what every answer says to the browser that shows it."""

from collections.abc import Collection
from urllib.parse import urlsplit

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bridge.outputs.visitors import is_ours

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_FRAMED = "/overlay/"
"""What other programs and pages may show in a frame."""
_READING = frozenset({"GET", "HEAD"})


def gate(names: Collection[str], origins: Collection[str]) -> Middleware:
    """Return a middleware that refuses strange names and pages of other sites than *origins*.

    A page may also reach the server by a name of its own that it lets point here; so the ``Host``
    that is asked for has to be one of *names*, this machine or a plain address.
    """

    @web.middleware
    async def pass_gate(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not is_ours(request.headers.get("Host", ""), names):
            raise web.HTTPForbidden(text="this server has another name: see 'names' in 'web'")
        origin = request.headers.get("Origin", "")
        if foreign_site(request) is not None and (
            origin.lower() not in origins or request.method not in _READING
        ):
            raise web.HTTPForbidden(text=f"{origin[:100]} is not in 'origins' of 'web'")
        return await handler(request)

    return pass_gate


def foreign_site(request: web.Request) -> str | None:
    """Return the site whose page asks, if it is another than this server.

    It is shown what the public may see, whoever sits there.
    """
    origin = request.headers.get("Origin")
    if origin is None:
        return None
    own = urlsplit(origin).netloc.lower() == request.headers.get("Host", "").lower()
    return None if own else origin


@web.middleware
async def errors_in_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer programs in the form that they expect, also where something is refused."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if not request.path.startswith("/api/") or error.status < 400:
            raise
        said = {"error": error.text or error.reason}
        kept = {
            name: error.headers[name] for name in ("Allow", "Retry-After") if name in error.headers
        }
        return web.Response(
            status=error.status,
            body=msgspec.json.encode(said),
            content_type="application/json",
            headers=kept,
        )


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Tell the browser what a page may do, and nobody to keep what is not for everybody."""
    response.headers.update(_HEADERS)
    framed = request.path.startswith(_FRAMED)
    response.headers.setdefault("Content-Security-Policy", _POLICY + ("*" if framed else "'none'"))
    response.headers.setdefault("Cache-Control", "no-store")
    site = foreign_site(request)
    if site is not None and response.status != 403:  # pages may know that a game is not there yet
        response.headers["Access-Control-Allow-Origin"] = site
        response.headers.add("Vary", "Origin")
    response.headers.pop("Server", None)
