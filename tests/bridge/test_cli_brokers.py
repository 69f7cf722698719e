"""What ``doctor`` says of brokers."""

import asyncio
import time
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from bridge.cli.brokers import brokers
from bridge.cli.findings import Finding
from bridge.config import Config, parse
from bridge.scale.messages import TimeAnswer, encode
from bridge.scale.names import Names
from bridge.scale.streams import make_streams
from tests.brokers import Broker
from tests.livechess import free_port

TABLE = 'tables: [{table: "1", node: north, board: {port: /dev/a}}]\n'


def config(folder: Path, *urls: str, more: str = "") -> Config:
    servers = ", ".join(f"'{url}'" for url in urls)
    scale = f"scale: {{event: open, servers: [{servers}]{more}}}\n"
    return parse(TABLE + scale, folder / "event.yaml")


def test_one_hall_needs_no_broker(tmp_path: Path) -> None:
    assert list(brokers(parse(TABLE, tmp_path / "event.yaml"))) == []


def test_the_package_is_missing(tmp_path: Path) -> None:
    (finding,) = brokers(config(tmp_path, "nats://a:1"), library="no_such_package")
    assert finding.remedy == "pip install 'eboard-bridge[scale]'"


def test_a_file_is_missing(tmp_path: Path) -> None:
    (finding,) = brokers(config(tmp_path, "tls://a:1", more=", password_file: none"))
    assert finding.state == "mend"
    assert "cannot be read" in finding.text


async def _found(folder: Path, *, ahead: float | None) -> list[Finding]:
    names = Names("open")
    async with Broker(folder / "broker") as broker:
        hall = config(folder, broker.url, f"nats://127.0.0.1:{free_port()}")
        client = Client()
        await client.connect(broker.url)
        try:
            if ahead is not None:
                assert hall.scale is not None
                await make_streams(client.jetstream(), hall.scale)

                async def answer(message: Msg) -> None:
                    await message.respond(encode(TimeAnswer(now=1.0, wall=time.time() - ahead)))

                await client.subscribe(names.time, cb=answer)
                await client.flush()
            return await asyncio.to_thread(lambda: list(brokers(hall)))
        finally:
            await client.close()


def test_a_broker_that_is_there_and_one_that_is_not(tmp_path: Path) -> None:
    there, absent = asyncio.run(_found(tmp_path, ahead=0.0))
    assert (there.state, there.text) == ("good", "is there, and a hub leads")
    assert absent.state == "mend"


@pytest.mark.parametrize(("ahead", "words"), [(5.0, "5 s ahead of"), (-60.0, "60 s behind")])
def test_a_clock_that_is_wrong(tmp_path: Path, ahead: float, words: str) -> None:
    *_, clock = asyncio.run(_found(tmp_path, ahead=ahead))
    assert clock.subject == "clock"
    assert words in clock.text


def test_a_broker_that_has_nothing_of_the_event(tmp_path: Path) -> None:
    nothing, _ = asyncio.run(_found(tmp_path, ahead=None))
    assert nothing.text == "keeps no readings of this event yet: start a hub"
