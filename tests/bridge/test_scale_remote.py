"""What operators do at a hub with boards that are at nodes."""

import asyncio
import contextlib
import io
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from nats.aio.msg import Msg

from bridge.config import Config, load
from bridge.daemon.configured import ConfiguredFile
from bridge.daemon.controls import controls
from bridge.daemon.recent import RecentLog
from bridge.outputs.controls import Controls, NotPossibleError
from bridge.scale.boards import NodesBoards
from bridge.scale.changes import MOST_TEXT
from bridge.scale.messages import (
    Answer,
    Assign,
    BoardsGiven,
    Change,
    ListCaptures,
    Mark,
    ReadCapture,
    RoundSet,
    TimeAnswer,
    decode,
    encode,
)
from bridge.scale.node import Node
from bridge.scale.nodes import Nodes
from bridge.scale.remote import over_nodes
from bridge.scale.streams import make_streams
from tests.brokers import NAMES, Broker, connected, doing, eventually
from tests.halls import Seat, seated

TABLES = """\
tables:
  - {{table: "1", node: north, board: {{port: /dev/absent}}}}
  - {{table: "2", node: south, board: {{port: "serial:{board}"}}}}
  - {{table: "3"}}
"""


@pytest.fixture(autouse=True)
def only_ports_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A serial port of this machine would be asked for 16 s; simulated boards speak at once."""
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    monkeypatch.setattr("bridge.links.discovery.LISTEN_SECONDS", 0.1)


class Desk(NamedTuple):
    """A hub's controls over the nodes of an event, and the links that they tell of."""

    can: Controls
    file: Path
    states: dict[str, str]
    told: list[Change]
    ask: Callable[[bytes], Awaitable[Answer]]


def written(folder: Path, url: str, board: Path) -> Path:
    folder.mkdir()
    file = folder / "event.yaml"
    head = f"event: {{round: 1}}\nports: ['{board}']\nscale: {{event: open, servers: ['{url}']}}\n"
    file.write_text(head + TABLES.format(board=board), "utf-8")
    return file


@contextlib.asynccontextmanager
async def desk(folder: Path, board: Path) -> AsyncIterator[Desk]:
    """A hub and node north, with a board that no table of the node has yet."""
    async with Broker(folder / "broker") as broker, connected(broker, "hub-a") as connection:
        here, there = (written(folder / name, broker.url, board) for name in ("hub-a", "north"))
        hall = load(there)
        assert hall.scale is not None
        stop = asyncio.Event()
        states: dict[str, str] = {}

        async def hear(message: Msg) -> None:
            for link in decode(message.data, Mark).links or ():
                states[link.name] = link.state

        async def tell_time(message: Msg) -> None:
            await message.respond(encode(TimeAnswer(now=1.0, wall=1.0)))

        await connection.client.subscribe(NAMES.marks, cb=hear)
        await connection.client.subscribe(NAMES.time, cb=tell_time)
        await make_streams(connection.stream, hall.scale)
        async with doing(Node(hall, hall.scale, "north", file=there).run(stop)) as running:
            config = load(here)

            def take(changed: Config) -> None:
                nonlocal config
                config = changed

            tables = {table.table: table.node for table in config.tables}
            nodes = Nodes(tables, wall=lambda: 0.0, came=lambda _: None)
            boards = NodesBoards(NAMES, tables, nodes, [], lambda _: (), connection)
            file = ConfiguredFile(here, lambda: config, take)
            own = controls(lambda: config, file, boards.discover, RecentLog())

            async def ask(data: bytes) -> Answer:
                told = await connection.client.request(NAMES.orders("north"), data, timeout=30.0)
                return decode(told.data, Answer)

            await eventually(lambda: states)
            told: list[Change] = []

            async def tell(change: Change) -> None:
                told.append(change)
                if isinstance(change, BoardsGiven):
                    tables.update({table: after for table, (_, after) in change.moved.items()})

            can = over_nodes(own, boards, epoch=lambda: 7, tell=tell)
            yield Desk(can, there, states, told, ask)
            stop.set()
            await running


async def _given(folder: Path) -> None:
    board = folder / "usb-board"
    async with seated([Seat(board)]), desk(folder, board) as hub:
        assert hub.states == {"table 1": "lost"}
        found = await hub.can.discover()
        (answer,) = [each for each in found if each.board]
        assert answer.remark.startswith("at node north")
        assert ("south", "node south: node south does not answer") in [
            (each.address, each.remark) for each in found
        ]
        changed = await hub.can.set_boards({"1": answer.board})
        assert changed.waits == ()
        assert hub.told == [BoardsGiven(epoch=7, boards={"1": answer.board}, moved={})]
        assert hub.can.boards()["1"] == {**answer.board, "port": "auto"}
        assert load(hub.file).tables[0].board.serial == answer.board["serial"]
        await eventually(lambda: hub.states == {"table 1": "live"})


