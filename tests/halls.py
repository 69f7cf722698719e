"""A daemon in a process of its own, and simulated boards on real ptys that play beside it."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path

import chess
import chess.pgn

from bridge.cli.compare import Comparison, Played, compare
from bridge.core.model import AlertCleared, AlertRaised, Fact, LinkChange, Reading
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.core.table import Table
from bridge.store.rows import read_journal, table_names
from drivers.codec import Outgoing
from drivers.events import Side
from drivers.simulated.clock import Clock, TimeControl, other
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.line import Faults
from drivers.simulated.pty import PtyPort

LEGAL = [
    *("e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "c8g4", "b1c3", "g7g6"),
    *("f3e5", "g4d1", "c4f7", "e8e7", "c3d5"),
]
"""Thirteen plies with three captures; mate."""

PATIENCE = 60.0
AFTERWARDS = 1.0
"""Seconds for which a journal is followed beyond its end."""


async def eventually(true: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Return as soon as *true* says so."""
    try:
        async with asyncio.timeout(patience):
            while not true():  # noqa: ASYNC110 - another process makes it true
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"never came: {what}") from None


class Seat:
    """One board on a port, and hands that play a game on it without waiting for anybody.

    ``lost`` bytes of what the board says next never leave it, after the first ``kept`` ones.
    """

    def __init__(
        self, path: Path, *, serial: str = "31234", moves: Sequence[str] = LEGAL, pace: float = 0.3
    ) -> None:
        self.serial = serial
        self.moves = moves
        self.pace = pace
        self.kept = self.lost = 0
        self.faults = Faults()
        self.clock = Clock(TimeControl(base=300, increment=3))
        self.board = DgtBoard(
            Passport(serial=serial, long_serial=serial.rjust(10, "3")),
            clock=self.clock,
            faults=self.faults,
            seed=int(serial),
        )
        self.board.set_up(chess.Board().piece_map(), at=self._now())
        self.port = PtyPort(path, self)
        self._position = chess.Board()
        self._clock_ms: list[int] = []

    # -- the device, as the port sees it ---------------------------------------------------------

    def receive(self, data: bytes, *, at: float) -> None:
        self.board.receive(data, at=at)

    def poll(self, *, at: float) -> Outgoing:
        data, wake_at = self.board.poll(at=at)
        kept = min(self.kept, len(data))
        self.kept -= kept
        lost = 0 if self.kept else min(self.lost, len(data) - kept)
        self.lost -= lost
        return Outgoing(data[:kept] + data[kept + lost :], wake_at)

    # -- the table -------------------------------------------------------------------------------

    @property
    def plies(self) -> int:
        return self._position.ply()

    @property
    def played(self) -> Played:
        """What was really played so far."""
        moves = tuple(move.uci() for move in self._position.move_stack)
        result = self._position.result() if self._position.is_checkmate() else "*"
        return Played(moves, tuple(self._clock_ms), result)

    async def plays(self, plies: int = 1000) -> None:
        """Play the next *plies* of the game, or all that are left."""
        for uci in self.moves[self.plies : self.plies + plies]:
            await self._play(chess.Move.from_uci(uci))

    async def _play(self, move: chess.Move) -> None:
        if not self._clock_ms:
            self.clock.start(at=self._now())
            await self._rest()
        before = self._position.piece_map()
        colour = self._position.turn
        self._position.push(move)
        after = self._position.piece_map()
        for square in before:
            if before[square] != after.get(square):
                await self.lifts(square)
        for square in after:
            if before.get(square) != after[square]:
                self.board.put(square, after[square], at=self._now())
                await self._rest()
        self._press(colour)
        await self._rest()

    async def lifts(self, square: chess.Square) -> None:
        """Take a piece up; the move that follows goes on from there."""
        self.board.lift(square, at=self._now())
        await self._rest()

    def _press(self, colour: chess.Color) -> None:
        side: Side = "left" if colour else other("left")
        assert self.clock.press(side, at=self._now())
        self._clock_ms.append(self.clock.reading(at=self._now()).seconds(side) * 1000)

    async def _rest(self) -> None:
        self.port.wake()
        await asyncio.sleep(self.pace)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


@contextlib.asynccontextmanager
async def seated(seats: Iterable[Seat], *, plug: bool = True) -> AsyncIterator[None]:
    """Plug all boards in; at the end they are gone."""
    seats = list(seats)
    try:
        for seat in seats:
            if plug:
                seat.port.plug()
        yield
    finally:
        for seat in seats:
            seat.port.close()


