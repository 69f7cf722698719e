"""A correction reaches every output in the way that its readers can digest, whatever the delay.

Every ruling that changes a record, and what inference takes back by itself, is told fact by fact.
After each moment every consumer must stand where the record stands as the public may see it then: a
strict program for LiveChess, readers of the cloud files and of the PGN files, a page, programs that
are told facts, and Lichess.
"""

import asyncio
import io
import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import chess.pgn
import pytest

from benchmarks.differ import Differ, session, text_of
from bridge.config import Delay, parse
from bridge.core.model import (
    CorrectMoves,
    Fact,
    GameEnded,
    LetStand,
    LinkChanged,
    MovesCorrected,
    RestorePosition,
    Result,
    SetResult,
    TableSetup,
    Undo,
)
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.cloud.files import CloudFolder, Seat
from bridge.outputs.feed import Feed
from bridge.outputs.livechess.hub import Hub
from bridge.outputs.pgn_files import PgnFolder
from tests.bridge.cloud_reader import read_game, read_index
from tests.bridge.core.arbiter import Arbiter, played
from tests.bridge.far_readers import FactReaders, LichessReader, PageReader

OPENING = ("e4", "e5", "Nf3", "Nc6")
SETUP = TableSetup(round="3", board=7, white="Kramr, Anna", black="Okafor, Ben")
BETTER = TableSetup(round="3", board=9, white="Kramer, Anna", black="Okafor, Ben")
NAMES: dict[Result, str] = {"1-0": "WHITEWIN", "0-1": "BLACKWIN", "1/2-1/2": "DRAW"}

Scene = Callable[[Arbiter], None]


def corrects(first: int, count: int, *moves: str) -> Scene:
    def act(table: Arbiter) -> None:
        table.rules(CorrectMoves(first=first, count=count, moves=moves))
        table.goes_on("a4" if table.record.plies[-1].colour == "black" else "a5")

    return act


def a_result_changed(table: Arbiter) -> None:
    table.rules(SetResult(result="1-0"))
    table.rules(Undo(ruling=1))
    table.rules(SetResult(result="0-1"))


def a_result_undone(table: Arbiter) -> None:
    table.rules(SetResult(result="1-0"))
    table.rules(Undo(ruling=1))
    table.goes_on("Bc4", "Bc5")


def a_ruling_undone(table: Arbiter) -> None:
    table.rules(CorrectMoves(first=3, count=1, moves=("Nc3",)))
    table.rules(Undo(ruling=1))
    table.goes_on("Bc4")


def a_position_restored(table: Arbiter) -> None:
    table.rules(RestorePosition(ply=1))
    table.goes_on("c5", "Nc3")


def names_corrected(table: Arbiter) -> None:
    table.setup(table.now + 1, BETTER)
    table.plays(table.now + 2, "Bc4")
    table.rules(CorrectMoves(first=4, count=2, moves=("d6", "d4")))


def an_illegal_move_stands(table: Arbiter) -> None:
    table.stands("r1bqkbnr/pppp1ppp/2n5/4p3/4P2N/8/PPPP1PPP/RNBQKB1R b KQkq - 3 3")
    fen = "r1bqkbnr/pppp1ppp/2n5/1B2p1N1/4P3/8/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    table.stands(fen)
    table.rules(LetStand(stands=fen))
    table.goes_on("d6", "O-O")


SCENES: dict[str, Scene] = {
    "a move": corrects(3, 1, "Nc3"),
    "the last move": corrects(4, 1, "d6"),
    "all moves": corrects(1, 4, "d4", "d5"),
    "inserted moves": corrects(3, 0, "a3", "a6"),
    "deleted moves": corrects(3, 2),
    "a result changed": a_result_changed,
    "a result undone": a_result_undone,
    "a ruling undone": a_ruling_undone,
    "a position restored": a_position_restored,
    "names corrected": names_corrected,
    "an illegal move stands": an_illegal_move_stands,
}


def arbiters(scene: Scene) -> list[Fact]:
    """Return the facts of a game in which an arbiter corrects something, up to its end."""
    table = played(*OPENING, setup=SETUP)
    scene(table)
    if table.record.ended_by is None:
        table.rules(SetResult(result="1/2-1/2"))
    return table.facts


@cache
def inferences() -> list[Fact]:
    """Return the facts of a noisy game in which moves are taken back."""
    facts = [fact for facts in session("chaos", "identity", 1) for fact in facts]
    assert any(isinstance(fact, MovesCorrected) for fact in facts)
    assert any(isinstance(fact, GameEnded) for fact in facts)
    return facts


DELAYS = {
    "none": Delay(),
    "minutes": Delay(minutes=0.1),
    "moves": Delay(moves=1),
    "both": Delay(minutes=0.05, moves=1),
    "all at the end": Delay(minutes=5, moves=3, all_at_end=True),
}


