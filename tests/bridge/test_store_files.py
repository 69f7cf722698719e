"""A replaced file is whole, whatever happens on the way."""

import os
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


@pytest.mark.parametrize("private", [True, False])
def test_a_link_that_somebody_laid_is_not_followed(tmp_path: Path, private: bool) -> None:
    victim, path = tmp_path / "victim", tmp_path / "games.pgn"
    victim.write_bytes(b"of somebody else")
    for place in (path, tmp_path / ".games.pgn.tmp"):
        place.symlink_to(victim)
    replace_file(path, b"new", private=private)
    assert (path.read_bytes(), path.is_symlink()) == (b"new", False)
    assert victim.read_bytes() == b"of somebody else"
    assert {each.name for each in tmp_path.iterdir()} == {"victim", "games.pgn"}


def test_who_reads_a_draft_of_before_reads_nothing_of_the_new_one(tmp_path: Path) -> None:
    path, draft = tmp_path / "accounts.json", tmp_path / ".accounts.json.tmp"
    draft.write_bytes(b"")
    with draft.open("rb") as reader:
        replace_file(path, b"for the owner alone", private=True)
        assert reader.read() == b""
    assert path.stat().st_mode & 0o777 == 0o600


def test_others_may_read_what_is_not_private_as_far_as_the_mask_lets_them(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_file(tmp_path / "games.pgn", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "games.pgn").stat().st_mode & 0o777 == 0o640
