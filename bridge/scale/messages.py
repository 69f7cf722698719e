"""What nodes and hubs say to each other: JSON with the version of its form in each message.

A message of a later version is not read but kept aside until this eboard-bridge is a later one,
too. Keys that are not known are passed over, so that a version may grow.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from bridge.core.json_errors import NOT_JSON
from bridge.core.model import Reading
from bridge.links.probing import Found, NotABoard
from bridge.links.pulse import LinkHealth

VERSION = 1
"""The form that is written, and the latest that is read."""


class Sent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="reading"):
    """A reading on its way.

    ``log`` is the journal it comes from: another one numbers its readings anew. ``epoch`` is the
    lease under which a hub says it, 0 of nodes.
    """

    v: int = VERSION
    log: str
    epoch: int = 0
    reading: Reading


class Began(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="began"):
    """A hub leads from here on: what hubs with an earlier lease say later counts no more."""

    v: int = VERSION
    epoch: int
    hub: str


class BoardsGiven(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="boards"):
    """From here on these tables have these boards, and who ``moved`` is at another node.

    That is by table: the node it was at, and the one it is at.
    """

    v: int = VERSION
    epoch: int
    boards: Mapping[str, Mapping[str, str]]
    moved: Mapping[str, tuple[str | None, str]]


class RoundSet(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="round"):
    """From here on a group, or the event where it is "", has this round.

    ``pairings`` is the file it is from, if another one, and ``text`` what stands there.
    """

    v: int = VERSION
    epoch: int
    group: str
    round: str
    pairings: str | None
    text: bytes | None


Change = BoardsGiven | RoundSet
"""What people have changed at the hub that leads, which every hub writes into its own file."""


class LinkState(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a node, with what is counted of it."""

    name: str
    state: Literal["live", "stale", "lost"]
    detail: str
    received: int
    noise: int
    heard_at: float | None


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """All that came before ``at`` is in the stream, at ``position`` or before.

    ``session`` began at ``started`` on ``host``. ``waiting`` readings are still on their way.
    ``wall`` is the sender's own wall clock. Links and their health are told once a second.
    ``trouble`` is what the node cannot do, in words.
    """

    v: int = VERSION
    session: str
    started: float
    host: str
    at: float
    position: int
    waiting: int
    wall: float
    epoch: int = 0
    trouble: str = ""
    links: Sequence[LinkState] | None = None
    health: Sequence[LinkHealth] | None = None


class TimeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The journal time of the event, and its wall time."""

    v: int = VERSION
    now: float
    wall: float


class Light(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="light"):
    """The board of ``table`` shall light ``squares``, in its own numbering, and no others."""

    v: int = VERSION
    table: str
    squares: Sequence[int]


class Assign(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="assign"):
    """These tables shall have these boards, each by the keys that say which one it is.

    ``nodes`` says at which node each of them is from now on; a table that is at another one than
    the node that is told leaves it.
    """

    v: int = VERSION
    boards: Mapping[str, Mapping[str, str]]
    nodes: Mapping[str, str] = {}


class Discover(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="discover"):
    """Which boards are there shall be asked at all ports."""

    v: int = VERSION


class ListCaptures(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="captures"):
    """Which capture files of a table are there shall be said."""

    v: int = VERSION
    table: str


class ReadCapture(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="capture"):
    """A piece of a capture file of a table, from ``offset``, shall be told."""

    v: int = VERSION
    table: str
    file: str
    offset: int


Order = Light | Assign | Discover | ListCaptures | ReadCapture


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an order; ``refused`` says why nothing did.

    ``found`` are boards that answered, ``silent`` other places that were asked. ``files`` are names
    of captures, ``data`` a piece of one, empty at its end.
    """

    v: int = VERSION
    refused: str = ""
    found: Sequence[Found] = ()
    silent: Sequence[NotABoard] = ()
    files: Sequence[str] = ()
    data: bytes = b""


class _Version(msgspec.Struct):
    v: int


class MessageError(ValueError):
    """A message that cannot be read."""


class LaterVersionError(MessageError):
    """A message of a later eboard-bridge."""


_Message = TypeVar("_Message", Mark, TimeAnswer, Answer)
_said: Callable[[bytes], Sent | Began | Change] = msgspec.json.Decoder(Sent | Began | Change).decode
_order: Callable[[bytes], Order] = msgspec.json.Decoder(Order).decode
_Read = TypeVar("_Read")
_encode = msgspec.json.Encoder().encode


def encode(message: msgspec.Struct) -> bytes:
    """Return the bytes of a message."""
    return _encode(message)


def decode(data: bytes, kind: type[_Message]) -> _Message:
    """Return the message that *data* is.

    Raises:
        LaterVersionError: it has a later version.
        MessageError: it is none of that kind.
    """
    return _read(data, lambda: msgspec.json.decode(data, type=kind))


def said(data: bytes) -> Sent | Began | Change:
    """Return the message of the stream of readings that *data* is; raises as :func:`decode`."""
    return _read(data, lambda: _said(data))


def order(data: bytes) -> Order:
    """Return the order that *data* is; raises as :func:`decode`."""
    return _read(data, lambda: _order(data))


def _read(data: bytes, read: Callable[[], _Read]) -> _Read:
    try:
        version = msgspec.json.decode(data, type=_Version).v
        if version > VERSION:
            raise LaterVersionError(
                f"has version {version}, this eboard-bridge reads version {VERSION}"
            )
        return read()
    except NOT_JSON as error:
        raise MessageError(f"cannot be read: {error}") from error
