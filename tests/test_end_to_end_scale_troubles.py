"""What is wrong with brokers, nodes and what they say, as an operator reads it on a hub's page."""

import asyncio
from pathlib import Path

import pytest
from nats.js.api import Header

from bridge.cli.brokers import brokers
from bridge.config import load
from bridge.core.model import LinkChange, Reading
from bridge.scale.connection import Connection
from bridge.scale.messages import VERSION, Sent, encode
from tests.brokers import NAMES, Broker, connected
from tests.court import Person
from tests.halls import (
    PATIENCE,
    Daemon,
    Seat,
    eventually,
    moves_differ,
    readings,
    seated,
    verdict,
    written_moves,
)
from tests.livechess import free_port
from tests.test_end_to_end_scale import Event
from tests.test_end_to_end_web import listening, person


async def says(olga: Person, words: str) -> None:
    """Return when those words are on the operator's page."""
    troubles: list[str] = []
    try:
        async with asyncio.timeout(PATIENCE):
            while not any(words in each for each in troubles):
                await asyncio.sleep(0.1)
                troubles = (await olga.json("/api/v1/equipment"))["troubles"]
    except TimeoutError:
        pytest.fail(f"{words!r} is not among {troubles}")


@pytest.mark.timeout(60)
def test_a_hub_without_any_broker_says_so_and_can_be_stopped(tmp_path: Path) -> None:
    async def wait() -> None:
        port = free_port()
        seat = Seat(tmp_path / "usb-board")
        hub = Event(tmp_path, Broker(tmp_path / "none"), [seat]).page("hub-a", port)
        async with hub, person(port) as olga:
            await operator(olga)
            await says(olga, "the brokers are out of reach")
            assert await hub.end() == 0

    asyncio.run(wait())


async def operator(olga: Person) -> None:
    await listening(olga)
    await olga.log_in("Olga")


@pytest.mark.timeout(120)
def test_a_hub_on_a_broker_without_jetstream_says_so_and_begins_when_there_is(
    tmp_path: Path,
) -> None:
    async def begin() -> None:
        port, folder = free_port(), tmp_path / "broker"
        seat = Seat(tmp_path / "usb-board", pace=0.1)
        bare = Broker(folder, jetstream=False)
        hub = Event(tmp_path, bare, [seat]).page("hub-a", port)
        file = tmp_path / "hub-a" / "event.yaml"
        async with seated([seat]), hub, person(port) as olga:
            async with bare:
                await operator(olga)
                await says(olga, "the brokers have no JetStream")
                async with olga.session.get("/healthz") as answer:
                    assert answer.status == 503
                    told = await answer.json()
                assert told["status"] == "failing"
                assert "the brokers have no JetStream" in told["reasons"][0]
                (finding,) = await asyncio.to_thread(lambda: list(brokers(load(file))))
                assert (finding.state, "no JetStream" in finding.text) == ("mend", True)
            async with Broker(folder, port=bare.port) as broker:
                await eventually(lambda: hub.log("leads"), "a hub that leads")
                async with Event(tmp_path, broker, [seat]).node() as node, person(port) as reader:
                    await listening(reader)
                    await node.live()
                    await seat.plays(2)
                    await eventually(lambda: len(written_moves(tmp_path / "hub-a")) == 2, "moves")
                    assert await hub.end() == 0

    asyncio.run(begin())


def forged(seq: int, table: str = "2") -> Reading:
    return Reading(
        table=table,
        link=f"table {table}",
        seq=seq,
        at=1.0,
        wall=1.0,
        payload=LinkChange(state="lost", detail="forged"),
    )


async def publish(connection: Connection, subject: str, data: bytes, name: str) -> None:
    await connection.stream.publish(subject, data, headers={str(Header.MSG_ID.value): name})


async def repeat_all(connection: Connection, subject: str) -> int:
    """Say all again that was said under *subject*, as if it were new; return how much it was."""
    subscription = await connection.stream.subscribe(subject, ordered_consumer=True)
    info = await connection.stream.stream_info(NAMES.readings_stream, subjects_filter=subject)
    count = int((info.state.subjects or {})[subject])
    for number in range(count):
        message = await subscription.next_msg(timeout=PATIENCE)
        await publish(connection, subject, message.data, f"replayed {number}")
    await subscription.unsubscribe()
    return count


@pytest.mark.timeout(180)
def test_what_is_wrong_stands_on_the_operators_page_and_no_game_suffers(tmp_path: Path) -> None:
    """Another version, a foreign table, replayed and forged numbers, a twin, a full stream."""

    async def play() -> Seat:
        seat = Seat(tmp_path / "usb-board", pace=0.1)
        absent = Seat(tmp_path / "absent", serial="31235")
        port = free_port()
        async with Broker(tmp_path / "broker") as broker, seated([seat]):
            event = Event(tmp_path, broker, [seat, absent])
            hub, node = event.page("hub-a", port), event.node()
            async with hub, node, person(port) as olga, connected(broker) as north:
                await operator(olga)
                await node.live()
                await seat.plays(2)
                own = NAMES.reading("north", "1")
                await publish(north, own, b'{"v": %d}' % (VERSION + 1), "later")
                await says(olga, f"node north: a message is parked: has version {VERSION + 1}")
                told = encode(Sent(log="forged", reading=forged(1, "1")))
                await publish(north, NAMES.reading("south", "1"), told, "foreign")
                await says(olga, "node south: a message is parked: tells of table 1, which is not")
                assert await repeat_all(north, own) > 10
                for seq in (1, 50):
                    told = encode(Sent(log="forged", reading=forged(seq)))
                    await publish(north, NAMES.reading("north", "2"), told, f"forged {seq}")
                await says(olga, "node north: readings 2 to 49 of table 2 never came")
                await seat.plays(2)
                await twice(event, tmp_path, olga)
                await full(north, seat, olga)
                await seat.plays()
                whole = len(seat.moves)
                await eventually(
                    lambda: len(written_moves(tmp_path / "hub-a")) == whole, "the whole game"
                )
        return seat

    seat = asyncio.run(play())
    assert moves_differ(verdict(tmp_path / "hub-a", seat)) == []
    numbers = [(each.link, each.seq) for each in readings(tmp_path / "hub-a")]
    assert len(numbers) == len(set(numbers)), "what was replayed is there once"


async def twice(event: Event, folder: Path, olga: Person) -> None:
    """Start another node of the name, until the page says so."""
    (folder / "twin").mkdir()
    config = folder / "twin" / "event.yaml"
    config.write_text(event.text, "utf-8")
    async with Daemon(config, "--name", "north", command="node") as twin:
        await says(olga, "calls itself so too, and is not listened to: stop one of the two")
        await eventually(lambda: twin.log("nothing is published from here"), "the twin knows it")


async def full(north: Connection, seat: Seat, olga: Person) -> None:
    """Let the stream be full while two moves are played."""
    before = (await north.stream.stream_info(NAMES.readings_stream)).config
    room = before.max_bytes
    before.max_bytes = 1000
    await north.stream.update_stream(before)
    await seat.plays(2)
    await says(olga, "node north: the brokers have no room: raise scale: max_mb")
    before.max_bytes = room
    await north.stream.update_stream(before)
