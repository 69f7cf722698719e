"""A round on Lichess that one hub after the other pushes: each has what was acknowledged."""

import asyncio
import signal
from collections import Counter
from pathlib import Path

import pytest

from bridge.outputs.lichess.round_pusher import OUTPUT
from bridge.store.outbox import Outbox
from testbed.fake_lichess import FakeLichess
from testbed.lichess_rounds import split
from tests.brokers import Broker
from tests.halls import Seat, eventually, seated
from tests.lichess import ROUND
from tests.test_end_to_end_scale import Event, killed

OPENINGS = ["e2e4", "e7e5", "g1f3"], ["d2d4", "d7d5", "c2c4"], ["c2c4", "c7c5", "b1c3"]


def is_quiet(hub: Path, lichess: FakeLichess, *plies: int) -> bool:
    """Whether Lichess has so many plies of each game, and the hub knows that."""
    has = [len(chapter.moves) for chapter in lichess.rounds[ROUND].chapters]
    with Outbox(hub / "data" / "outbox.sqlite3") as outbox:
        return has == list(plies) and outbox.count(OUTPUT) == 0


@pytest.mark.timeout(120)
def test_what_lichess_has_is_not_pushed_by_the_hub_that_takes_over(tmp_path: Path) -> None:
    lichess = FakeLichess()
    lichess.add_round(ROUND)

    async def play() -> None:
        seats = [
            Seat(tmp_path / f"board-{n}", serial=f"{31234 + n}", moves=moves, pace=0.05)
            for n, moves in enumerate(OPENINGS)
        ]
        async with (
            Broker(tmp_path / "broker") as broker,
            lichess.serving() as url,
            seated(seats),
        ):
            pushed = f'lichess: {{server: "{url}", token_file: token, rounds: {{1: {ROUND}}}}}'
            event = Event(tmp_path, broker, seats, pushed)
            first, second = event.hub("hub-a"), event.hub("hub-b")
            node = event.node()
            async with first:
                await eventually(lambda: first.log("leads"), "a hub that leads")
                async with second, node:
                    await node.live()
                    for seat in seats:
                        await seat.plays(2)
                    a, b = tmp_path / "hub-a", tmp_path / "hub-b"
                    await eventually(lambda: is_quiet(a, lichess, 2, 2, 2), "two plies each")
                    await killed(first)
                    await eventually(lambda: second.log("leads"), "the other hub leads")
                    await seats[1].plays(1)
                    await eventually(lambda: is_quiet(b, lichess, 2, 3, 2), "the third ply")
                    first = event.hub("hub-a")
                    async with first:
                        await eventually(lambda: first.log("connected to"), "another hub")
                        assert await second.end(signal.SIGTERM) == 0
                        await eventually(lambda: first.log("leads"), "the first leads again")
                        await seats[2].plays(1)
                        await eventually(lambda: is_quiet(a, lichess, 2, 3, 3), "the other one")
                        assert await first.end() == 0
                        assert await node.end() == 0

    asyncio.run(play())
    pushed = Counter(game.strip() for body in lichess.bodies for game in split(body))
    assert [game for game, times in pushed.items() if times > 1] == []
