"""Accounts from the command line."""

import io
import json
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.web import passwords

PASSWORD = "four words in a row"  # noqa: S105 - of nobody


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))
    path = tmp_path / "hall.yaml"
    path.write_text("web: true\ntables: [{table: '1'}]\n")
    return str(path)


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_accounts_come_and_go(
    hall: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, PASSWORD)
    assert main(["account", "add", hall, "Kramer,  Anna", "--role", "arbiter"]) == 0
    assert capsys.readouterr().err == "Kramer, Anna may log in as arbiter\n"
    (account,) = json.loads((Path(hall).parent / "data/accounts.json").read_text())["accounts"]
    assert passwords.matches(PASSWORD, account["password"])
    assert main(["account", "token", hall, "Kramer, Anna"]) == 0
    assert len(capsys.readouterr().out.strip()) == 43
    assert main(["account", "list", hall]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["Kramer,", "Anna", "arbiter", "1"]
    assert main(["account", "remove", hall, "Kramer, Anna"]) == 0
    assert main(["account", "remove", hall, "Kramer, Anna"]) == 2
    assert "has no account of Kramer, Anna" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "typed_in", "said"),
    [
        (["Anna", "--role", "arbiter"], "short", "a password has 10 to 200 characters"),
        (["Anna", "--role", "arbiter"], "x" * 201, "a password has 10 to 200 characters"),
        (["Anna"], PASSWORD, "say what the account may do: --role arbiter"),
        (["--role", "arbiter"], PASSWORD, "name the account: eboard-bridge account add"),
        ([" ", "--role", "arbiter"], PASSWORD, "name the account"),
    ],
)
def test_what_is_no_account(
    hall: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    typed_in: str,
    said: str,
) -> None:
    typed(monkeypatch, typed_in)
    assert main(["account", "add", hall, *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not (Path(hall).parent / "data").exists()


@pytest.mark.parametrize(("second", "code"), [(PASSWORD, 0), ("four words in a raw", 2)])
def test_at_a_terminal_the_password_is_asked_for_twice(
    hall: str, monkeypatch: pytest.MonkeyPatch, second: str, code: int
) -> None:
    answers = iter([PASSWORD, second])
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(answers))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert main(["account", "add", hall, "Anna", "--role", "viewer"]) == code
