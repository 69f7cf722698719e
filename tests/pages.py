"""A daemon with boards that play, and a browser without a window that shows its pages."""

import asyncio
import contextlib
import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from bridge.config import load
from bridge.web import passwords
from bridge.web.accounts import Account, Role, add
from tests.halls import Daemon, Seat, at, seated, write_config
from tests.livechess import free_port

PAGE = Path(__file__).resolve().parents[1] / "bridge" / "web" / "page"
BUILT = PAGE.with_name("static")
PATIENCE_MS = 60_000
PACE = 0.08
PASSWORD = "bishops of one colour"  # noqa: S105 - of accounts that live as long as a test
expect.set_options(timeout=PATIENCE_MS)
QUIET = (
    *("--headless", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@dataclass(frozen=True, kw_only=True)
class Hall:
    """A running daemon with its boards, and a browser."""

    address: str
    seats: list[Seat]
    browser: Browser
    complaints: list[str]

    async def open(self, path: str = "", *, width: int = 1280, height: int = 800) -> Page:
        """Open a page in a window of its own; what it complains of is kept."""
        context = await self.browser.new_context(viewport={"width": width, "height": height})
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text) if "Security Policy" in message.text else None
            ),
        )
        await page.goto(self.address + path)
        return page

    async def desk(self, name: str, home: Role = "arbiter", **size: int) -> Page:
        """Log somebody in, and return the page that is shown first to people of that role."""
        page = await self.open("login", **size)
        await page.fill("[name=name]", name)
        await page.fill("[name=password]", PASSWORD)
        await page.click("form button")
        await page.wait_for_url(f"**/{home}")
        return page


Act = Callable[[Hall], Awaitable[None]]


def shown(
    folder: Path,
    act: Act,
    *games: Sequence[str],
    people: Mapping[str, Role] | None = None,
    more: Sequence[str] = (),
    sensing: Mapping[int, str] | None = None,
) -> None:
    """Let *act* look at the pages of a hall with a board for each of *games*.

    *people* have accounts, all with the same password; *more* is in the configuration, which says
    of the boards in *sensing*, from 1 on, what they tell of their men.
    Skips the test where nothing can be shown.
    """
    program = browser_program()
    asyncio.run(_shown(folder, act, games, people or {}, more, sensing or {}, program))


def browser_program() -> str:
    """Return where Chromium is; skips the test without it, or where no pages were built."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed (on Debian: apt-get install chromium)")
    if not (BUILT / "index.html").is_file():
        pytest.skip("the pages were not built; pip install -e . says why")
    return program


async def _shown(
    folder: Path,
    act: Act,
    games: Sequence[Sequence[str]],
    people: Mapping[str, Role],
    more: Sequence[str],
    sensing: Mapping[int, str],
    program: str,
) -> None:
    port = free_port()
    seats = [
        Seat(folder / f"board{number}", serial=f"4601{number}", moves=moves, pace=PACE)
        for number, moves in enumerate(games, start=1)
    ]
    boards = [at(seat.port.path) for seat in seats]
    for number, tells in sensing.items():
        boards[number - 1] += f", sensing: {tells}"
    config = write_config(folder, boards, f"web: {{port: {port}}}", *more)
    kept = passwords.hashed(PASSWORD) if people else ""
    for name, role in people.items():
        add(load(config).accounts, Account(name=name, role=role, password=kept))
    complaints: list[str] = []
    async with seated(seats), Daemon(config) as daemon, chromium(program) as browser:
        for number in range(1, len(seats) + 1):
            await daemon.live(number)
        await act(
            Hall(
                address=f"http://127.0.0.1:{port}/",
                seats=seats,
                browser=browser,
                complaints=complaints,
            )
        )
    assert complaints == []


@contextlib.asynccontextmanager
async def chromium(program: str) -> AsyncIterator[Browser]:
    """Run a browser without a window."""
    arguments = [*QUIET, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=arguments)
        try:
            yield browser
        finally:
            await browser.close()


async def becomes(page: Page, script: str, what: str) -> None:
    """Wait until *script* is true in *page*.

    It is asked from outside again and again: what waits inside is refused by the page's policy.
    """
    late = asyncio.get_running_loop().time() + PATIENCE_MS / 1000
    while not await page.evaluate(script):
        if asyncio.get_running_loop().time() > late:
            raise AssertionError(f"never came: {what}\n{await page.inner_text('body')}")
        await asyncio.sleep(0.1)


async def accessible(page: Page) -> None:
    """Assert that axe-core finds nothing serious in *page* as it is now."""
    axe = PAGE / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.is_file():
        pytest.skip("axe-core was not fetched; it comes with the build of the pages")
    await page.evaluate(axe.read_text("utf-8"))
    found = json.loads(
        await page.evaluate("axe.run().then((all) => JSON.stringify(all.violations))")
    )
    bad = [
        f"{each['id']} ({each['impact']}): {[node['target'] for node in each['nodes']][:3]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert bad == []
