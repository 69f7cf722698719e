"""What operators do at a hub with boards that are at nodes."""

import asyncio
import contextlib
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
from bridge.scale.messages import Answer, Assign, Mark, decode, encode
from bridge.scale.node import Node
from bridge.scale.nodes import Nodes
from bridge.scale.remote import OTHER_HUBS, over_nodes
from tests.brokers import NAMES, Broker, connected, doing, eventually
from tests.halls import Seat, seated

TABLES = """\
tables:
  - {{table: "1", node: north, board: {{port: /dev/absent}}}}
  - {{table: "2", node: south, board: {{port: "serial:{board}"}}}}
  - {{table: "3"}}
"""


class Desk(NamedTuple):
    """A hub's controls over the nodes of an event, and the links that they tell of."""

    can: Controls
    file: Path
    states: dict[str, str]
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

        await connection.client.subscribe(NAMES.marks, cb=hear)
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
            yield Desk(over_nodes(own, boards), there, states, ask)
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
        assert changed.waits == (OTHER_HUBS,)
        assert hub.can.boards()["1"] == {**answer.board, "port": "auto"}
        assert load(hub.file).tables[0].board.serial == answer.board["serial"]
        await eventually(lambda: hub.states == {"table 1": "live"})


def test_a_board_that_a_node_has_found_is_given_to_its_table_at_once(tmp_path: Path) -> None:
    asyncio.run(_given(tmp_path))


async def _refused(folder: Path) -> None:
    async with desk(folder, folder / "absent") as hub:
        before = hub.file.read_text("utf-8")
        one, two = hub.can.boards()["1"], hub.can.boards()["2"]
        with pytest.raises(NotPossibleError, match="at node north, and that board at south"):
            await hub.can.set_boards({"1": two, "2": one})
        with pytest.raises(NotPossibleError, match=r"node north: .*'driver' is 'abacus'"):
            await hub.can.set_boards({"1": {"driver": "abacus"}})
        with pytest.raises(NotPossibleError, match="node south does not answer; done at north"):
            await hub.can.set_boards({"1": {"port": "/dev/x"}, "2": {"port": "/dev/x"}})
        with pytest.raises(NotPossibleError, match="no table 9"):
            await hub.can.set_boards({"9": one})
        with pytest.raises(NotPossibleError, match="at node north, in its data folder"):
            hub.can.captures("1")
        async with hub.can.captures("3") as pieces:
            assert b"".join([piece async for piece in pieces]).startswith(b"PK")
        assert (await hub.can.set_round("", "2", None)).waits == (OTHER_HUBS,)
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
