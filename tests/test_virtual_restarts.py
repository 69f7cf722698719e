"""Whole games in virtual time, the daemon away again and again while play goes on.

No process and no waiting: simulated board, codec, news filter and table are driven by the times
they ask for, so that thousands of restarts take seconds. What is shown is not that every game
comes out exactly (moves that nobody saw may be any of several), but that a wrong one never
comes out in silence, nor a wrong time.
"""

import random

import pytest

from bridge.core.model import AlertRaised, Fact, LinkChange, Payload, Reading, TableSetup
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.core.table import Table
from bridge.links.news import News
from drivers.boards.dgt import Dgt
from drivers.simulated.scenario import DemoBoard, demo_boards

AWAY = (0.4, 0.85)
LIFE = (1.0, 6.0)
LONG_AWAY = (0.4, 2.5)
SHORT_LIFE = (0.4, 3.0)
AFTERTIME = 15.0
GAMES = [board for seed in range(1, 13) for board in demo_boards(seed)]


class Chain:
    """One board and everything behind it, without a process."""

    def __init__(self, board: DemoBoard, seed: int, *, restarts: bool, often: bool = False) -> None:
        self._away, self._life = (LONG_AWAY, SHORT_LIFE) if often else (AWAY, LIFE)
        self.board = board
        self.table = Table("1")
        self.facts: list[Fact] = []
        self.kills = 0
        self._restarts = restarts
        self._rng = random.Random(seed)
        self._seq = 0
        self._now = 0.0
        self._kill_at = float("inf")
        self._takes(TableSetup())
        self._greets()

    def _greets(self) -> None:
        self.codec, self.news = Dgt(), News()
        self.codec.greet(at=self._now)

    def _takes(self, payload: Payload) -> None:
        self._seq += 1
        reading = Reading(
            table="1", link="1", seq=self._seq, at=self._now, wall=self._now, payload=payload
        )
        self.facts += self.table.apply(reading)

    def play(self) -> GameRecord:
        performance = self.board.performance
        while not performance.finished or self._now < self._over_at():
            self._look_away()
            self._step()
            if performance.finished and self.table.game and self.table.engine is None:
                break
        book = Scorebook()
        for fact in self.facts:
            book.apply(fact)
        return book.records()[0]

    def _over_at(self) -> float:
        performance = self.board.performance
        return (performance.begun_at or 0.0) + performance.lasts + AFTERTIME

    def _look_away(self) -> None:
        """Let the board play on alone for a while, when it is time."""
        performance = self.board.performance
        if performance.begun_at is not None and self._kill_at == float("inf"):
            self._kill_at = self._now + self._rng.uniform(*self._life)
        if not self._restarts or self._now < self._kill_at or performance.finished:
            return
        self.kills += 1
        back = self._now + self._rng.uniform(*self._away)
        while self._now < back:
            wake_at = performance.poll(at=self._now).wake_at
            self._now = min(max(wake_at, self._now + 1e-3), back)
        self._kill_at = self._now + self._rng.uniform(*self._life)
        self._takes(LinkChange(state="lost", detail="restarted"))
        self._greets()

    def _step(self) -> None:
        """Carry bytes both ways once, then let time come to whoever wants something next."""
        performance, now = self.board.performance, self._now
        out = self.codec.poll(at=now)
        if out.data:
            performance.receive(out.data, at=now)
        said = performance.poll(at=now)
        for event in self.codec.receive(said.data, at=now):
            if self.news.is_new(event):
                self._takes(event)
        if said.data:
            return
        self.facts += self.table.tick(now)
        self.board.look(at=now)
        wake_at = min(out.wake_at, said.wake_at, self.table.wake_at, now + 0.5)
        self._now = max(wake_at, now + 1e-4)


def wrong_times(record: GameRecord, board: DemoBoard) -> list[int]:
    truth = board.performance.truth()
    return [
        number
        for number, (ply, ms) in enumerate(zip(record.plies, truth.clock_ms, strict=False), 1)
        if ply.clk_ms != ms and not ply.estimated
    ]


def is_exact(record: GameRecord, board: DemoBoard) -> bool:
    truth = board.performance.truth()
    moves = tuple(ply.uci for ply in record.plies)
    return moves == truth.moves and record.result == truth.result


@pytest.mark.parametrize("board", demo_boards(99), ids=lambda board: board.game)
def test_a_game_that_is_watched_all_the_time_is_exact(board: DemoBoard) -> None:
    record = Chain(board, 1, restarts=False).play()
    assert is_exact(record, board)
    assert wrong_times(record, board) == []
    assert not any(ply.estimated for ply in record.plies)


@pytest.mark.usefixtures("unmeasured")
def test_a_wrong_game_is_never_silent_however_often_the_daemon_was_away() -> None:
    exact = kills = 0
    for number, board in enumerate(GAMES):
        chain = Chain(board, number, restarts=True)
        record = chain.play()
        kills += chain.kills
        if is_exact(record, board):
            exact += 1
            continue
        codes = {fact.code for fact in chain.facts if isinstance(fact, AlertRaised)}
        assert codes & {"SCORESHEET_GAP", "RECORD_CORRECTED", "POSITION_UNRESOLVED"}, board.game
    assert kills > 500
    assert exact >= 0.9 * len(GAMES)


SEEDS = (
    *((54, "special", 215), (60, "special", 239), (75, "evergreen", 297)),
    *((205, "special", 23), (218, "evergreen", 73), (243, "special", 175)),
)
"""Games, and a daemon that is away when presses are missed together with plies, or come before a
ply that is settled late."""


@pytest.mark.parametrize(("seed", "game", "chance"), SEEDS)
@pytest.mark.parametrize("often", [False, True])
def test_a_time_that_may_be_another_plys_is_marked(
    seed: int, game: str, chance: int, often: bool
) -> None:
    (board,) = [each for each in demo_boards(seed) if each.game == game]
    chain = Chain(board, chance, restarts=True, often=often)
    record = chain.play()
    moves = tuple(ply.uci for ply in record.plies)
    if moves == board.performance.truth().moves:
        assert wrong_times(record, board) == []
