"""Where on Lichess the games are broadcast, and whose token is used."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from bridge.config.delays import DELAY, NO_DELAY, Delay
from bridge.config.kinds import whole
from bridge.config.schema import Named, Scalar, Section, key

TOKEN_VARIABLE = "LICHESS_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable that holds the token where no file is named."""

_ID = re.compile(r"[A-Za-z0-9]{8}")
_HERE = {"localhost", "127.0.0.1", "::1"}


def _lichess_id(text: str) -> str:
    """Return the id that an address of Lichess ends with, or the id itself."""
    found = urlsplit(text).path.rstrip("/").rpartition("/")[2]
    if not _ID.fullmatch(found):
        raise ValueError
    return found


def _server(text: str) -> str:
    parts = urlsplit(text)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)
    if not is_safe or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError("a token is only sent over https" if parts.scheme == "http" else "")
    return text.rstrip("/")


def _refuse_round(name: str) -> str:
    return "" if name.strip() else "write the round as in 'event: round'"


@dataclass(frozen=True, kw_only=True)
class LichessSettings:
    """Where the games are pushed to; the token itself is no setting, so nothing can show it."""

    tournament: str | None = field(
        default=None,
        metadata=key(
            Scalar("a tournament's id of 8 letters and digits, or its address", _lichess_id),
            "Broadcast on Lichess in which rounds are looked for by their names and created.",
            example="AbCd1234",
        ),
    )
    rounds: Mapping[str, str] = field(
        default_factory=dict,
        metadata=key(
            Named(
                Scalar("a round's id of 8 letters and digits, or its address", _lichess_id),
                "rounds of the event with ids of rounds on Lichess",
                _refuse_round,
            ),
            "Rounds on Lichess that exist already, by the round of the event.",
            example="{1: EfGh5678}",
        ),
    )
    token_file: Path | None = field(
        default=None,
        metadata=key(
            Scalar("a file, relative to this one", Path),
            f"File that holds the token and nothing else; without it, {TOKEN_VARIABLE} of the "
            "environment.",
            example="lichess.token",
        ),
    )
    interval: float = field(
        default=2,
        metadata=key(whole(1, 60), "Seconds between two pushes, at least.", example="2"),
    )
    delay: Delay = field(
        default=NO_DELAY,
        metadata=key(
            DELAY,
            "How much later than the hall Lichess gets the games; set none on Lichess then.",
            example="{minutes: 15}",
        ),
    )
    server: str = field(
        default="https://lichess.org",
        metadata=key(
            Scalar("an address with https", _server),
            "Another server that runs Lichess.",
            example="https://lichess.org",
        ),
    )

    def anchored(self, folder: Path) -> "LichessSettings":
        """Return the same settings with a relative file taken from *folder*."""
        token_file = self.token_file and folder / self.token_file.expanduser()
        return replace(self, token_file=token_file)


LICHESS = Section(LichessSettings, "a mapping with the key 'tournament' or 'rounds'")
