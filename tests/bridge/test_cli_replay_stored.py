"""``replay`` of a game that a board had stored: positions without times become moves."""

from pathlib import Path

import chess
import pytest

from bridge.cli import main
from bridge.cli.frame import DONE, NO
from bridge.core.capture_readings import stored_games
from drivers.boards.chessnut import Chessnut
from drivers.boards.dgt import Dgt
from drivers.capture import parse
from drivers.codec import Outgoing
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.hands import Action, Lift, Put
from tests.conversations import SPECIAL, Conversation, hands

QUEENS_GAMBIT = ("d2d4", "d7d5", "c2c4", "d5c4")


def positions(actions: list[Action]) -> list[str]:
    """Return what a board stores: every change while hands play."""
    board = chess.BaseBoard()
    stored = [cells(board)]
    for action in actions:
        match action:
            case Lift(square=square):
                board.remove_piece_at(square)
            case Put(square=square, piece=piece):
                board.set_piece_at(square, piece)
            case _:
                continue
        stored.append(cells(board))
    return stored


def cells(board: chess.BaseBoard) -> str:
    men = map(board.piece_at, chess.SQUARES)
    return "".join("." if man is None else man.symbol() for man in men)


class Recorded(ChessnutBoard):
    """A board, and what it says as a capture has it."""

    lines = ""

    def poll(self, *, at: float) -> Outgoing:
        outgoing = super().poll(at=at)
        if outgoing.data:
            self.lines += f"< {at:.3f} {outgoing.data.hex(' ')}\n"
        return outgoing


def recorded(path: Path, moves: tuple[str, ...], header: str = "") -> Path:
    board = Recorded(stored=[positions(hands(moves))])
    talk = Conversation(Chessnut(), board)
    talk.go_on(2.0)
    talk.codec.command("stored game")
    talk.go_on(60.0)
    path.write_text(f"# Driver: chessnut\n# Clock: none\n{header}{board.lines}", "utf-8")
    return path


@pytest.mark.parametrize("moves", [SPECIAL, QUEENS_GAMBIT], ids=["special", "short"])
def test_a_stored_game_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], moves: tuple[str, ...]
) -> None:
    header = f"# Played-UCI: {' '.join(moves)}\n"
    capture, pgn = recorded(tmp_path / "stored.capture", moves, header), tmp_path / "out.pgn"
    assert main(["replay", str(capture), "--uci", "--pgn", str(pgn)]) == DONE
    assert tuple(capsys.readouterr().out.split()) == moves
    assert pgn.read_text().count("[Event ") == 1


def test_other_moves_than_those_of_the_header(tmp_path: Path) -> None:
    capture = recorded(tmp_path / "stored.capture", QUEENS_GAMBIT, "# Played: e4\n")
    assert main(["replay", str(capture)]) == NO


def test_a_log_of_another_kind_holds_no_positions() -> None:
    log = "8f 3e 03" + " 7f 7f 7f 6a 6f 6b" + " 00" * 7930
    capture = parse(f"# Driver: dgt\n< 0.100 {log}\n", name="log")
    assert list(stored_games(capture, Dgt)) == []
