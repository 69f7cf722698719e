"""``lichess reset`` where several hubs share what they know of Lichess."""

import asyncio
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE
from bridge.outputs.lichess.round_pusher import OUTPUT
from bridge.scale.lease import Lease
from bridge.scale.shared_outbox import SharedOutbox
from bridge.store.outbox import Entry, Outbox
from testbed.fake_lichess import TOKEN, FakeLichess
from tests.brokers import NAMES, Broker, connected, followed
from tests.lichess import ROUND
from tests.livechess import free_port

CONFIG = """
event: {{name: Harbour Open, round: 1}}
scale: {{event: open, servers: ['{broker}']}}
lichess: {{server: "{server}", token_file: token, rounds: {{1: {round}}}}}
tables: [{{table: "1", node: north, board: {{port: /dev/a}}}}]
"""
KEY = f"{ROUND}:1"


def written(folder: Path, broker: str, server: str) -> str:
    token = folder / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    file = folder / "event.yaml"
    file.write_text(CONFIG.format(broker=broker, server=server, round=ROUND))
    return str(file)


async def _reset(folder: Path, leader: str) -> tuple[int, list[str], list[bytes | None]]:
    """Reset at hub-a while *leader* leads; return what other hubs know of the game and its order.

    At last what this hub itself knows of what was delivered.
    """
    lichess = FakeLichess()
    lichess.add_round(ROUND)
    known: list[bytes | None] = []
    async with (
        Broker(folder / "broker") as broker,
        lichess.serving() as server,
        connected(broker) as connection,
        followed(connection) as copies,
    ):
        await Lease(leader, NAMES.lease, replicas=1).acquire(connection.stream)
        with SharedOutbox(folder / "data" / "outbox.sqlite3", copies) as outbox:
            notes = {f"board:{KEY}": "{}", f"order:{ROUND}": '["1"]'}
            await asyncio.to_thread(outbox.put, OUTPUT, {KEY: b"game"}, notes=notes)
            await asyncio.to_thread(outbox.delivered, OUTPUT, [Entry(KEY, b"game")])
        command = ["lichess", "reset", written(folder, broker.url, server), "--round", "1"]
        code = await asyncio.to_thread(main, [*command, "--hub", "hub-a"])
        told = [each.note or each.key for each in await copies.all()]
    with Outbox(folder / "data" / "outbox.sqlite3") as own:
        known += [delivered for _, _, delivered in own.entries(OUTPUT, [KEY])]
    return code, told, known


def test_a_round_is_emptied_for_all_hubs_by_the_one_that_leads(tmp_path: Path) -> None:
    code, told, known = asyncio.run(_reset(tmp_path, "hub-a"))
    assert code == DONE
    assert sorted(told) == ["[]", "{}"], "notes alone, and no board in order"
    assert known == []


def test_a_hub_that_does_not_lead_empties_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told, known = asyncio.run(_reset(tmp_path, "hub-b"))
    assert code == CANNOT
    assert KEY in told
    assert len(known) == 1
    assert "hub hub-b leads, and hub-a does not: do it there" in capsys.readouterr().err


def test_without_a_broker_nothing_is_emptied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.scale.visit.PATIENCE", 0.5)
    file = written(tmp_path, f"nats://127.0.0.1:{free_port()}", "http://127.0.0.1:1")
    assert main(["lichess", "reset", file, "--round", "1", "--hub", "hub-a"]) == CANNOT
    assert "the brokers are out of reach" in capsys.readouterr().err
