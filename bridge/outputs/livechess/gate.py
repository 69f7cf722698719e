"""Who may speak to the server: pages of listed sites, and programs that are no web pages."""

from collections.abc import Collection

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bridge.outputs.visitors import is_listed, is_ours


def gate(host: str, origins: Collection[str]) -> Middleware:
    """Return a middleware that refuses pages of other sites than *origins*.

    A page may also reach the server by a name of its own that it lets point here; so the ``Host``
    that is asked for has to be *host*, this machine or a plain address.
    """

    @web.middleware
    async def pass_gate(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not is_ours(request.headers.get("Host", ""), {host.lower()}):
            raise web.HTTPForbidden(text="this server has another name\n")
        origin = request.headers.get("Origin")
        if origin is not None and not is_listed(origin, origins):
            raise web.HTTPForbidden(text=f"{origin[:100]} is not in 'origins'\n")
        if origin is None and _is_part_of_a_foreign_page(request):
            raise web.HTTPForbidden(text="pages of other sites ask with their origin\n")
        response = await handler(request)
        if response.prepared:
            return response
        response.headers["X-Content-Type-Options"] = "nosniff"
        if origin is not None:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Vary"] = "Origin"
        return response

    return pass_gate


def _is_part_of_a_foreign_page(request: web.Request) -> bool:
    """Whether a browser wants it for a page of another site that hides which; links may lead here.

    Source: W3C, Fetch Metadata Request Headers.
    """
    headers = request.headers
    is_foreign = headers.get("Sec-Fetch-Site") == "cross-site"
    return is_foreign and headers.get("Sec-Fetch-Dest") != "document"
