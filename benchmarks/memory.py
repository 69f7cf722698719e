"""``python -m benchmarks.memory``: what a daemon keeps of the games of a whole tournament.

Everything is configured that keeps games: PGN and cloud files, LiveChess, a broadcast, a webhook
and the pages. Round after round is told, as fast as it goes, and after each one Python is asked
what is still allocated, which depends on no other program of the machine.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
import tracemalloc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import chess
import msgspec

from benchmarks.processes import free_port
from benchmarks.report import Report
from benchmarks.wire import wandering_game
from bridge.config import Config, load
from bridge.core.model import (
    ClockUpdated,
    Fact,
    GameEnded,
    GameStarted,
    MoveSettled,
    MoveTimed,
    TableSetup,
)
from bridge.core.table import Table
from bridge.daemon.outputs import Outputs
from bridge.outputs.health import Health, Watch
from bridge.web.server import Web

CONFIG = "hall.yaml"
TODAY = "2026.01.01"
PLY_SECONDS = 60.0
AT_ONCE = 8
"""Plies of all boards that are told before the outputs are let at them."""

LOOK_EVERY = 0.05
KIBIBYTE = 1 << 10


def main(arguments: list[str] | None = None) -> int:
    """Tell a tournament and print what is kept after each round."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.memory", description=(__doc__ or "").partition(": ")[2]
    )
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--plies", type=int, default=80)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        kept = measured(Path(folder), options.boards, options.rounds, options.plies)
    report(kept, options.boards, options.plies).show()
    return 0


def report(kept: Sequence[int], boards: int, plies: int) -> Report:
    """Return what was kept after each round, and how much of it came with that round."""
    more = [size - before for before, size in zip([0, *kept], kept, strict=False)]
    rows = [
        (f"{number}", f"{size / KIBIBYTE:.0f}", f"{new / (boards * plies):.0f}")
        for number, (size, new) in enumerate(zip(kept, more, strict=True), start=1)
    ]
    return Report(
        f"Memory: {boards} boards, {plies} plies a game",
        ("round", "kept (KiB)", "more than before, bytes a ply"),
        rows,
    )


def measured(folder: Path, boards: int, rounds: int, plies: int) -> list[int]:
    """Return how many bytes are kept after each round."""
    _write_config(folder, boards)
    return asyncio.run(_told(load(folder / CONFIG), rounds, plies))


async def _told(config: Config, rounds: int, plies: int) -> list[int]:
    now = 0.0
    outputs = Outputs(config, lambda: now, today=TODAY)
    pages = _pages(config)
    tables = {table.table: Table(table.table) for table in config.tables}
    kept = []
    async with outputs.running(tables.__getitem__), pages:
        tracemalloc.start()
        for number in range(1, rounds + 1):
            for fact in _round(config, number, plies, now):
                if fact is None:
                    await asyncio.sleep(0)
                    continue
                now = fact.at
                outputs.tell(fact)
                pages.tell(fact)
            await _written(outputs)
            gc.collect()
            kept.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    return kept


async def _written(outputs: Outputs) -> None:
    """Wait until the files are; nobody takes what is sent."""
    waits = True
    while waits:
        await asyncio.sleep(LOOK_EVERY)
        reports = await outputs.reports()
        waits = any(each.waiting for each in reports if each.name in ("pgn", "cloud"))


def _pages(config: Config) -> Web:
    async def figures() -> tuple[bytes, str]:
        return b"", "text/plain"

    async def how_it_is() -> Health:
        return Health("ok")

    async def equipment() -> Mapping[str, object]:
        return {}

    watch = Watch(figures, how_it_is, equipment)
    settings = config.web
    assert settings is not None  # noqa: S101 - it is in the configuration below
    return Web(config, settings, lambda: 0.0, lambda *_: None, today=TODAY, watch=watch)


def _round(config: Config, number: int, plies: int, begin: float) -> Iterator[Fact | None]:
    """Yield the facts of a round, all boards in step; ``None`` where the outputs may follow."""
    games = []
    for settings in config.tables:
        setup = msgspec.structs.replace(config.setup(settings, today=TODAY), round=f"{number}")
        game = wandering_game(plies, Random(f"{number} {settings.table}"))
        games.append(_facts(settings.table, number, setup, game.mainline_moves(), begin))
    for step, facts in enumerate(zip(*games, strict=True)):
        for each in facts:
            yield from each
        if step % AT_ONCE == 0:
            yield None


def _facts(
    table: str, number: int, setup: TableSetup, moves: Iterable[chess.Move], at: float
) -> Iterator[list[Fact]]:
    board = chess.Board()

    def told(kind: type[Fact], **fields: Any) -> Fact:
        common: dict[str, Any] = {
            "table": table,
            "game": number,
            "at": at,
            "wall": at,
            "evidence": (0, 0),
        }
        return kind(**common, **fields)

    yield [told(GameStarted, setup=setup, fen=board.fen(), rotated=False)]
    for ply, move in enumerate(moves, start=1):
        at += PLY_SECONDS
        san, left = board.san(move), 5_400_000 - 1000 * ply
        colour = "white" if board.turn else "black"
        board.push(move)
        turn = "white" if board.turn else "black"
        said: dict[str, Any] = {
            "ply": ply,
            "uci": move.uci(),
            "san": san,
            "colour": colour,
            "fen": board.fen(),
        }
        yield [
            told(ClockUpdated, white_ms=left, black_ms=left, running=True, turn=turn),
            told(MoveSettled, **said, basis="press"),
            told(MoveTimed, ply=ply, clk_ms=left),
        ]
    yield [told(GameEnded, result="1/2-1/2", by="kings")]


def _write_config(folder: Path, boards: int) -> None:
    (folder / "secret").write_text("only_for_this_measurement\n", "ascii")
    nobody = f"localhost:{free_port()}"
    lines = [
        "event: {name: memory, round: 1}",
        "data: {folder: data}",
        "pgn: {folder: games}",
        "cloud: {folder: cloud}",
        f"livechess: {{port: {free_port()}}}",
        f"web: {{port: {free_port()}}}",
        f"lichess: {{tournament: AbCd1234, token_file: secret, server: 'https://{nobody}'}}",
        "webhooks:",
        f"  - {{name: all, url: 'https://{nobody}', audience: arbiter, secret_file: secret}}",
        "tables:",
    ]
    for number in range(1, boards + 1):
        lines += [
            f'  - table: "{number}"',
            f"    number: {number}",
            f"    white: {{name: 'White, {number}'}}",
            f"    black: {{name: 'Black, {number}'}}",
            f"    board: {{driver: dgt, port: /dev/board-{number}}}",
            '    time_control: "5400+30"',
        ]
    (folder / CONFIG).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
