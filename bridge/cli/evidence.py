"""``evidence``: what is known of one table, in one file that can be sent with a report."""

import argparse
import os
import platform
import time
import zipfile
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bridge.cli.frame import DONE, NO, CannotError, Commands, complain, counted, say

if TYPE_CHECKING:
    from bridge.config import Config, TableSettings

_PACKAGES = ("eboard-bridge", "aiohttp", "bleak", "chess", "msgspec", "pyserial", "pyusb")


class _Range(NamedTuple):
    """Unix times, both included."""

    start: float
    end: float


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "evidence",
        run,
        summary="put what is known of one table into one file, for a report",
        description="Reads the journal, also while eboard-bridge is running on it, and writes a "
        "ZIP file with the readings of a table, the facts that follow from them, the raw bytes of "
        "its lines as far as they are kept, versions, and the table's settings. No option, "
        "password or token is in it; names of players are. With the whole time of a table the "
        "readings can be followed anew. Ends with 1 if there is no reading of that time.",
        examples=[
            "evidence hall.yaml 7 --out table7.zip",
            "evidence hall.yaml 7 --from 2026-11-20T14:00 --to 2026-11-20T14:30 --out t7.zip",
        ],
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument("table", metavar="TABLE", help="name of the table")
    for name, about in (("from", "nothing before"), ("to", "nothing after")):
        parser.add_argument(
            f"--{name}",
            dest=f"{name}_time",
            type=_moment,
            metavar="TIME",
            help=f"{about} this time, local unless it names a zone, as in 2026-11-20T14:30",
        )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the new ZIP file")


def run(args: argparse.Namespace) -> int:
    """Write the file; it is for its owner alone, and never in place of another."""
    from bridge.cli.export import tables_of
    from bridge.config import load
    from bridge.store.captures import captures_of

    config = load(args.config)
    if not config.data.journal.exists():
        raise CannotError(f"{config.data.journal}: there is none yet; nothing was recorded")
    tables_of(config.data.journal, args.table)
    chosen = _Range(args.from_time or 0.0, args.to_time or time.time())
    readings, facts = _told(config.data.journal, args.table, chosen)
    if not readings:
        complain(f"table {args.table}: there is no reading of that time")
        return NO
    captures = list(captures_of(config, args.table, chosen.start))
    try:
        descriptor = os.open(args.out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with (
            os.fdopen(descriptor, "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle,
        ):
            bundle.writestr("about.json", _about(config, args.table, chosen))
            bundle.writestr("readings.jsonl", b"".join(readings))
            bundle.writestr("facts.jsonl", b"".join(facts))
            for capture in captures:
                bundle.write(capture, f"captures/{capture.name}")
    except FileExistsError:
        raise CannotError(f"{args.out} is there already; name another file") from None
    except OSError as error:
        raise CannotError(f"{args.out} cannot be written: {error.strerror}") from error
    amounts = {"reading": len(readings), "fact": len(facts), "capture": len(captures)}
    said = ", ".join(counted(number, thing) for thing, number in amounts.items())
    say(f"{args.out}: {said}")
    return DONE


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time like 2026-11-20T14:30") from None


def _told(journal: Path, name: str, chosen: _Range) -> tuple[list[bytes], list[bytes]]:
    """Return readings and facts of a time as lines; all readings before it are folded too."""
    import msgspec

    from bridge.core.table import Table
    from bridge.store.rows import read_journal

    encode = msgspec.json.Encoder().encode
    table = Table(name)
    readings, facts = [], []
    for _, reading in read_journal(journal, name):
        if reading.wall > chosen.end:
            break
        found = table.apply(reading)
        if reading.wall >= chosen.start:
            readings.append(encode(reading) + b"\n")
            facts += [encode(fact) + b"\n" for fact in found]
    return readings, facts


def _about(config: "Config", name: str, chosen: _Range) -> bytes:
    import msgspec

    def version_of(package: str) -> str | None:
        try:
            return version(package)
        except PackageNotFoundError:
            return None

    settings = next((each for each in config.tables if each.table == name), None)
    about = {
        "table": name,
        "from": datetime.fromtimestamp(chosen.start, UTC).isoformat(),
        "to": datetime.fromtimestamp(chosen.end, UTC).isoformat(),
        "versions": {package: version_of(package) for package in _PACKAGES},
        "python": platform.python_version(),
        "system": platform.platform(),
        "settings": settings and _settings(settings),
    }
    return msgspec.json.format(msgspec.json.encode(about), indent=2)


def _settings(table: "TableSettings") -> dict[str, object]:
    """Return what may be shown of settings: of options, which may be secret, only the names."""
    board, clock = table.board, table.own_clock
    return {
        "board": {"driver": board.driver, "port": board.port, "options": sorted(board.options)},
        "clock": clock and {"driver": clock.driver, "options": sorted(clock.options)},
    }
