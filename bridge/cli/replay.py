"""``replay``: captures through the whole chain, as if they happened again."""

import argparse
import contextlib
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bridge.cli.frame import (
    DONE,
    NO,
    CannotError,
    Commands,
    add_json_arguments,
    complain,
    say,
)

if TYPE_CHECKING:
    from bridge.core.audience import Audience
    from bridge.core.model import Fact
    from bridge.core.scoresheet.record import GameRecord
    from bridge.store.journal import Journal
    from drivers.capture import Capture

AFTERTIME = 10.0
"""Silence assumed after the last byte, so that what rests may still settle (s)."""


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "replay",
        run,
        summary="find the games in capture files, without a board",
        description="Runs capture files through the whole program, as if they happened again. "
        "--pgn and --uci write the games that are found, of a line that many boards share board "
        "after board, and then those that a board had stored; --json writes what was concluded, "
        "fact by fact, without delay. Exit code 0 means that the moves agree with the file's "
        "header, or that it states none; 1 that they differ.",
        examples=["replay table-7.capture --pgn table-7.pgn", "replay --uci *.capture"],
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="capture files")
    parser.add_argument("--pgn", type=Path, metavar="OUT.pgn", help="write the games")
    parser.add_argument(
        "--events", type=Path, metavar="FILE", help="write what was decoded as JSON Lines"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--uci", action="store_true", help="print each game's moves on one line")
    add_json_arguments(parser, shown)
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="keep the journal in this new file"
    )
    parser.add_argument(
        "--lenient", action="store_true", help="pass over lines that do not fit, and say so"
    )


def run(args: argparse.Namespace) -> int:
    """Replay every file; the worst answer is the exit code."""
    captures = [_read(file, lenient=args.lenient) for file in dict.fromkeys(args.files)]
    agreed = True
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(_journal(args.journal))
        events = stack.enter_context(_opened(args.events))
        pgn = stack.enter_context(_opened(args.pgn))
        boards = ((capture, unit) for capture in captures for unit in _units(capture))
        for number, (capture, unit) in enumerate(boards, start=1):
            games: list[GameRecord] = []
            for table in _record(capture, journal, table=str(number), unit=unit):
                facts = _fold(journal, table, events)
                if args.json:
                    _say_facts(facts, args.audience)
                games += _games(facts)
            agreed &= _report(capture, games, pgn, uci=args.uci)
    return DONE if agreed else NO


def difference(capture: "Capture") -> str | None:
    """Return how the moves found differ from those its header states, None if they agree."""
    with _journal(None) as journal:
        for number, unit in enumerate(_units(capture), start=1):
            tables = _record(capture, journal, table=str(number), unit=unit)
            games = [game for table in tables for game in _games(_fold(journal, table, None))]
            problem = _disagreement(capture, games)
            if problem is not None:
                return problem
    return None


def _read(file: Path, *, lenient: bool) -> "Capture":
    from drivers.capture import parse

    capture = parse(file.read_bytes(), name=str(file), lenient=lenient)
    for line in capture.skipped:
        complain(f"passed over: {line}")
    return capture


@contextlib.contextmanager
def _opened(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    with path.open("w", encoding="utf-8") as file:
        yield file


@contextlib.contextmanager
def _journal(path: Path | None) -> Iterator["Journal"]:
    """Open the journal that is to be kept, or one that is gone afterwards."""
    from bridge.store.errors import JournalError
    from bridge.store.journal import Journal

    with contextlib.ExitStack() as stack:
        if path is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = Path(folder) / "journal.sqlite"
        elif path.exists():
            raise CannotError(f"{path} exists already: name a new file for the journal")
        try:
            yield stack.enter_context(Journal.open(path, window=0.0))
        except JournalError as error:
            raise CannotError(str(error)) from error


def _units(capture: "Capture") -> list[str | None]:
    from bridge.core.capture_readings import units_of
    from drivers.catalogue import driver

    return units_of(capture, driver(capture.driver))


def _record(capture: "Capture", journal: "Journal", *, table: str, unit: str | None) -> list[str]:
    """Write what the capture tells of a board; return the tables it was written for.

    A game that the board had stored has a table of its own.
    """
    from bridge.core.capture_readings import readings_of, readings_of_stored, stored_games
    from drivers.catalogue import driver

    codec = driver(capture.driver)
    tables = {table: list(readings_of(capture, codec, table=table, unit=unit))}
    for number, positions in enumerate(stored_games(capture, codec), start=1):
        name = f"{table}, stored game {number}"
        stored = readings_of_stored(
            positions, codec, table=name, link=f"{capture.name}, stored game {number}"
        )
        tables[name] = list(stored)
    for readings in tables.values():
        durable = threading.Event()
        journal.submit(readings, durable.set)
        durable.wait()
    return list(tables)


def _fold(journal: "Journal", name: str, events: TextIO | None) -> "list[Fact]":
    import msgspec

    from bridge.core.table import Table

    table = Table(name)
    facts: list[Fact] = []
    at = 0.0
    for _, reading in journal.read(table=name):
        at = reading.at
        if events is not None:
            events.write(f"{msgspec.json.encode(reading.payload).decode()}\n")
        facts += table.apply(reading)
    return [*facts, *table.end(at + AFTERTIME)]


def _say_facts(facts: "list[Fact]", audience: "Audience") -> None:
    from bridge.core.audience import for_audience
    from bridge.outputs.json_lines import as_line

    for fact in facts:
        shown = for_audience(fact, audience)
        if shown is not None:
            say(as_line(shown).decode().removesuffix("\n"))


def _games(facts: "list[Fact]") -> "list[GameRecord]":
    from bridge.core.scoresheet.record import Scorebook

    book = Scorebook()
    for fact in facts:
        book.apply(fact)
    return [record for record in book.records() if record.plies]


def _report(
    capture: "Capture", games: "list[GameRecord]", pgn: TextIO | None, *, uci: bool
) -> bool:
    from bridge.core.scoresheet.pgn import to_pgn

    if pgn is not None:
        pgn.writelines(to_pgn(game) for game in games)
    if uci:
        for game in games:
            say(" ".join(ply.uci for ply in game.plies))
    problem = _disagreement(capture, games)
    if problem:
        complain(f"{capture.name}: {problem}")
    return problem is None


def _disagreement(capture: "Capture", games: "list[GameRecord]") -> str | None:
    """Return how the moves differ from what the header states, None if they agree."""
    plies = [ply for game in games for ply in game.plies]
    for stated, found in (
        (capture.played, [ply.san for ply in plies]),
        (capture.played_uci, [ply.uci for ply in plies]),
    ):
        if stated and list(stated) != found:
            place = next(
                (n for n, (a, b) in enumerate(zip(stated, found, strict=False)) if a != b),
                min(len(stated), len(found)),
            )
            played = stated[place] if place < len(stated) else "nothing more"
            came = found[place] if place < len(found) else "nothing"
            return f"ply {place + 1}: {played} was played, {came} was found"
    return None
