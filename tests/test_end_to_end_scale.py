"""Nodes, hubs and a broker in processes of their own, each killed in the middle of a game."""

import asyncio
import contextlib
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bridge.config import load
from bridge.scale.hub import DEPOSED
from bridge.web import accounts, passwords
from bridge.web.accounts import Account
from testbed.fake_lichess import TOKEN
from tests.brokers import Broker
from tests.court import PASSWORD, Person
from tests.halls import (
    PATIENCE,
    Daemon,
    Seat,
    at,
    eventually,
    game_file,
    moves_differ,
    readings,
    refolded_pgn,
    seated,
    verdict,
    written_moves,
)
from tests.livechess import free_port
from tests.receiver import SECRET, Receiver, receiving
from tests.test_end_to_end_web import listening, person


class Event:
    """The machines of one event, each with a folder of its own and the same configuration."""

    def __init__(self, folder: Path, broker: Broker, seats: Sequence[Seat], *more: str) -> None:
        self.folder = folder
        lines = [
            "event: {name: Test, round: 1, date: 2026-11-20}",
            f"scale: {{event: open, servers: ['{broker.url}']}}",
            *more,
            "tables:",
        ]
        lines += [
            f'  - {{table: "{number}", number: {number}, node: north,'
            f" white: White {number}, black: Black {number}, board: {{{at(seat.port.path)}}}}}"
            for number, seat in enumerate(seats, start=1)
        ]
        self.text = "\n".join(lines) + "\n"

    def machine(self, name: str, command: str, more: str = "") -> Daemon:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "secret").write_text(SECRET, encoding="utf-8")
        (folder / "token").write_text(TOKEN, encoding="utf-8")
        config = folder / "event.yaml"
        config.write_text(self.text + more, encoding="utf-8")
        return Daemon(config, "--name", name, command=command)

    def hub(self, name: str = "hub-a", more: str = "") -> Daemon:
        return self.machine(name, "hub", more)

    def page(self, name: str, port: int) -> Daemon:
        """A hub with pages, an arbiter and an operator."""
        hub = self.hub(name, f"web: {{port: {port}}}\n")
        file = load(self.folder / name / "event.yaml").accounts
        password = passwords.hashed(PASSWORD)
        accounts.add(file, Account(name="Anna", role="arbiter", password=password))
        accounts.add(file, Account(name="Olga", role="operator", password=password))
        return hub

    def node(self, name: str = "north", more: str = "") -> Daemon:
        return self.machine(name, "node", more)


async def killed(*machines: Daemon) -> None:
    for machine in machines:
        assert await machine.end(signal.SIGKILL) == -signal.SIGKILL


@pytest.mark.timeout(120)
def test_every_machine_is_killed_in_the_middle_of_a_game(tmp_path: Path) -> None:
    async def play() -> Seat:
        seat = Seat(tmp_path / "usb-board")
        async with Broker(tmp_path / "broker") as broker, seated([seat]):
            event = Event(tmp_path, broker, [seat])
            hub, node = event.hub(), event.node()
            async with hub, node:
                await node.live()
                await seat.plays(2)
                await broker.end(signal.SIGKILL)
                await seat.plays(2)  # which only the node knows
                await broker.start()
                await eventually(lambda: len(written_moves(tmp_path / "hub-a")) >= 3, "caught up")
                await killed(hub)
                await seat.plays(1)
                await killed(node)
            await seat.plays(1)  # which nobody sees
            hub, node = event.hub(), event.node()
            async with hub, node:
                await node.live()
                await broker.end(signal.SIGKILL)
                await seat.plays(1)
                await killed(node)
            node = event.node()
            async with node:  # begins without a broker
                await node.live()
                await seat.plays(2)
                await broker.start()
                hub = event.hub()
                async with hub:
                    await seat.plays()
                    whole = len(seat.moves)
                    await eventually(
                        lambda: len(written_moves(tmp_path / "hub-a")) == whole, "the whole game"
                    )
                    assert await hub.end() == 0
                    assert await node.end() == 0
        return seat

    seat = asyncio.run(play())
    folder = tmp_path / "hub-a"
    assert moves_differ(verdict(folder, seat)) == []
    assert refolded_pgn(folder) == game_file(folder).read_text("utf-8")
    numbers = [(each.link, each.seq) for each in readings(folder)]
    assert len(numbers) == len(set(numbers))
    brought = [seq for link, seq in numbers if link.startswith("table 1 @north-")]
    assert brought == list(range(1, len(brought) + 1)), "all the node has, each once and in order"
    assert any("@hub-" in link for link, _ in numbers), "set up by the hub"
    times = [each.at for each in readings(folder)]
    assert times == sorted(times)


