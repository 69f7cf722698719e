"""A round on Lichess that one hub after the other pushes: each has what was acknowledged."""

import asyncio
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from bridge.outputs.lichess.round_pusher import OUTPUT
from bridge.outputs.lichess.states import STATE_NOTE, BoardState
from bridge.scale.watching import Kept
from testbed.fake_lichess import FakeLichess
from testbed.lichess_rounds import split
from tests.brokers import Broker, connected, followed
from tests.halls import PATIENCE, Seat, eventually, seated
from tests.lichess import ROUND
from tests.test_end_to_end_scale import Event, killed

OPENINGS = ["e2e4", "e7e5", "g1f3"], ["d2d4", "d7d5", "c2c4"], ["c2c4", "c7c5", "b1c3"]


def is_noted(kept: Sequence[Kept], lichess: FakeLichess, plies: Sequence[int]) -> bool:
    """Whether Lichess has so many plies of each game, and the next hub would know that."""
    ours = [each for each in kept if each.output == OUTPUT]
    waiting = [each for each in ours if each.content is not None]
    states = [each.note for each in ours if each.note and each.key.startswith(STATE_NOTE)]
    noted = [msgspec.json.decode(state, type=BoardState).plies for state in states]
    has = [len(chapter.moves) for chapter in lichess.rounds[ROUND].chapters]
    return not waiting and sorted(noted) == sorted(plies) and has == list(plies)


async def until_noted(broker: Broker, lichess: FakeLichess, *plies: int) -> None:
    async with (
        connected(broker, "reader") as connection,
        followed(connection) as copies,
        asyncio.timeout(PATIENCE),
    ):
        while not is_noted(await copies.all(), lichess, plies):  # noqa: ASYNC110 - a hub notes it
            await asyncio.sleep(0.1)


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
                    await until_noted(broker, lichess, 2, 2, 2)
                    await killed(first)
                    await eventually(lambda: second.log("leads"), "the other hub leads")
                    await seats[1].plays(1)
                    await until_noted(broker, lichess, 2, 3, 2)
                    first = event.hub("hub-a")
                    async with first:
                        await eventually(lambda: first.log("connected to"), "another hub")
                        assert await second.end(signal.SIGTERM) == 0
                        await eventually(lambda: first.log("leads"), "the first leads again")
                        await seats[2].plays(1)
                        await until_noted(broker, lichess, 2, 3, 3)
                        assert await first.end() == 0
                        assert await node.end() == 0

    asyncio.run(play())
    pushed = Counter(game.strip() for body in lichess.bodies for game in split(body))
    assert [game for game, times in pushed.items() if times > 1] == []
