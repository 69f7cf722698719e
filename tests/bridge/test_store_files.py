"""A replaced file is whole, whatever happens on the way."""

from pathlib import Path

import pytest

from bridge.store.files import replace_file, sync_folder


def test_a_file_is_replaced_by_another(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        replace_file(path, b"new")
        sync_folder(tmp_path)
        assert reader.read() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_replaced_leaves_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        replace_file(path, b"new")
    assert list(tmp_path.iterdir()) == [path]


def test_a_draft_that_cannot_be_begun_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".games.pgn.tmp").mkdir()
    with pytest.raises(IsADirectoryError, match="tmp"):
        replace_file(tmp_path / "games.pgn", b"new")
    with pytest.raises(FileNotFoundError):
        replace_file(tmp_path / "missing" / "games.pgn", b"new")
