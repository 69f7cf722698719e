"""Accounts in their file, passwords as they are kept, sessions and guesses."""

import json
import logging
import os
import threading
import unicodedata
from pathlib import Path

import pytest

from bridge.web import passwords, throttle
from bridge.web.accounts import (
    Account,
    AccountError,
    Accounts,
    add,
    add_token,
    clean,
    digest,
    is_name,
    remove,
)
from bridge.web.sessions import LIFETIME, MOST_OF_AN_ACCOUNT, Sessions
from bridge.web.throttle import FREE, LONGEST_WAIT, Throttle

ANNA = Account(name="Anna", role="arbiter", password="x")


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))


# --- passwords ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("cheap")
def test_a_password_is_known_again_and_never_kept() -> None:
    kept = passwords.hashed("correct horse")
    assert "horse" not in kept
    assert kept.startswith("scrypt$4$8$1$")
    assert passwords.matches("correct horse", kept)
    assert not passwords.matches("correct horse ", kept)
    assert passwords.hashed("correct horse") != kept


@pytest.mark.usefixtures("cheap")
def test_a_password_is_the_same_on_every_keyboard() -> None:
    kept = passwords.hashed("Schlüssel der Turnierleitung")
    assert passwords.matches(unicodedata.normalize("NFD", "Schlüssel der Turnierleitung"), kept)


def test_a_password_with_full_cost_is_known_again() -> None:
    kept = passwords.hashed("correct horse")
    assert kept.startswith("scrypt$15$8$3$")
    assert passwords.matches("correct horse", kept)


def test_other_hashes_are_not_known() -> None:
    with pytest.raises(ValueError, match="argon2"):
        passwords.matches("x", "argon2$1$1$1$AA==$AA==")


# --- the file -------------------------------------------------------------------------------------


def test_accounts_are_kept_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "accounts.json"
    accounts = Accounts(path)
    assert accounts.all() == []
    add(path, ANNA)
    assert path.stat().st_mode & 0o777 == 0o600
    assert accounts.find("  Anna ") == ANNA
    add(path, Account(name="Anna", role="viewer", password="y"))
    add(path, Account(name="Aaron", role="operator", password="z"))
    assert [(each.name, each.role) for each in accounts.all()] == [
        ("Aaron", "operator"),
        ("Anna", "viewer"),
    ]
    remove(path, "Anna")
    assert accounts.find("Anna") is None
    with pytest.raises(AccountError, match="has no account of Anna"):
        remove(path, "Anna")
    path.unlink()
    assert accounts.all() == []


def test_a_token_is_known_by_its_digest(tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    add(path, ANNA)
    token = add_token(path, "Anna")
    assert token not in path.read_text()
    found = Accounts(path).of_token(token)
    assert found is not None
    assert (found.name, found.tokens) == ("Anna", (digest(token),))
    assert Accounts(path).of_token("other") is None
    with pytest.raises(AccountError, match="has no account of Ben"):
        add_token(path, "Ben")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "no file of accounts"),
        ('{"accounts": [{"name": "x"}]}', "no file of accounts"),
        ('{"version": "\xff"}', "no file of accounts"),
        ('{"version": 2}', "another version"),
    ],
)
def test_a_file_that_is_none_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, problem: str
) -> None:
    path = tmp_path / "accounts.json"
    add(path, ANNA)
    accounts = Accounts(path)
    assert accounts.find("Anna") == ANNA
    path.write_text(text, encoding="latin-1")
    caplog.set_level(logging.ERROR)
    assert accounts.find("Anna") == ANNA
    assert accounts.find("Anna") == ANNA
    (said,) = caplog.messages
    assert problem in said
    with pytest.raises(AccountError, match=problem):
        add(path, ANNA)


