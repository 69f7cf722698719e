"""How Lichess finds the board of a game that is pushed, and what to push so that it is the right.

Games are taken in the order of the text; each gets the first board in Lichess's order, of those
not yet taken, that has the same ``GameId``, or the same players, or the same position after as
many plies as both have (``RelayUpdatePlan`` of Lichess's module ``relay``). The last of these holds
for any two games of which one has not begun. So a game that is pushed alone could be written over a
board before it. Pushed together with the games of all those boards, in the order of the boards,
each finds its own.

Versions of Lichess ask for more than that to be the same (the event, the round, the board number);
what is done here is right for all of them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bridge.outputs.lichess.games import Game


@dataclass(slots=True)
class Boards:
    """The boards of a round as Lichess has them, as far as its answers tell.

    ``order``: the ids of games that it has or may have, board after board. ``shown``: what it has
    taken of them last; ``lines``: the positions of the moves it shows, which no push takes away.
    ``known``: whether it is known what those in ``shown`` show, so that a push need not be of all.
    """

    order: list[str] = field(default_factory=list)
    shown: dict[str, Game] = field(default_factory=dict)
    lines: dict[str, tuple[int, ...]] = field(default_factory=dict)
    known: bool = False

    def body(self, changed: Collection[str], games: Mapping[str, Game]) -> list[Game]:
        """Return what to push so that Lichess has the *changed* ones of *games*, in this order."""
        new = sorted((g for g in games if g not in self.order), key=lambda g: games[g].place)
        order = [game_id for game_id in self.order if game_id in games] + new
        wanted = set(changed) & games.keys() if self.known else set(order)
        waiting = list(wanted)
        while waiting:
            more = set(self._takeable(games[waiting.pop()], games)) - wanted
            wanted |= more
            waiting += more
        return [games[game_id] for game_id in order if game_id in wanted]

    def reordered(self, games: Mapping[str, Game]) -> list[Game] | None:
        """Return what to push so that the boards come into their order, ``None`` if nothing.

        Those are all games in that order, or all as the boards stand where it is not known what
        they show. It cannot be done while Lichess would take a game for another one.
        """
        if games.keys() != set(self.order):
            return None
        wanted = sorted(games.values(), key=lambda game: game.place)
        if [game.game_id for game in wanted] == self.order:
            return None
        if not self.known:
            return [games[game_id] for game_id in self.order]
        return wanted if self._each_finds_its_own(wanted) else None

    def recall(self, had: Iterable[Game]) -> None:
        """Note that Lichess *had* these when it was asked last, which is known from notes.

        Any other game of its boards may be shown in any way.
        """
        for game in had:
            if game.game_id in self.order:
                self.accepted(game)
        self.known = bool(self.shown)

    def arranged(self, pushed: Iterable[Game]) -> None:
        """Note that Lichess has its boards in this order now."""
        self.order = [game.game_id for game in pushed]

    def found(self, game_ids: Iterable[str], games: Mapping[str, Game]) -> None:
        """Note in which order Lichess says that it has boards; those of others are passed over."""
        ours = games.keys() | set(self.order)
        self.order = [game_id for game_id in dict.fromkeys(game_ids) if game_id in ours]
        self.lines = {each: line for each, line in self.lines.items() if each in self.order}

    def expect(self, pushed: Iterable[Game]) -> None:
        """Note what is about to be pushed: Lichess may have it from now on."""
        self.order += [game.game_id for game in pushed if game.game_id not in self.order]

    def accepted(self, game: Game) -> None:
        """Note that Lichess has taken a game."""
        before = self.lines.get(game.game_id, ())
        is_part = before[: len(game.positions)] == game.positions
        self.lines[game.game_id] = before if is_part else game.positions
        self.shown[game.game_id] = game

    def refused(self, game: Game) -> None:
        """Note that Lichess has not taken a game; it has no board if it had none."""
        if game.game_id not in self.shown:
            self.order.remove(game.game_id)

    def surplus(self, game: Game) -> int:
        """Return how many withdrawn plies Lichess goes on showing behind the game's last one."""
        return len(self.lines.get(game.game_id, game.positions)) - len(game.positions)

    def doubt(self) -> None:
        """Note that it is no longer known what the boards show."""
        self.known = False
        self.shown.clear()

    def _takeable(self, game: Game, games: Mapping[str, Game]) -> Iterable[str]:
        """Yield the games whose boards, before its own, Lichess might take for the game's."""
        for game_id in self.order:
            if game_id == game.game_id:
                return
            if game_id in games and self._may_take(game, game_id):
                yield game_id

    def _may_take(self, game: Game, game_id: str) -> bool:
        if game_id == game.game_id:
            return True
        shown, line = self.shown.get(game_id), self.lines.get(game_id)
        if shown is None or line is None or shown.has_players_of(game):
            return True
        last = min(len(line), len(game.positions)) - 1
        return line[last] == game.positions[last]

    def _each_finds_its_own(self, games: Sequence[Game]) -> bool:
        free = list(self.order)
        for game in games:
            first = next(game_id for game_id in free if self._may_take(game, game_id))
            if first != game.game_id:
                return False
            free.remove(first)
        return True
