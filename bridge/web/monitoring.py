"""How the program itself is: figures for Prometheus, and whether it does its work."""

from aiohttp import web

from bridge.outputs.health import Watch
from bridge.web.accounts import Role
from bridge.web.entrance import Entrance
from bridge.web.messages import answer

_MAY_LOOK: tuple[Role, ...] = ("arbiter", "operator", "monitor")
_OF_THE_HALL: tuple[Role, ...] = ("arbiter", "operator")
_UNAVAILABLE = 503


class Monitoring:
    """Answers programs that watch this one.

    Args:
        entrance: knows who asks.
        watch: tells how the program is.
        public: whether figures are for everybody.
    """

    def __init__(self, entrance: Entrance, watch: Watch, *, public: bool) -> None:
        self._entrance = entrance
        self._watch = watch
        self._public = public

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get("/metrics", self._metrics),
            web.get("/healthz", self._health),
            web.get("/api/v1/equipment", self._equipment),
        ]

    async def _metrics(self, request: web.Request) -> web.Response:
        if not self._public:
            self._entrance.admitted(request, *_MAY_LOOK)
        body, kind = await self._watch.metrics()
        return web.Response(body=body, headers={"Content-Type": kind})

    async def _equipment(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, *_OF_THE_HALL)
        return answer(await self._watch.equipment())

    async def _health(self, request: web.Request) -> web.Response:
        """Say whether all is well to everybody, and why not to those who may know."""
        health = await self._watch.health()
        visitor = self._entrance.visitor(request)
        said: dict[str, object] = {"status": health.status}
        if visitor is not None and visitor.role in _MAY_LOOK:
            said["reasons"] = health.reasons
        return answer(said, status=_UNAVAILABLE if health.status == "failing" else 200)
