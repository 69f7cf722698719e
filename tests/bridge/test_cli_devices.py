"""``discover`` and ``record`` with simulated boards on real ptys, through the command line."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.cli.recording import show
from drivers.capture import parse
from drivers.events import Battery, BoardLog, Noise, Notice
from drivers.simulated.dgt import DgtBoard, Passport
from tests.ptys import on_terminal
from tests.served import HASTY, served

COMMAND = Path(sys.executable).with_name("eboard-bridge")
SERIAL = "31234"
LONG_SERIAL = "3000031234"


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("bridge.links.discovery.LISTEN_SECONDS", 0.1)
    dgt = DgtBoard(Passport(serial=SERIAL, long_serial=LONG_SERIAL))
    with served() as boards:
        yield boards.plug(tmp_path / "usb-DGT_Chessboard-if00", dgt).path


@pytest.mark.parametrize("prefix", ["", "serial:"])
def test_a_board_is_discovered_at_an_address(
    prefix: str, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = board.with_name("absent")
    assert main(["discover", f"{prefix}{board}", str(absent)]) == DONE
    head, found, missing = capsys.readouterr().out.splitlines()
    assert head.split() == ["port", "driver", "serial", "firmware", "remark"]
    assert found.split() == [f"serial:{board}", "dgt", SERIAL, "/", LONG_SERIAL, "3.1"]
    assert missing.split()[:4] == [f"serial:{absent}", "-", "-", "-"]
    assert "there is no such port; plug the board in" in missing


def test_a_board_is_discovered_by_a_pattern(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "hall.yaml"
    config.write_text(f"tables: [{{table: 1}}]\nports: ['{board.parent}/usb-*']\n")
    assert main(["discover", "--config", str(config)]) == DONE
    assert f"serial:{board}" in capsys.readouterr().out


def test_a_simulated_board_is_discovered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["discover", "simulated:dgt/5"]) == DONE
    assert "simulated:dgt/5  dgt     20005 / 0000020005" in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_boards_are_watched_until_an_interruption(number: signal.Signals, board: Path) -> None:
    command = [*HASTY, "discover", "--watch", "--ports", f"{board.parent}/usb-*"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = next(line for line in process.stdout if str(board) in line)
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    time, what, port, driver, *serials = line.split()
    assert time.count(":") == 2
    assert (what, port, driver) == ("came", f"serial:{board}", "dgt")
    assert serials == [SERIAL, "/", LONG_SERIAL]
    assert (process.returncode, "Traceback" in error) == (DONE, False)


def test_no_board_is_the_answer_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "port"
    file.touch()
    assert main(["discover", str(file)]) == NO
    assert f"serial:{file}  -" in capsys.readouterr().out


def test_an_address_that_means_nothing_cannot_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["discover", "ttyUSB0"]) == CANNOT
    assert capsys.readouterr().err.startswith("'ttyUSB0': an address begins with one of serial:")


def test_a_recording_is_a_capture_that_says_what_it_is(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "captures"
    arguments = ["--folder", str(folder), "--seconds", "2", "--played", "e4 e5", "--board", "Sim"]
    assert main(["record", str(board), *arguments]) == DONE
    output = capsys.readouterr()
    (file,) = folder.glob("*.capture")
    assert output.out == f"{file}\n"
    capture = parse(file.read_bytes(), name=file.name)
    assert capture.played == ("e4", "e5")
    assert (capture.header["Board"], capture.header["Line"]) == ("Sim", "9600 8N1")
    assert "Contributor" not in capture.header
    received = sum(len(record.data) for record in capture.records if record.direction == "<")
    first, last = output.err.splitlines()
    assert first == "the board answers; Ctrl-C ends the recording"
    assert last.startswith(f"{received} bytes, ")
    assert last.endswith(" messages, 0 pieces of noise")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_a_recording_well(
    number: signal.Signals, board: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "captures"
    command = [str(COMMAND), "record", str(board), "--folder", str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "the board answers; Ctrl-C ends the recording\n"
        process.send_signal(number)
        out, error = process.communicate(timeout=60)
    (file,) = folder.glob("*.capture")
    assert (process.returncode, out) == (DONE, f"{file}\n")
    assert "Traceback" not in error
    assert parse(file.read_bytes(), name=file.name).driver == "dgt"


@pytest.mark.parametrize(
    ("port", "said"),
    [
        ("COM3", "'COM3': an address begins with one of serial:, usb:"),
        ("usb:1-1", "'usb:1-1': a dgt board is no USB HID device"),
    ],
)
def test_an_address_that_never_comes_true_is_not_waited_for(
    port: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", port, "--folder", str(tmp_path)]) == CANNOT
    assert capsys.readouterr().err.startswith(said)


def test_a_recording_without_a_board_is_the_answer_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = tmp_path / "absent"
    assert main(["record", str(absent), "--folder", str(tmp_path), "--seconds", "0.2"]) == NO
    output = capsys.readouterr()
    assert (output.out, output.err.splitlines()[-1]) == (
        "",
        "0 bytes, 0 messages, 0 pieces of noise",
    )


def test_a_board_answers_what_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it tells in any case is not shown, and nothing is asked before it answers."""
    asked = ["--ask", "battery", "--ask", "stored game", "--driver", "chessnut"]
    arguments = ["--folder", str(tmp_path), "--seconds", "4"]
    assert main(["record", "simulated:chessnut", *asked, *arguments]) == DONE
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith("battery: ") and line.endswith("%") for line in said), said
    assert any(line.endswith(" entries") for line in said), said


def test_what_a_board_says_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for event in (
        Battery(at=0.0, percent=7, charging=True),
        BoardLog(at=0.0, entries=("one", "two"), complete=False),
        Notice(at=0.0, text="7.4 V"),
        Noise(at=0.0, data="00", why="none"),
    ):
        show(event)
    said = ["battery: 7 %, charging", "one", "two", "2 entries, not all of them", "7.4 V"]
    assert capsys.readouterr().out.splitlines() == said


def test_a_command_that_boards_have_not_opens_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", str(tmp_path / "absent"), "--ask", "coffee"]) == CANNOT
    said = capsys.readouterr().err
    assert said.startswith("dgt: there is no command 'coffee', only dump, clock, battery, log")


def test_any_board_is_recorded_where_no_port_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["record", "--seconds", "0.2"]) in {DONE, NO}


def test_an_unknown_driver_cannot_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--driver", "dtg"]) == CANNOT
    assert capsys.readouterr().err == "there is no driver 'dtg'; did you mean 'dgt'?\n"


def test_noise_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noise = tmp_path / "noise.capture"
    noise.write_text("# Driver: dgt\n< 0.500 01 02 03\n< 0.600 86 00 05\n")
    arguments = ["--folder", str(tmp_path / "out"), "--seconds", "1"]
    assert main(["record", f"replay:{noise}", *arguments]) == NO
    last = capsys.readouterr().err.splitlines()[-1]
    assert " 0 messages, " in last
    assert not last.endswith(" 0 pieces of noise")


def test_progress_is_shown_on_a_terminal(board: Path, tmp_path: Path) -> None:
    command = [str(COMMAND), "record", str(board), "--folder", str(tmp_path), "--seconds", "1"]
    code, shown = on_terminal(command, stream="stderr")
    assert code == DONE
    assert b" messages, 0 pieces of noise" in shown.replace(b"\r\n", b"").rpartition(b"\x1b")[0]