@pytest.mark.timeout(120)
def test_another_hub_takes_over_and_tells_everybody_everything_once(tmp_path: Path) -> None:
    """Only what was under way when the first one was killed is told again, under its name."""

    async def play() -> tuple[Seat, list[str], list[str]]:
        under_way = list[str]()
        async with _heard(tmp_path) as (event, seat, receiver):
            first, second, node = event.hub("hub-a"), event.hub("hub-b"), event.node()

            def dies() -> None:
                receiver.took = lambda: None
                under_way.append(receiver.came[-1][0])
                os.kill(first.pid, signal.SIGKILL)

            async with first:
                await eventually(lambda: first.log("leads"), "a hub that leads")
                async with second, node:
                    await node.live()
                    await seat.plays(4)
                    receiver.took = dies
                    await seat.plays(3)
                    await receiver.until(lambda: under_way != [])
                    await killed(first)
                    await eventually(lambda: second.log("leads"), "the other hub leads")
                    first = event.hub("hub-a")
                    async with first:
                        await seat.plays(2)
                        await eventually(
                            lambda: len(written_moves(tmp_path / "hub-b")) >= 8, "moves there"
                        )
                        assert not first.log("leads"), "one at a time"
                        assert await second.end() == 0
                        await eventually(lambda: first.log("leads"), "the first leads again")
                        await seat.plays()
                        await receiver.until(
                            lambda: any(fact["fact"] == "GameEnded" for fact in receiver.facts)
                        )
                        assert await first.end() == 0
                        assert await node.end() == 0
        return seat, [name for name, _ in receiver.came], under_way

    seat, told, under_way = asyncio.run(play())
    folder = tmp_path / "hub-a"
    assert verdict(folder, seat).differences == ()
    assert refolded_pgn(folder) == game_file(folder).read_text("utf-8")
    assert [name for name, times in Counter(told).items() if times > 1] == under_way
    again = [name for before, name in pairwise(told) if name == before]
    assert again == under_way, "once, and before all that follows"


