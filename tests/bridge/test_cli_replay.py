"""``replay`` of a game recorded from a real board, with made-up times."""

import json
import re
from pathlib import Path

import chess.pgn
import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.store.rows import read_journal
from tests.shared import shared

MESSAGE_EVERY = 0.4
"""Seconds between the messages of the capture, which came without times."""


@pytest.fixture(scope="module")
def played() -> list[str]:
    text = shared("protocols/captures/dgt_usb_game1.uci").read_text()
    return re.findall(r"\b[a-h][1-8][a-h][1-8][qrbn]?\b", text)


@pytest.fixture(scope="module")
def records() -> str:
    lines = shared("protocols/captures/dgt_usb_game1_normal.hex").read_text().splitlines()
    messages = [line for line in lines if not line.startswith("#")]
    return "".join(f"< {n * MESSAGE_EVERY:.3f} {data}\n" for n, data in enumerate(messages))


@pytest.fixture
def capture(tmp_path: Path, records: str, played: list[str]) -> Path:
    path = tmp_path / "game.capture"
    path.write_text(f"# Driver: dgt\n# Played-UCI: {' '.join(played)}\n{records}")
    return path


def test_the_moves_that_were_played(
    capture: Path, played: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pgn, events, journal = (tmp_path / name for name in ("out.pgn", "events.jsonl", "kept.sqlite3"))
    arguments = ["--uci", "--pgn", str(pgn), "--events", str(events), "--journal", str(journal)]
    assert main(["replay", str(capture), *arguments]) == DONE
    out, err = capsys.readouterr()
    assert (out.split(), err) == (played, "")
    with pgn.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert game.errors == []
    assert [move.uci() for move in game.mainline_moves()] == played
    assert all("%clk" in node.comment for node in game.mainline())
    kinds = [json.loads(line)["kind"] for line in events.read_text().splitlines()]
    assert kinds[:2] == ["TableSetup", "Snapshot"]
    assert len(kinds) == 456
    assert [r.seq for _, r in read_journal(journal, "1", 0)] == list(range(1, 457))


def test_a_header_that_tells_something_else(
    capture: Path, played: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = capture.read_text()
    capture.write_text(text.replace(" f3e5 ", " f3d4 "))
    assert main(["replay", str(capture)]) == NO
    assert capsys.readouterr().err == f"{capture}: ply 47: f3d4 was played, f3e5 was found\n"
    capture.write_text(text.replace(" g5f6\n", "\n"))
    assert main(["replay", str(capture)]) == NO
    assert "ply 57: nothing more was played, g5f6 was found" in capsys.readouterr().err
    capture.write_text(text.replace(" g5f6\n", " g5f6 g7f6\n"))
    assert main(["replay", str(capture)]) == NO
    assert "ply 58: g7f6 was played, nothing was found" in capsys.readouterr().err


def test_the_worst_answer_counts(capture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = capture.with_name("other.capture")
    other.write_text(re.sub("# Played-UCI.*", "# Played: e4 c5", capture.read_text()))
    assert main(["replay", str(capture), str(other), str(capture)]) == NO
    assert capsys.readouterr().err == f"{other}: ply 2: c5 was played, e5 was found\n"


def test_without_a_statement_nothing_is_compared(capture: Path) -> None:
    capture.write_text(re.sub("# Played-UCI.*\n", "", capture.read_text()))
    assert main(["replay", str(capture)]) == DONE


def test_an_unreadable_line(capture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = capture.read_text().splitlines(keepends=True)
    lines.insert(5, "< soon 8d 00\n")
    capture.write_text("".join(lines))
    assert main(["replay", str(capture)]) == CANNOT
    assert capsys.readouterr().err.startswith(f"{capture}:6: not a record")
    assert main(["replay", "--lenient", str(capture)]) == DONE
    assert capsys.readouterr().err.startswith(f"passed over: {capture}:6: not a record")


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "absent.capture"
    assert main(["replay", str(path)]) == CANNOT
    assert capsys.readouterr().err.startswith(f"{path}: No such file or directory")


def test_an_unknown_driver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.capture"
    path.write_text("# Driver: dgtt\n< 0.000 86\n")
    assert main(["replay", str(path)]) == CANNOT
    assert "did you mean 'dgt'?" in capsys.readouterr().err


def test_a_journal_is_never_written_over(
    capture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.sqlite3"
    kept.write_text("precious")
    assert main(["replay", str(capture), "--journal", str(kept)]) == CANNOT
    assert "exists already: name a new file" in capsys.readouterr().err
    assert kept.read_text() == "precious"
    busy = tmp_path / "no-folder" / "kept.sqlite3"
    (tmp_path / "no-folder").touch()
    assert main(["replay", str(capture), "--journal", str(busy)]) == CANNOT
    assert "cannot be used" in capsys.readouterr().err
