import asyncio
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from bridge.links.capture_files import CaptureFiles, Taken
from bridge.links.recorder import MOST_HELD_BYTES, Recorder, Scribe
from drivers.capture import Record
from drivers.transports import load_capture
from tests.halls import eventually

NOON = 1795176000.0  # 2026-11-20 12:00:00 UTC
HEADER = {"Driver": "dgt", "Line": "9600 8N1"}


class StuckDisk(CaptureFiles):
    """Takes nothing until it is ``freed``."""

    def __init__(self, folder: Path, link: str) -> None:
        super().__init__(folder, link, HEADER)
        self.freed = threading.Event()

    def write(self, records: Iterable[Taken]) -> None:
        self.freed.wait()
        super().write(records)


def recorder(folder: Path, link: str = "table 7", scribe: Scribe | None = None) -> Recorder:
    return of(CaptureFiles(folder, link, HEADER), scribe)


def of(files: CaptureFiles, scribe: Scribe | None = None) -> Recorder:
    return Recorder(files, scribe or Scribe(), wall=lambda: NOON)


def test_what_is_kept(tmp_path: Path) -> None:
    async def run() -> None:
        made = recorder(tmp_path / "raw")
        made.note(500.0, "opened")
        made.wrote(500.25, b"\x42")
        made.read(500.5, b"\x86\x00\x43")
        made.wrote(501.0, b"\x44")
        made.read(500.9, b"\x08")  # it had come before the write, and is handled after it
        made.note(502.0, "lost")
        await made.aclose()
        await made.aclose()

    asyncio.run(run())
    (path,) = (tmp_path / "raw").iterdir()
    assert path.name == "table%207@20261120T120000Z.capture"
    capture = load_capture(path)
    assert capture.header == {
        "Driver": "dgt",
        "Line": "9600 8N1",
        "Date": "2026-11-20",
        "Began": "2026-11-20T12:00:00Z",
    }
    assert capture.records == (
        Record("!", 0.0, text="opened"),
        Record(">", 0.25, b"\x42"),
        Record("<", 0.5, b"\x86\x00\x43"),
        Record(">", 1.0, b"\x44"),
        Record("<", 1.0, b"\x08"),
        Record("!", 2.0, text="lost"),
    )


async def ends_with(folder: Path, link: str, text: bytes) -> None:
    def has() -> bool:
        return any(path.read_bytes().endswith(text) for path in folder.glob(f"{link}@*"))

    await eventually(has, f"{text!r} of {link}")


def test_records_are_written_without_being_asked_for(tmp_path: Path) -> None:
    async def run() -> None:
        scribe = Scribe()
        links = [recorder(tmp_path, name, scribe) for name in "abc"]
        for number, link in enumerate(links):
            link.read(1.0, bytes([number]))
        for number, name in enumerate("abc"):
            await ends_with(tmp_path, name, b"\n< 0.000 0%d\n" % number)
        links[0].read(2.0, b"\x87" * 40000)
        links[1].read(2.0, b"\x88")
        await ends_with(tmp_path, "a", b" 87\n")
        await ends_with(tmp_path, "b", b"\n< 1.000 88\n")

    asyncio.run(run())


def test_a_stuck_disk_holds_up_nobody_and_what_it_missed_is_said(tmp_path: Path) -> None:
    many, said = 40000, list[str]()

    async def run() -> None:
        files = StuckDisk(tmp_path, "a")
        made = Recorder(files, Scribe(), wall=lambda: NOON, suspends=said.append)
        made.read(0.0, b"\x01" * many)  # enough to be written at once
        for number in range(100):
            made.read(1.0 + number, b"\x02" * many)
        closing = asyncio.create_task(made.aclose())
        done, _ = await asyncio.wait([closing], timeout=0.1)
        assert not done, "the loop goes on while the disk does not"
        files.freed.set()
        await closing

    asyncio.run(run())
    (capture,) = map(load_capture, tmp_path.iterdir())
    assert said == ["captures are not complete: the disk takes too long", ""]
    held = sum(len(record.data) for record in capture.records)
    assert 0.9 * MOST_HELD_BYTES < 3 * (held - many) < MOST_HELD_BYTES + 3 * many
    times = sorted({record.t for record in capture.records})
    assert times == [float(number) for number in range(len(times))], "up to the gap it is whole"


def test_after_a_gap_a_new_file_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        files = StuckDisk(tmp_path, "a")
        made = of(files)
        for number in range(100):
            made.read(float(number), b"\x02" * 40000)
        files.freed.set()
        await eventually(lambda: "records are missing" in caplog.text, "the gap")
        made.read(100.0, b"\x03")
        await made.aclose()

    asyncio.run(run())
    _, second = map(load_capture, sorted(tmp_path.iterdir()))
    assert second.header["Notes"] == "records are missing before this: the disk took too long"
    assert [record.data for record in second.records] == [b"\x03"]


def test_who_cannot_be_recorded_is_told_so_once(tmp_path: Path) -> None:
    folder, said = tmp_path / "raw", list[str]()
    folder.write_text("a file stands where the folder should be")

    async def run() -> None:
        files = CaptureFiles(folder, "a", HEADER, retry_seconds=0.0)
        made = Recorder(files, Scribe(), wall=lambda: NOON, suspends=said.append)
        for number in range(3):
            made.read(float(number), b"\x01")
            await made.aclose()
        folder.unlink()
        made.read(3.0, b"\x01")
        await made.aclose()

    asyncio.run(run())
    assert said == [f"captures cannot be written ({folder}: File exists)", ""]
