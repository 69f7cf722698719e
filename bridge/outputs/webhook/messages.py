"""What is sent of a fact, and how it is signed.

Pure. JSON messages are those of Standard Webhooks 1.0: ``type``, ``timestamp`` and ``data``, with
an id, the time of sending and a signature in headers. Messages for phones are those that ntfy
takes at its root ("Publish as JSON").
"""

import base64
import binascii
import hashlib
import hmac
from datetime import UTC, datetime
from typing import Literal

import msgspec

from bridge.core.audience import is_silent
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    Fact,
    MoveProvisional,
    Severity,
    SquaresMarked,
    StateExplained,
)

Kind = Literal["json", "ntfy"]

_PASSING = BoardChanged, ClockUpdated, MoveProvisional, SquaresMarked, StateExplained
"""What is true for a moment: by the time it has been sent it is no longer."""
_ALERTS = AlertCleared, AlertRaised
_SECRET_MARK = "whsec_"  # noqa: S105 - how secrets in base64 begin
_SHOWN: dict[Severity, tuple[int, list[str]]] = {
    "critical": (5, ["rotating_light"]),
    "warning": (4, ["warning"]),
    "notice": (3, []),
    "tech": (3, ["wrench"]),
}
"""Priority and tags of ntfy, which makes pictures of them."""
_OVER = 2


class Body(msgspec.Struct):
    """A message as programs get it; ``timestamp`` is when it happened."""

    type: str
    timestamp: str
    data: Fact


class _Push(msgspec.Struct, omit_defaults=True):
    topic: str
    title: str
    message: str
    priority: int
    tags: list[str] = []
    click: str = ""


_body = msgspec.json.Decoder(Body)


def is_wanted(fact: Fact, kind: Kind) -> bool:
    """Whether receivers of this kind are told *fact*, if their audience may see it."""
    if kind == "ntfy":
        return isinstance(fact, _ALERTS) and not is_silent(fact)
    return not isinstance(fact, _PASSING) and not is_silent(fact)


def message_id(fact: Fact, number: int) -> str:
    """Return what names *fact*, the same after a restart; *number* tells equal ones apart."""
    digest = hashlib.sha256(b"%d " % number + msgspec.json.encode(fact)).hexdigest()
    return f"msg_{digest[:32]}"


def body_of(fact: Fact) -> bytes:
    """Return the message of *fact*."""
    when = datetime.fromtimestamp(fact.wall, UTC).isoformat(timespec="milliseconds")
    return msgspec.json.encode(Body(type=type(fact).__name__, timestamp=when, data=fact))


def fact_in(body: bytes) -> Fact:
    """Return the fact of a message."""
    return _body.decode(body).data


def key_of(secret: str) -> bytes:
    """Return the key that a secret stands for: base64 behind ``whsec_``, else the text itself.

    Raises:
        ValueError: what stands behind the mark is no base64.
    """
    if not secret.startswith(_SECRET_MARK):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_SECRET_MARK), validate=True)
    except binascii.Error:
        raise ValueError("what stands behind whsec_ is no base64") from None


def signature(key: bytes, name: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message that is sent at *timestamp* (Unix time)."""
    signed = b"%s.%d.%s" % (name.encode(), timestamp, body)
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def push_of(fact: AlertRaised | AlertCleared, topic: str, click: str) -> bytes:
    """Return what ntfy is to show of an alert; *click* is what a touch opens."""
    if isinstance(fact, AlertCleared):
        words = fact.text or "no longer so"
        push = _Push(topic, f"Table {fact.table}: over", f"{fact.code}: {words}", _OVER)
    else:
        text = "\n".join(filter(None, (fact.text, fact.remedy)))
        title = f"Table {fact.table}: {fact.code.replace('_', ' ').lower()}"
        # To an operator this one is a call, as pressing as what it stands for.
        severity = "warning" if fact.code == "ARBITER_NEEDED" else fact.severity
        push = _Push(topic, title, text, *_SHOWN[severity])
    push.click = click
    return msgspec.json.encode(push)
