"""How much later than the hall the public sees the games."""

import re
from dataclasses import dataclass, field

from bridge.config.kinds import YES_NO, whole
from bridge.config.schema import Scalar, Section, key

_LONGEST_MINUTES = 1440
_MINUTES = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?")


def _minutes(text: str) -> float:
    if not _MINUTES.fullmatch(text) or float(text) > _LONGEST_MINUTES:
        raise ValueError
    return float(text)


@dataclass(frozen=True, kw_only=True)
class Delay:
    """What has to pass before something is shown; where both are given, both have to.

    ``moves`` are moves of both players. ``all_at_end``: a game that has ended is shown at once.
    """

    minutes: float = field(
        default=0,
        metadata=key(
            Scalar(f"a number from 0 to {_LONGEST_MINUTES}", _minutes),
            "Minutes after which it is shown.",
            example="15",
        ),
    )
    moves: int = field(
        default=0,
        metadata=key(
            whole(0, 99),
            "Moves of both players that have to follow before a move is shown.",
            example="0",
        ),
    )
    all_at_end: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether a game is shown to its last move as soon as it has ended.",
            example="false",
        ),
    )

    @property
    def seconds(self) -> float:
        """The minutes, in seconds."""
        return 60 * self.minutes

    @property
    def plies(self) -> int:
        """The moves, in moves of one player."""
        return 2 * self.moves

    @property
    def holds_back(self) -> bool:
        """Whether anything is shown later than it happens."""
        return bool(self.minutes or self.moves)

    def is_no_sooner_than(self, other: "Delay") -> bool:
        """Whether nothing is shown before *other* would show it."""
        return (
            self.minutes >= other.minutes
            and self.moves >= other.moves
            and (other.all_at_end or not self.all_at_end or not other.holds_back)
        )


NO_DELAY = Delay()
DELAY = Section(Delay, "the keys of a delay, as in {minutes: 15}")