class Daemon:
    """``eboard-bridge`` *command* on *config*, with *more* arguments.

    Its log comes through a pipe, so no disk can stop it.
    """

    def __init__(
        self,
        config: Path,
        *more: str,
        command: str = "run",
        wrapper: Sequence[str] = (),
    ) -> None:
        self._command = [*wrapper, sys.executable, "-m", "bridge", command, str(config), *more]
        self._process: asyncio.subprocess.Process | None = None
        self._lines: list[str] = []
        self._seen_live: Counter[int] = Counter()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def log(self, *words: str) -> list[str]:
        """Return the lines of the log that have all *words*."""
        return [line for line in self._lines if all(word in line for word in words)]

    async def live(self, table: int = 1) -> None:
        """Wait until the board of *table* is live once more, and what stood on it has been read."""
        self._seen_live[table] += 1
        wanted = self._seen_live[table]
        await eventually(
            lambda: len(self.log(f" table {table}: live on ")) >= wanted,
            f"live for the {wanted}. time at table {table}",
        )
        await asyncio.sleep(1.0)

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        self._listening = asyncio.create_task(self._listen(self._process.stderr))

    async def _listen(self, pipe: asyncio.StreamReader | None) -> None:
        assert pipe is not None
        async for line in pipe:
            self._lines.append(line.decode().rstrip())

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            await self._listening
            return await self._process.wait()

    async def __aenter__(self) -> "Daemon":
        if self._process is None:
            await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            await self.end(signal.SIGKILL)


def write_config(folder: Path, boards: Sequence[str], *more: str) -> Path:
    """Write a configuration with a table for each of *boards* (its keys in YAML)."""
    lines = ["event: {name: Test, round: 1, date: 2026-11-20}", *more, "tables:"]
    lines += [
        f'  - {{table: "{number}", number: {number}, board: {{{board}}}}}'
        for number, board in enumerate(boards, start=1)
    ]
    path = folder / "hall.yaml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def at(port: Path) -> str:
    """The keys of a board that is found at *port*."""
    return f"port: {json.dumps(str(port))}"


def unprivileged() -> list[str]:
    """A wrapper that takes from root what lets it open files without permission."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    assert setpriv, "as root these tests need setpriv, of util-linux"
    return [setpriv, "--bounding-set", "-dac_override,-dac_read_search,-sys_admin"]


# --- what came out --------------------------------------------------------------------------------


def game_file(folder: Path, table: int = 1, group: str = "") -> Path:
    return folder / "games" / group / "1" / f"{table}-1.pgn"


def written_moves(folder: Path, table: int = 1, group: str = "") -> list[str]:
    """The moves in the file of *table*'s first game, as far as it is written."""
    file = game_file(folder, table, group)
    if not file.exists():
        return []
    with file.open(encoding="utf-8") as pgn:
        game = chess.pgn.read_game(pgn)
    return [] if game is None else [move.uci() for move in game.mainline_moves()]


def verdict(folder: Path, seat: Seat, table: int = 1) -> Comparison:
    """Compare the file of *table*'s first game with what was played at *seat*."""
    return compare(game_file(folder, table).read_text("utf-8"), seat.played)


async def written(folder: Path, seat: Seat, table: int = 1) -> None:
    """Wait until the file of *table*'s first game says what was played at *seat*, times too."""
    await eventually(
        lambda: game_file(folder, table).exists() and not verdict(folder, seat, table).differences,
        f"the game of table {table} as it was played",
    )


def moves_differ(comparison: Comparison) -> list[str]:
    """The differences other than those of clock times."""
    return [text for text in comparison.differences if not re.match(r"ply \d+: (no )?clock", text)]


def readings(folder: Path, table: int = 1) -> list[Reading]:
    path = folder / "data" / "journal.sqlite3"
    return [reading for _, reading in read_journal(path, str(table), 0)]


def refold(folder: Path, table: int = 1) -> list[Fact]:
    """Fold a table anew from the journal alone, and a moment longer: deadlines fall then, too."""
    fold, journal = Table(str(table)), readings(folder, table)
    facts = [fact for reading in journal for fact in fold.apply(reading)]
    return facts + fold.tick(journal[-1].at + AFTERWARDS)


def refolded_pgn(folder: Path, table: int = 1) -> str:
    """The first game of a table, from the journal alone."""
    return to_pgn(first_game(refold(folder, table)))


def first_game(facts: Iterable[Fact]) -> GameRecord:
    book = Scorebook()
    for fact in facts:
        book.apply(fact)
    return next(iter(book.records()))


def tables(folder: Path) -> list[str]:
    return table_names(folder / "data" / "journal.sqlite3")


CONFIRMS = ("CHECKMATE", "STALEMATE", "RESULT_BY_KINGS")


def alerts(folder: Path, table: int = 1) -> list[str]:
    """The alerts that were raised (+) and cleared (-), in order, but not those of the result."""
    return [
        f"{'+' if isinstance(fact, AlertRaised) else '-'}{fact.code}"
        for fact in refold(folder, table)
        if isinstance(fact, AlertRaised | AlertCleared) and fact.code not in CONFIRMS
    ]


def link_changes(folder: Path, table: int = 1) -> list[LinkChange]:
    return [
        reading.payload
        for reading in readings(folder, table)
        if isinstance(reading.payload, LinkChange)
    ]