class Readers:
    """All consumers of one table behind one delay; ``lengths``: of the record as it was shown."""

    def __init__(self, root: Path, table: str, delay: Delay) -> None:
        self.now = 0.0
        self.table = table
        self.told = FactReaders()
        self.public = Feed(delay, lambda: self.now, hears=[self.told.hear])
        self.programs = Feed(delay, lambda: self.now, audience="operator", tables=(table,))
        config = parse(f'tables: [{{table: "{table}", board: {{port: /dev/a}}}}]', root / "x.yaml")
        self.hub = Hub(config.tables, self.programs, None)
        self.frames: list[bytes] = []
        self.differ = Differ()
        self.pgn, self.root = PgnFolder(root / "pgn"), root
        self.cloud = CloudFolder(root / "cloud", [Seat(table, SETUP, "45011")])
        self.lichess = LichessReader(root)
        self.seen: tuple[object, ...] = ()
        self.lengths: list[int] = []

    async def follow(self, facts: list[Fact], delay: Delay) -> None:
        """Tell all facts at their time, and what is held back then."""
        self.page = PageReader(self.table, self.public)
        follow = self.hub.follow(), self.page.showing.follow()
        following = [asyncio.create_task(each) for each in follow]
        await asyncio.sleep(0)
        self.page.open()
        self.hub.begin(self.hub.open(b"1", self.frames.append, self.table))
        for fact in facts:
            await self._comes(fact.at)
            self.public.tell(fact)
            self.programs.tell(fact)
            await self._look()
        await self._comes(facts[-1].at + delay.seconds)
        for task in following:
            task.cancel()
        self.lichess.outbox.close()

    async def _comes(self, at: float) -> None:
        while (due := min(feed._gate.wake_at for feed in (self.public, self.programs))) <= at:
            self.now = max(self.now, due)
            self.public._let_through()
            self.programs._let_through()
            await self._look()
        self.now = at

    async def _look(self) -> None:
        """Let every consumer take what is there for it, and compare it with the record."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for frame in self.frames:
            self.differ.take(json.loads(text_of(frame))["param"])
        self.frames.clear()
        told = self.programs.book.records()
        if told:
            self.differ.check(told[-1])
        records = self.public.book.records()
        if not records:
            return
        record = records[-1]
        seen = len(record.plies), len(record.corrections), record.ended_by, record.setup
        if seen == self.seen:
            return
        self.seen = seen
        self.pgn.update(records)
        self.cloud.update(records)
        if len(records) == 1:
            self._read_pgn(record)
            self._read_cloud(record)
            self.told.check(record)
            self.page.check(record)
            self.lichess.check(record, legal(record))
        if not self.lengths or self.lengths[-1] != len(record.plies):
            self.lengths.append(len(record.plies))

    def _read_pgn(self, record: GameRecord) -> None:
        (folder,) = (self.root / "pgn").iterdir()
        for name in (f"{self.table}-1.pgn", "games.pgn"):
            game = chess.pgn.read_game(io.StringIO((folder / name).read_text("utf-8")))
            assert game is not None
            assert game.errors == []
            assert game.headers["White"] == record.setup.white
            assert game.headers["Result"] == record.result
            assert [node.san() for node in game.mainline()] == legal(record)

    def _read_cloud(self, record: GameRecord) -> None:
        number = 3 if record.setup.round == "3" else 1
        game = read_game(self.root / "cloud", 1, number)
        assert game is not None
        known = [ply.san for ply in record.plies]
        assert game.sans == known[: record.adoptions[0].ply if record.adoptions else None]
        assert (game.result, game.live) == (NAMES.get(record.result), record.ended_by is None)
        pairing = read_index(self.root / "cloud", number).pairings[0]
        assert pairing.result == record.result
        if record.setup.white != "?":
            assert pairing.white is not None
            assert pairing.white.name == " ".join(reversed(record.setup.white.split(", ")))


def legal(record: GameRecord) -> list[str]:
    """Return the moves before the first that PGN does not allow."""
    breaks = [index for index, ply in enumerate(record.plies) if ply.stands]
    breaks += [adoption.ply for adoption in record.adoptions]
    return [ply.san for ply in record.plies[: min(breaks, default=None)]]


def followed(root: Path, facts: list[Fact], delay: Delay) -> Readers:
    table = facts[0].table
    live = LinkChanged(table=table, game=0, at=0.0, wall=0.0, evidence=(1, 1), state="live")
    readers = Readers(root, table, delay)
    asyncio.run(readers.follow([live, *facts], delay))
    return readers


@pytest.mark.parametrize("delay", DELAYS.values(), ids=DELAYS)
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_every_consumer_follows_a_ruling(scene: Scene, delay: Delay, tmp_path: Path) -> None:
    facts = arbiters(scene)
    readers = followed(tmp_path, facts, delay)
    (record,) = readers.public.book.records()
    assert record.ended_by is not None
    assert readers.lengths[-1] == len(record.plies) > 2
    if any(isinstance(fact, MovesCorrected) for fact in facts) and not delay.holds_back:
        assert any(later < sooner for sooner, later in pairwise(readers.lengths))


@pytest.mark.parametrize("delay", DELAYS.values(), ids=DELAYS)
def test_every_consumer_follows_what_inference_takes_back(delay: Delay, tmp_path: Path) -> None:
    facts = inferences()
    readers = followed(tmp_path, facts, delay)
    assert readers.lengths[-1] > 10
