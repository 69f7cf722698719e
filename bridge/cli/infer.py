"""``infer``: a board stream in, what the outside world would have been told out."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from bridge.cli.frame import CANNOT, DONE, CannotError, Commands, complain, whole_number

SUFFIX = ".out.jsonl"


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "infer",
        run,
        summary="turn a recorded or simulated board stream into moves",
        description="Reads board streams (JSON Lines) and writes engine output (JSON Lines): "
        "settled moves, alerts, results. Without files it reads standard input. The same input "
        "always gives the same output.",
        examples=["infer game.jsonl", "infer --out results --jobs 2 *.jsonl"],
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="board streams")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help=f"write DIR/NAME{SUFFIX} for each file"
    )
    parser.add_argument(
        "--jobs", type=whole_number(1), default=1, metavar="N", help="how many at once, with --out"
    )
    parser.add_argument(
        "--provisional", action="store_true", help="also tell moves that are not settled"
    )
    parser.add_argument("--explain", action="store_true", help="say why with each move and alert")


class _Options(NamedTuple):
    provisional: bool
    explain: bool


def run(args: argparse.Namespace) -> int:
    """Infer one stream to standard output, or many to a folder."""
    options = _Options(args.provisional, args.explain)
    if args.out is not None:
        if not args.files:
            raise CannotError("--out needs the names of files: standard input has none")
        return _many(args.files, args.out, args.jobs, options)
    if len(args.files) > 1:
        raise CannotError("more than one file needs --out DIR for the results")
    if args.files:
        with args.files[0].open("rb") as stream:
            _write(stream, str(args.files[0]), options)
    else:
        _write(sys.stdin.buffer, "standard input", options)
    return DONE


def _output(lines: Iterable[bytes], name: str, options: _Options) -> Iterator[str]:
    from bridge.core.stream import OutputWriter, StreamError, infer
    from bridge.daemon.interpreter import sparing_what_is_there

    writer = OutputWriter(provisional=options.provisional, explain=options.explain)
    try:
        with sparing_what_is_there():
            yield from infer(lines, name=name, writer=writer)
    except StreamError as error:
        raise CannotError(str(error)) from error


def _write(lines: Iterable[bytes], name: str, options: _Options) -> None:
    try:
        for line in _output(lines, name, options):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()  # whoever listens hears of a move when it is decided
    finally:
        sys.stdout.flush()


def _one(file: Path, folder: Path, options: _Options) -> None:
    """Infer *file* into *folder*; what was decided before an error is kept, in whole lines."""
    with file.open("rb") as stream, _target(file, folder).open("w", encoding="utf-8") as out:
        for line in _output(stream, str(file), options):
            out.write(f"{line}\n")


def _target(file: Path, folder: Path) -> Path:
    return folder / f"{file.name.removesuffix('.jsonl')}{SUFFIX}"


def _many(files: list[Path], folder: Path, jobs: int, options: _Options) -> int:
    from rich.console import Console
    from rich.progress import track

    targets = [_target(file, folder) for file in files]
    if twice := sorted({str(target) for target in targets if targets.count(target) > 1}):
        raise CannotError(f"{', '.join(twice)} would be written for two files: rename one")
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(_one, file, folder, options) for file in files]
        console = Console(stderr=True)
        for future in track(
            as_completed(futures),
            "inferring",
            total=len(futures),
            console=console,
            disable=not console.is_terminal,
        ):
            try:
                future.result()
            except CannotError as error:
                failed = True
                complain(str(error))
            except OSError as error:
                failed = True
                complain(f"{error.filename}: {error.strerror}; check the path and its rights")
    return CANNOT if failed else DONE
