"""The command line's frame: help, exit codes, and no traceback for a user's mistake."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import bridge
from bridge import cli
from bridge.cli import frame
from bridge.cli.frame import (
    BROKEN,
    CANNOT,
    DONE,
    INTERRUPTED,
    NO,
    UNREAD,
    CannotError,
    complain,
    say,
)
from bridge.config import ConfigError, Problem
from bridge.store.errors import JournalError
from drivers.errors import PortMissingError
from tests.ptys import on_terminal

COMMAND = Path(sys.executable).with_name("eboard-bridge")


def run(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def raising(error: BaseException) -> Callable[[object], int]:
    def fail(args: object) -> int:
        raise error

    return fail


def test_help_lists_every_command_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == DONE
    shown = capsys.readouterr().out
    assert frame.EXIT_CODES in shown
    for command in cli.COMMANDS:
        name = command.__name__.rpartition(".")[2].replace("_", "-")
        assert f"    {name}" in shown


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_examples_and_exit_codes(
    command: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    name = command.__name__.rpartition(".")[2].replace("_", "-")
    assert cli.main([name, "--help"]) == DONE
    shown = capsys.readouterr().out
    assert f"examples:\n  eboard-bridge {name}" in shown
    assert shown.endswith(f"{frame.EXIT_CODES}\n")


def test_without_a_command_help_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == CANNOT
    output = capsys.readouterr()
    assert (output.out, output.err.splitlines()[0]) == (
        "",
        "usage: eboard-bridge [-h] [--version] COMMAND ...",
    )


@pytest.mark.parametrize(
    ("words", "what", "remedy"),
    [
        (["chekc-config"], "there is no command 'chekc-config'", "did you mean 'check-config'?"),
        (["x.yaml"], "there is no command 'x.yaml'", "'eboard-bridge --help' lists them"),
        (
            ["run", "x.yaml", "--lvie"],
            "eboard-bridge run does not know --lvie",
            "'eboard-bridge run --help' lists what it takes",
        ),
        (
            ["--loud"],
            "eboard-bridge does not know --loud",
            "'eboard-bridge --help' lists what it takes",
        ),
        (
            ["run"],
            "the following arguments are required: CONFIG",
            "'eboard-bridge run --help' says more",
        ),
        (
            ["demo", "--port", "99999"],
            "argument --port: '99999' is not a whole number from 1 to 65535",
            "'eboard-bridge demo --help' says more",
        ),
        (
            ["record", "--seconds", "nan"],
            "argument --seconds: 'nan' is not a number of seconds above 0",
            "'eboard-bridge record --help' says more",
        ),
        (
            ["record", "--seconds", "soon"],
            "argument --seconds: 'soon' is not a number of seconds above 0",
            "'eboard-bridge record --help' says more",
        ),
    ],
)
def test_a_command_line_that_is_wrong_is_one_line_with_the_remedy(
    words: list[str], what: str, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == CANNOT
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"{what}; {remedy}\n")


def test_a_folder_that_may_not_be_written_is_said_before(tmp_path: Path) -> None:
    frame.check_folder(tmp_path)
    with pytest.raises(CannotError, match=r"there is no such folder; make it"):
        frame.check_folder(tmp_path / "none")
    with pytest.raises(CannotError, match=r"this user may not write there"):
        frame.check_folder(Path("/proc/self"))


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == DONE
    assert capsys.readouterr().out == f"eboard-bridge {bridge.__version__}\n"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (CannotError("no such table; there are: 1, 2"), "no such table; there are: 1, 2"),
        (PortMissingError("/dev/x: there is no such port"), "/dev/x: there is no such port"),
        (JournalError("journal x cannot be opened"), "journal x cannot be opened"),
        (
            ConfigError([Problem(file=Path("a"), line=1, column=2, what="b", remedy="c")]),
            "a:1:2: b; c",
        ),
        (
            PermissionError(13, "Permission denied", "/x/games"),
            "/x/games: Permission denied; check the path and its rights",
        ),
    ],
)
def test_a_mistake_of_the_user_is_one_line(
    error: Exception,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("bridge.cli.doctor.run", raising(error))
    assert cli.main(["doctor"]) == CANNOT
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"{line}\n")


@pytest.mark.parametrize(
    "error", [KeyError("bug"), ValueError("bug"), OSError(24, "no file of yours")]
)
def test_a_mistake_of_ours_shows_where_it_was_made(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bridge.cli.doctor.run", raising(error))
    assert cli.main(["doctor"]) == BROKEN
    said = capsys.readouterr().err
    assert said.startswith("Traceback (most recent call last):")
    assert said.splitlines()[-1] == f"{type(error).__name__}: {error}"


def test_an_interruption_has_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.cli.doctor.run", raising(KeyboardInterrupt()))
    assert cli.main(["doctor"]) == INTERRUPTED


def test_the_installed_command_and_the_module_are_the_same() -> None:
    version = f"eboard-bridge {bridge.__version__}\n"
    assert run("--version").stdout == version
    module = subprocess.run(
        [sys.executable, "-m", "bridge", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert module.stdout == version


def test_help_imports_nothing_slow() -> None:
    slow = "asyncio chess yaml msgspec rich serial sqlite3"
    code = (
        "import sys; from bridge.cli import main; main(['--help']);"
        f"sys.exit(' '.join(name for name in '{slow}'.split() if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr.strip() == ""


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = subprocess.run(
            [COMMAND, "check-config", "--example"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (UNREAD, "")


def test_a_table_is_ruled_on_a_terminal_only(tmp_path: Path) -> None:
    file = tmp_path / "hall.yaml"
    file.write_text("tables: [{table: 1, white: '[bold]Anna[/bold]'}]", encoding="utf-8")
    code, written = on_terminal([COMMAND, "check-config", file], NO_COLOR="")
    assert code == DONE
    shown = written.decode()
    assert "━" in shown
    assert "[bold]Anna[/bold]" in shown
    plain = run("check-config", file).stdout
    assert plain.splitlines()[:2] == [
        "table  board  port  serial  clock  white              black  rules",
        "1      dgt    auto  any     board  [bold]Anna[/bold]  ?      fide_std",
    ]


def test_marks_are_coloured_on_a_terminal_only() -> None:
    code, written = on_terminal([COMMAND, "doctor"], NO_COLOR="")
    assert code in {DONE, NO}
    assert b"\x1b[32mok" in written
    assert "\x1b" not in run("doctor").stdout


def test_names_of_boards_cannot_command_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("\x1b]0;owned\x07DGT\tPegasus é 棋\n")
    complain("a\rb\x9b")
    out, err = capsys.readouterr()
    assert out == "\\x1b]0;owned\\x07DGT\tPegasus é 棋\n\n"
    assert err == "a\\rb\\x9b\n"
