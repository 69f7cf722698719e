"""A hall of facts that is broadcast on a fake Lichess."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path

import chess

from bridge.config.delays import NO_DELAY, Delay
from bridge.config.lichess import LichessSettings
from bridge.core.model import Fact, Result, SetupCorrected, TableSetup
from bridge.outputs.feed import Feed
from bridge.outputs.lichess.broadcast import Broadcast
from bridge.outputs.lichess.pusher import Pauses
from bridge.store.outbox import Outbox
from testbed.fake_lichess import TOKEN
from testbed.lichess_rounds import BroadcastRound
from tests.bridge.scoresheets import (
    ended,
    said_of,
    settled,
    stands,
    started,
    timed,
    withdrawn,
)

PATIENCE = 60.0
FAST = Pauses(
    lost=0.02, busy=0.05, refused=0.05, longest=0.2, all_again=300.0, patience_at_end=PATIENCE
)
ROUND = "AbCd1234"


def setup(number: int, round_: str = "1", **more: object) -> TableSetup:
    """Return the set-up of board *number*, with names of its own."""
    fields: dict[str, object] = {
        "event": "Harbour Open",
        "site": "Delft",
        "round": round_,
        "date": "2026.11.20",
        "board": number,
        "white": f"White, Player {number}",
        "black": f"Black, Player {number}",
        "time_control": "5400+30",
    }
    return TableSetup(**(fields | more))  # type: ignore[arg-type]


class Table:
    """Plays games at one table and tells the facts to whoever listens."""

    def __init__(self, tell: Callable[[Fact], None], number: int) -> None:
        self.name, self.number = str(number), number
        self.game = 0
        self.board = chess.Board()
        self._tell = tell

    def starts(self, round_: str = "1", **more: object) -> None:
        self.game += 1
        self.board = chess.Board()
        self.setup = setup(self.number, round_, **more)
        self._tell(started(self.name, self.game, setup=self.setup))

    def plays(self, *sans: str) -> None:
        for san in sans:
            ply = self.board.ply() + 1
            move = self.board.parse_san(san)
            self._tell(settled(self.board, move, ply, self.name, self.game))
            self._tell(timed(ply, 1000 * (5400 - 10 * ply), self.name, self.game))

    def plays_illegally(self, uci: str, san: str) -> None:
        """Play a move that is illegal and is played on."""
        ply, self.board = self.board.ply() + 1, self.board.copy(stack=False)
        self._tell(stands(self.board, uci, san, ply, self.name, self.game))

    def withdraws(self, count: int) -> None:
        """The last *count* moves were none."""
        first = self.board.ply() - count + 1
        for _ in range(count):
            self.board.pop()
        self._tell(withdrawn(first, count, self.name, self.game))

    def is_that_of(self, corrected: TableSetup) -> None:
        self.setup = corrected
        self._tell(SetupCorrected(**said_of(self.name, self.game, 600.0, 1), setup=corrected))

    def ends(self, result: Result, by: str = "arbiter") -> None:
        self._tell(ended(result, by, self.name, self.game))

    @property
    def moves(self) -> list[str]:
        return [move.uci() for move in self.board.move_stack]


def settings(url: str, folder: Path, **more: object) -> LichessSettings:
    file = folder / "lichess.token"
    file.write_text(TOKEN + "\n")
    fields: dict[str, object] = {
        "server": url,
        "token_file": file,
        "rounds": {"1": ROUND},
        "interval": 0.02,
    }
    return LichessSettings(**(fields | more))  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def broadcast(
    feed: Feed,
    wanted: LichessSettings,
    folder: Path,
    *,
    planned: Sequence[tuple[str, TableSetup]] = (),
    pauses: Pauses = FAST,
) -> AsyncIterator[Broadcast]:
    """Broadcast what *feed* tells; all that waits is out when this is left without trouble."""
    with Outbox(folder / "outbox.sqlite3") as outbox:
        output = Broadcast(wanted, outbox, feed.bus, feed.book.records, pauses=pauses)
        output.seat(planned, wanted)
        async with feed, output:
            yield output


def feed_of(facts: Iterable[Fact] = (), delay: Delay = NO_DELAY) -> Feed:
    feed = Feed(delay, lambda: 0.0)
    for fact in facts:
        feed.tell(fact)
    return feed


async def eventually(true: Callable[[], object], what: str = "it") -> None:
    """Return as soon as *true* says so."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not true():  # noqa: ASYNC110 - a server makes it true
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"never came: {what}") from None


def one_move() -> str:
    """The capture of a game of one move, which the page about the data path shows."""
    page = Path(__file__).resolve().parents[1] / "docs" / "data-path.md"
    found = re.search(r"^```capture\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def shown(round_: BroadcastRound) -> list[tuple[str, str, list[str]]]:
    """What a visitor sees of a round: White, board and moves, board after board."""
    return [
        (chapter.tags["White"], chapter.tags["Board"], chapter.moves)
        for chapter in round_.chapters
        if not chapter.initial
    ]


def expected(tables: Iterable[Table]) -> list[tuple[str, str, list[str]]]:
    return [(table.setup.white, str(table.setup.board), table.moves) for table in tables]
