"""``sheet``: scoresheets through the command line."""

from pathlib import Path

import chess
import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.core.model import Fact, Payload, Reading, TableSetup
from bridge.core.scoresheet.pgn import to_pgn
from bridge.store.journal import Journal
from drivers.events import Snapshot
from tests.bridge.scoresheets import book, line, settled, stands, started


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    """A game in which an illegal move stands, and one that has just begun."""
    board = chess.Board()
    facts: list[Fact] = [started(setup=TableSetup(white="Łódzki, Żaneta"))]
    facts += [stands(board, "g1e3", "Ne3", 1)]
    facts += [settled(board, board.parse_san("e5"), 2)]
    records = [*book(*facts).records(), *book(*line("d4")).records()]
    path = tmp_path / "games.pgn"
    path.write_text("".join(map(to_pgn, records)), encoding="utf-8")
    return path


def sheet(*words: str | Path) -> int:
    return main(["sheet", *map(str, words)])


def test_every_game_gets_a_sheet(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = pgn.with_name("sheets.html")
    assert sheet(pgn, "--language", "de", "--form", "long", "--out", out) == DONE
    text = out.read_text(encoding="utf-8")
    assert text.count("<article") == 2
    assert ">Sg1-e3 †<" in text
    assert ">e7-e5<" in text
    assert ">d2-d4<" in text
    assert "Łódzki, Żaneta" in text
    assert capsys.readouterr().err == f"2 sheets in {out}\n"


def test_a_pdf_is_written(pgn: Path) -> None:
    out = pgn.with_name("sheets.PDF")
    assert sheet(pgn, "--out", out) == DONE
    assert out.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_files_of_other_programs_are_read(encoding: str, tmp_path: Path) -> None:
    source, out = tmp_path / "other.pgn", tmp_path / "other.html"
    source.write_text('[White "Müller"]\n\n1. e4 *\n', encoding=encoding)
    assert sheet(source, "--out", out) == DONE
    assert "<bdi>Müller</bdi>" in out.read_text(encoding="utf-8")


def test_letters_that_cannot_be_printed_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "other.pgn", tmp_path / "other.html"
    source.write_text('[White "山田"]\n\n1. e4 *\n', encoding="utf-8")
    assert sheet(source, "--out", out) == DONE
    assert "boxes stand for them: 山 田\n" in capsys.readouterr().err


def journal(path: Path) -> None:
    """Table 7 played two plies, table 8 none."""
    board, snapshots = chess.Board(), list[Payload]()
    for san in ("", "f4", "e5"):
        if san:
            board.push_san(san)
        pieces = (board.piece_at(square) for square in chess.SQUARES)
        cells = "".join(piece.symbol() if piece else "." for piece in pieces)
        snapshots.append(Snapshot(at=0, cells=cells))
    writing = Journal.open(path)
    for table, payloads in {"7": snapshots, "8": snapshots[:1]}.items():
        readings = [
            Reading(
                table=table,
                link=table,
                seq=number,
                at=5.0 * number,
                wall=1_790_000_000.0 + 5 * number,
                payload=payload,
            )
            for number, payload in enumerate([TableSetup(white=f"Anna {table}"), *payloads], 1)
        ]
        writing.submit(readings, lambda: None)
    writing.close()


def test_a_journal_gives_the_games_in_which_something_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "journal.sqlite3", tmp_path / "sheet.html"
    journal(source)
    assert sheet(source, "--out", out) == DONE
    assert capsys.readouterr().err == f"1 sheet in {out}\n"
    assert sheet(source, "--table", "7", "--form", "figurine", "--out", out) == DONE
    text = out.read_text(encoding="utf-8")
    assert ("Anna 7" in text, ">f4<" in text, ">e5<" in text) == (True, True, True)
    capsys.readouterr()
    assert sheet(source, "--table", "8", "--out", out) == NO
    assert capsys.readouterr().err == f"{source}: no game in which something was played\n"
    assert sheet(source, "--table", "9", "--out", out) == CANNOT
    assert "there is no table 9; tables: 7, 8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--out", "sheet.doc"], "sheet.doc: the name has to end in .pdf or .html"),
        (["--language", "xx", "--out", "s.pdf"], "no language 'xx'; languages: en, de"),
        (["--form", "xx", "--out", "s.pdf"], "no form 'xx'; forms: fide, long"),
        (["--table", "7", "--out", "s.pdf"], "--table chooses among the tables of a journal"),
    ],
)
def test_mistakes_are_named(
    pgn: Path, words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sheet(pgn, *words) == CANNOT
    assert why in capsys.readouterr().err
    assert not Path(words[-1]).exists()


def test_what_is_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "bad.pgn", tmp_path / "s.pdf"
    source.write_text("1. e4 e4 *", encoding="utf-8")
    assert sheet(source, "--out", out) == CANNOT
    assert f"{source}: game 1: illegal san: 'e4'" in capsys.readouterr().err
    source.write_text("", encoding="utf-8")
    assert sheet(source, "--out", out) == NO
    assert sheet(tmp_path / "none.pgn", "--out", out) == CANNOT
