"""What is set for all games of an event, or for a group of its tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bridge.config.kinds import DATE, RULE_SET, TAGS, TEXT, TIME_CONTROL, YES_NO
from bridge.config.pairings import PAIRINGS, PairingFile
from bridge.config.problems import Problem
from bridge.config.rulesets import OVERRIDES
from bridge.config.schema import key


@dataclass(frozen=True, kw_only=True)
class EventSettings:
    """What all games of the event have in common; ``date`` is ``YYYY.MM.DD`` as in PGN."""

    name: str = field(
        default="?", metadata=key(TEXT, "Name of the event.", example="Town Open 2026")
    )
    site: str = field(
        default="?", metadata=key(TEXT, "Where it is played.", example="Delft, Zuid-Holland NED")
    )
    date: str | None = field(
        default=None,
        metadata=key(
            DATE,
            "Date of the games; without it, the day on which each begins.",
            example="2026-11-20",
        ),
    )
    round: str = field(default="?", metadata=key(TEXT, "Number of the round.", example="1"))
    pairings: PairingFile | None = field(
        default=None,
        metadata=key(
            PAIRINGS,
            "Who plays whom: TRF, PGN or CSV; tables get players by their board numbers.",
            example="round-1.pgn",
            alone=True,
        ),
    )
    players: PairingFile | None = field(
        default=None,
        metadata=key(
            PAIRINGS,
            "What is known of the players and the pairings do not tell: TRF, PGN or CSV.",
            example="players.trf",
            alone=True,
        ),
    )
    time_control: str = field(
        default="?",
        metadata=key(
            TIME_CONTROL, "Time control of all tables that have none.", example="40/5400+30:1800+30"
        ),
    )
    rule_set: str | None = field(
        default=None,
        metadata=key(
            RULE_SET,
            "Rules that the games are played under; without it, those of the time control.",
            example="fide_std",
        ),
    )
    supervised: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether an arbiter watches rapid and blitz as A.4 and B.2 ask for, where no rule set "
            "is named.",
            example="false",
        ),
    )
    rules: Any = field(
        default=None,
        metadata=key(
            OVERRIDES,
            "What the event's regulations change of the rule set; docs/rule-sets.md has every key.",
            example="{default_minutes: 30}",
        ),
    )
    two_hands: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether it is noted, for the arbiter alone, that two men moved at once.",
            example="false",
        ),
    )
    tags: Mapping[str, str] = field(
        default_factory=dict,
        metadata=key(TAGS, "More PGN tags for all games.", example='{Section: "A"}'),
    )

    @property
    def notes(self) -> list[Problem]:
        """What was put right in reading the pairing files, or should be known of them."""
        return _notes(self.pairings, self.players)


@dataclass(frozen=True, kw_only=True)
class GroupSettings:
    """What some tables of an event have in common; empty where it is the event's."""

    group: str = field(
        metadata=key(TEXT, "Name of the group.", example="Juniors", unique="group"),
    )
    name: str | None = field(
        default=None,
        metadata=key(
            TEXT,
            "Name of the event in its games, if not the event's.",
            example="Town Open 2026, Juniors",
        ),
    )
    round: str | None = field(
        default=None,
        metadata=key(TEXT, "Number of its round, if not the event's.", example="1"),
    )
    pairings: PairingFile | None = field(
        default=None,
        metadata=key(
            PAIRINGS,
            "Who plays whom at its tables, if not as in the event's file.",
            example="juniors-1.pgn",
            alone=True,
        ),
    )
    players: PairingFile | None = field(
        default=None,
        metadata=key(
            PAIRINGS,
            "What is known of its players, if not as in the event's file.",
            example="juniors.trf",
            alone=True,
        ),
    )
    time_control: str | None = field(
        default=None,
        metadata=key(TIME_CONTROL, "Time control of its tables that have none.", example="900+10"),
    )
    rule_set: str | None = field(
        default=None,
        metadata=key(RULE_SET, "Rule set of its tables that name none.", example="rapid_a4"),
    )
    rules: Any = field(
        default=None,
        metadata=key(
            OVERRIDES,
            "What changes of the rule set in this group; it wins over the event's.",
            example="{default_minutes: 15}",
        ),
    )

    @property
    def is_apart(self) -> bool:
        """Whether it has a name, round or pairings of its own, and so files of its own."""
        return (self.name, self.round, self.pairings) != (None, None, None)

    @property
    def notes(self) -> list[Problem]:
        """What was put right in reading its pairing files, or should be known of them."""
        return _notes(self.pairings, self.players)


def _notes(*files: PairingFile | None) -> list[Problem]:
    return [note for file in files if file is not None for note in file.notes]


NO_GROUP = GroupSettings(group="")
