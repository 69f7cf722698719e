"""Games on a row of simulated boards, each followed at its own table."""

from collections.abc import Mapping
from functools import partial

from bridge.cli.compare import Comparison, Played, compare
from bridge.core.model import LinkChange, TableSetup
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import Scorebook
from bridge.links.row import Row
from drivers.events import Event, Noise, Notice, Presence
from drivers.simulated.performance import Performance
from tests.drivers.rows import Conversation, played_board
from tests.following import Follower

FINISH = 20.0
STEP = 0.05


class Tables:
    """A row that plays, and what its tables make of it; the keeper's part is played here."""

    def __init__(self, boards: Mapping[int, str], *, seed: int = 0) -> None:
        self.games = dict(boards)
        players = [
            played_board(address, game, seed=seed + address) for address, game in boards.items()
        ]
        self.performances: dict[int, Performance] = dict(zip(boards, players, strict=True))
        units = " ".join(map(str, boards))
        self.talk = Conversation(players, units, seed=seed)
        self.followers = {address: Follower(TableSetup(has_clock=True)) for address in boards}
        self.links: dict[int, list[LinkChange]] = {address: [] for address in boards}
        self._latest = dict.fromkeys(boards, 0.0)
        self._row = Row(
            "row", {str(address): partial(self._deliver, address) for address in boards}
        )
        self._live = False

    def _deliver(self, address: int, thing: Event | LinkChange) -> None:
        """As the hall does: time never goes back at a table, and deadlines fall in between."""
        at = self.talk.at
        if isinstance(thing, LinkChange):
            self.links[address].append(thing)
        else:
            at = max(thing.at, self._latest[address])
        self._latest[address] = at
        self.followers[address].take(at, thing)

    def goes_on(self, seconds: float) -> None:
        """Let time pass in steps; what is told of a link is told at the end of a step."""
        end = self.talk.at + seconds
        while self.talk.at < end:
            self._step(min(STEP, end - self.talk.at))

    def _step(self, seconds: float) -> None:
        for event in self.talk.goes_on(seconds):
            if not self._live and not isinstance(event, Noise | Notice | Presence):
                self._live = True
                self._row(LinkChange(state="live"))
            self._row(event)
        for follower in self.followers.values():
            follower.rest(self.talk.at)

    def loses(self) -> None:
        """The line is gone, with what was under way on it."""
        self._live = False
        self._row(LinkChange(state="lost", detail="the cable is out"))

    def passes(self, seconds: float) -> None:
        """The games go on, and nobody listens."""
        end = self.talk.at + seconds
        while self.talk.at < end:
            self.talk.at = min(self.talk.at + 0.05, end)
            self.talk.row.poll(at=self.talk.at)
        for follower in self.followers.values():
            follower.rest(self.talk.at)

    def returns(self) -> None:
        """The line is opened again; the codec of a row is the same as before."""
        self.talk.codec.greet(at=self.talk.at)

    def finish(self) -> None:
        while not self.talk.finished:
            self.goes_on(STEP)
        self.goes_on(FINISH)

    def verdict(self, address: int) -> Comparison:
        follower, truth = self.followers[address], self.performances[address].truth()
        follower.rest(self.talk.at)
        book = Scorebook()
        for fact in follower.facts:
            book.apply(fact)
        record = next(iter(book.records()))
        return compare(to_pgn(record), Played(truth.moves, truth.clock_ms, truth.result))
