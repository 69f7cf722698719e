import logging
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.links.capture_files import CaptureFiles, Taken
from drivers.capture import Capture, Record
from drivers.transports import load_capture

DAY = 86400.0
NOON = 1795176000.0  # 2026-11-20 12:00:00 UTC
HEADER = {"Driver": "dgt", "Line": "9600 8N1"}


class Wall:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> float:
        return self.time


class Link:
    """Writes each record as it comes."""

    def __init__(self, folder: Path, wall: Wall, **limits: Any) -> None:
        self.files = CaptureFiles(folder, "table 7", HEADER, **limits)
        self.close = self.files.close
        self._wall = wall

    def read(self, at: float, data: bytes) -> None:
        self.files.write([Taken(Record("<", at, data), self._wall())])

    @property
    def suspended(self) -> bool:
        return bool(self.files.trouble)


def captures_of_table(folder: Path) -> list[Path]:
    return sorted(folder.glob("table%207@*.capture"))


def captures(folder: Path) -> list[Capture]:
    return [load_capture(path) for path in captures_of_table(folder)]


def test_nothing_said_nothing_written(tmp_path: Path) -> None:
    Link(tmp_path / "raw", Wall()).close()
    assert not (tmp_path / "raw").exists()


def test_a_new_file_at_its_size(tmp_path: Path) -> None:
    made = Link(tmp_path, Wall(), file_bytes=400)
    for i in range(100):
        made.read(float(i), bytes([i] * 10))
    made.close()

    files = captures(tmp_path)
    assert len(files) > 5
    assert all(path.stat().st_size < 500 for path in tmp_path.iterdir())
    assert b"".join(r.data for c in files for r in c.records) == b"".join(
        bytes([i] * 10) for i in range(100)
    )
    assert "Notes" not in files[0].header
    first = captures_of_table(tmp_path)[0].name
    assert files[1].header["Notes"] == f"continues {first}"
    assert files[1].records[0].t == 0.0


def test_a_new_file_every_day(tmp_path: Path) -> None:
    wall = Wall()
    made = Link(tmp_path, wall)
    for at in (0.0, 1.0, DAY, DAY + 1):
        wall.time = NOON + at
        made.read(at, b"\x01")
    made.close()

    assert [(c.header["Date"], len(c.records)) for c in captures(tmp_path)] == [
        ("2026-11-20", 2),
        ("2026-11-21", 2),
    ]


def test_the_oldest_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "table%208@20000101T000000Z.capture").write_text("another link's")
    (tmp_path / "notes.txt").write_text("a person's")

    wall = Wall()
    made = Link(tmp_path, wall, file_bytes=1000, total_bytes=5000)
    for i in range(1000):
        wall.time = NOON + i
        made.read(float(i), bytes(10))
    made.close()

    own = captures_of_table(tmp_path)
    assert 3000 < sum(path.stat().st_size for path in own) <= 5000
    assert load_capture(own[-1]).header["Date"] == "2026-11-20"
    assert len(list(tmp_path.iterdir())) == len(own) + 2


def test_the_aged_are_deleted(tmp_path: Path) -> None:
    wall = Wall()
    made = Link(tmp_path, wall, days=3)
    for day in range(10):
        wall.time = NOON + day * DAY
        made.read(day * DAY, b"\x01")
    made.close()

    assert [c.header["Date"] for c in captures(tmp_path)] == [
        "2026-11-26",
        "2026-11-27",
        "2026-11-28",
        "2026-11-29",
    ]


def test_a_clock_that_is_set_far_ahead_makes_nothing_old(tmp_path: Path) -> None:
    wall = Wall()
    made = Link(tmp_path, wall, days=3)
    made.read(0.0, b"\x01")
    for later in (60.0, DAY + 60.0):
        wall.time = NOON + 3650 * DAY + later
        made.read(later, b"\x02")
    wall.time = NOON + DAY + 120.0
    made.read(DAY + 120.0, b"\x03")
    made.close()

    dates = [capture.header["Date"] for capture in captures(tmp_path)]
    assert dates == ["2026-11-20", "2026-11-21", "2036-11-17", "2036-11-18"]


def test_a_folder_that_cannot_be_made(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    folder = tmp_path / "raw"
    folder.write_text("a file stands where the folder should be")

    made = Link(folder, Wall(), retry_seconds=30.0)
    for at in range(100):
        made.read(float(at), b"\x01")
    assert made.suspended
    folder.unlink()
    made.read(100.0, b"\x02")
    assert made.suspended, "not tried on every record"
    made.read(130.0, b"\x03")
    assert not made.suspended
    made.close()

    said = [(r.levelname, r.getMessage()) for r in caplog.records]
    assert [level for level, _ in said] == ["WARNING", "INFO"]
    assert said[0][1].startswith("table 7: recording suspended")
    (capture,) = captures(folder)
    assert capture.header["Notes"].startswith("records are missing before this: ")
    assert [r.data for r in capture.records] == [b"\x03"]


def check_full_disk(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What fits is whole, what does not is said once."""

    made = Link(folder, Wall(), retry_seconds=1000.0)
    for at in range(300):
        made.read(at / 10, bytes(200))
    assert made.suspended
    made.close()

    assert [r.levelname for r in caplog.records] == ["WARNING"]
    (capture,) = captures(folder)
    assert 10 < len(capture.records) < 290
    assert all(len(r.data) == 200 for r in capture.records)


def test_a_size_limit_of_the_system(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65000, hard))
    try:
        check_full_disk(tmp_path, caplog)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("needs root, to mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk(small_disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    check_full_disk(small_disk, caplog)


def test_names_are_not_overwritten(tmp_path: Path) -> None:
    for _ in range(3):
        made = Link(tmp_path, Wall())
        made.read(1.0, b"\x01")
        made.close()

    assert [path.name.rpartition("@")[2] for path in captures_of_table(tmp_path)] == [
        "20261120T120000Z.capture",
        "20261120T120000Z_001.capture",
        "20261120T120000Z_002.capture",
    ]
