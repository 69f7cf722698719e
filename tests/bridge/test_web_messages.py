"""Answers in JSON: a long one makes nobody wait."""

import asyncio

import pytest
from aiohttp import web
from aiohttp.compression_utils import ZLibCompressor
from aiohttp.test_utils import TestClient, TestServer

from bridge.web.messages import LARGEST_AT_ONCE, SMALLEST_COMPRESSED, answer

SHORT, LONG = "e4 " * SMALLEST_COMPRESSED, "e4 " * LARGEST_AT_ONCE


def test_a_long_answer_is_compressed_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_loop: list[int] = []
    compress = ZLibCompressor.compress_sync

    def noted(self: ZLibCompressor, data: bytes) -> bytes:
        on_the_loop.append(len(data))
        return compress(self, data)

    monkeypatch.setattr(ZLibCompressor, "compress_sync", noted)

    async def long(_request: web.Request) -> web.Response:
        return answer(LONG)

    async def short(_request: web.Request) -> web.Response:
        return answer(SHORT)

    async def main() -> None:
        app = web.Application()
        app.add_routes([web.get("/long", long), web.get("/short", short)])
        async with TestClient(TestServer(app)) as client:
            for path, text in (("/long", LONG), ("/short", SHORT)):
                async with client.get(path) as answered:
                    assert answered.headers["Content-Encoding"] in ("gzip", "deflate")
                    assert await answered.json() == text

    asyncio.run(main())
    assert [size > LARGEST_AT_ONCE for size in on_the_loop] == [False]
