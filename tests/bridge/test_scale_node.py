"""A node as the others of its event meet it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from bridge.config import Config, parse
from bridge.scale.connection import ScaleError
from bridge.scale.messages import Answer, Light, Mark, Sent, TimeAnswer, decode, encode, said
from bridge.scale.names import Names
from bridge.scale.node import Node
from bridge.scale.streams import make_streams
from tests.brokers import Broker

NAMES = Names("open")
PATIENCE = 30.0


def config(folder: Path, url: str) -> Config:
    folder.mkdir(exist_ok=True)
    text = (
        f"scale: {{event: open, servers: ['{url}']}}\n"
        'tables: [{table: "1", node: north, board: {port: /dev/absent}}, {table: "2"}]\n'
    )
    return parse(text, folder / "event.yaml")


@contextlib.asynccontextmanager
async def node(folder: Path, url: str) -> AsyncIterator[None]:
    hall = config(folder, url)
    assert hall.scale is not None
    stop = asyncio.Event()
    running = asyncio.create_task(Node(hall, hall.scale, "north").run(stop))
    try:
        yield
    finally:
        stop.set()
        async with asyncio.timeout(PATIENCE):
            await running


class Others:
    """The rest of an event: a clock that is an hour ahead, and ears."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.marks: list[Mark] = []
        self.readings: list[Sent] = []

    async def listen(self) -> None:
        await self.client.subscribe(NAMES.marks, cb=self._mark)
        await self.client.subscribe(NAMES.readings, cb=self._reading)

    async def tell_time(self) -> None:
        async def tell(message: Msg) -> None:
            now = time.time() + 3600
            await message.respond(encode(TimeAnswer(now=now, wall=now)))

        await self.client.subscribe(NAMES.time, cb=tell)

    async def _mark(self, message: Msg) -> None:
        self.marks.append(decode(message.data, Mark))

    async def _reading(self, message: Msg) -> None:
        told = said(message.data)
        assert isinstance(told, Sent)
        self.readings.append(told)

    async def until_told(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while not self.readings:  # noqa: ASYNC110 - another task hears them
                await asyncio.sleep(0.02)

    async def order(self, data: bytes) -> Answer:
        answer = await self.client.request(NAMES.orders("north"), data, timeout=5.0)
        return decode(answer.data, Answer)

    async def until(self, what: str) -> Mark:
        """Return the first mark from now on that has trouble with those words, or none."""
        self.marks.clear()
        async with asyncio.timeout(PATIENCE):
            while True:
                for mark in self.marks:
                    if what in mark.trouble if what else not mark.trouble:
                        return mark
                await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def event(folder: Path) -> AsyncIterator[tuple[Broker, Others]]:
    async with Broker(folder / "broker") as broker:
        client = Client()
        await client.connect(broker.url)
        others = Others(client)
        await others.listen()
        hall = config(folder, broker.url)
        assert hall.scale is not None
        await make_streams(client.jetstream(), hall.scale)
        try:
            yield broker, others
        finally:
            await client.close()


async def _takes_part(folder: Path) -> None:
    async with event(folder) as (broker, others), node(folder / "a", broker.url):
        mark = await others.until("")
        assert mark.at == 0.0, "what it knows is nothing before it knows the time"
        await asyncio.sleep(1.5)
        assert others.readings == []
        await others.tell_time()
        await others.until_told()
        (lost,) = others.readings
        assert lost.reading.table == "1"
        assert abs(lost.reading.at - time.time() - 3600) < 60, "told in the time of the event"
        assert (await others.order(encode(Light(table="1", squares=[3])))).refused == ""
        assert "cannot be read" in (await others.order(b"light it")).refused
        mark = await others.until("")
        while mark.links is None:
            mark = await others.until("")
        assert [(each.name, each.state) for each in mark.links] == [("table 1", "lost")]


def test_a_node_takes_part_as_soon_as_it_knows_the_time(tmp_path: Path) -> None:
    asyncio.run(_takes_part(tmp_path))


async def _twins(folder: Path) -> None:
    async with event(folder) as (broker, others):
        await others.tell_time()
        async with node(folder / "a", broker.url):
            first = await others.until("")
            await others.until_told()
            async with node(folder / "b", broker.url):
                mark = await others.until("calls itself north too")
                assert mark.session != first.session
                assert mark.at == 0.0
                await asyncio.sleep(1.5)
                assert len({each.log for each in others.readings}) == 1, "only one is published"
            assert (await others.until("")).session == first.session


def test_of_two_nodes_of_one_name_the_later_publishes_nothing(tmp_path: Path) -> None:
    asyncio.run(_twins(tmp_path))


def test_a_node_without_tables_is_a_mistake(tmp_path: Path) -> None:
    hall = config(tmp_path, "nats://localhost:4222")
    assert hall.scale is not None
    with pytest.raises(ScaleError, match="no table has 'node: south'"):
        Node(hall, hall.scale, "south")
