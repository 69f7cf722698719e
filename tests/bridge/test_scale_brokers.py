"""What needs a real broker: publishing, reading, leading, copies, and who may do what."""

import asyncio
import contextlib
import signal
from pathlib import Path

import msgspec
import nats.errors
import nats.js.errors
import pytest
from nats.aio.msg import Msg

from bridge.config import NO_DELAY
from bridge.core.audience import for_audience
from bridge.core.model import LinkChange, Reading
from bridge.scale import follower as followers
from bridge.scale.clock import EventClock
from bridge.scale.connection import Connection
from bridge.scale.facts import PublicFacts, Told
from bridge.scale.follower import SILENCE, Follower
from bridge.scale.lamps import Lamps
from bridge.scale.ledger import GapError, Message
from bridge.scale.messages import Answer, Light, Order, Sent, encode, order, said
from bridge.scale.streams import make_streams
from bridge.scale.uplink import OUTPUT, Uplink
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from tests.bridge.scoresheets import line
from tests.brokers import NAMES, PATIENCE, Broker, connected, doing, eventually, settings


def reading(seq: int, table: str = "1") -> Reading:
    return Reading(
        table=table,
        link=f"table {table}",
        seq=seq,
        at=float(seq),
        wall=1000.0 + seq,
        payload=LinkChange(state="live", detail=str(seq)),
    )


