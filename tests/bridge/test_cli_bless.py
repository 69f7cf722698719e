"""``bless`` with simulated boards on real ptys: kings are lifted, and tables are learnt."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, INTERRUPTED, NO
from drivers.simulated.dgt import DgtBoard, Passport
from tests.served import HASTY, Served, served

KING = chess.Piece.from_symbol("K")


class Boards:
    """Boards in the start position, and their white kings."""

    def __init__(self, served: Served, folder: Path, serials: list[str]) -> None:
        self._served = served
        self._boards = [DgtBoard(Passport(serial=serial)) for serial in serials]
        for serial, board in zip(serials, self._boards, strict=True):
            served.plug(folder / f"board-{serial}", board)
        self.ports = served.ports

    def lift(self, number: int, square: int = chess.E1) -> None:
        board = self._boards[number]
        self._served.act(self.ports[number], lambda at: board.lift(square, at=at))

    def put_back(self, number: int) -> None:
        board = self._boards[number]
        self._served.act(self.ports[number], lambda at: board.put(chess.E1, KING, at=at))


@pytest.fixture
def boards(tmp_path: Path) -> Iterator[Boards]:
    with served() as boards:
        yield Boards(boards, tmp_path, ["30001", "30002", "00000"])


def start(
    boards: Boards, *arguments: str, stdin: int = subprocess.DEVNULL
) -> "subprocess.Popen[str]":
    ports = [word for port in boards.ports for word in ("--at", str(port.path))]
    return subprocess.Popen(
        [*HASTY, "bless", *arguments, *ports],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process: "subprocess.Popen[str]", text: str) -> str:
    assert process.stderr is not None
    return next(line for line in process.stderr if text in line)


def test_several_tables_in_one_go(boards: Boards, tmp_path: Path) -> None:
    with start(boards, "7", "8", "9", "--into", str(tmp_path / "hall.yaml")) as process:
        wait_for(process, "table 7: lift the white king on its board")
        boards.lift(1)
        assert "dgt 30002 at serial:" in wait_for(process, "put the king back")
        boards.put_back(1)
        wait_for(process, "table 8: lift")
        boards.lift(1)
        wait_for(process, "this board is table 7 already")
        boards.put_back(1)
        boards.lift(0)
        boards.lift(2)
        wait_for(process, "kings are up on 2 boards: put all back, then lift one")
        boards.put_back(2)
        wait_for(process, "table 8: dgt 30001")
        boards.put_back(0)
        wait_for(process, "table 9: lift")
        boards.lift(2)
        wait_for(process, "table 9: dgt 00000 at")
        boards.put_back(2)
        out, error = process.communicate(timeout=60)
    expected = (
        "tables:\n"
        '  - table: "7"\n    board: {driver: "dgt", serial: "30002"}\n'
        '  - table: "8"\n    board: {driver: "dgt", serial: "30001"}\n'
        f'  - table: "9"\n    board: {{driver: "dgt", port: "serial:{tmp_path}/board-00000"}}\n'
    )
    assert (process.returncode, out) == (DONE, expected)
    assert (tmp_path / "hall.yaml").read_text() == expected
    assert "hall.yaml: written" in error


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_may_be_stopped_at_any_time(
    number: signal.Signals, boards: Boards, tmp_path: Path
) -> None:
    config = tmp_path / "hall.yaml"
    config.write_text("tables: [{table: 7}]\n")
    with start(boards, "7", "8", "--into", str(config)) as process:
        wait_for(process, "table 7: lift")
        boards.lift(0)
        wait_for(process, "put the king back")
        process.send_signal(number)
        out, error = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert 'serial: "30001"' in out
    assert "Traceback" not in error
    assert config.read_text() == "tables: [{table: 7}]\n"


def test_a_file_that_is_there_is_not_changed_unasked(boards: Boards, tmp_path: Path) -> None:
    config = tmp_path / "hall.yaml"
    config.write_text("tables: [{table: 7}]\n")
    with start(boards, "7", "--into", str(config)) as process:
        wait_for(process, "table 7: lift")
        boards.lift(0)
        wait_for(process, "put the king back")
        boards.put_back(0)
        _, error = process.communicate(timeout=60)
    assert process.returncode == NO
    assert "not changed, since nobody can be asked" in error
    assert config.read_text() == "tables: [{table: 7}]\n"


def test_a_board_that_is_not_set_up_is_named(boards: Boards) -> None:
    boards.lift(0, chess.A2)
    with start(boards, "7") as process:
        assert "dgt 30001 at serial:" in wait_for(process, "not in the start position")
        wait_for(process, "table 7: lift")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (INTERRUPTED, "")


def test_nobody_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bless", "7", "--at", str(tmp_path / "none")]) == CANNOT
    assert capsys.readouterr().err.startswith("no board answers; 'eboard-bridge discover' says why")


def test_a_folder_that_is_not_there_is_said_before_anybody_walks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bless", "7", "--into", str(tmp_path / "none" / "hall.yaml")]) == CANNOT
    assert "none: there is no such folder; make it" in capsys.readouterr().err


def test_what_no_table_can_be_called_is_said_before_anybody_walks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bless", "7", "a/b"]) == CANNOT
    assert capsys.readouterr().err == (
        "'a/b' is no table; write a name of up to 40 characters without / \\ or :\n"
    )


@pytest.mark.parametrize(
    ("content", "says"), [(b"tables: 7\n", "'tables' is '7'"), (b"\xff", "not UTF-8")]
)
def test_a_file_that_is_wrong_is_refused_before_anybody_walks(
    content: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "hall.yaml"
    config.write_bytes(content)
    assert main(["bless", "7", "--into", str(config)]) == CANNOT
    assert says in capsys.readouterr().err
    assert config.read_bytes() == content


@pytest.mark.parametrize(
    ("typed", "code"), [("y\n", DONE), ("\n", NO), ("no\n", NO)], ids=["yes", "return", "no"]
)
def test_whoever_is_asked_decides(
    typed: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from bridge.cli import bless

    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return typed

    monkeypatch.setattr(sys, "stdin", Terminal())
    config = tmp_path / "hall.yaml"
    before = "tables: [{table: 7}]\n"
    config.write_text(before)
    found = {"7": {"driver": "dgt", "serial": "30001"}}
    assert bless._write(config, before, found) == code
    assert f"change the boards of 7 in {config}? [y/N]" in capsys.readouterr().err
    assert ("30001" in config.read_text()) is (code == DONE)


def test_a_file_that_was_changed_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bridge.cli import bless

    config = tmp_path / "hall.yaml"

    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            config.write_text("tables: [{table: 8}]\n")
            return "y\n"

    monkeypatch.setattr(sys, "stdin", Terminal())
    found = {"7": {"driver": "dgt", "serial": "30001"}}
    assert bless._write(config, "tables: [{table: 7}]\n", found) == NO
    assert "somebody else has changed it" in capsys.readouterr().err
    assert config.read_text() == "tables: [{table: 8}]\n"
