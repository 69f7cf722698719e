"""What a hub knows of the nodes of its event."""

import asyncio
from typing import Any

from bridge.links.pulse import LinkHealth
from bridge.scale.clock import KEPT, EventClock
from bridge.scale.messages import LinkState, Mark
from bridge.scale.names import HUB
from bridge.scale.nodes import AWAY_SECONDS, Nodes

TABLES = {"1": "north", "2": "south", "3": None}


class Watched:
    def __init__(self) -> None:
        self.came: list[str] = []
        self.nodes = Nodes(TABLES, wall=lambda: 1000.0, came=self.came.append)

    def hears(self, name: str, at: float, position: int = 0, **more: Any) -> None:
        fields: dict[str, Any] = {
            "session": f"{name} 1",
            "started": 1.0,
            "host": name,
            "waiting": 0,
            "wall": 1000.0,
        }
        self.nodes.hear(name, Mark(at=at, position=position, **(fields | more)))


def watch() -> Watched:
    return Watched()


async def _known() -> None:
    event = watch()
    event.hears("north", at=10.0, position=5)
    event.hears(HUB, at=12.0, position=5)
    assert event.nodes.known("1") < 0, "what it says is in the stream was not read yet"
    event.nodes.read_to(5)
    assert event.nodes.known("1") == 10.0
    event.hears("north", at=20.0, position=6)
    event.nodes.read_to(6)
    assert event.nodes.known("1") == 12.0, "an order of the hub may still come"
    assert event.nodes.known("2") < 0, "the other node has said nothing"
    assert event.nodes.known("3") == 12.0
    event.hears(HUB, at=30.0, position=6)
    assert event.nodes.known("1") == 20.0
    assert event.nodes.hub_known == 30.0


def test_all_is_known_when_node_and_hub_say_so_and_it_was_read() -> None:
    asyncio.run(_known())


async def _deposed() -> None:
    event = watch()
    event.hears(HUB, at=10.0, epoch=5)
    event.hears(HUB, at=99.0, epoch=3)
    assert event.nodes.hub_known == 10.0


def test_a_hub_that_was_deposed_is_not_listened_to() -> None:
    asyncio.run(_deposed())


def troubles(event: Watched, name: str) -> list[str]:
    mark = f"node {name}: "
    return [each.removeprefix(mark) for each in event.nodes.troubles() if each.startswith(mark)]


async def _told() -> None:
    event = watch()
    assert troubles(event, "south") == ["has not been heard of yet"]
    event.hears("south", at=1.0, waiting=500, wall=1003.5, trouble="the stream is full")
    assert troubles(event, "south") == [
        "the stream is full",
        "500 readings are on their way",
        "its clock is 3.5 s ahead; games are timed right all the same",
    ]
    event.hears("south", at=1.0, wall=996.0)
    assert troubles(event, "south")[-1].startswith("its clock is 4.0 s behind")
    event.hears("south", at=1.0)
    assert troubles(event, "south") == []
    event.hears("nobody", at=1.0)
    assert event.came == ["south"]
    event.hears("south", at=1.0, session="south 2", started=2.0, host="cellar")
    assert troubles(event, "south") == [
        "cellar calls itself so too, and is not listened to: stop one of the two"
    ]
    assert event.came == ["south"]


def test_what_is_wrong_with_a_node_is_told() -> None:
    asyncio.run(_told())


async def _away() -> None:
    event = watch()
    link = LinkState(name="table 1", state="live", detail="", received=1, noise=0, heard_at=1.0)
    health = LinkHealth(
        table="1", device="board", state="live", detail="", silent=0.0, noise=0, battery=None
    )
    event.hears("north", at=1.0, links=[link], health=[health])
    assert event.nodes.links() == [link]
    assert event.nodes.health() == [health]
    event.hears("north", at=2.0)
    assert event.nodes.links() == [link], "links are not in every mark"
    loop = asyncio.get_running_loop()
    later = loop.time() + AWAY_SECONDS + 1
    loop.time = lambda: later  # type: ignore[method-assign]
    assert [each.state for each in event.nodes.links()] == ["lost"]
    assert [each.detail for each in event.nodes.health()] == ["node north is away"]
    assert troubles(event, "north") == ["is away, since 4 s; its boards go on, and catch up"]
    event.hears("north", at=1.0, session="north 2", started=2.0)
    assert event.came == ["north", "north"], "after a while another session is no twin"
    assert troubles(event, "north") == []


def test_the_links_of_a_node_that_is_away_are_lost() -> None:
    asyncio.run(_away())


def test_the_answer_with_the_shortest_way_counts() -> None:
    clock = EventClock(lambda: 5.0)
    assert not clock.synchronised
    clock.take(10.0, 12.0, now=111.5, wall=1111.5)
    assert clock.synchronised
    assert clock.of(20.0) == 120.5
    clock.take(20.0, 20.2, now=120.1, wall=1120.6)
    assert clock.of(20.0) == 120.0
    assert clock.wall(120.0) == 1120.5
    clock.take(30.0, 34.0, now=150.0, wall=1150.0)
    assert clock.of(20.0) == 120.0
    for _ in range(KEPT):
        clock.take(30.0, 31.0, now=130.6, wall=1130.6)
    assert clock.of(20.0) == 120.1, "a clock drifts, so the best one is not kept for ever"
    assert clock.now() == 105.1


def test_a_hub_has_the_time_itself() -> None:
    clock = EventClock(lambda: 5.0, wall=1000.0)
    assert clock.synchronised
    assert clock.now() == 5.0
    assert clock.wall(6.0) == 1001.0
