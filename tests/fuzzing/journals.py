"""Files of our own that were damaged: journal, outbox, backup, accounts."""

import contextlib
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import chess
import msgspec

from bridge.core.model import LinkChange, Payload, Reading, Ruling, SetResult, TableSetup
from bridge.core.table import Table
from bridge.store.backup import LIST, check
from bridge.store.errors import BackupError, JournalError, OutboxError
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from bridge.store.rows import INSERT, _decode, read_journal, row_of, table_names
from bridge.store.salvage import Salvage
from bridge.store.schema import create
from bridge.web.accounts import Account, Accounts, add
from drivers.cells import cells_of
from drivers.events import (
    EMPTY,
    PIECES,
    UNKNOWN_CELLS,
    UNNAMED,
    ClockReading,
    Identity,
    Snapshot,
)
from tests.fuzzing.target import Target

CELLS = {*PIECES, EMPTY, UNNAMED, *UNKNOWN_CELLS}
PAYLOADS: tuple[Payload, ...] = (
    TableSetup(white="Kramer, Anna", black="Wang, Wei", time_control="5400+30"),
    LinkChange(state="live"),
    Identity(at=0.5, field="serial", value="30123"),
    Snapshot(at=1.0, cells=cells_of(chess.Board())),
    ClockReading(at=1.5, left_ms=300_000, right_ms=300_000, running=True, turn="left"),
    Ruling(by="Anna", order=SetResult(result="1-0"), reason="seen"),
)


def targets() -> dict[str, Target]:
    """Return a target for each of our own files, and one for what stands in the journal."""
    return {
        "journal": Target(_read_journal, lambda: [_database(_write_journal)]),
        "salvage": Target(_salvage, lambda: [_database(_write_long_journal)]),
        "outbox": Target(_read_outbox, lambda: [_database(_write_outbox)]),
        "backup": Target(_check_backup, lambda: [b'{"version":1,"made":"now","files":{}}']),
        "accounts": Target(_read_accounts, lambda: [_database(_write_accounts)]),
        "readings": Target(_fold, lambda: [b"\n".join(map(msgspec.json.encode, PAYLOADS))]),
    }


def _written(folder: str, data: bytes) -> Path:
    path = Path(folder, "made-up")
    path.write_bytes(data)
    return path


def _read_journal(data: bytes) -> None:
    """Read a database without changing it, then go on with it as a daemon would."""
    with tempfile.TemporaryDirectory() as folder:
        path = _written(folder, data)
        with contextlib.suppress(JournalError):
            table_names(path)
            for _ in read_journal(path):
                pass
        with contextlib.suppress(JournalError), Journal.open(path, window=0.0, retry=0.001) as one:
            one.last_at()


def _salvage(data: bytes) -> None:
    """Save what can be read: positions and the numbers of each link go on."""
    with tempfile.TemporaryDirectory() as folder:
        salvage = Salvage(_written(folder, data))
        saved = Path(folder, "saved")
        create(saved, salvage.into)
        ends: dict[str, int] = {}
        for _, reading in read_journal(saved):
            assert ends.get(reading.link, -1) < reading.seq
            ends[reading.link] = reading.seq
        assert salvage.in_words()


def _read_outbox(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = _written(folder, data)
        with contextlib.suppress(OutboxError), Outbox(path) as outbox:
            for output in outbox.outputs():
                outbox.waiting(output)
            outbox.put("lichess", {"game": b"e4"})


def _check_backup(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _written(folder, data).rename(Path(folder, LIST))
        with contextlib.suppress(BackupError):
            check(Path(folder))


def _read_accounts(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts(_written(folder, data))
        accounts.find("Anna")
        accounts.of_token("a token")


def _fold(data: bytes) -> None:
    """Fold payloads as they might stand in a journal, one a line."""
    table = Table("1")
    for seq, line in enumerate(data.split(b"\n"), start=1):
        try:
            payload = _decode(line)
        except (UnicodeError, msgspec.DecodeError, RecursionError):
            continue
        if not _is_of_a_board(payload):
            continue
        at = 1.0 * seq
        table.apply(Reading(table="1", link="1", seq=seq, at=at, wall=at, payload=payload))
        table.tick(at + 0.5)


def _is_of_a_board(payload: Payload) -> bool:
    """Whether squares and men are such as codecs may tell, see the promises of all codecs."""
    cells, square = getattr(payload, "cells", UNKNOWN_CELLS), getattr(payload, "square", 0)
    return len(cells) == len(UNKNOWN_CELLS) and set(cells) <= CELLS and square in chess.SQUARES


# --- good ones ------------------------------------------------------------------------------------


def _database(write: Callable[[Path], None]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "good")
        write(path)
        return path.read_bytes()


def _write_journal(path: Path) -> None:
    durable = threading.Event()
    with Journal.open(path) as journal:
        journal.submit(
            [
                Reading(table="1", link="1", seq=seq, at=seq, wall=seq, payload=payload)
                for seq, payload in enumerate(PAYLOADS, start=1)
            ],
            durable.set,
        )
        durable.wait()


def _write_long_journal(path: Path) -> None:
    """Write one of many small pages, with a row that is longer than a page."""
    long = Ruling(by="Anna", order=SetResult(result="1-0"), reason="seen " * 200)
    payloads = [*PAYLOADS, *PAYLOADS, long, *PAYLOADS]

    def fill(connection: sqlite3.Connection) -> None:
        for seq, payload in enumerate(payloads, start=1):
            row = Reading(table="1", link="1", seq=seq, at=seq, wall=seq, payload=payload)
            connection.execute(INSERT, row_of(row))

    create(path, fill)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM"):
            connection.execute(statement)


def _write_outbox(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("lichess", {"game 1": b"e4", "game 2": b"d4"}, notes={"far": "7"})


def _write_accounts(path: Path) -> None:
    add(path, Account(name="Anna", role="arbiter", password="scrypt$4$8$1$aa$bb", tokens=("ab",)))
