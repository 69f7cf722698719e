"""``replay`` of a line that several boards share: board after board, in one journal."""

from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import DONE
from drivers.simulated import games
from tests.bridge.core.test_capture_readings import a_row


def test_every_board_of_a_row_has_its_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = (record for record in a_row(lost=False).records if record.direction == "<")
    lines = "".join(f"< {record.t:.3f} {record.data.hex(' ')}\n" for record in heard)
    path = tmp_path / "row.capture"
    path.write_text(f"# Driver: dgt_bus\n{lines}", "utf-8")
    assert main(["replay", str(path), "--uci"]) == DONE
    played = [
        [move.uci() for move in games.load(name).mainline_moves()] for name in ("opera", "special")
    ]
    found = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert sorted(found) == sorted(played)
