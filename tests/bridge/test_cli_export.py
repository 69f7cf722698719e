"""``export``: games and readings of a journal, through the command line."""

import contextlib
import io
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
import chess.pgn
import msgspec
import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.core.model import CorrectMoves, Payload, Reading, ResultOrder, Ruling, TableSetup
from bridge.store.journal import Journal
from drivers.events import Snapshot

BEGAN = 1_790_000_000.0
STEP = 5.0


def cells(board: chess.Board) -> str:
    pieces = (board.piece_at(square) for square in chess.SQUARES)
    return "".join(piece.symbol() if piece else "." for piece in pieces)


def game(setup: TableSetup, moves: str, *orders: Payload) -> Iterator[Payload]:
    board = chess.Board()
    yield setup
    yield Snapshot(at=0, cells=cells(board))
    for san in moves.split():
        board.push_san(san)
        yield Snapshot(at=0, cells=cells(board))
    yield from orders


def readings(table: str, payloads: Sequence[Payload]) -> list[Reading]:
    return [
        Reading(
            table=table,
            link=f"dgt-{table}",
            seq=number,
            at=number * STEP,
            wall=BEGAN + number * STEP,
            payload=payload,
        )
        for number, payload in enumerate(payloads, 1)
    ]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Table B at board 1 played two games, table A at board 2 one, table C none."""
    path = tmp_path / "journal.sqlite3"
    mate = "f3 e5 g4 Qh4#"
    tables = {
        "A": game(TableSetup(board=2, white="Anna"), "d4 d5 c4", ResultOrder(result="1-0")),
        "B": [
            *game(TableSetup(board=1, white="Ben"), mate),
            *game(TableSetup(board=1, white="Ben"), "e4 e5 Nf3"),
        ],
        "C": game(TableSetup(board=3, white="Cem"), ""),
    }
    writing = Journal.open(path)
    for table, payloads in tables.items():
        writing.submit(readings(table, list(payloads)), lambda: None)
    writing.close()
    return path


def games(text: str) -> list[tuple[str, str, str]]:
    """Return White, moves and result of each game."""
    file, found = io.StringIO(text), []
    while read := chess.pgn.read_game(file):
        moves = read.board().variation_san(read.mainline_moves()) if read.mainline_moves() else ""
        found.append((read.headers["White"], moves, read.headers["Result"]))
    return found


MATE = ("Ben", "1. f3 e5 2. g4 Qh4#", "0-1")
OPEN = ("Ben", "1. e4 e5 2. Nf3", "*")
ORDERED = ("Anna", "1. d4 d5 2. c4", "1-0")


def test_games_are_written_in_board_order(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "all.pgn"
    assert main(["export", str(journal), "--pgn", str(out)]) == DONE
    assert games(out.read_text(encoding="utf-8")) == [MATE, ORDERED, OPEN]
    output = capsys.readouterr()
    assert (output.out, output.err.splitlines()) == (
        "",
        ["left out: 1 game in which nothing was played", f"3 games in {out}"],
    )


def test_one_table_and_one_game(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(journal), "--pgn", "-", "--table", "B"]) == DONE
    assert games(capsys.readouterr().out) == [MATE, OPEN]
    assert main(["export", str(journal), "--pgn", "-", "--table", "B", "--game", "2"]) == DONE
    assert games(capsys.readouterr().out) == [OPEN]


def test_no_such_game_is_the_answer_no(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "none.pgn"
    assert main(["export", str(journal), "--pgn", str(out), "--game", "9"]) == NO
    assert capsys.readouterr().err == f"{journal}: no such game\n"
    assert not out.exists()


def test_readings_are_json_lines(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(journal), "--readings", "--table", "A"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    found = [msgspec.json.decode(line, type=Reading) for line in lines]
    assert [reading.seq for reading in found] == [1, 2, 3, 4, 5, 6]
    assert found[-1].payload == ResultOrder(result="1-0")
    assert main(["export", str(journal), "--readings"]) == DONE
    assert len(capsys.readouterr().out.splitlines()) == 6 + 6 + 5 + 2


def test_an_empty_journal_has_no_readings(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    Journal.open(path).close()
    assert main(["export", str(path), "--readings"]) == NO


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--readings", "--table", "Z"], "there is no table Z; tables: A, B, C"),
        (["--readings", "--game", "1"], "--game chooses among games; it cannot be used with"),
        (["--pgn", "/nowhere/at/all.pgn"], "/nowhere/at/all.pgn: No such file or directory"),
        ([], "one of the arguments --pgn --readings is required"),
        (["--pgn", "-", "--game", "0"], "'0' is not a whole number of 1 or more"),
        (["--pgn", "-", "--game", "one"], "'one' is not a whole number of 1 or more"),
    ],
)
def test_what_cannot_be_exported(
    arguments: list[str], complaint: str, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(journal), *arguments]) == CANNOT
    assert complaint in capsys.readouterr().err


def test_a_journal_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "journal.sqlite3"
    assert main(["export", str(path), "--readings"]) == CANNOT
    assert capsys.readouterr().err == (
        f"{path}: no such file; name the journal, as data/journal.sqlite3\n"
    )
    path.write_bytes(b"no database at all" * 100)
    assert main(["export", str(path), "--readings"]) == CANNOT
    assert capsys.readouterr().err == f"{path} is no journal; name one, as data/journal.sqlite3\n"
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE other (name TEXT)")
    assert main(["export", str(path), "--readings"]) == CANNOT
    assert capsys.readouterr().err.startswith(f"journal {path} cannot be read")


def test_games_are_written_as_an_arbiter_corrected_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.sqlite3"
    right = CorrectMoves(first=3, count=1, moves=("Nc3",))
    ruling = Ruling(by="A. Arbiter", reason="both players agree", order=right)
    payloads = [*game(TableSetup(white="Anna"), "e4 e5 Nf3"), ruling]
    with Journal.open(path) as writing:
        writing.submit(readings("A", payloads), lambda: None)
    assert main(["export", str(path), "--pgn", "-"]) == DONE
    text = capsys.readouterr().out
    assert games(text) == [("Anna", "1. e4 e5 2. Nc3", "*")]
    assert "agree" not in text
    assert main(["export", str(path), "--readings"]) == DONE
    last = capsys.readouterr().out.splitlines()[-1]
    assert msgspec.json.decode(last, type=Reading).payload == ruling
