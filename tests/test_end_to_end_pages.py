"""Spectators look at the pages of a hall in a real browser, while boards on ptys are played on."""

import asyncio
import re
from pathlib import Path

import chess
from playwright.async_api import expect

from tests.halls import LEGAL
from tests.pages import Hall, accessible, becomes, shown

OTHER = ["d2d4", "d7d5", "c2c4"]
LIVE = "document.querySelector('.lamp').dataset.state === 'live'"
MOST_BYTES = 150_000
LOADED = """performance.getEntriesByType("resource")
    .filter(({ name }) => name.includes("/assets/"))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
PICTURED = "document.querySelector('.small-board img')?.complete === true"
DRAWN = "document.querySelector('.diagram piece, .small-board img') !== null"
MEN = """() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 8 * 9;
    const context = canvas.getContext("2d");
    context.drawImage(document.querySelector(".small-board img"), 0, 0, 8 * 9, 8 * 9);
    return [...Array(64).keys()].filter((square) => {
        const [file, row] = [square % 8, 7 - Math.floor(square / 8)];
        return context.getImageData(9 * file + 4, 9 * row + 6, 1, 1).data[3] > 0;
    });
}"""
FITS = "document.documentElement.scrollWidth <= window.innerWidth"


def last_move(table: int) -> str:
    return f"[data-table='{table}'] .move"


def test_a_spectator_follows_a_game(tmp_path: Path) -> None:
    async def act(hall: Hall) -> None:
        page = await hall.open()
        await becomes(page, LIVE, "the line is live")
        await expect(page.locator(".tile")).to_have_count(2)
        await becomes(page, DRAWN, "a board")
        assert await page.evaluate(MEN) == sorted(chess.Board().piece_map())
        assert 20_000 < await page.evaluate(LOADED) < MOST_BYTES
        await hall.seats[1].plays()
        playing = asyncio.create_task(hall.seats[0].plays())
        await expect(page.locator(last_move(2))).to_have_text("2. c4")
        await expect(page.locator("[data-table='2'] .clock.running")).to_have_count(1)
        await page.click("[data-table='1'] a")
        await expect(page).to_have_url(re.compile("/board/1$"))
        await playing
        await expect(page.locator(".moves .san")).to_have_count(len(LEGAL))
        await expect(page.locator(".moves [aria-current]")).to_have_text(re.compile("Nd5#"))
        await expect(page.locator(".record .state")).to_contain_text("1–0")
        times = await page.locator(".moves .time").all_inner_texts()
        assert all(re.fullmatch(r"[45]:\d\d", time) for time in times)
        pgn = await page.get_attribute(".sharing a", "href")
        assert pgn == "/pgn/1.pgn"
        assert "7. Nd5#" in await (await page.request.get(hall.address + pgn[1:])).text()
        for kind, magic in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
            async with page.expect_download() as download:
                await page.click(f".sharing button:has-text('{kind}')")
            saved = tmp_path / f"position.{kind}"
            await (await download.value).save_as(saved)
            assert (await asyncio.to_thread(saved.read_bytes)).startswith(magic)
        await accessible(page)
        await page.click("text=All boards")
        await expect(page.locator("[data-table='1'] .result")).to_have_text("1–0")
        await becomes(page, PICTURED, "a board")
        ended = chess.Board()
        for uci in LEGAL:
            ended.push_uci(uci)
        assert await page.evaluate(MEN) == sorted(ended.piece_map())
        await accessible(page)

    shown(tmp_path, act, LEGAL, OTHER)


def test_what_was_missed_without_a_connection_is_made_up_for(tmp_path: Path) -> None:
    async def act(hall: Hall) -> None:
        page = await hall.open()
        (seat,) = hall.seats
        await seat.plays(2)
        await expect(page.locator(last_move(1))).to_have_text("1… e5")
        await page.context.set_offline(True)
        await becomes(page, LIVE.replace("live", "lost"), "the page says that the line is lost")
        await seat.plays(3)
        await expect(page.locator(last_move(1))).to_have_text("1… e5")
        await page.context.set_offline(False)
        await expect(page.locator(last_move(1))).to_have_text("3. Bc4")
        await becomes(page, LIVE, "the page says that the line is live")

    shown(tmp_path, act, LEGAL)


def test_everything_can_be_done_with_the_keyboard(tmp_path: Path) -> None:
    async def act(hall: Hall) -> None:
        page = await hall.open()
        await hall.seats[0].plays(4)
        await expect(page.locator(last_move(1))).to_have_text("2… d6")
        await page.keyboard.press("/")
        await page.keyboard.type("2")
        await expect(page.locator(".tile")).to_have_count(1)
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Delete")
        await expect(page.locator(".tile")).to_have_count(2)
        while not await page.evaluate("document.activeElement.closest('.tile') !== null"):
            await page.keyboard.press("Tab")
        await page.keyboard.press("ArrowRight")
        await becomes(
            page, "document.activeElement.closest('.tile')?.dataset.table === '2'", "the next board"
        )
        await page.keyboard.press("Home")
        await page.keyboard.press("Enter")
        current = page.locator(".moves [aria-current] .san")
        await expect(current).to_have_text("d6")
        await page.keyboard.press("ArrowLeft")
        await expect(current).to_have_text("Nf3")
        await expect(page.locator(".behind-note")).to_be_visible()
        await page.keyboard.press("Home")
        await expect(current).to_have_count(0)
        await hall.seats[0].plays(1)
        await expect(page.locator(".moves .san")).to_have_count(5)
        await expect(current).to_have_count(0)
        await page.keyboard.press("End")
        await expect(current).to_have_text("Bc4")
        await hall.seats[0].plays(1)
        await expect(current).to_have_text("Bg4")
        told = page.locator("[aria-live=polite]")
        await expect(told).to_have_text("Board 1, 3, Black: bishop g4")

    shown(tmp_path, act, LEGAL, OTHER)


def test_on_a_phone_and_as_an_overlay(tmp_path: Path) -> None:
    async def act(hall: Hall) -> None:
        await hall.seats[0].plays(2)
        for path in ("", "board/1"):
            page = await hall.open(path, width=360, height=740)
            await becomes(page, LIVE, "the line is live")
            await becomes(page, DRAWN, "a board")
            assert await page.evaluate(FITS), path
            await page.select_option("header select", "de")
            await expect(page.locator("html")).to_have_attribute("lang", "de")
            await accessible(page)
        overlay = await hall.open("overlay/1?side=black&move=on&board=off")
        names = overlay.locator(".player .name")
        await expect(names).to_have_count(2)
        await expect(overlay.locator(".last")).to_have_text("1… e5")
        assert await overlay.locator(".diagram").count() == 0
        ground = "getComputedStyle(document.body).backgroundColor"
        assert await overlay.evaluate(ground) == "rgba(0, 0, 0, 0)"

    shown(tmp_path, act, LEGAL)
