"""Made-up requests to servers that run: from their description, and as damaged bytes."""

import asyncio
import logging
import random
import re
from pathlib import Path

import pytest

from tests import court
from tests.bridge.test_web_fuzzed import asked_in_every_way
from tests.livechess import Stage as Programs
from tests.livechess import client
from tests.soak.conftest import Tell
from tests.test_fuzzed import TOKENS, edited
from tests.web import Stage, config_of, visiting

EXAMPLES = 100
"""Requests made up for each path, beside those that cover its description."""
DAMAGED, AT_ONCE = 20_000, 20
HOUR = 3600.0
ANSWER = 30.0
"""Seconds for what comes back from damaged bytes; more is taken for a mistake."""

GAMES = b"GET /api/v1/games?plies=no HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
PGN = b"GET /pgn/games.pgn HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-9\r\nIf-None-Match: x\r\n"
LOGIN = (
    b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Transfer-Encoding: chunked\r\n\r\n12\r\n{"name":"a","passw\r\n7\r\nord":1}\r\n0\r\n\r\n'
)
SOCKET = (
    b"GET /api/v1.0 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    b'\x81\x98\0\0\0\0{"call":"eboards","id":1}\x89\x80\0\0\0\0\x88\x80\0\0\0\0'
)
REQUESTS = (GAMES, PGN + b"\r\n", LOGIN, SOCKET, SOCKET.replace(b"/api/v1.0", b"/api/v1/stream"))


def test_fuzzing_requests_finds_no_mistake_of_the_web_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figure: Tell
) -> None:
    monkeypatch.setattr(court, "PATIENCE", HOUR)
    told = asked_in_every_way(tmp_path, monkeypatch, examples=EXAMPLES)
    (count,) = re.findall(r"([\d,]+) generated", told)
    figure(f"{int(count.replace(',', '')):,} requests from the description")


def damaged(chance: random.Random) -> bytes:
    edits = [
        (chance.random(), chance.randrange(20), chance.choice((*TOKENS, chance.randbytes(4))))
        for _ in range(chance.randrange(1, 6))
    ]
    return edited(chance.choice(REQUESTS), edits)


async def sends(port: int, data: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        writer.write_eof()
        async with asyncio.timeout(ANSWER):
            while await reader.read(65536):
                pass
    except ConnectionError:
        return
    finally:
        writer.close()


async def floods(port: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(DAMAGED // AT_ONCE):
        await sends(port, damaged(chance))


def test_fuzzing_bytes_finds_no_mistake_of_the_servers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, figure: Tell
) -> None:
    async def act() -> None:
        programs, stage = Programs(), Stage(config_of(tmp_path))
        assert stage.config.web is not None
        async with programs.server, stage.web:
            for port in (programs.port, stage.config.web.port):
                await asyncio.gather(*(floods(port, seed) for seed in range(AT_ONCE)))
            async with client(programs.port) as one, visiting(stage.url) as visitor:
                assert (await one.ask("eboards"))["response"] == "call"
                await visitor.get("/api/v1/games")

    asyncio.run(act())
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []
    figure(f"{2 * DAMAGED:,} damaged requests to both servers")
