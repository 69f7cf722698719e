"""Whether and for whom the LiveChess-compatible server answers."""

import re
from dataclasses import dataclass, field

from bridge.config.delays import DELAY, NO_DELAY, Delay
from bridge.config.kinds import TEXT, whole
from bridge.config.schema import Either, Items, Scalar, Section, key

MOST_CLIENTS = 2000
"""Programs that may be connected at once."""

_ORIGIN = re.compile(r"\*|null|[a-z][a-z0-9+.-]*://[^/\s]*")


def _origin(text: str) -> str:
    if not _ORIGIN.fullmatch(text):
        raise ValueError
    return text


@dataclass(frozen=True, kw_only=True)
class LiveChessSettings:
    """Where the server listens, and which web pages may speak to it."""

    host: str = field(
        default="localhost",
        metadata=key(
            TEXT,
            "Address to listen on; with another one than localhost, everybody in the network sees "
            "the boards.",
            example="localhost",
        ),
    )
    port: int = field(
        default=1982,
        metadata=key(
            whole(1, 65535), "TCP port; programs for LiveChess expect 1982.", example="1982"
        ),
    )
    origins: tuple[str, ...] = field(
        default=("https://lichess.org", "https://www.chess.com"),
        metadata=key(
            Items(
                Scalar("an origin like https://lichess.org, null for files, or '*'", _origin),
                "a list of origins like https://lichess.org",
            ),
            "Web sites whose pages may see the boards, if not lichess.org and www.chess.com.",
            example="[https://lichess.org, https://www.chess.com]",
        ),
    )
    delay: Delay = field(
        default=NO_DELAY,
        metadata=key(
            DELAY,
            "How much later than the hall programs see boards, clocks and moves.",
            example="{}",
        ),
    )
    first: str | None = field(
        default=None,
        metadata=key(
            TEXT, "Table that is listed first: many programs take that one.", example='"1"'
        ),
    )


def _on_or_off(text: str) -> LiveChessSettings | None:
    match text.lower():
        case "true" | "yes" | "on":
            return LiveChessSettings()
        case "false" | "no" | "off":
            return None
    raise ValueError


LIVECHESS = Either(
    Scalar("true or false", _on_or_off),
    Section(LiveChessSettings, "a mapping with keys as 'port'"),
)