async def opened(fifo: Path) -> int:
    """Open *fifo* to write as soon as somebody reads it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with contextlib.suppress(OSError):  # nobody does yet
                return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
            await asyncio.sleep(0.02)


@pytest.mark.timeout(120)
def test_a_hub_that_stood_still_tells_nobody_what_another_one_has_told(tmp_path: Path) -> None:
    """It stands still between reading what waits and sending it, while it reads the secret."""

    async def play() -> list[str]:
        async with _heard(tmp_path) as (event, seat, receiver):
            first, second, node = event.hub("hub-a"), event.hub("hub-b"), event.node()
            async with first:
                await eventually(lambda: first.log("leads"), "a hub that leads")
                async with second, node:
                    await node.live()
                    await seat.plays(2)
                    secret = tmp_path / "hub-a" / "secret"
                    secret.unlink()
                    os.mkfifo(secret)
                    await seat.plays(1)
                    writing = await opened(secret)
                    os.kill(first.pid, signal.SIGSTOP)
                    count = len(receiver.came)
                    await eventually(lambda: second.log("leads"), "the other hub leads")
                    await seat.plays(2)
                    await receiver.until(lambda: len(receiver.came) > count + 2)
                    os.write(writing, SECRET.encode())
                    os.close(writing)
                    assert await first.end(signal.SIGCONT) == DEPOSED
        return [name for name, _ in receiver.came]

    told = asyncio.run(play())
    assert len(told) == len(set(told)), "each message once"


@pytest.mark.timeout(120)
def test_what_an_arbiter_ordered_is_known_to_the_hub_that_takes_over(tmp_path: Path) -> None:
    async def rule() -> None:
        seat = Seat(tmp_path / "usb-board", moves=["e2e4", "e7e5"], pace=0.1)
        ports = free_port(), free_port()
        async with Broker(tmp_path / "broker") as broker, seated([seat]):
            event = Event(tmp_path, broker, [seat])
            first, second = (event.page(f"hub-{n}", port) for n, port in enumerate(ports))
            async with first, event.node() as node, person(ports[0]) as anna:
                await listening(anna)
                async with second:
                    await node.live()
                    await seat.plays()
                    await anna.log_in("Anna")
                    await anna.orders(_draw(), table="1")
                    await killed(first)
                    async with person(ports[1]) as reader:
                        await listening(reader)
                        game = await reader.json("/api/v1/games/1")
                        assert (game["result"], game["state"]) == ("1/2-1/2", "ended")

    asyncio.run(rule())


@contextlib.asynccontextmanager
async def _heard(tmp_path: Path) -> AsyncIterator[tuple[Event, Seat, Receiver]]:
    """A seat, a broker, and a receiver that is told everything."""
    seat = Seat(tmp_path / "usb-board")
    async with Broker(tmp_path / "broker") as broker, receiving() as receiver, seated([seat]):
        hook = (
            f'webhooks: [{{name: all, url: "{receiver.url}", audience: arbiter, '
            "secret_file: secret}]"
        )
        yield Event(tmp_path, broker, [seat], hook), seat, receiver


def _draw() -> dict[str, object]:
    order = {"kind": "SetResult", "result": "1/2-1/2", "because": "agreement"}
    return {"order": order, "reason": "both have said so"}


@pytest.mark.timeout(180)
def test_a_board_that_is_in_another_hall_brings_its_table_there_on_all_hubs(tmp_path: Path) -> None:
    """The board of table 1 is found at south; rounds and pairings reach the other hub, too."""

    async def move() -> Seat:
        absent = Seat(tmp_path / "absent", serial="31235")
        seat = Seat(tmp_path / "usb-board")
        ports = free_port(), free_port()
        async with Broker(tmp_path / "broker") as broker, seated([seat]):
            event = Event(tmp_path, broker, [absent, Seat(tmp_path / "other", serial="31236")])
            event.text = event.text.replace('"2", number: 2, node: north', '"2", node: south')
            event.text = event.text.replace(" white: White 1, black: Black 1,", "")
            first, second = (event.page(f"hub-{n}", port) for n, port in enumerate(ports))
            north, south = event.node(), event.node("south", f"ports: ['{seat.port.path}']\n")
            async with first, north, south, person(ports[0]) as olga:
                await listening(olga)
                async with second:
                    await eventually(lambda: second.log("stands by"), "another hub")
                    await olga.log_in("Olga")
                    places = (await ask(olga, "discovery", {}))["found"]
                    (keys,) = [each["board"] for each in places if each["board"]]
                    answer = await ask(olga, "boards", {"boards": {"1": keys}})
                    assert answer["waits"] == []
                    pairings = tmp_path / "hub-0" / "pairings.csv"
                    pairings.write_text("Board,White,Black\n1,Ann,Bob\n", "utf-8")
                    await ask(olga, "round", {"round": "1", "pairings": pairings.name})
                    file = tmp_path / "hub-1" / "event.yaml"
                    await eventually(lambda: load(file).tables[0].white.name == "Ann", "her name")
                    assert [table.node for table in load(file).tables] == ["south", "south"]
                    await south.live()
                    await seat.plays(3)
                    await eventually(lambda: len(written_moves(tmp_path / "hub-0")) == 3, "moves")
                    await killed(first)
                    await eventually(lambda: second.log("leads"), "the other hub leads")
                    await seat.plays()
                    whole = len(seat.moves)
                    await eventually(
                        lambda: len(written_moves(tmp_path / "hub-1")) == whole, "the whole game"
                    )
                    assert second.log("is parked") == []
        return seat

    seat = asyncio.run(move())
    assert moves_differ(verdict(tmp_path / "hub-1", seat)) == []


async def ask(person: Person, path: str, body: object) -> Any:
    headers = {"X-CSRF-Token": person.csrf}
    async with person.session.post(f"/api/v1/{path}", json=body, headers=headers) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.json()
