"""The server's pages, and who may ask for them under which name."""

import asyncio
import logging
import subprocess
from collections.abc import Sequence
from pathlib import Path

import aiohttp
import pytest

from bridge.config import ConfigError, load
from bridge.web.pages import Pages
from tests.livechess import Play
from tests.web import Stage, Visitor, config_of, staged

OVERLAY = "/overlay/1"


def built(folder: Path, *, overlay: bool = True) -> Path:
    pages = folder / "pages"
    (pages / "assets").mkdir(parents=True)
    (pages / "index.html").write_text("<p>the hall")
    (pages / "favicon.svg").write_text("<svg/>")
    (pages / "assets" / "main-1a2b.js").write_text("1")
    if overlay:
        (pages / "overlay.html").write_text("<p>overlay")
    (folder / "secret.txt").write_text("secret")
    return pages


def test_built_pages_are_served(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        for path in ("/", "/board/1", "/board/s%C3%BCd", "/login", "/arbiter", "/arbiter/alerts/3"):
            page = await visitor.get(path)
            assert (page.content_type, await page.text()) == ("text/html", "<p>the hall")
            assert page.headers["Cache-Control"] == "no-cache"
        assert await (await visitor.get(OVERLAY)).text() == "<p>overlay"
        asset = await visitor.get("/assets/main-1a2b.js")
        assert "immutable" in asset.headers["Cache-Control"]
        assert (await visitor.get("/favicon.svg")).content_type == "image/svg+xml"
        for path in ("/none.svg", "/assets/none.js", "/assets", "/secret.txt", "/a/b/c"):
            await visitor.get(path, 404)
        for path in ("/..%2fsecret.txt", "/assets/..%2f..%2fsecret.txt", "/%2e%2e/secret.txt"):
            assert "secret" not in await (await visitor.get(path, 404)).text()

    staged(act, Stage(config_of(tmp_path), built(tmp_path)))


def test_an_overlay_may_be_one_of_the_pages(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        assert await (await visitor.get(OVERLAY)).text() == "<p>the hall"

    staged(act, Stage(config_of(tmp_path), built(tmp_path, overlay=False)))


def test_without_pages_one_says_so(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        page = await visitor.get("/")
        assert "not built" in await page.text()

    staged(act, Stage(config_of(tmp_path), tmp_path))


def test_pages_may_do_nothing_that_they_need_not(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        for path, framed in (("/", "'none'"), (OVERLAY, "*"), ("/api/v1/games", "'none'")):
            headers = (await visitor.get(path)).headers
            policy = headers["Content-Security-Policy"]
            assert policy.endswith(f"frame-ancestors {framed}")
            assert "default-src 'none'; script-src 'self';" in policy
            assert "unsafe" not in policy
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert "Server" not in headers
        assert (await visitor.get("/api/v1/games")).headers["Cache-Control"] == "no-store"

    staged(act, Stage(config_of(tmp_path), tmp_path))


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:8080", "Hall.example.org"])
def test_names_of_ours_are_answered(tmp_path: Path, host: str) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        await visitor.get("/api/v1/event", Host=host)

    staged(act, Stage(config_of(tmp_path, "names: [hall.example.org]"), tmp_path))


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "hall.example.org.", ""]
)
def test_a_page_that_lets_its_name_point_here_is_refused(tmp_path: Path, host: str) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        refused = await visitor.json("/api/v1/event", 403, Host=host)
        assert "another name" in refused["error"]
        await visitor.get("/", 403, Host=host)

    staged(act, Stage(config_of(tmp_path, "names: [hall.example.org]"), tmp_path))


def test_pages_of_other_sites_are_refused_unless_they_are_listed(tmp_path: Path) -> None:
    club = "https://club.example.org"

    async def act(stage: Stage, visitor: Visitor) -> None:
        for strange in ("https://evil.example", "null", "http://localhost:1"):
            assert "origins" in (await visitor.json("/api/v1/games", 403, Origin=strange))["error"]
            with pytest.raises(aiohttp.WSServerHandshakeError):
                async with visitor.stream(Origin=strange):
                    pass
        stage.tell(*Play().start())
        for path in ("/api/v1/games", "/pgn/games.pgn"):
            answer = await visitor.get(path, Origin=club)
            assert answer.headers["Access-Control-Allow-Origin"] == club
            assert answer.headers["Vary"] == "Origin"
        async with visitor.session.get("/api/v1/events", headers={"Origin": club}) as events:
            assert events.headers["Access-Control-Allow-Origin"] == club
        own = await visitor.get("/api/v1/games", Origin=stage.url)
        assert "Access-Control-Allow-Origin" not in own.headers
        async with visitor.session.post("/api/v1/games", headers={"Origin": club}) as answer:
            assert answer.status == 403

    staged(act, Stage(config_of(tmp_path, f"origins: ['{club}']"), tmp_path))


def test_programs_are_told_of_mistakes_in_json(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        assert await visitor.json("/api/v1/nothing", 404) == {"error": "404: Not Found"}
        async with visitor.session.put("/api/v1/games") as answer:
            assert (answer.status, answer.headers["Allow"]) == (405, "GET,HEAD")
            assert "error" in await answer.json()

    staged(act, Stage(config_of(tmp_path), tmp_path))


def test_what_is_no_http_does_not_fill_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(stage: Stage, _: Visitor) -> None:
        host, port = stage.url.removeprefix("http://").split(":")
        for nonsense in (b"\x16\x03\x01\x00\r\n\r\n", b"GET / HTTP/1.1\r\nX: \0\r\n\r\n"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(nonsense)
            assert b" 400 " in await reader.readline()
            writer.close()

    caplog.set_level(logging.WARNING)
    staged(act, Stage(config_of(tmp_path), tmp_path))
    assert caplog.messages == []


def test_every_route_of_pages_is_known() -> None:
    assert {route.path.split("{")[0] for route in Pages().routes()} >= {"/", "/board/", "/login"}


def certificate(folder: Path) -> tuple[Path, Path]:
    cert, key = folder / "server.pem", folder / "server.key"
    command: Sequence[str] = (
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-subj", "/CN=localhost", "-days", "2", "-keyout", str(key), "-out", str(cert)),
    )
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no openssl is installed")
    return cert, key


def test_it_speaks_https_with_a_certificate(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    stage = Stage(config_of(tmp_path, f"certificate: {cert.name}, certificate_key: {key.name}"))
    assert stage.url.startswith("https://")

    async def main() -> int:
        async with (
            stage.web,
            aiohttp.ClientSession(stage.url) as session,
            session.get("/api/v1/event", ssl=False) as answer,
        ):
            return answer.status

    assert asyncio.run(main()) == 200


def test_a_certificate_that_will_not_do_is_found_before_the_start(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    hall = tmp_path / "hall.yaml"
    for names, problem in (
        ("certificate: none.pem", "No such file"),
        (f"certificate: {key.name}", "cannot be used"),
        (f"certificate_key: {cert.name}", "stands without 'certificate'"),
    ):
        hall.write_text(f"web: {{{names}}}\ntables: [{{table: '1'}}]\n")
        with pytest.raises(ConfigError) as error:
            load(hall)
        assert problem in str(error.value)


def test_a_port_that_is_taken_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = config_of(tmp_path)
    first, second = Stage(config), Stage(config)

    async def main() -> None:
        async with first.web, second.web:
            pass

    caplog.set_level(logging.WARNING)
    asyncio.run(main())
    (said,) = caplog.messages
    assert said.startswith("web: cannot listen at http://127.0.0.1:")
    assert said.endswith("another program has the port; end it, it is tried again every 10 s")
