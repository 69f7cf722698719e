"""Who may do what with brokers, and whom machines tell anything."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import nats.errors
import pytest
from nats.aio.client import Client

from bridge.config import ScaleSettings
from bridge.scale.checkup import check_up
from bridge.scale.connection import Connection, ScaleError
from bridge.scale.streams import make_streams
from tests.brokers import NAMES, Broker, connected, eventually, settings
from tests.livechess import free_port


def accounts(*names: str) -> str:
    """Users as docs/scale-out.md gives them."""
    rights = {
        "north": 'publish: ["eboard.open.readings.north.>", "eboard.open.marks.north", '
        '"eboard.open.time", "_INBOX_hub-a.>"], '
        'subscribe: ["_INBOX_north.>", "eboard.open.marks.north", "eboard.open.orders.north"]',
        "hub-a": 'publish: ">", subscribe: ">"',
    }
    users = [
        f'{{user: {name}, password: "{name} secret", permissions: {{{rights[name]}}}}}'
        for name in names
    ]
    return f"authorization {{ users: [{', '.join(users)}] }}"


@contextlib.asynccontextmanager
async def account(broker: Broker, folder: Path, name: str) -> AsyncIterator[Connection]:
    file = folder / f"{name}.password"
    file.write_text(f"{name} secret\n", "utf-8")
    async with Connection(settings(broker, password_file=file), name) as connection:
        await eventually(lambda: connection.is_up or connection.gone.is_set())
        yield connection


async def _rights(folder: Path) -> None:
    async with (
        Broker(folder / "broker", accounts("north", "hub-a")) as broker,
        account(broker, folder, "hub-a") as hub,
        account(broker, folder, "north") as north,
    ):
        await make_streams(hub.stream, settings(broker))
        await north.stream.publish(NAMES.reading("north", "1"), b"{}")
        with pytest.raises(nats.errors.TimeoutError):
            await north.stream.publish(NAMES.reading("south", "2"), b"{}", timeout=0.3)
        await eventually(lambda: "ermissions" in north.trouble)
        state = (await hub.stream.stream_info(NAMES.readings_stream)).state
        assert state.messages == 1
        broker.configure(accounts("hub-a"))
        broker.read_again()
        await eventually(lambda: not north.is_up)
        await asyncio.sleep(1.0)
        assert not north.is_up, "its account is gone"
        assert hub.is_up


def test_a_node_speaks_for_itself_alone_until_its_account_is_gone(tmp_path: Path) -> None:
    asyncio.run(_rights(tmp_path))


def test_a_password_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    with pytest.raises(ScaleError, match="cannot be read"):
        Connection(settings(broker, password_file=tmp_path / "none"), "north")
    with pytest.raises(ScaleError, match="cannot be used"):
        Connection(settings(broker, ca=tmp_path / "none"), "north")


async def _no_account(folder: Path) -> None:
    async with Broker(folder / "broker", accounts("hub-a")) as broker:
        file = folder / "password"
        file.write_text("wrong", "utf-8")
        async with Connection(settings(broker, password_file=file), "north") as connection:
            await eventually(lambda: "uthorization" in connection.trouble)
            assert not connection.is_up


def test_who_has_no_account_is_told_so(tmp_path: Path) -> None:
    asyncio.run(_no_account(tmp_path))


async def _in_the_clear(folder: Path) -> None:
    password = folder / "password"
    password.write_text("secret")
    async with Broker(folder / "broker") as broker:
        safe = ScaleSettings(
            event="open",
            servers=(broker.url.replace("nats:", "tls:"),),
            password_file=password,
        )
        (found,) = await check_up(safe, "north")
        assert found.trouble == "a broker does not encrypt, and 'scale' asks for that"
        async with Connection(safe, "north") as connection:
            await eventually(lambda: connection.trouble == found.trouble)
            assert not connection.is_up


def test_nothing_is_said_to_a_broker_that_does_not_encrypt(tmp_path: Path) -> None:
    asyncio.run(_in_the_clear(tmp_path))


async def _of_a_cluster(folder: Path) -> None:
    ports = free_port(), free_port()
    routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports)
    brokers = [
        Broker(
            folder / f"broker-{port}",
            f"server_name: b{port}",
            f'cluster {{ name: c, listen: "127.0.0.1:{port}", routes: [{routes}] }}',
            jetstream=False,
        )
        for port in ports
    ]
    async with brokers[0], brokers[1], connected(brokers[0]) as connection:
        stranger = Client()
        await stranger.connect(brokers[0].url)
        await eventually(lambda: stranger.discovered_servers)
        await stranger.close()
        named = {f"{url.hostname}:{url.port}" for url in connection.client.servers}
        assert named == {f"127.0.0.1:{brokers[0].port}"}
        assert connection.client.discovered_servers == []


def test_no_broker_is_told_anything_that_is_not_configured(tmp_path: Path) -> None:
    asyncio.run(_of_a_cluster(tmp_path))
