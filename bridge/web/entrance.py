"""Logging in and out, and who asks."""

import asyncio
import hmac
import logging
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from aiohttp import web

from bridge.web import passwords
from bridge.web.accounts import ROLES, Account, Accounts, Role, clean
from bridge.web.gate import foreign_site
from bridge.web.messages import answer, read_json
from bridge.web.sessions import Session, Sessions
from bridge.web.throttle import Throttle

logger = logging.getLogger(__name__)

COOKIE = "eboard_session"
CSRF_HEADER = "X-CSRF-Token"
MOST_AT_ONCE = 4
"""Passwords of one address that may wait to be looked at."""

_BEARER = "Bearer "
_WRONG = "name or password is wrong"


class Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent to log in."""

    name: str
    password: str


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody with an account; ``session`` is ``None`` for a program that shows a token."""

    name: str
    role: Role
    session: Session | None


class Entrance:
    """Knows who asks.

    Args:
        accounts: who may log in.
        secure: whether cookies are for https alone.
        left: called after somebody logged out, or may not stay.
    """

    def __init__(self, accounts: Accounts, *, secure: bool, left: Callable[[], None]) -> None:
        self._accounts = accounts
        self._secure = secure
        self._left = left
        self._sessions = Sessions()
        self._throttle = Throttle()
        self._looking = asyncio.Lock()
        self._waiting = Counter[str]()
        # Whoever has no account waits as long as who has one: nobody finds out names.
        self._nobody: Account | None = None

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        path = "/api/v1/session"
        return [
            web.get(path, self._show),
            web.post(path, self._log_in),
            web.delete(path, self._log_out),
        ]

    # -- who asks --------------------------------------------------------------------------------

    def visitor(self, request: web.Request) -> Visitor | None:
        """Return who asks, ``None`` where it is the public, or the page of another site."""
        if foreign_site(request) is not None:
            return None
        shown = request.headers.get("Authorization", "")
        if shown.startswith(_BEARER):
            account = self._accounts.of_token(shown.removeprefix(_BEARER).strip())
            return None if account is None else Visitor(account.name, account.role, None)
        session = self._session(request)
        if session is None:
            return None
        return Visitor(session.account.name, session.account.role, session)

    def _session(self, request: web.Request) -> Session | None:
        secret = request.cookies.get(COOKIE)
        session = None if secret is None else self._sessions.find(secret, time.monotonic())
        if session is None:
            return None
        account = self._accounts.find(session.account.name)
        same = session.account
        if account is None or (account.role, account.password) != (same.role, same.password):
            self._sessions.end(session)  # the account is gone or another one
            return None
        return session

    def admitted(self, request: web.Request, *roles: Role) -> Visitor:
        """Return who asks.

        Raises:
            web.HTTPUnauthorized: nobody is logged in.
            web.HTTPForbidden: somebody is, whose account has none of *roles*.
        """
        visitor = self.visitor(request)
        if visitor is None:
            raise web.HTTPUnauthorized(text="log in first")
        if visitor.role not in roles:
            raise web.HTTPForbidden(text=f"that is not for accounts with the role {visitor.role}")
        return visitor

    @staticmethod
    def check_change(request: web.Request, visitor: Visitor) -> None:
        """Make sure that a change comes from a page of ours, and not by way of another site.

        Raises:
            web.HTTPForbidden: it does not show the session's token.
        """
        if visitor.session is None:  # no browser adds a program's token by itself
            return
        shown = request.headers.get(CSRF_HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(shown, visitor.session.csrf.encode()):
            raise web.HTTPForbidden(text=f"the header {CSRF_HEADER} is missing or wrong")

    # -- logging in and out ----------------------------------------------------------------------

    async def _show(self, request: web.Request) -> web.Response:
        return answer(_described(self.admitted(request, *ROLES)))

    async def _log_in(self, request: web.Request) -> web.Response:
        login = await read_json(request, Login)
        address, name = request.remote or "", clean(login.name)[: passwords.LONGEST]
        wait = self._throttle.wait(address, name, time.monotonic())
        if wait > 0 or self._waiting[address] >= MOST_AT_ONCE:
            raise _too_many(wait)
        account = await self._look(address, name, login.password)
        if account is None:
            self._note_wrong(address, name)
            raise web.HTTPUnauthorized(text=_WRONG)
        self._throttle.right(address, name)
        secret, session = self._sessions.begin(account, time.monotonic())
        logger.info("web: %s is logged in from %s", account.name, address)
        response = answer(_described(Visitor(account.name, account.role, session)))
        response.set_cookie(
            COOKIE, secret, httponly=True, samesite="Strict", secure=self._secure, path="/"
        )
        return response

    async def _look(self, address: str, name: str, password: str) -> Account | None:
        """Return the account if the password is right; one password at a time is looked at."""
        self._waiting[address] += 1
        try:
            async with self._looking:
                account = self._accounts.find(name)
                began = time.monotonic()
                right = await asyncio.to_thread(self._matches, account, password)
                if not right:  # half of the time belongs to others
                    await asyncio.sleep(time.monotonic() - began)
        finally:
            self._waiting[address] -= 1
            self._waiting += Counter()  # forgets addresses without any
        return account if right else None

    def _matches(self, account: Account | None, password: str) -> bool:
        if self._nobody is None:
            kept = passwords.hashed("a password that nobody has")
            self._nobody = Account(name="", role="viewer", password=kept)
        try:
            right = passwords.matches(password, (account or self._nobody).password)
        except ValueError as error:
            logger.error("web: the account of %s: %s", account and account.name, error)  # noqa: TRY400 - a user's mistake
            return False
        return right and account is not None

    def _note_wrong(self, address: str, name: str) -> None:
        count = self._throttle.wrong(address, name, time.monotonic())
        if count & (count - 1) == 0:  # the 1st, 2nd, 4th, 8th: a flood does not fill the log
            logger.warning("web: wrong password number %d for %r from %s", count, name, address)

    async def _log_out(self, request: web.Request) -> web.Response:
        visitor = self.admitted(request, *ROLES)
        self.check_change(request, visitor)
        if visitor.session is not None:
            self._sessions.end(visitor.session)
            self._left()
        response = answer({})
        response.del_cookie(COOKIE, path="/", secure=self._secure, httponly=True, samesite="Strict")
        return response


def _described(visitor: Visitor) -> dict[str, object]:
    csrf = None if visitor.session is None else visitor.session.csrf
    return {"name": visitor.name, "role": visitor.role, "csrf": csrf}


def _too_many(wait: float) -> web.HTTPException:
    return web.HTTPTooManyRequests(
        text="too many wrong passwords: wait", headers={"Retry-After": str(max(1, math.ceil(wait)))}
    )