def test_a_board_that_a_node_has_found_is_given_to_its_table_at_once(tmp_path: Path) -> None:
    asyncio.run(_given(tmp_path))


async def _refused(folder: Path) -> None:
    async with desk(folder, folder / "absent") as hub:
        before = hub.file.read_text("utf-8")
        with pytest.raises(NotPossibleError, match=r"node north: .*'driver' is 'abacus'"):
            await hub.can.set_boards({"1": {"driver": "abacus"}})
        with pytest.raises(NotPossibleError, match="node south does not answer; done at north"):
            await hub.can.set_boards({"1": {"port": "/dev/x"}, "2": {"port": "/dev/y"}})
        with pytest.raises(NotPossibleError, match="no table 9"):
            await hub.can.set_boards({"9": {"port": "/dev/x"}})
        with pytest.raises(NotPossibleError, match=r"no file lost\.pgn"):
            await hub.can.set_round("", "2", "lost.pgn")
        (folder / "hub-a" / "round-2.pgn").write_bytes(b" " * (MOST_TEXT + 1))
        with pytest.raises(NotPossibleError, match="too large"):
            await hub.can.set_round("", "2", "round-2.pgn")
        assert hub.told == []
        assert (await hub.can.set_round("", "2", None)).waits == ()
        assert hub.told == [RoundSet(epoch=7, group="", round="2", pairings=None, text=None)]
        assert before != hub.file.read_text("utf-8"), "north has done it"


def test_what_cannot_be_done_at_a_node_is_refused(tmp_path: Path) -> None:
    asyncio.run(_refused(tmp_path))


async def _strange(folder: Path) -> None:
    async with desk(folder, folder / "absent") as hub:
        foreign = Assign(boards={"2": {"port": "/dev/x"}})
        assert (await hub.ask(encode(foreign))).refused == "has no table 2"
        assert "version 9" in (await hub.ask(b'{"v": 9, "type": "dance"}')).refused
        assert "cannot be read" in (await hub.ask(b'{"v": 1, "type": "dance"}')).refused


def test_a_node_does_only_what_it_understands_at_tables_of_its_own(tmp_path: Path) -> None:
    asyncio.run(_strange(tmp_path))


async def _moved(folder: Path) -> None:
    board = folder / "usb-board"
    async with seated([Seat(board)]), desk(folder, board) as hub:
        await hub.can.discover()
        (keys,) = [each.board for each in await hub.can.discover() if each.board]
        with pytest.raises(NotPossibleError, match=r"at node (north|south)|node south does not"):
            await hub.can.set_boards({"2": keys, "1": {"port": "/dev/absent"}})
        south = encode(Assign(boards={"1": {"port": "/dev/x"}}, nodes={"1": "south"}))
        assert (await hub.ask(south)).refused == "", "it leaves north"
        await eventually(lambda: hub.states == {"table 1": "lost"})
        assert load(hub.file).tables[0].node == "south"
        changed = await hub.can.set_boards({"3": keys})
        assert changed.waits == ()
        (told,) = hub.told
        assert told == BoardsGiven(epoch=7, boards={"3": keys}, moved={"3": (None, "north")})
        await eventually(lambda: hub.states.get("table 3") == "live")


def test_a_table_comes_to_the_node_that_has_its_board(tmp_path: Path) -> None:
    asyncio.run(_moved(tmp_path))


async def _captured(folder: Path) -> None:
    board = folder / "usb-board"
    async with seated([Seat(board)]), desk(folder, board) as hub:
        captures = load(hub.file).data.folder / "node-north" / "captures"
        captures.mkdir(parents=True, exist_ok=True)
        long = bytes(range(256)) * 1200
        (captures / "1@2026.capture").write_bytes(long)
        (captures / "2@2026.capture").write_bytes(b"of another table")
        async with hub.can.captures("1") as pieces:
            archive = b"".join([piece async for piece in pieces])
        with zipfile.ZipFile(io.BytesIO(archive)) as bundle:
            assert bundle.read("1@2026.capture") == long
            assert not any(name.startswith("2@") for name in bundle.namelist())
        with pytest.raises(NotPossibleError, match="node south does not answer"):
            async with hub.can.captures("2"):
                raise AssertionError
        async with hub.can.captures("3") as pieces:
            assert b"".join([piece async for piece in pieces]).startswith(b"PK")
        other = ReadCapture(table="1", file="2@2026.capture", offset=0)
        assert "has no capture" in (await hub.ask(encode(other))).refused
        assert (await hub.ask(encode(ListCaptures(table="9")))).files == []


def test_captures_of_a_node_are_had_at_the_hub(tmp_path: Path) -> None:
    asyncio.run(_captured(tmp_path))
