"""The frames of LiveChess's local API: calls that come in, answers and events that go out.

Source: programs that speak to LiveChess, and what was seen coming out of it; the vendor's own
description is not public. Texts of errors are ours, theirs are not known.
"""

from typing import Any, Literal, TypeVar

import msgspec

from bridge.core.json_errors import NOT_JSON

_T = TypeVar("_T")

PATH = "/api/v1.0"
FEED = "eboardevent"
"""The only feed that any program is known to use."""


class RequestError(Exception):
    """A call that cannot be answered as asked; the message is for the client."""


class Request(msgspec.Struct, frozen=True):
    """A call; ``id`` is the JSON that came, so that it goes back as the type it was."""

    id: msgspec.Raw
    call: str
    param: msgspec.Raw = msgspec.Raw(b"null")


class BoardParam(msgspec.Struct, frozen=True):
    """Which board a feed is about."""

    serialnr: str


class Subscribe(msgspec.Struct, frozen=True):
    """Parameters of ``subscribe``; ``id`` is the name that the client gives the feed."""

    feed: str
    id: msgspec.Raw
    param: BoardParam


class MethodParam(msgspec.Struct, frozen=True):
    """Parameters of all methods; programs are known that send a flip as a ``setup``."""

    fen: str | None = None
    flip: bool | None = None


class Method(msgspec.Struct, frozen=True):
    """Parameters of ``call``: a method of the feed ``id``."""

    id: msgspec.Raw
    method: str
    param: MethodParam | None = None


class Unsubscribe(msgspec.Struct, frozen=True):
    """Parameters of ``unsubscribe``."""

    id: msgspec.Raw


class ClockTimes(msgspec.Struct, frozen=True):
    """Seconds on both clocks when they were read, at ``time`` (ms since 1970).

    ``run``: White's runs, Black's runs (``False``), or none.
    """

    white: int
    black: int
    run: bool | None
    time: int


State = Literal["ACTIVE", "INACTIVE", "NOTRESPONDING", "DELAYED"]


class Board(msgspec.Struct, frozen=True):
    """One board of the list ``eboards``."""

    serialnr: str
    source: str | None
    state: State | None
    battery: str | None
    comment: str | None
    board: str | None
    flipped: bool
    clock: ClockTimes | None


def decode(frame: str) -> Request | None:
    """Return the call in a text frame; ``None`` if there is none that could be answered."""
    try:
        request = msgspec.json.decode(frame, type=Request)
    except NOT_JSON:
        return None
    return request if is_id(request.id) else None


def is_id(raw: msgspec.Raw) -> bool:
    """Whether a number or a text may name a call or feed, and not a whole document."""
    return bytes(raw)[:1] not in (b"{", b"[", b"n", b"t", b"f")


def params(raw: msgspec.Raw, kind: type[_T]) -> _T:
    """Return the parameters of a call.

    Raises:
        RequestError: they are of another shape.
    """
    try:
        return msgspec.json.decode(raw, type=kind)
    except NOT_JSON as error:
        raise RequestError(str(error)) from error


def answer(call: msgspec.Raw, result: Any, *, now: int) -> bytes:
    """Return the frame that answers a call; *now* is in ms since 1970."""
    return b'{"response":"call","id":%b,"param":%b,"time":%d}' % (
        bytes(call),
        msgspec.json.encode(result),
        now,
    )


def refusal(call: msgspec.Raw, why: str, *, now: int) -> bytes:
    """Return the frame that refuses a call."""
    return b'{"response":"error","id":%b,"param":%b,"time":%d}' % (
        bytes(call),
        msgspec.json.encode({"message": why}),
        now,
    )


def event(param: dict[str, Any], *, now: int) -> bytes:
    """Return what all feeds of a board have in common of an event's frame."""
    return b',"param":%b,"time":%d}' % (msgspec.json.encode(param), now)


def fed(feed: bytes, body: bytes) -> bytes:
    """Return the frame of one feed that carries an event."""
    return b'{"response":"feed","id":%b%b' % (feed, body)
