import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, UNREAD

META = {
    "t": 0.0,
    "kind": "meta",
    "format": "board-stream/1",
    "stream": "s1",
    "board": "identity",
    "scan_hz": 5.0,
    "clock": True,
    "games": [{"variant": "standard"}],
}
LINES = [
    META,
    {"t": 0.0, "kind": "snapshot", "board": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"},
    {"t": 4.02, "kind": "clock", "left": 180, "right": 180, "turn": "left", "run": True},
    {"t": 6.41, "kind": "field", "square": "e2", "piece": None},
    {"t": 6.83, "kind": "field", "square": "e4", "piece": "P"},
    {"t": 7.5, "kind": "clock", "left": 180, "right": 180, "turn": "right", "run": True},
    {"t": 9.0, "kind": "field", "square": "e7", "piece": None},
    {"t": 9.4, "kind": "field", "square": "e5", "piece": "p"},
    {"t": 10.0, "kind": "clock", "left": 180, "right": 178, "turn": "left", "run": True},
]
STREAM = "".join(f"{json.dumps(line)}\n" for line in LINES)


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(STREAM)
    return path


def moves(output: str) -> list[str]:
    assert output.endswith("\n"), "whole lines"
    lines = [json.loads(line) for line in output.splitlines()]
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    return [line["move"] for line in lines if "move" in line]


def test_a_file(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", str(stream)]) == DONE
    assert moves(capsys.readouterr().out) == ["e2e4", "e7e5"]


def test_standard_input_gives_the_same(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["infer", str(stream)])
    command = [sys.executable, "-m", "bridge", "infer"]
    done = subprocess.run(command, input=STREAM.encode(), capture_output=True, check=True)
    assert done.stdout.decode() == capsys.readouterr().out
    assert done.stderr == b""


def test_moves_are_told_while_the_stream_goes_on() -> None:
    """Whoever listens hears of the first move before the second was made."""
    command = [sys.executable, "-m", "bridge", "infer"]
    first, second = STREAM.splitlines(keepends=True)[:7], STREAM.splitlines(keepends=True)[7:]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.writelines(first)
        process.stdin.flush()
        told = ""
        while "e2e4" not in told:
            told = process.stdout.readline()
            assert told
        process.stdin.writelines(second)
        process.stdin.close()
        assert "e7e5" in process.stdout.read()
        assert process.wait() == DONE


def test_more_is_told_to_who_asks(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", "--provisional", "--explain", str(stream)]) == DONE
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any("provisional" in line for line in lines)
    assert all("because" in line for line in lines if "move" in line)


def test_many_files_the_same_bytes_every_time(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for plies, file in enumerate(files, start=6):
        file.write_text("".join(STREAM.splitlines(keepends=True)[:plies]))
    outs = [tmp_path / "one", tmp_path / "two"]
    for out, jobs in zip(outs, ("2", "1"), strict=True):
        assert main(["infer", "--out", str(out), "--jobs", jobs, *map(str, files)]) == DONE
    for name in ("a", "b", "c"):
        one, two = ((out / f"{name}.out.jsonl").read_bytes() for out in outs)
        assert one == two
        assert b'"e2e4"' in one
    assert sorted(path.name for path in outs[0].iterdir()) == [f"{n}.out.jsonl" for n in "abc"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", ""),
        ('{"t": 1.0, "kind": "field", "square": "e2", "piece": null}', "goes back"),
        ('{"t": 20.0, "kind": "snapshot", "board": "8/8"}', "8/8"),
    ],
)
def test_a_malformed_line_ends_it_after_whole_lines(
    line: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = STREAM.splitlines(keepends=True)
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(good[:7]) + f"{line}\n" + "".join(good[7:]))
    assert main(["infer", str(path)]) == CANNOT
    out, err = capsys.readouterr()
    assert moves(out) == ["e2e4"]
    assert err.startswith(f"{path}:8: ")
    assert reason in err
    assert err.count("\n") == 1

    whole = tmp_path / "good.jsonl"
    whole.write_text(STREAM)
    folder = tmp_path / "out"
    files = [str(path), str(tmp_path / "absent.jsonl"), str(whole)]
    assert main(["infer", "--out", str(folder), "--jobs", "2", *files]) == CANNOT
    err = capsys.readouterr().err
    assert f"{path}:8: " in err
    assert f"{tmp_path / 'absent.jsonl'}: No such file or directory; check the path" in err
    assert (folder / "bad.out.jsonl").read_text() == out
    assert moves((folder / "good.out.jsonl").read_text()) == ["e2e4", "e7e5"]


def test_standard_input_has_a_name_in_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{broken\n")))
    assert main(["infer"]) == CANNOT
    assert capsys.readouterr().err.startswith("standard input:1: ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["a.jsonl", "b.jsonl"], "more than one file needs --out DIR"),
        (["--out", "out"], "--out needs the names of files"),
        (["--out", "out", "x/a.jsonl", "y/a.jsonl"], "out/a.out.jsonl would be written for two"),
        (["--out", "out", "a", "a.jsonl"], "out/a.out.jsonl would be written for two files"),
        (["absent.jsonl"], "absent.jsonl: No such file or directory; check the path"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["infer", *arguments]) == CANNOT
    assert reason in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_goes_away(stream: Path) -> None:
    command = [sys.executable, "-m", "bridge", "infer", str(stream)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == UNREAD
