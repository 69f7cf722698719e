"""A strict program for LiveChess follows noisy games: ``python -m benchmarks.differ``.

It works as the best-known web page does: it takes as many moves from the end of ``san`` as that has
grown by, and overlooks a move that changed while the length stayed (source: lichess-org/lila,
ui/dgt/src/play.ts). After every reading it must stand where the record stands.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import chess

from benchmarks.report import Report
from bridge.config import parse
from bridge.config.delays import NO_DELAY
from bridge.core.model import Fact, LinkChanged, MovesCorrected
from bridge.core.scoresheet.record import GameRecord
from bridge.core.stream import AFTERTIME, StreamReader
from bridge.core.table import Table
from bridge.outputs.feed import Feed
from bridge.outputs.livechess import hub
from drivers.simulated import games
from drivers.simulated.streams import PROFILES, play_session
from drivers.simulated.streams.sensor import BoardKind

GAMES = 25
"""Of each kind: 100 in all."""
KINDS: dict[str, tuple[str, BoardKind]] = {
    "club identity": ("club", "identity"),
    "chaos identity": ("chaos", "identity"),
    "club occupancy": ("club", "occupancy"),
    "chaos occupancy": ("chaos", "occupancy"),
}


class MisledError(Exception):
    """The program believes what was not played, or overlooked what was."""


class Differ:
    """What a strict program makes of ``san``: one move more, or moves taken back."""

    def __init__(self) -> None:
        self.start = ""
        self.san: list[str] = []
        self.board = chess.Board()
        self.grown = 0

    def take(self, param: Mapping[str, Any]) -> None:
        """Take the parameters of a frame.

        Raises:
            MisledError: it brings several moves at once, or others than it seems.
        """
        if "san" not in param:
            return
        san, start = list(param["san"]), param["start"]
        if start != self.start:
            _must(not san, "another start begins with moves")
            self.start, self.board = start, chess.Board(start)
        grown = len(san) - len(self.san)
        if grown > 0:
            _must(grown == 1 and san[:-1] == self.san, f"{self.san[-3:]} became {san[-3:]}")
            self.board.push_san(san[-1])
            self.grown += 1
        else:
            _must(san == self.san[: len(san)], f"{self.san[-3:]} became {san[-3:]}")
            for _ in range(min(-grown, len(self.board.move_stack))):
                self.board.pop()
        self.san = san

    def check(self, record: GameRecord) -> None:
        """Compare with the record of the game that is on.

        Raises:
            MisledError: it stands elsewhere.
        """
        breaks = [number for number, ply in enumerate(record.plies, 1) if ply.stands]
        base = max([0, *breaks, *(adoption.ply for adoption in record.adoptions)])
        played = [ply.san for ply in record.plies[base:]]
        _must(self.san == played, f"{self.san} instead of {played}")
        here, there = self.board.fen().split(), record.position(len(record.plies)).split()
        _must(here[:2] == there[:2], f"{here} instead of {there}")


def _must(true: bool, otherwise: str) -> None:
    if not true:
        raise MisledError(otherwise)


@dataclass
class Followed:
    """What the program saw, beside what stands in the records at the end."""

    games: int = 0
    moves: int = 0
    seen: int = 0
    frames: int = 0
    corrections: int = 0


def follow(profile: str, board: BoardKind, seed: int) -> Followed:
    """Let the program follow a session of one game or more.

    Raises:
        MisledError: it was led astray.
    """
    return asyncio.run(_follow(profile, board, seed))


async def _follow(profile: str, board: BoardKind, seed: int) -> Followed:
    tables = parse('tables: [{table: "1", board: {port: /dev/absent}}]', Path("hall.yaml")).tables
    feed = Feed(NO_DELAY, lambda: 0.0, audience="operator", tables=("1",))
    boards, frames = hub.Hub(tables, feed, lambda _: Table("1")), list[bytes]()
    task = asyncio.create_task(boards.follow())
    boards.begin(boards.open(b"1", frames.append, "1"))
    await asyncio.sleep(0)
    differ, found = Differ(), Followed()
    for facts in session(profile, board, seed):
        for fact in facts:
            feed.tell(fact)
            found.corrections += isinstance(fact, MovesCorrected)
        await asyncio.sleep(0)
        for frame in frames:
            differ.take(json.loads(text_of(frame))["param"])
        found.frames += len(frames)
        frames.clear()
        records = feed.book.records()
        if records:
            differ.check(records[-1])
    task.cancel()
    found.games = len(records)
    found.moves = sum(len(record.plies) for record in records)
    found.seen = differ.grown
    return found


def session(profile: str, board: BoardKind, seed: int) -> Iterator[list[Fact]]:
    """Play a session and yield what the table concludes, reading by reading."""
    names = games.names()
    chosen = [games.load(names[seed % len(names)])]
    lines, _ = play_session(chosen, PROFILES[profile], board=board, seed=seed)
    reader, table = StreamReader("1"), Table("1")
    yield [LinkChanged(table="1", game=0, at=0.0, wall=0.0, evidence=(1, 1), state="live")]
    for line in lines:
        for reading in reader.read(line):
            yield table.apply(reading)
    yield table.tick(reading.at + AFTERTIME)


def text_of(frame: bytes) -> str:
    """Return the text in a frame as a server sends it (RFC 6455, section 5.2)."""
    return frame[{126: 4, 127: 10}.get(frame[1], 2) :].decode()


def measure(*, count: int = GAMES, kinds: Sequence[str] = tuple(KINDS)) -> Report:
    """Return the table of *count* games of each kind, or a few more.

    Raises:
        MisledError: the program was led astray; the session is named.
    """
    rows = []
    for kind in kinds:
        profile, board = KINDS[kind]
        found, seed = Followed(), 0
        while found.games < count:
            seed += 1
            try:
                each = follow(profile, board, seed)
            except MisledError as error:
                raise MisledError(f"{kind}, seed {seed}: {error}") from error
            for name, number in asdict(each).items():
                setattr(found, name, getattr(found, name) + number)
        rows.append((kind, *map(str, asdict(found).values())))
    return Report(
        f"A strict program for LiveChess: {count} games of each kind",
        ("games of", "games", "moves of records", "moves seen", "frames", "corrections"),
        rows,
        ("It stood where the record stood after every reading; no frame brought two moves.",),
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differ", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each kind")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=tuple(KINDS))
    options = parser.parse_args(arguments)
    measure(count=options.games, kinds=options.kinds).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
