"""``calibrate`` with simulated boards on real ptys."""

from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.config.calibration import read_calibration
from drivers.simulated.certabo import CertaboBoard, men_of
from tests.served import served

QUEENS = {
    chess.D3: chess.Piece(chess.QUEEN, chess.WHITE),
    chess.D6: chess.Piece(chess.QUEEN, chess.BLACK),
}
Plug = Callable[[CertaboBoard, dict[chess.Square, chess.Piece]], Path]


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    with served() as boards:
        yield (
            lambda board, men: boards.plug(tmp_path / f"board-{len(boards.ports)}", board, men).path
        )


def array(**changes: chess.Piece | None) -> dict[chess.Square, chess.Piece]:
    board = chess.Board()
    for name, piece in changes.items():
        board.set_piece_at(chess.parse_square(name), piece)
    return board.piece_map()


def letters(number: int) -> dict[str, str]:
    return {tag.hex(): letter for letter, tags in men_of(number).items() for tag in tags}


def test_two_sets_are_learned_one_after_the_other(
    plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "men.json"
    first, second = (plug(CertaboBoard(men=n, seed=n), array() | QUEENS) for n in (1, 2))
    assert main(["calibrate", str(file), "--port", str(first)]) == DONE
    assert capsys.readouterr().out == f"{file}: 34 men, 34 of them new\n"
    assert read_calibration(file) == letters(1)
    assert main(["calibrate", str(file), "--port", str(second), "--add"]) == DONE
    assert read_calibration(file) == letters(1) | letters(2)


def test_men_that_stand_wrong_are_named_and_nothing_is_written(
    plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pawn = chess.Piece(chess.PAWN, chess.WHITE)
    port = plug(CertaboBoard(), array(a1=None, e2=None, e4=pawn))
    file = tmp_path / "men.json"
    assert main(["calibrate", str(file), "--port", str(port), "--seconds", "7"]) == NO
    assert capsys.readouterr().err.splitlines()[-1] == (
        "nothing was learned: no tag is read on a1, e2; a tag is read on e4, where no man belongs"
    )
    assert not file.exists()


def test_men_that_are_known_otherwise_are_named(
    plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "men.json"
    rook, *_ = men_of(0)["R"]  # it stands on a1
    content = f'{{"N": ["{rook.hex()}"]}}'
    file.write_text(content)
    port = plug(CertaboBoard(), array())
    command = ["calibrate", str(file), "--port", str(port), "--seconds", "7", "--add"]
    assert main(command) == NO
    assert "tags on a1 are known as those of other men" in capsys.readouterr().err
    assert file.read_text() == content


def test_a_board_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, port = tmp_path / "men.json", tmp_path / "absent"
    assert main(["calibrate", str(file), "--port", str(port), "--seconds", "0.6"]) == NO
    assert "there is no such port" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        ("{}", [], "is there already; add to it with --add, or delete it"),
        ("no", ["--add"], "this is no calibration"),
        ("{}", ["--driver", "dgt"], "driver dgt reads no tags"),
        ("{}", ["--driver", "certbo"], "did you mean 'certabo'?"),
    ],
)
def test_what_cannot_be_done_is_said_before_a_board_is_asked(
    content: str, more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "men.json"
    file.write_text(content)
    assert main(["calibrate", str(file), *more]) == CANNOT
    assert said in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_said_before_men_are_put_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(tmp_path / "none" / "men.json")]) == CANNOT
    assert "none: there is no such folder; make it" in capsys.readouterr().err
