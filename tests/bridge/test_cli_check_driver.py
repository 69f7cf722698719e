"""``check-driver``: a line for each promise, and an exit code."""

from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from tests.shared import shared

GAME = """\
# Driver: dgt
# Clock: none
# Played: e4
< 0.100 86 00 43 08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07 00 00 00 00 00 00 00 00 00 00 00
< 0.112 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 01 01 01 01 01 01 01 02
< 0.114 03 04 06 05 04 03 02
< 6.620 8e 00 05 34 00
< 7.000 8e 00 05 24 01
"""
PROMISES = 5


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    path = tmp_path / "e4.capture"
    path.write_text(GAME)
    return path


def test_a_driver_that_keeps_all(capture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-driver", "dgt", str(capture), str(capture)]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + PROMISES + 1
    assert all(line.startswith("ok") for line in lines)
    assert lines[-1].endswith("finds the moves of the header")


def test_other_moves_than_those_of_the_header_are_named(
    capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture.write_text(GAME.replace("e4", "d4", 1))
    assert main(["check-driver", "dgt", str(capture)]) == NO
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("no")
    assert last.endswith("ply 1: d4 was played, e4 was found")


def test_a_header_without_moves_is_not_compared(
    capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture.write_text(GAME.replace("# Played: e4\n", ""))
    assert main(["check-driver", "dgt", str(capture)]) == DONE
    assert "finds the moves" not in capsys.readouterr().out


def test_without_a_capture_only_the_declaration_is_examined(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check-driver", "pegasus", "--option", "key=bef5aedda95f"]) == DONE
    said = capsys.readouterr().out
    assert said.startswith("ok  pegasus: declares what is needed\nno capture was given")


def test_a_capture_of_another_driver_is_refused(
    capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-driver", "chessup", str(capture)]) == CANNOT
    assert "e4.capture is a capture of driver dgt" in capsys.readouterr().err


def test_a_game_of_a_real_board_keeps_all(tmp_path: Path) -> None:
    lines = shared("protocols/captures/dgt_usb_game1_normal.hex").read_text().splitlines()
    bytes_of = [line for line in lines if not line.startswith("#")]
    path = tmp_path / "game.capture"
    records = "".join(f"< {n * 0.4:.1f} {data}\n" for n, data in enumerate(bytes_of))
    path.write_text(f"# Driver: dgt\n{records}")
    assert main(["check-driver", "dgt", str(path)]) == DONE
