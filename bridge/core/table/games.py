"""The games of a table: the one that is on, the last one, and how those that are over ended."""

from dataclasses import dataclass, field

from bridge.core.model import GameEnded, Result
from bridge.core.table.afterwards import Afterwards
from bridge.core.table.game import Game
from bridge.core.table.told import Told

End = tuple[Result, str]
"""A result and what ended the game."""


@dataclass
class Games:
    """The games of a table: the one that is on, and the last one until another begins.

    ``ends``: how those that are over ended, by their numbers. ``afterwards`` watches the table on
    which the last one has ended.
    """

    playing: Game | None = None
    last: Game | None = None
    afterwards: Afterwards | None = None
    ends: dict[int, End] = field(default_factory=dict)

    @property
    def on(self) -> Game | None:
        """The game that is on, also while it is adjourned."""
        return None if self.playing is None or self.playing.over else self.playing

    @property
    def present(self) -> Game | None:
        """The game that was begun last."""
        return self.playing or self.last

    def begin(self, game: Game) -> None:
        """Let *game* be on."""
        self.playing, self.last, self.afterwards = game, None, None

    def close(self, number: int, afterwards: Afterwards | None = None) -> None:
        """Take note that the game that was on, if one was, has ended, and who watches it then."""
        self.afterwards = afterwards
        if self.playing is not None:
            self.ends[number] = self.playing.ended
            self.playing, self.last = None, self.playing

    def tell_end(self, told: Told, number: int, end: End) -> None:
        """Tell how game *number* ended, which is over: other than was told before."""
        self.ends[number] = end
        if self.present is not None and number == told.game:
            self.present.ended = end
        told.state(GameEnded, number, result=end[0], by=end[1])
