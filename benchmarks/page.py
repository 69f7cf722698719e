"""The hall's page in a real browser, fed by a daemon with boards that are played on.

``python -m benchmarks.page`` plays on 200 simulated boards, which the daemon follows over
pseudo-terminals, and looks at the page in Chromium: how long a frame takes, how much processor
time all of the browser needs, and how much memory the page holds at the beginning and at the end.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
from playwright.async_api import CDPSession, Error, Page, async_playwright

from benchmarks.hall import (
    CONFIG,
    MODULE,
    PATIENCE,
    PLAYED,
    QUIET,
    READY,
    SECONDS_A_PLY,
    HallPlayed,
    write_config,
)
from benchmarks.processes import free_port, running, wait_for
from benchmarks.report import Report, spread
from bridge.cli.frame import complain

SIZES = {"some in view": (1280, 800, ""), "all in view": (1920, 1080, "?size=fit")}
MEBIBYTE = 1 << 20
_COLUMNS = (
    *("looked at", "boards in view", "frame, median", "p99", "worst"),
    *("thread", "of one core", "no core"),
)
_SETTLED = 3.0
"""Seconds after which a page that was opened does nothing but follow."""
_TICKS = os.sysconf("SC_CLK_TCK")
_FRAMES = """(seconds) => new Promise((done) => {
    const found = [];
    let before = performance.now();
    const end = before + 1000 * seconds;
    const step = (now) => {
        found.push(now - before);
        before = now;
        if (now < end) requestAnimationFrame(step);
        else done(found);
    };
    requestAnimationFrame(step);
})"""
_IN_VIEW = """[...document.querySelectorAll(".tile")]
    .filter((tile) => tile.querySelector(".small-board") !== null).length"""


class Look(NamedTuple):
    """A page that was looked at for a while; ``thread_ms``: what its thread took for a frame."""

    name: str
    boards: int
    frames_ms: list[float]
    thread_ms: float
    browser_share: float
    without_core: float


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--plies", type=int, default=60, help="plies of each game")
    parser.add_argument("--seconds", type=float, default=240.0, help="how long they are played")
    parser.add_argument("--look", type=float, default=20.0, help="seconds for each size")
    options = parser.parse_args(arguments)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        complain("no Chromium is installed (on Debian: apt-get install chromium)")
        return 1
    with tempfile.TemporaryDirectory(prefix=".page-", dir=".") as folder:
        report = measure(
            Path(folder), program, options.boards, options.plies, options.seconds, options.look
        )
    report.show()
    return 0


def measure(
    folder: Path, program: str, boards: int, plies: int, seconds: float, look: float
) -> Report:
    """Play *plies* on each of *boards* boards in so many *seconds*, and look at the page."""
    port = free_port()
    write_config(folder, boards)
    with (folder / CONFIG).open("a") as config:
        config.write(f"web: {{port: {port}}}\n")
    think = max(0.0, seconds / plies - SECONDS_A_PLY)
    command = ["boards", "--boards", f"{boards}", "--seconds", f"{seconds}"]
    command += ["--quiet", f"{QUIET}", "--think", f"{think}"]
    with running(MODULE, [str(folder), *command], folder / "boards.log") as playing:
        wait_for(folder / READY, playing, PATIENCE)
        with _daemon(folder):
            address = f"http://127.0.0.1:{port}/"
            looks, memory = asyncio.run(_watch(folder, program, address, look, playing))
    played = msgspec.json.decode((folder / PLAYED).read_bytes(), type=HallPlayed)
    moves = sum(len(board.moves) for board in played.boards)
    lasted = played.ended - played.begun
    rows = [
        (
            look.name,
            f"{look.boards}",
            *_milliseconds(look.frames_ms),
            f"{look.thread_ms:.1f} ms",
            f"{100 * look.browser_share:.0f} %",
            f"{100 * look.without_core:.0f} %",
        )
        for look in looks
    ]
    held = ", ".join(f"{each:.1f}" for each in memory)
    return Report(
        f"Page: {boards} boards, {moves} moves in {lasted:.0f} s, one daemon",
        _COLUMNS,
        rows,
        (
            f"Heap of the page in MiB after the first look, and at the end: {held}.",
            f"Load of the machine: {os.getloadavg()[0]:.1f}.",
        ),
    )


def _milliseconds(samples: list[float]) -> list[str]:
    found = spread(samples)
    return [f"{value:.0f} ms" for value in (found.median, found.p99, found.worst)]


async def _watch(
    folder: Path, program: str, address: str, seconds: float, playing: "subprocess.Popen[bytes]"
) -> tuple[list[Look], list[float]]:
    """Look at the page in every size, and stay until the games are over."""
    looks: list[Look] = []
    async with _page(program) as (page, session):
        await _until_it_answers(page, address)
        await _until_play_begins(page)
        memory: list[float] = []
        for name, (width, height, query) in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            await page.goto(address + query)
            await page.wait_for_selector(".tile .small-board")
            await asyncio.sleep(_SETTLED)
            looks.append(await _look(page, session, name, seconds))
            memory = memory or [await _heap(session)]
        await page.goto(address)
        memory = [await _heap(session)]
        await asyncio.to_thread(wait_for, folder / PLAYED, playing, PATIENCE + 3600)
        return looks, [*memory, await _heap(session)]


async def _look(page: Page, session: CDPSession, name: str, seconds: float) -> Look:
    began, used, worked = time.monotonic(), _browser_use(), await _thread_s(session)
    frames = await page.evaluate(_FRAMES, seconds)
    now, lasted = _browser_use(), time.monotonic() - began
    share, waited = ((after - before) / lasted for before, after in zip(used, now, strict=True))
    thread_ms = 1000 * (await _thread_s(session) - worked) / len(frames)
    return Look(name, await page.evaluate(_IN_VIEW), frames, thread_ms, share, waited)


async def _thread_s(session: CDPSession) -> float:
    """Return the processor time of the thread that lays the page out and draws it."""
    found = await session.send("Performance.getMetrics")
    metrics = {metric["name"]: metric["value"] for metric in found["metrics"]}
    return float(metrics["TaskDuration"])


async def _heap(session: CDPSession) -> float:
    await session.send("HeapProfiler.collectGarbage")
    found = await session.send("Runtime.getHeapUsage")
    return float(found["usedSize"]) / MEBIBYTE


async def _until_it_answers(page: Page, address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            await page.goto(address)
        except Error:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.5)
        else:
            return


async def _until_play_begins(page: Page) -> None:
    await page.wait_for_selector(".tile .clock.running", timeout=1000 * PATIENCE)


@asynccontextmanager
async def _page(program: str) -> AsyncIterator[tuple[Page, CDPSession]]:
    arguments = ["--headless", "--disable-gpu", "--no-first-run"]
    arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=arguments)
        try:
            context = await browser.new_context()
            page = await context.new_page()
            session = await context.new_cdp_session(page)
            await session.send("Performance.enable", {"timeDomain": "threadTicks"})
            yield page, session
        finally:
            await browser.close()


@contextmanager
def _daemon(folder: Path) -> Iterator[None]:
    command = [sys.executable, "-m", "bridge", "run", str(folder / CONFIG)]
    with (folder / "daemon.log").open("wb") as log:
        daemon = subprocess.Popen(command, stderr=log)
        try:
            yield
        finally:
            daemon.terminate()
            daemon.wait()


def _browser_use() -> tuple[float, float]:
    """Return the processor time of all processes of the browser, which are ours.

    And for how long their main threads were ready to run and had no core.
    """
    parents: dict[int, int] = {}
    spent: dict[int, tuple[float, float]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
            waited_ns = int((path.parent / "schedstat").read_text().split()[1])
        except OSError:  # it has ended
            continue
        fields = rest.split()
        process = int(path.parent.name)
        parents[process] = int(fields[1])
        if "chrom" in name:
            spent[process] = (int(fields[11]) + int(fields[12])) / _TICKS, waited_ns / 1e9
    ours = [used for process, used in spent.items() if _is_ours(process, parents)]
    return sum(cpu for cpu, _ in ours), sum(waited for _, waited in ours)


def _is_ours(process: int, parents: dict[int, int]) -> bool:
    while process > 1:
        process = parents.get(process, 0)
        if process == os.getpid():
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
