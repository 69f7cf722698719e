"""An operator looks after boards and outputs in a real browser: a cable is pulled, a man lifted.

The second board does not tell which man is which.
"""

import asyncio
import re
from pathlib import Path

import chess
from playwright.async_api import Page, expect

from tests.halls import LEGAL
from tests.livechess import free_port
from tests.pages import Hall, accessible, shown

FITS = "document.documentElement.scrollWidth <= window.innerWidth"


async def operate(page: Page, hall: Hall, config: Path) -> None:
    """Begin the next round, ask whose board it is by its king, and read the log."""
    await page.click("summary:has-text('The round')")
    await expect(page.locator("[aria-label='Number of the round']")).to_have_value("2")
    await page.click("text=End this round and begin the next")
    await page.click("dialog button.main")
    await expect(page.locator(".panel")).to_contain_text(["Round 2 is on."])
    await expect(page.locator(".where")).to_have_text("Round 2")
    assert 'round: "2"' in await asyncio.to_thread(config.read_text)
    await page.click("summary:has-text('Boards and their tables')")
    await expect(page.locator("[aria-label='One table'] option")).to_have_count(2)
    await expect(page.locator("[aria-label='The other table']")).to_have_value("2")
    places = await (await page.request.get(f"{hall.address}api/v1/places")).json()
    cells = {place["table"]: place["cells"] for place in places["places"]}
    assert "k" in cells["1"], "a board that names its men"
    assert "k" not in cells["2"], "and one that does not"
    for table, king in ((2, chess.E8), (1, chess.E1)):
        seat = hall.seats[table - 1]
        symbol = "K" if king == chess.E1 else "k"
        await seat.lifts(king)
        await expect(page.locator(".seen")).to_have_text(f"A king was lifted at table {table}")
        await expect(page.locator("[aria-label='One table']")).to_have_value(str(table))
        seat.board.put(king, chess.Piece.from_symbol(symbol), at=seat._now())
        await seat._rest()
    await page.click("summary:has-text('Log')")
    await expect(page.locator(".log")).to_contain_text("the configuration is taken")
    async with page.expect_download() as download:
        await page.click("a.captures >> nth=0")
    assert (await download.value).suggested_filename == "captures.zip"
    await accessible(page)


def test_an_operator_sees_what_needs_care(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("of this test and nobody else\n")
    url = f"http://127.0.0.1:{free_port()}/"
    hook = f"webhooks: [{{name: screens, url: '{url}', secret_file: secret}}]"

    async def act(hall: Hall) -> None:
        public = await hall.open("operator")
        await expect(public.locator("main")).to_contain_text("for operators and arbiters")
        page = await hall.desk("Olga", home="operator")
        boards, outputs = page.locator(".cards").nth(0), page.locator(".cards").nth(1)
        await expect(boards.locator(".health")).to_have_text(["Live", "Live"])
        await expect(page.locator("main > [role=status]")).to_have_text("2 of 2 live")
        await expect(boards.locator(".faint").first).to_contain_text("heard < 5 sec ago")
        await hall.seats[0].plays(2)
        refused = outputs.locator(":scope > li", has_text="webhook screens")
        await expect(refused.locator(".health")).to_have_text("Trouble")
        await expect(refused.locator(".troubles")).to_contain_text("Connection refused")
        await expect(refused.locator(".faint")).to_contain_text("waiting")
        written = outputs.locator("[data-health=well]")
        await expect(written.locator(".faint")).to_have_text(re.compile(r"^last at \d+:\d\d:\d\d"))
        await operate(page, hall, tmp_path / "hall.yaml")
        hall.seats[1].port.unplug()
        first = boards.locator(":scope > li").first
        await expect(first.locator(".health")).to_have_text("Lost")
        await expect(first.locator("h3")).to_have_text("Board 2")
        await expect(first.locator(".troubles")).to_contain_text("check cable and power")
        await accessible(page)
        phone = await hall.desk("Olga", home="operator", width=360, height=740)
        await expect(phone.locator(".health").first).to_have_text("Lost")
        assert await phone.evaluate(FITS)
        await accessible(phone)
        hall.seats[1].port.plug()
        await expect(boards.locator(".health")).to_have_text(["Live", "Live"])
        await expect(first.locator("h3")).to_have_text("Board 1")
        await first.locator("h3 a").click()
        await expect(page).to_have_url(re.compile("/board/1$"))
        said = page.locator(".standing .faint")
        await expect(said).to_have_text("The board agrees.")
        await hall.seats[0].lifts(chess.G1)
        await expect(said).to_have_text("Differing: g1")
        await expect(page.locator(".standing square.differs")).to_have_count(1)
        await accessible(page)
        await public.goto(hall.address + "board/1")
        await expect(public.locator(".moves .san")).to_have_count(2)
        await expect(public.locator(".standing")).to_have_count(0)

    shown(
        tmp_path,
        act,
        LEGAL,
        LEGAL,
        people={"Olga": "operator"},
        more=[hook],
        sensing={2: "occupancy"},
    )