class Node:
    """What a node publishes with, on a journal of its own."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal.open(folder / "journal.sqlite3")
        self.notes = Outbox(folder / "outbox.sqlite3")
        clock = EventClock(lambda: 100.0)
        clock.take(100.0, 100.0, now=200.0, wall=5000.0)
        self.uplink = Uplink("north", NAMES, self.journal, self.notes, clock)

    async def records(self, *readings: Reading) -> None:
        for each in readings:
            self.uplink.came(each)
        await self.journal.append(readings)
        self.uplink.durable()

    def close(self) -> None:
        self.journal.close()
        self.notes.close()


async def _published(folder: Path) -> None:
    came: list[Reading] = []

    def take(message: Message) -> None:
        told = said(message.data)
        assert isinstance(told, Sent)
        came.append(told.reading)

    node = Node(folder)
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        await node.records(*(reading(seq) for seq in range(1, 4)), reading(1, "Hall B.7"))
        async with doing(node.uplink.run(connection)):
            await eventually(lambda: "keep no readings" in node.uplink.trouble)
            assert node.uplink.waiting == 4
            assert node.uplink.mark(100.0) == 0.0, "nothing is known before it has caught up"
            await make_streams(connection.stream, settings(broker))
            await make_streams(connection.stream, settings(broker))
            follower = Follower(NAMES.readings_stream, 0, take)
            async with doing(follower.run(connection)):
                await eventually(lambda: len(came) == 4)
                assert node.uplink.trouble == ""
                await eventually(lambda: node.uplink.mark(100.0) == 200.0)
                await broker.end()
                await node.records(*(reading(seq) for seq in range(4, 50)))
                assert node.uplink.mark(100.0) == 200.0
                await asyncio.sleep(0.3)
                await broker.start()
                await eventually(lambda: len(came) == 50)
                await eventually(lambda: node.uplink.waiting == 0)
    assert [each.seq for each in came if each.table == "1"] == list(range(1, 50))
    assert came[0].at == 101.0, "told in the event's time, but not earlier than was promised"
    assert came[-1].at >= 200.0
    assert follower.position == node.uplink.position == 50
    node.close()
    with Outbox(folder / "outbox.sqlite3") as notes:
        assert notes.notes(OUTPUT) == {"position": "50"}


def test_all_is_published_in_order_however_long_no_broker_was_there(tmp_path: Path) -> None:
    asyncio.run(_published(tmp_path))


async def _full(folder: Path) -> None:
    node = Node(folder)
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        await make_streams(connection.stream, settings(broker, max_mb=1))
        info = await connection.stream.stream_info(NAMES.readings_stream)
        info.config.max_bytes = 2000
        await connection.stream.update_stream(info.config)
        await node.records(*(reading(seq) for seq in range(1, 30)))
        async with doing(node.uplink.run(connection)):
            await eventually(lambda: "no room" in node.uplink.trouble)
            kept = (await connection.stream.stream_info(NAMES.readings_stream)).state.messages
            assert 0 < kept < 29
            await make_streams(connection.stream, settings(broker, max_mb=2))
            await eventually(lambda: node.uplink.waiting == 0)
            state = (await connection.stream.stream_info(NAMES.readings_stream)).state
            assert state.messages == 29
    node.close()


def test_what_a_full_stream_refuses_waits_on_the_node(tmp_path: Path) -> None:
    asyncio.run(_full(tmp_path))


async def _without_jetstream(folder: Path) -> None:
    node = Node(folder)
    async with (
        Broker(folder / "broker", jetstream=False) as broker,
        connected(broker) as connection,
    ):
        await node.records(reading(1))
        with pytest.raises(nats.js.errors.ServiceUnavailableError):
            await make_streams(connection.stream, settings(broker))
        async with doing(node.uplink.run(connection)):
            await eventually(lambda: "JetStream" in node.uplink.trouble)
    assert node.uplink.waiting == 1
    node.close()


def test_a_broker_without_jetstream_is_told(tmp_path: Path) -> None:
    asyncio.run(_without_jetstream(tmp_path))


async def _anew(folder: Path, position: int) -> None:
    came: list[int] = []
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        await make_streams(connection.stream, settings(broker))
        follower = Follower(
            NAMES.readings_stream, position, lambda message: came.append(message.position)
        )
        async with doing(follower.run(connection)):
            await connection.stream.publish(NAMES.reading("north", "1"), b"1")
            await eventually(lambda: came == [1])
            await follower.until(1)


@pytest.mark.parametrize("position", [7, 5000])
def test_a_stream_that_was_begun_anew_is_read_from_its_start(tmp_path: Path, position: int) -> None:
    asyncio.run(_anew(tmp_path, position))


async def _lacks(folder: Path) -> None:
    came: list[int] = []
    is_whole = False

    def take(message: Message) -> None:
        if message.position == 3 and not is_whole:
            raise GapError("readings are missing")
        came.append(message.position)

    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        stream = connection.stream
        await make_streams(stream, settings(broker))
        for _ in range(4):
            await stream.publish(NAMES.reading("north", "1"), b"1")
        follower = Follower(NAMES.readings_stream, 0, take)
        async with doing(follower.run(connection)):
            await eventually(lambda: came[:4] == [1, 2, 1, 2])
            is_whole = True
            await follower.until(4)
            assert came[-4:] == [1, 2, 3, 4], "from before the gap"
            # A broker that counts differently has one message fewer than the one that leads.
            await stream.publish(NAMES.reading("north", "1"), b"1")
            await eventually(lambda: follower.position == 5)
            await stream.delete_msg(NAMES.readings_stream, 5)
            follower.position = 4
            before = await consumers(connection)
            async with asyncio.timeout(PATIENCE):
                while not await consumers(connection) - before:  # noqa: ASYNC110 - it looks itself
                    await asyncio.sleep(0.1)


async def consumers(connection: Connection) -> set[str]:
    return {each.name for each in await connection.stream.consumers_info(NAMES.readings_stream)}


def test_where_something_is_missing_the_stream_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followers, "IDLE", 0.3)
    monkeypatch.setattr(followers, "SILENCE", 1.5)
    asyncio.run(_lacks(tmp_path))


async def _fails(folder: Path) -> None:
    came: list[int] = []
    works = False

    def take(message: Message) -> None:
        if message.position == 2 and not works:
            raise ValueError(message.data)
        came.append(message.position)

    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        await make_streams(connection.stream, settings(broker))
        for _ in range(3):
            await connection.stream.publish(NAMES.reading("north", "1"), b"1")
        follower = Follower(NAMES.readings_stream, 0, take)
        async with doing(follower.run(connection)):
            await eventually(lambda: follower.trouble == "reads again from behind message 1")
            assert follower.position == 1
            works = True
            await follower.until(3)
            await eventually(lambda: not follower.trouble)
    assert came == [1, 2, 3]


def test_what_could_not_be_taken_is_read_again(tmp_path: Path) -> None:
    asyncio.run(_fails(tmp_path))


async def _stands_still(folder: Path) -> None:
    came: list[int] = []
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        subject = NAMES.reading("north", "1")
        await make_streams(connection.stream, settings(broker))
        follower = Follower(NAMES.readings_stream, 0, lambda message: came.append(message.position))
        async with doing(follower.run(connection)):
            await connection.stream.publish(subject, b"1")
            await eventually(lambda: came == [1])
            broker.tell(signal.SIGSTOP)
            await asyncio.sleep(SILENCE + 1.0)
            broker.tell(signal.SIGCONT)
            await eventually(lambda: connection.is_up and not follower.trouble)
            for _ in range(10):
                await connection.stream.publish(subject, b"1")
                await asyncio.sleep(0.1)
            await eventually(lambda: came[-1] == 11)
        subscribed = len(connection.client._subs)
    assert came == list(range(1, 12))
    assert subscribed <= 1, "it is for answers; what was followed before is left"


def test_what_was_followed_before_an_outage_is_left(tmp_path: Path) -> None:
    asyncio.run(_stands_still(tmp_path))


async def _lit(folder: Path) -> None:
    told: list[Order] = []
    squares = {"1": [3], "2": [4]}
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        lamps = Lamps(NAMES, {"1": "north", "2": None}.get, squares.__getitem__)
        async with doing(lamps.run(connection)):
            lamps.want(["1", "2"])
            await asyncio.sleep(0.3)  # nobody is there
            squares["1"] = [5, 6]

            async def take(message: Msg) -> None:
                told.append(order(message.data))
                await message.respond(encode(Answer()))

            await connection.client.subscribe(NAMES.orders("north"), cb=take)
            await eventually(lambda: told)
            await asyncio.sleep(0.3)
    assert told == [Light(table="1", squares=[5, 6])]


def test_a_node_is_told_until_it_answers(tmp_path: Path) -> None:
    asyncio.run(_lit(tmp_path))


async def kept(connection: Connection) -> list[Told]:
    subscription = await connection.stream.subscribe(
        NAMES.all_facts, stream=NAMES.facts_stream, ordered_consumer=True
    )
    found = []
    with contextlib.suppress(nats.errors.TimeoutError):
        while True:
            message = await subscription.next_msg(timeout=0.3)
            found.append(msgspec.json.decode(message.data, type=Told))
    await subscription.unsubscribe()
    return found


async def _facts(folder: Path) -> None:
    game = list(line("e4 e5 Nf3"))
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        await make_streams(connection.stream, settings(broker, public_facts=True))
        config = (await connection.stream.stream_info(NAMES.facts_stream)).config
        config.duplicate_window = 0.1  # seconds: a hub may be late by more than brokers know ids
        await connection.stream.update_stream(config)
        first, second = (PublicFacts(NAMES, NO_DELAY, lambda: 0.0) for _ in range(2))
        for fact in game[:-1]:
            first.feed.tell(fact)
            second.feed.tell(fact)
        async with doing(first.run(connection)):
            await asyncio.sleep(0.3)
            second.feed.tell(game[-1])
            async with doing(second.run(connection)):
                await asyncio.sleep(0.3)
            first.feed.tell(game[-1])
            await asyncio.sleep(1.0)  # it is refused, looks again, and finds it there
        found = await kept(connection)
        assert [each.number for each in found] == list(range(1, len(game) + 1))
        assert [each.fact for each in found] == [for_audience(fact, "public") for fact in game]
        assert {each.v for each in found} == {1}
        assert (first.trouble, second.trouble) == ("", "")


def test_a_hub_that_takes_over_publishes_the_facts_behind_those_that_are_there(
    tmp_path: Path,
) -> None:
    asyncio.run(_facts(tmp_path))
