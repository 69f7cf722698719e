"""The demo's games are facts: they must be legal and end as they are known to have ended."""

from pathlib import Path

import chess
import pytest

from drivers.simulated import games


@pytest.mark.parametrize(
    ("name", "plies", "last"),
    [
        ("immortal", 45, "Be7#"),
        ("evergreen", 47, "Bxe7#"),
        ("opera", 33, "Rd8#"),
        ("special", 57, "Qb6#"),
    ],
)
def test_games_end_in_the_known_mate(name: str, plies: int, last: str) -> None:
    game = games.load(name)
    end = game.end()
    assert not game.errors
    assert end.ply() == plies
    assert end.parent is not None
    assert end.parent.board().san(end.move or chess.Move.null()) == last
    assert end.board().is_checkmate()
    assert game.headers["Result"] == end.board().result()


def test_the_special_game_has_every_special_move() -> None:
    found = set()
    board = games.load("special").board()
    for move in games.load("special").mainline_moves():
        if board.is_en_passant(move):
            found.add(f"en passant by {chess.COLOR_NAMES[board.turn]}")
        if board.is_castling(move):
            found.add(board.san(move))
        if move.promotion:
            assert board.is_capture(move)
            found.add(f"={chess.piece_symbol(move.promotion)}")
        board.push(move)
    assert found == {"en passant by white", "en passant by black", "O-O", "O-O-O", "=q", "=n"}


def test_names_are_those_that_load() -> None:
    assert games.names() == ["evergreen", "immortal", "opera", "special"]
    with pytest.raises(KeyError, match=r"no game 'oprea'; there are evergreen"):
        games.load("oprea")


def test_a_file_without_a_game_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_FOLDER", tmp_path)
    (tmp_path / "empty.pgn").touch()
    assert games.names() == ["empty"]
    with pytest.raises(KeyError, match=r"empty\.pgn holds no game"):
        games.load("empty")
