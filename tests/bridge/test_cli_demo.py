"""The demo as people run it, and the comparison it ends with."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pytest

from bridge.cli import main
from bridge.cli.compare import Played, compare
from bridge.cli.demo import PAGE_PORT, _port, write_config
from bridge.cli.frame import CANNOT, DONE, INTERRUPTED, NO
from bridge.config import load
from bridge.store.journal import Journal
from tests.livechess import free_port

PGN = """\
[Event "?"]
[Result "{result}"]

1. e4 {{[%clk 0:05:02]}} 1... e5 {{[%clk 1:00:03] [%clksrc estimated]}} 2. Nf3{rest} {result}

"""
PLAYED = Played(("e2e4", "e7e5", "g1f3"), (302_000, 999_000, 300_000), "1-0")


def demo(folder: Path, *more: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "bridge", "demo", "--games", "special", "--folder"]
    return subprocess.Popen(
        [*command, str(folder), *more],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def eventually(true: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.05)


@pytest.mark.timeout(240)
def test_the_demo_is_exact(tmp_path: Path) -> None:
    with demo(tmp_path / "demo") as process:
        out, err = process.communicate(timeout=200)
    assert (process.returncode, err) == (DONE, "")
    head, row = out.splitlines()[-2:]
    assert head.split() == ["game", "plies", "estimated", "times", "compared", "file"]
    path = tmp_path / "demo" / "games" / "1" / "1-1.pgn"
    assert row.split() == ["special", "57", "0", "exact", str(path)]
    with path.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert game.headers["White"] == "Left, Hand"
    assert game.end().ply() == 57


@pytest.mark.timeout(120)
def test_interrupted_in_the_middle(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    path = folder / "games" / "1" / "1-1.pgn"
    with demo(folder) as process:
        eventually(lambda: path.exists() and "2. " in path.read_text("utf-8"), "two moves")
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=15)
    assert process.returncode == INTERRUPTED
    assert err == f"interrupted; what was recorded is in {folder}\n"
    with pytest.raises(ProcessLookupError):  # nobody of the group is left
        os.killpg(process.pid, 0)
    with path.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert game.errors == []
    assert game.headers["Result"] == "*"
    truth = json.loads((folder / "truth.json").read_text("utf-8"))["boards"][0]
    moves = [move.uci() for move in game.mainline_moves()]
    assert len(moves) >= 3
    assert moves == truth["moves"][: len(moves)]
    notes: list[str] = []
    Journal.open(folder / "data" / "journal.sqlite3", note=notes.append).close()
    assert notes == []


@pytest.mark.timeout(120)
def test_played_on_until_stopped_with_a_page(tmp_path: Path) -> None:
    folder, port = tmp_path / "demo", free_port()
    address = f"http://127.0.0.1:{port}/"
    with demo(folder, "--keep", "--port", str(port)) as process:
        eventually(lambda: "demo" in fetched(f"{address}api/v1/event"), "the page is served")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=15)
    assert (process.returncode, err) == (DONE, "")
    first, second, *_, last = out.splitlines()
    assert first == f"the boards on a web page: {address}"
    assert re.fullmatch("arbiters log in there as arbiter with the password [0-9a-f]{12}", second)
    assert last == f"stopped; what was recorded is in {folder}"


def fetched(address: str) -> str:
    try:
        with urllib.request.urlopen(address, timeout=5) as response:  # noqa: S310 - our own server
            text: str = response.read().decode()
            return text
    except OSError:
        return ""


def test_another_port_is_taken_where_the_usual_one_is_busy() -> None:
    with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", PAGE_PORT)):
        assert _port(None) != PAGE_PORT
    assert _port(81) == 81


def test_a_folder_with_something_in_it_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious").touch()
    assert main(["demo", "--folder", str(tmp_path)]) == CANNOT
    assert capsys.readouterr().err == f"{tmp_path} is not empty: name a new folder with --folder\n"
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


def test_boards_that_do_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text("import sys\nif '--seed' in sys.argv: sys.exit(3)\n")
    command = [sys.executable, "-m", "bridge", "demo", "--folder", str(tmp_path / "demo")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == CANNOT
    assert "the simulated boards did not start; see the messages above" in done.stderr


def test_the_configuration_of_the_demo_is_a_valid_one(tmp_path: Path) -> None:
    boards = [
        {"name": f"board-{n}", "game": game, "time_control": "300+3"}
        for n, game in enumerate(("immortal", "opera"), start=1)
    ]
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "board-2").symlink_to("/dev/pts/99")
    config = load(write_config(tmp_path, {"boards": boards}, 8081))
    assert config.web is not None
    assert config.web.address == "http://127.0.0.1:8081/"
    assert [table.black.name for table in config.tables] == [
        "Kieseritzky, Lionel",
        "Duke of Brunswick:Count Isouard",
    ]
    assert config.tables[1].board.port == f"serial:{tmp_path.resolve()}/dev/board-2"


# --- the comparison -------------------------------------------------------------------------------


def pgn(rest: str = " {[%clk 0:05:00]}", result: str = "1-0") -> str:
    return PGN.format(rest=rest, result=result)


def test_an_exact_game() -> None:
    assert compare(pgn(), PLAYED) == (3, 1, ())


@pytest.mark.parametrize(
    ("text", "difference"),
    [
        (pgn(result="0-1"), "result 0-1, not 1-0"),
        (pgn(rest=""), "ply 3: no clock time"),
        (pgn(rest=" {[%clk 0:05:01]}"), "ply 3: clock 301 s was written, 300 s shown"),
        (pgn().replace("Nf3", "Nc3"), "ply 3: b1c3 was written, g1f3 was played"),
        (pgn(rest=" {[%clk 0:05:00]} 2... d6"), "4 plies were written, 3 were played"),
        (pgn().replace("2. Nf3 {[%clk 0:05:00]}", ""), "2 plies were written, 3 were played"),
        (pgn().replace("Nf3", "Nf6"), "unreadable: illegal san: 'Nf6'"),
        ("", "there is no game in the file"),
    ],
)
def test_every_difference_is_named(text: str, difference: str) -> None:
    assert any(found.startswith(difference) for found in compare(text, PLAYED).differences)


def test_exit_code_when_a_game_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from bridge.cli.demo import _compare

    board = {"game": "special", "moves": PLAYED.moves, "clock_ms": PLAYED.clock_ms}
    truth = {"boards": [board | {"result": "1-0"}, board | {"result": "1-0"}]}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    games = tmp_path / "games"
    (games / "1").mkdir(parents=True)
    (games / "1" / "1-1.pgn").write_text(pgn())
    assert _compare(tmp_path, games) == NO
    _, exact, missing = capsys.readouterr().out.splitlines()
    assert exact.split()[:4] == ["special", "3", "1", "exact"]
    assert "no file was written" in missing
