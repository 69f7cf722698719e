"""Uploads in the configuration, and what is wrong with them."""

from pathlib import Path

import pytest

from bridge.config import Config, ConfigError, parse

TABLES = "tables: [{table: 1, board: {port: /dev/absent}}]\n"


def config(upload: str, more: str = "") -> Config:
    return parse(f"{TABLES}{more}uploads: [{{{upload}}}]\n", Path("/hall/hall.yaml"))


def problem(upload: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config(upload)
    return str(caught.value)


def test_files_are_relative_to_the_configuration() -> None:
    keys = "host: www.example.org, user: chess, key_file: up.key, known_hosts: known"
    (upload,) = config(keys).uploads
    assert (upload.port, upload.files, upload.folder) == (22, "pgn", ".")
    assert (upload.key_file, upload.password_file) == (Path("/hall/up.key"), None)
    assert upload.known_hosts == Path("/hall/known")


def test_the_known_hosts_are_those_of_ssh() -> None:
    (upload,) = config("host: www.example.org, user: chess, password_file: word").uploads
    assert upload.password_file == Path("/hall/word")
    assert upload.known_hosts == Path.home() / ".ssh" / "known_hosts"


def test_an_account_is_opened_in_one_way() -> None:
    account = "host: www.example.org, user: chess"
    assert "nothing opens the account" in problem(account)
    said = problem(f"{account}, key_file: up.key, password_file: word")
    assert "an upload has 'key_file' and 'password_file'" in said


def test_cloud_files_have_to_be_written_first() -> None:
    keys = "host: www.example.org, user: chess, key_file: up.key, files: cloud"
    assert "none are written; add 'cloud'" in problem(keys)
    assert config(keys, "cloud: {folder: web}\n").uploads[0].files == "cloud"
