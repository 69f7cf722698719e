"""Who sits at a table."""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from bridge.config.kinds import RATING, TEXT, whole
from bridge.config.schema import Either, Reader, Scalar, Section, key


def _federation(text: str) -> str:
    if not re.fullmatch(r"[A-Z]{3}", text):
        raise ValueError
    return text


@dataclass(frozen=True, kw_only=True)
class Player:
    """One player, as PGN wants it."""

    name: str = field(
        metadata=key(TEXT, "Name: family name, comma, given name.", example='"Kramer, Anna"')
    )
    title: str = field(default="", metadata=key(TEXT, "Title.", example="WIM"))
    elo: int | None = field(default=None, metadata=key(RATING, "Rating.", example="2301"))
    fide_id: int | None = field(
        default=None,
        metadata=key(whole(1, 999_999_999), "Number in FIDE's list.", example="1234567"),
    )
    team: str = field(default="", metadata=key(TEXT, "Team.", example="Delft I"))
    federation: str = field(
        default="",
        metadata=key(
            Scalar("three letters like NED", _federation),
            "Federation, in FIDE's three letters.",
            example="NED",
        ),
    )

    def tags(self, side: Literal["White", "Black"]) -> dict[str, str]:
        """Return what is known besides the name as PGN tags."""
        known = {
            "Title": self.title,
            "Elo": self.elo,
            "FideId": self.fide_id,
            "Team": self.team,
            "Fed": self.federation,
        }
        return {side + tag: str(value) for tag, value in known.items() if value}


UNKNOWN_PLAYER = Player(name="?")


class _PlayerName(Scalar):
    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return a player of whom only the name is known, or what went wrong."""
        text = super().read(node, name, reader)
        return Player(name=text) if isinstance(text, str) else text


PLAYER = Either(_PlayerName("a name", str), Section(Player, "a mapping with the key 'name'"))
