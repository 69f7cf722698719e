"""Two hundred boards on one screen of a real browser."""

from pathlib import Path

from playwright.async_api import expect

from tests.livechess import Play
from tests.pages import browser_program, chromium
from tests.web import Stage, Visitor, config_of, staged

BOARDS = 200
OUTSIDE = """[...document.querySelectorAll(".tile, .tile .clock, .tile .move")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).length"""
OVER_ITS_TILE = """[...document.querySelectorAll(".tile")].filter((tile) => {
    const room = tile.getBoundingClientRect();
    return [...tile.querySelectorAll(".clock, .move, .name")].some((one) => {
        const { right, bottom } = one.getBoundingClientRect();
        return right > room.right || bottom > room.bottom;
    });
}).length"""
NARROWEST_NAME = """Math.min(...[...document.querySelectorAll(".tile .name")].map((name) => {
    const letter = parseFloat(getComputedStyle(name).fontSize);
    return name.getBoundingClientRect().width / letter;
}))"""
SIZES = ((1920, 1080, True), (3840, 2160, True), (1280, 800, False))
"""Width, height, and whether all can be read there at once."""
WIDE = "document.documentElement.scrollWidth > innerWidth"


def test_all_boards_go_on_one_screen_with_their_names(tmp_path: Path) -> None:
    program = browser_program()
    tables = tuple(map(str, range(1, BOARDS + 1)))

    async def act(stage: Stage, _: Visitor) -> None:
        for table in tables:
            play = Play(table)
            stage.tell(*play.start(), play.clock(5399, 5400, "black"), *play.plays("Nf3"))
        async with chromium(program) as browser:
            page = await browser.new_page(viewport={"width": 1920, "height": 1080})
            await page.goto(f"{stage.url}/?size=fit")
            await expect(page.locator(".small-board[style]")).to_have_count(BOARDS)
            for width, height, all_fit in SIZES:
                await page.set_viewport_size({"width": width, "height": height})
                await page.evaluate("new Promise((done) => requestAnimationFrame(done))")
                assert (await page.evaluate(OUTSIDE) == 0) is all_fit, width
                assert not await page.evaluate(WIDE), width
                assert await page.evaluate(OVER_ITS_TILE) == 0, width
                assert await page.evaluate(NARROWEST_NAME) > 5, "some letters of each name"

    staged(act, Stage(config_of(tmp_path, tables=tables)))