def test_a_file_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AccountError, match="cannot be written"):
        add(tmp_path / "file" / "accounts.json", ANNA)
    (tmp_path / "folder").mkdir()
    with pytest.raises(AccountError, match="cannot be read"):
        add(tmp_path / "folder", ANNA)
    (tmp_path / ".a.json.tmp").mkdir()
    with pytest.raises(AccountError, match="cannot be written"):
        add(tmp_path / "a.json", ANNA)


def test_two_who_change_it_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    names = [f"name {number}" for number in range(20)]
    threads = [
        threading.Thread(target=add, args=(path, Account(name=n, role="viewer", password="")))
        for n in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {each["name"] for each in json.loads(path.read_text())["accounts"]} == set(names)
    assert os.listdir(tmp_path).count(".accounts.json.tmp") == 0  # noqa: PTH208 - hidden ones too


def test_names_that_look_the_same_are_the_same() -> None:
    assert clean(unicodedata.normalize("NFD", " Süd  1 ")) == "Süd 1"
    assert is_name("Süd 1")
    assert not is_name("")
    assert not is_name(" \n ")
    assert not is_name("x" * 61)
    assert not is_name("a\x07b")


# --- sessions -------------------------------------------------------------------------------------


def test_a_session_lasts_a_day_of_play_or_until_it_is_ended() -> None:
    sessions = Sessions()
    secret, session = sessions.begin(ANNA, 100.0)
    other, _ = sessions.begin(ANNA, 100.0)
    assert sessions.find(secret, 100.0 + LIFETIME - 1) == session
    assert sessions.find(secret, 100.0 + LIFETIME) is None
    assert sessions.find(session.key, 100.0) is None, "what is kept lets nobody in"
    assert sessions.find("", 100.0) is None
    sessions.end(session)
    sessions.end(session)
    assert sessions.find(secret, 101.0) is None
    assert sessions.find(other, 101.0) is not None


def test_an_account_has_not_many_sessions() -> None:
    sessions = Sessions()
    old = [sessions.begin(ANNA, 0.0)[0] for _ in range(MOST_OF_AN_ACCOUNT)]
    sessions.begin(Account(name="Ben", role="viewer", password=""), 0.0)
    sessions.begin(ANNA, 0.0)
    assert sessions.find(old[0], 0.0) is None
    assert sessions.find(old[1], 0.0) is not None
    sessions.begin(ANNA, LIFETIME)
    assert sessions.find(old[1], 0.0) is None, "what is over is forgotten"


# --- guesses --------------------------------------------------------------------------------------


def test_who_guesses_waits_longer_and_longer() -> None:
    guesses, now, waits = Throttle(), 0.0, []
    for _ in range(20):
        guesses.wrong("10.0.0.1", "Anna", now)
        waits.append(guesses.wait("10.0.0.1", "Anna", now))
        now += waits[-1]
        assert guesses.wait("10.0.0.1", "Anna", now) == 0
    assert waits[: FREE + 2] == [0, 0, 0, 0, 1, 2, 4]
    assert waits[-1] == LONGEST_WAIT
    assert guesses.wait("10.0.0.2", "Anna", 0.0) == 0
    assert guesses.wait("10.0.0.1", "Ben", 0.0) == 0


def test_guesses_are_forgotten_after_the_right_one_and_after_a_while() -> None:
    guesses = Throttle()
    for _ in range(FREE):
        guesses.wrong("10.0.0.1", "Anna", 0.0)
    assert guesses.wrong("10.0.0.1", "Anna", 2000.0) == 1
    guesses.right("10.0.0.1", "Anna")
    assert guesses.wrong("10.0.0.1", "Anna", 2000.0) == 1


def test_many_names_take_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "MOST_KEPT", 3)
    guesses = Throttle()
    for name in ("a", "b", "c", "a", "d"):
        guesses.wrong("10.0.0.1", name, 0.0)
    assert guesses.wrong("10.0.0.1", "b", 0.0) == 1, "the oldest is forgotten"
    assert guesses.wrong("10.0.0.1", "a", 0.0) == 3
