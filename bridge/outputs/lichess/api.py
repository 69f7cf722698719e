"""The few calls of Lichess that a broadcaster needs (API description of 2026, tag Broadcasts).

The token is read for every call and goes into one header. No error tells it: errors here are made
of our own words, the status and what the server says, with the token taken out.
"""

import asyncio
import os
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self, TypeVar

import aiohttp
import msgspec

from bridge import __version__
from bridge.config.lichess import TOKEN_VARIABLE, LichessSettings
from bridge.core.json_errors import NOT_JSON
from bridge.outputs.patience import LOOK

LONGEST_ANSWER = 30.0
"""Seconds until an answer counts as lost; Lichess itself gives up a push after 10."""

_T = TypeVar("_T")
_GAME_ID = re.compile(r'^\[GameId "([^"\\]*)"\]', re.MULTILINE)
_LONGEST_WORDS = 300
_REMEDIES = {
    HTTPStatus.UNAUTHORIZED: "it does not know the token, or the token may not write studies",
    HTTPStatus.FORBIDDEN: "the token's account is no contributor of the broadcast",
    HTTPStatus.NOT_FOUND: "it has no such round or tournament",
}


class LichessError(Exception):
    """A call did not work; the message says why."""


class LostError(LichessError):
    """There was no answer, or the server is in trouble; it may have done what was asked."""


class BusyError(LichessError):
    """Too many requests (429): be quiet for a minute at least."""


class RefusedError(LichessError):
    """The server does not want it; a person has to change something."""


class Answer(msgspec.Struct, frozen=True):
    """What became of one game of a push: how many plies were understood, or what was wrong."""

    tags: dict[str, str] = {}
    moves: int | None = None
    error: str | None = None


class Round(msgspec.Struct, frozen=True):
    """A round on Lichess."""

    id: str
    name: str
    url: str = ""


class _Pushed(msgspec.Struct):
    games: list[Answer]


class _Tournament(msgspec.Struct):
    tour: Round
    rounds: list[Round] = []


class _NewRound(msgspec.Struct):
    round: Round


class _Study(msgspec.Struct):
    writeable: bool = False


class MyRound(msgspec.Struct, frozen=True):
    """A round that the token's account takes part in; ``study`` says whether it may push."""

    round: Round
    tour: Round
    study: _Study


def token_of(settings: LichessSettings) -> str:
    """Read the token.

    Raises:
        RefusedError: there is none, or it cannot be one.
    """
    file = settings.token_file
    if file is None:
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
        place = f"the environment variable {TOKEN_VARIABLE}"
    else:
        token, place = _content(file), str(file)
    if not token:
        raise RefusedError(f"there is no token in {place}")
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise RefusedError(f"what stands in {place} is no token")
    return token


def _content(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except OSError as error:
        raise RefusedError(f"the token cannot be read: {file}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise RefusedError(f"what stands in {file} is no token") from None


class LichessApi:
    """Calls one after another; between entering and leaving.

    *may_send* is asked last before each of them; until it says so, nothing is sent.

    Every call raises :class:`LostError`, :class:`BusyError` or :class:`RefusedError`.
    """

    def __init__(
        self, server: str, token: Callable[[], str], may_send: Callable[[], bool] = lambda: True
    ) -> None:
        self._server = server
        self._token = token
        self._may_send = may_send

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=LONGEST_ANSWER),
            headers={"User-Agent": f"eboard-bridge/{__version__}"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def push(self, round_id: str, pgn: str) -> list[Answer]:
        """Push games; return what became of each, in their order."""
        # How a text without a character set is read is nowhere said.
        kind = {"Content-Type": "text/plain; charset=utf-8"}
        path = f"/api/broadcast/round/{round_id}/push"
        body = await self._call("POST", path, data=pgn.encode(), headers=kind)
        return _decoded(body, _Pushed).games

    async def game_ids(self, round_id: str) -> list[str]:
        """Return the ``GameId`` of the boards of a round that have one, as the boards stand."""
        path = f"/api/broadcast/round/{round_id}.pgn"
        body = await self._call("GET", path, headers={"Accept": "application/x-chess-pgn"})
        return _GAME_ID.findall(body.decode(errors="replace"))

    async def rounds(self, tournament: str) -> list[Round]:
        """Return the rounds of a tournament."""
        return _decoded(await self._call("GET", f"/api/broadcast/{tournament}"), _Tournament).rounds

    async def create_round(self, tournament: str, name: str) -> Round:
        """Create a round that takes pushes."""
        body = await self._call("POST", f"/broadcast/{tournament}/new", data={"name": name})
        return _decoded(body, _NewRound).round

    async def reset(self, round_id: str) -> None:
        """Delete all games of a round."""
        await self._call("POST", f"/api/broadcast/round/{round_id}/reset")

    async def create_tournament(self, form: Mapping[str, str]) -> Round:
        """Create a tournament; *form* has the fields of Lichess's own page, ``name`` at least."""
        return _decoded(await self._call("POST", "/broadcast/new", data=form), _Tournament).tour

    async def my_rounds(self) -> list[MyRound]:
        """Return the rounds that the token's account takes part in, the latest first."""
        body = await self._call("GET", "/api/broadcast/my-rounds?nb=50")
        return [_decoded(line, MyRound) for line in body.splitlines() if line.strip()]

    async def _call(
        self, method: str, path: str, *, data: Any = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        token = await asyncio.to_thread(self._token)
        while not self._may_send():  # noqa: ASYNC110 - who knows calls nobody
            await asyncio.sleep(LOOK)
        sent = {"Accept": "application/json", **(headers or {}), "Authorization": f"Bearer {token}"}
        try:
            async with self._session.request(
                method, f"{self._server}{path}", data=data, headers=sent, allow_redirects=False
            ) as response:
                body, status = await response.read(), response.status
        except TimeoutError:
            raise LostError(f"{self._server} does not answer") from None
        except aiohttp.ClientError as error:
            # Some of these hold the request with its headers: only their words go on.
            raise LostError(f"{self._server} cannot be reached: {_clean(error, token)}") from None
        if status == HTTPStatus.OK:
            return body
        raise self._error(status, _clean(_words(body), token))

    def _error(self, status: int, words: str) -> LichessError:
        said = f"{self._server} answers {status}{f': {words}' if words else ''}"
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return BusyError(said)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return LostError(said)
        remedy = _REMEDIES.get(HTTPStatus(status)) if status in _REMEDIES else None
        return RefusedError(f"{said}; {remedy}" if remedy else said)


def _decoded(body: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(body, type=kind)
    except NOT_JSON as error:
        raise LostError(f"an answer is not understood: {error}") from None


def _words(body: bytes) -> str:
    try:
        error = msgspec.json.decode(body, type=dict[str, Any]).get("error", "")
    except NOT_JSON:
        return ""  # a page for people, of a proxy perhaps
    return str(error)


def _clean(text: object, token: str) -> str:
    """Return a text of others on one line, without the token."""
    return " ".join(str(text).replace(token, "***").split())[:_LONGEST_WORDS]
