"""What rulings are made on: the games of a table, what is told of them, and what stands so far."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from bridge.core.laws.clocks.times import Times
from bridge.core.laws.rulesets import RuleSet
from bridge.core.model import Colour, Order, Ruling
from bridge.core.table.alerts import Alerts
from bridge.core.table.attendance import Attendance
from bridge.core.table.game import Game
from bridge.core.table.games import Games
from bridge.core.table.told import Told
from bridge.core.timekeeping import ClockBook

_O = TypeVar("_O", bound=Order)


class RefusedError(Exception):
    """An order cannot be carried out; the message says why, in words.

    ``breaks``, ``kept`` and ``corrected`` are those of ``RulingRefused``.
    """

    def __init__(
        self,
        reason: str,
        *,
        breaks: int | None = None,
        kept: tuple[str, ...] = (),
        corrected: tuple[str, ...] = (),
    ) -> None:
        super().__init__(reason)
        self.breaks = breaks
        self.kept = kept
        self.corrected = corrected


class Deed(NamedTuple):
    """What can be done: ``text`` says what it means, ``effect`` does it all and cannot fail."""

    text: str
    effect: Callable[[], None]


class Decision(NamedTuple):
    """A deed that was ordered; ``undo`` finds out how it can be undone later, if it still can.

    ``undo`` raises :class:`RefusedError` if it cannot.
    """

    text: str
    effect: Callable[[], None]
    undo: Callable[[], Deed]


def _nothing() -> None:
    pass


def noted(text: str, undone: str, effect: Callable[[], None] = _nothing) -> Decision:
    """Return what is only told, now and when it is *undone*; *effect* may say more of it now."""
    return Decision(text, effect, lambda: Deed(undone, _nothing))


class Standing(NamedTuple):
    """A ruling that was carried out and not undone."""

    number: int
    game: int
    order: Order


@dataclass
class Bench:
    """What the orders of a table are judged on.

    ``go_on`` takes a game up again where the board stands now. ``number`` is that of the ruling
    in hand, ``made`` are those that stand. ``dismissed``: whose illegal moves, and after how
    many plies, rulings have called none.
    """

    told: Told
    alerts: Alerts
    clock: ClockBook
    games: Games
    go_on: Callable[[Game], None]
    attendance: Attendance
    number: int = 0
    made: list[Standing] = field(default_factory=list)
    dismissed: dict[int, tuple[Colour, int]] = field(default_factory=dict)

    @property
    def rules(self) -> RuleSet:
        """The rules the table plays by."""
        return self.alerts.rules

    @property
    def times(self) -> Times | None:
        """What the clock shows, in seconds, if that is known."""
        white, black = self.clock.remaining(True), self.clock.remaining(False)
        if white is None or black is None:
            return None
        return Times(white / 1000, black / 1000)

    def game(self, ruling: Ruling) -> Game:
        """Return the game that *ruling* is about.

        Raises:
            RefusedError: it is not the last one, or the author saw another position of it.
        """
        game, number = self.games.present, self.told.game
        if game is None:
            raise RefusedError("no game has begun")
        if ruling.game not in (None, number):
            raise RefusedError(f"game {ruling.game} is not the one at this table: that is {number}")
        check_seen(game, ruling)
        return game

    def game_on(self, ruling: Ruling) -> Game:
        """Return the game that *ruling* is about, which must be on.

        Raises:
            RefusedError: it is over, or as :meth:`game`.
        """
        game = self.game(ruling)
        if game.over:
            raise RefusedError("the game is over: let it go on first")
        return game

    def is_present(self, game: Game) -> None:
        """Make sure that no other game has begun since.

        Raises:
            RefusedError: one has.
        """
        if self.games.present is not game:
            raise RefusedError("another game has begun since")

    def standing(self, kind: type[_O], game: int) -> list[tuple[int, _O]]:
        """Return the rulings of a *kind* that stand in a game, with their numbers."""
        return [
            (each.number, each.order)
            for each in self.made
            if each.game == game and isinstance(each.order, kind)
        ]


def check_seen(game: Game, ruling: Ruling) -> None:
    """Make sure that the position the author saw still stands.

    Raises:
        RefusedError: it does not.
    """
    plies, board = len(game.plies), game.line.after(game.line.steps)
    if ruling.ply not in (None, plies):
        raise RefusedError(f"the position after ply {ruling.ply} is gone: {plies} were played")
    if ruling.fen is not None and ruling.fen.split()[:4] != board.fen().split()[:4]:
        raise RefusedError(f"the position stands no longer: it is {board.fen()}")
