"""Arbiters deal with an illegal move in real browsers, while the board is played on."""

import asyncio
from pathlib import Path

import chess
from playwright.async_api import Page, Position, expect

from tests.halls import LEGAL, Seat
from tests.pages import Hall, accessible, shown

COUNT = "button:has-text('Count an illegal move of White')"
AT_REST = 1.0
"""Seconds after which the board has surely told what stands on it."""
KNIGHT = chess.Piece(chess.KNIGHT, chess.WHITE)
TOO_WIDE = """[...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.outerHTML.slice(0, 120))"""


async def err(seat: Seat, origin: str, target: str) -> None:
    """Move a white knight as it cannot, and press."""
    await put(seat, origin, target)
    await asyncio.sleep(AT_REST)
    seat._press(chess.WHITE)
    await seat._rest()


async def put(seat: Seat, origin: str, target: str) -> None:
    await seat.lifts(chess.parse_square(origin))
    seat.board.put(chess.parse_square(target), KNIGHT, at=seat._now())
    await seat._rest()


def form(title: str) -> str:
    return f"fieldset:has(legend:has-text('{title}'))"


async def order(page: Page, button: str, reason: str | None = None) -> None:
    """Give an order by a button, with its reason."""
    await page.click(button)
    await expect(page.locator("dialog [name=reason]")).to_be_visible()
    if reason is not None:
        await page.fill("dialog [name=reason]", reason)
    await page.click("dialog button[type=submit]")


async def play(page: Page, *squares: str) -> None:
    """Click on squares of the board on which moves are entered."""
    board = page.locator(".playable cg-board")
    box = await board.bounding_box()
    assert box is not None
    side = box["width"] / 8
    for square in squares:
        file, rank = ord(square[0]) - ord("a"), int(square[1])
        place: Position = {"x": (file + 0.5) * side, "y": (8.5 - rank) * side}
        await board.click(position=place, force=True)


async def correct(page: Page) -> None:
    """Put 1... e6 in the place of 1... e5, having tried to promote a pawn instead."""
    rows = page.locator(".difference tbody tr")
    await page.click(".moves button:has-text('e4')")
    await page.fill(".correction form input", "h5 Nf3 h4 Ng1 h3 Nf3 hxg2 Nd4")
    await page.keyboard.press("Enter")
    await expect(rows).to_have_count(8)
    await play(page, "g2", "h1")
    await page.click("dialog button:has-text('knight')")
    await expect(rows.last).to_contain_text("5… gxh1=N")
    await page.fill(".correction form input", "Ke8")
    await page.keyboard.press("Enter")
    await expect(page.locator(".correction .refused")).to_have_text("Not possible here: Ke8")
    await page.click(".moves button:has-text('e4')")
    await play(page, "e7", "e6")
    await expect(rows).to_have_text("1… e51… e6")
    await accessible(page)
    await order(page, ".correction button.main", "both scoresheets say so")


def test_an_arbiter_puts_an_illegal_move_right(tmp_path: Path) -> None:
    async def act(hall: Hall) -> None:
        (seat,) = hall.seats
        public = await hall.open()
        await public.goto(hall.address + "login?language=de")
        await public.fill("[name=name]", "Anna")
        await public.fill("[name=password]", "something else")
        await public.keyboard.press("Enter")
        await expect(public.locator(".refused")).to_have_text("Name oder Passwort ist falsch.")
        await public.select_option("header select", "en")
        await expect(public.locator("html")).to_have_attribute("lang", "en")
        await public.goto(hall.address + "board/1")
        anna, ben = await hall.desk("Anna"), await hall.desk("Ben", width=360, height=740)
        await expect(anna.locator("aside .faint").first).to_have_text("0 open")
        await seat.plays(2)
        await expect(public.locator(".moves .san")).to_have_text(["e4", "e5"])
        await err(seat, "b1", "d4")
        for page in (anna, ben):
            await expect(page.locator(".alerts strong")).to_have_text("Board 1: Illegal move")
            await page.click(".alerts a")
            await expect(page.locator(".steps-back")).to_have_text("White, knight: d4 → b1")
            assert await page.evaluate(TOO_WIDE) == []
            await accessible(page)
        assert await anna.locator(".positions square.differs").count() == 4
        await anna.click("summary:has-text('What the board showed before')")
        slider = anna.locator(".replay input")
        assert int(await slider.get_attribute("max") or 0) > 4
        await slider.press("Home")
        await expect(anna.locator(".replay piece")).to_have_count(32)
        await expect(anna.locator(".replay .faint")).to_contain_text("(-")
        await anna.click(".replay button:text-is('Play')")
        await expect(anna.locator(".replay .faint")).to_contain_text("(0.0 s) · clock: left ")
        await order(anna, COUNT)
        await expect(anna.locator("article")).to_contain_text("White 1, Black 0")
        await order(ben, COUNT, "the knight")
        await expect(ben.locator("dialog .refused")).to_contain_text("Anna")
        await accessible(ben)
        await ben.keyboard.press("Escape")
        await ben.select_option("header select", "de")
        await expect(ben.locator("article h2")).to_have_text("DringendRegelwidriger Zug")
        await expect(ben.locator("article")).to_contain_text("die Figur zieht so nicht")
        told = ben.locator("article .told")
        await expect(told).to_have_text("so zieht die Figur (Springer) nicht nach d4")
        await expect(ben.locator(".case-head .remedy")).to_contain_text("zu ziehen ist: N")
        await expect(ben.locator(".case-head [lang=en]")).to_have_count(0)
        await put(seat, "d4", "b1")
        await expect(anna.locator(".steps-back")).to_have_text("The board agrees.")
        await anna.goto(hall.address + "arbiter/tables/1")
        await anna.fill("input[placeholder^='White']", "4:00")
        await anna.fill("input[placeholder^='Black']", "7:00")
        await order(anna, f"{form('Set the clocks')} button", "two minutes more for Black")
        done = anna.locator("article [role=status]")
        await expect(done).to_have_text("Done: Set the clocks: White 4:00, Black 7:00")
        await order(anna, f"{form('Penalty for')} button", "as the Laws say")
        await expect(done).to_have_text(
            "Done: Penalty for White: more time for the opponent, 2 min"
        )
        await order(anna, f"{form('Draw claimed by')} button", "he says so")
        await expect(anna.locator(".claim .remedy")).to_contain_text("The claim is wrong")
        await expect(anna.locator(".claim-steps li")).to_have_count(1)
        await anna.click("a:has-text('Correct the moves')")
        await correct(anna)
        sans = public.locator(".moves .san")
        await expect(sans).to_have_text(["e4", "e6"])
        await accessible(anna)
        await anna.click("a:has-text('Audit list')")
        await expect(anna.locator(".entry")).to_have_count(5)
        await ben.goto(hall.address + "arbiter/audit")
        await expect(ben.locator(".entry")).to_have_count(5)
        await expect(ben.locator(".entry [lang=en]")).to_have_count(0)
        await accessible(anna)
        await order(anna, ".entry:first-child button", "it was e5")
        await expect(sans).to_have_text(["e4", "e5"])
        await expect(anna.locator(".entry.undone")).to_contain_text("Correct 1 plies")
        assert "llegal" not in await public.inner_text("main")

    shown(tmp_path, act, LEGAL, people={"Anna": "arbiter", "Ben": "arbiter"})
