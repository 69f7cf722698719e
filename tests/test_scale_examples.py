"""The examples for several halls: brokers take them, and nodes and hubs need no more rights."""

import asyncio
import re
import signal
import subprocess
from pathlib import Path

import pytest

from bridge.config import load
from bridge.scale.connection import Connection
from tests.bridge.test_web_pages import certificate
from tests.brokers import Broker
from tests.halls import Daemon, Seat, at, eventually, seated, written_moves

FOLDER = Path(__file__).resolve().parents[1] / "config" / "scale"
BROKER = (FOLDER / "nats.conf").read_text("utf-8")
SOON = 20.0
"""Seconds: pings tell in 3 that a broker is gone. Where it is waited for to say goodbye, it is 30
more."""


def test_the_configurations_are_read() -> None:
    for file in FOLDER.glob("*.yaml"):
        config = load(file)
        assert config.scale is not None
        assert all(table.node for table in config.tables)


def test_a_broker_takes_its_configuration(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    one = BROKER.replace("/etc/nats/broker.key", str(key))
    one = re.sub(r"/etc/nats/\w+\.pem", str(cert), one)
    three = re.sub(r"(?ms)^# cluster .*?^# \}", lambda found: found[0].replace("# ", ""), one)
    assert "\ncluster {\n" in three
    file = tmp_path / "nats.conf"
    for text in (one, three):
        file.write_text(text, "utf-8")
        tested = subprocess.run(
            ["nats-server", "-t", "-c", str(file)], capture_output=True, check=False
        )
        assert tested.returncode == 0, tested.stderr


def rights() -> str:
    """What stands in the example of rights, without transport and storage."""
    return BROKER[BROKER.index("HUB: {") :]


def machine(folder: Path, url: str, seat: Seat, command: str, name: str) -> Daemon:
    (folder / name).mkdir()
    (folder / name / "broker.password").write_text(f"the password of {name}\n", "utf-8")
    config = folder / name / "event.yaml"
    config.write_text(
        f"scale: {{event: open, servers: ['{url}'], password_file: broker.password}}\n"
        "event: {round: 1}\n"
        f'tables: [{{table: "1", node: north, board: {{{at(seat.port.path)}}}}}]\n',
        "utf-8",
    )
    return Daemon(config, "--name", name, command=command)


@pytest.mark.timeout(120)
def test_nodes_and_hubs_need_no_more_rights(tmp_path: Path) -> None:
    async def play() -> None:
        seat = Seat(tmp_path / "usb-board", moves=["e2e4", "e7e5", "g1f3"])
        async with Broker(tmp_path / "broker", rights()) as broker, seated([seat]):
            hub = machine(tmp_path, broker.url, seat, "hub", "hub-a")
            node = machine(tmp_path, broker.url, seat, "node", "north")
            async with hub, node:
                await node.live()
                await seat.plays()
                await eventually(lambda: len(written_moves(tmp_path / "hub-a")) >= 2, "moves")
                assert not hub.log("ermissions") + node.log("ermissions")
                assert [await each.end() for each in (node, hub)] == [0, 0]

    asyncio.run(play())


async def _encrypted(folder: Path) -> None:
    cert, key = certificate(folder)
    tls = f'tls {{ cert_file: "{cert}", key_file: "{key}" }}'
    async with Broker(folder / "broker", tls) as broker:
        url = broker.url.replace("nats://127.0.0.1", "tls://localhost")
        text = f"scale: {{event: open, servers: ['{url}'], ca: CA}}\ntables: [{{table: 1}}]\n"
        file = folder / "event.yaml"
        file.write_text(text.replace("CA", cert.name), "utf-8")
        trusted = load(file).scale
        file.write_text(text.replace(", ca: CA", ""), "utf-8")
        stranger = load(file).scale
        assert trusted is not None
        assert stranger is not None
        async with Connection(trusted, "north") as connection:
            await connection.until_tried()
            assert connection.is_up
        async with Connection(stranger, "north") as connection:
            await eventually(lambda: "certificate" in connection.trouble, "a refusal")
            assert not connection.is_up


def test_a_broker_is_trusted_by_its_certificate(tmp_path: Path) -> None:
    asyncio.run(_encrypted(tmp_path))


async def _silent(folder: Path) -> None:
    cert, key = certificate(folder)
    tls = f'tls {{ cert_file: "{cert}", key_file: "{key}" }}'
    async with Broker(folder / "a", tls) as first, Broker(folder / "b", tls) as second:
        ports = first.port, second.port
        urls = [f"tls://localhost:{port}" for port in ports]
        file = folder / "event.yaml"
        text = f"scale: {{event: open, servers: {urls}, ca: {cert.name}}}\ntables: [{{table: 1}}]\n"
        file.write_text(text, "utf-8")
        settings = load(file).scale
        assert settings is not None
        async with Connection(settings, "north") as connection:
            await connection.until_tried()
            reached = connection.client.connected_url
            assert reached is not None
            returns = connection.returns
            silent = first if reached.port == first.port else second
            silent.tell(signal.SIGSTOP)
            try:
                async with asyncio.timeout(SOON):
                    while connection.returns == returns:  # noqa: ASYNC110 - the client comes back
                        await asyncio.sleep(0.05)
            finally:
                silent.tell(signal.SIGCONT)
            assert connection.client.connected_url != reached


def test_another_broker_is_found_soon_where_one_says_nothing_any_more(tmp_path: Path) -> None:
    asyncio.run(_silent(tmp_path))
