"""Three halls, three brokers and two hubs, of which something is always failing."""

import asyncio
import contextlib
import os
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from aiohttp import web

from bridge.cli.compare import Played, compare
from bridge.core.table import Table
from bridge.outputs.lichess.pusher import Pauses
from bridge.outputs.webhook.messages import is_wanted, message_id
from bridge.outputs.webhook.progress import Progress
from bridge.outputs.webhook.sender import AT_ONCE
from testbed.fake_lichess import FakeLichess
from testbed.lichess_rounds import split
from tests.halls import game_file, moves_differ, readings, written_moves
from tests.receiver import Receiver
from tests.soak.conftest import Tell
from tests.soak.machines import HERE, Machine, leading, lines_of, machines, may_make_machines
from tests.soak.three_halls import (
    BOARDS,
    FAULTS,
    LEADERS_FAULTS,
    PATIENCE,
    ROUNDS,
    SECONDS_A_PLY,
    Halls,
    Observer,
    node_of,
)

MINUTES = float(os.environ.get("EBOARD_BRIDGE_SCALE_MINUTES", "60"))
GAPS = int(os.environ.get("EBOARD_BRIDGE_SCALE_FAULTS", "60"))
"""How often something fails while nothing is observed but who leads."""
REST = (15.0, 25.0)
"""Seconds between two faults."""
SHORT_REST = (6.0, 9.0)
HUB_FAULTS = ("kill leader", "kill hub", "cut off leader")
QUIET = 10.0
ALL_AGAIN = Pauses().all_again
LONGEST_ELECTION = 15.0
"""Seconds: brokers take 4 to 9 to choose one who keeps the lease, when he is gone who did, and
begin anew where two of them stood at once."""
AFTERWARDS = 60.0
"""Seconds for which a table is followed beyond its last reading: deadlines fall then, too."""


@contextlib.asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that other machines reach."""
    application = web.Application(client_max_size=2**24)
    runner = web.AppRunner(application)
    receiver = Receiver(0)
    application.router.add_post("/{tail:.*}", receiver.take)
    await runner.setup()
    await web.TCPSite(runner, HERE, 0).start()
    receiver.port = runner.addresses[0][1]
    try:
        yield receiver
    finally:
        await runner.cleanup()


class Run(NamedTuple):
    """What a run leaves behind; ``folder`` is that of the hub that led last."""

    halls: Halls
    receiver: Receiver
    observer: Observer
    lichess: FakeLichess
    folder: Path


async def play(folder: Path, made: list[Machine]) -> Run:
    lichess = FakeLichess()
    for round_ in ROUNDS.values():
        lichess.add_round(round_)
    async with receiving() as receiver, lichess.serving(host=HERE) as url:
        ports = receiver.port, int(url.rpartition(":")[2])
        plies = max(10, round(60 * MINUTES / SECONDS_A_PLY))
        halls = Halls(folder, made, ports, plies=plies)
        async with halls.running(), observed(halls) as observer:
            while not all(each.finished for each in halls.performances.values()):
                await halls.fail(FAULTS)
                await asyncio.sleep(halls.rng.uniform(*REST))
            with contextlib.suppress(TimeoutError):  # which is wrong is told below
                await until_written(halls)
            await until_quiet(receiver)
            led = leading(halls.hubs).folder
    return Run(halls, receiver, observer, lichess, led)


@contextlib.asynccontextmanager
async def observed(halls: Halls) -> AsyncIterator[Observer]:
    observer = Observer(halls)
    observing = asyncio.create_task(observer.run())
    try:
        yield observer
    finally:
        observing.cancel()
        await asyncio.gather(observing, return_exceptions=True)


async def until_written(halls: Halls) -> None:
    """Return when all games are in the files of the hub that leads."""
    wanted = {int(table): len(each.truth().moves) for table, each in halls.performances.items()}
    async with asyncio.timeout(PATIENCE * 2):
        while wanted:
            await asyncio.sleep(3.0)
            folder = leading(halls.hubs).folder
            for table, plies in list(wanted.items()):
                if len(written_moves(folder, table, node_of(table))) >= plies:
                    del wanted[table]


def gaps_in_words(observer: Observer) -> str:
    gaps = sorted(observer.gaps)
    if not gaps:
        return "never without a leader"
    each = ", ".join(
        f"{fault} {gap:.1f}" for fault, gap in zip(observer.during, observer.gaps, strict=True)
    )
    return (
        f"without a leader {len(gaps)} times: median {gaps[len(gaps) // 2]:.1f} s,"
        f" p95 {p95_of(gaps):.1f} s, longest {gaps[-1]:.1f} s; {each}"
    )


class ToldAgain(NamedTuple):
    """How many games were pushed that had been, how many pushes were of a whole round so.

    And of how many pushes Lichess had every game. A game that has changed goes out with those for
    which Lichess could take it, which may be all while games have just begun: what counts is a
    round of which most games had not changed, and cannot be taken for others any more. It goes out
    again every five minutes, and after an outage; not because another hub leads.
    """

    games: int
    rounds: int
    pushes: int


def told_again(bodies: Sequence[str]) -> ToldAgain:
    known, again, whole, idle = set[str](), 0, 0, 0
    for body in bodies:
        games = {game.strip() for game in split(body)}
        again += len(games & known)
        apart = sum(has_gone_apart(game) for game in games & known)
        whole += len(games) == BOARDS and apart > BOARDS / 2
        idle += games <= known
        known |= games
    return ToldAgain(again, whole, idle)


def has_gone_apart(game: str) -> bool:
    """Whether a game is so long that no other one stands as it does."""
    return re.search(r"(?<!\S)4\. ", game) is not None


def gaps_of_hubs(observer: Observer) -> list[float]:
    """The gaps after a fault of a hub, sorted."""
    each = zip(observer.during, observer.gaps, strict=True)
    return sorted(gap for fault, gap in each if fault in HUB_FAULTS)


def p95_of(gaps: Sequence[float]) -> float:
    """The gap that 95 of 100 are not longer than, of sorted ones."""
    return gaps[min(len(gaps) - 1, round(0.95 * len(gaps)))] if gaps else 0.0


async def until_quiet(receiver: Receiver) -> None:
    """Return when nothing has come for a while."""
    count = -1
    while count != len(receiver.came):
        count = len(receiver.came)
        await asyncio.sleep(QUIET)


def concluded(folder: Path, table: str) -> Iterator[tuple[str, bool]]:
    """The ids under which it is told what the journal of a hub comes to.

    Of what comes of deadlines after its end, nobody is sure to have heard.
    """
    fold, progress = Table(table), Progress({})
    journal = readings(folder, int(table))
    facts = [(fact, True) for reading in journal for fact in fold.apply(reading)]
    facts += [(fact, False) for fact in fold.tick(journal[-1].at + AFTERWARDS)]
    for fact, is_sure in facts:
        place = progress.take(fact) if is_wanted(fact, "json") else None
        if place is not None:
            yield message_id(fact, place.number), is_sure


@pytest.mark.skipif(not may_make_machines(), reason="needs root and network namespaces")
def test_three_halls_go_on_whatever_fails(tmp_path: Path, figure: Tell) -> None:
    began = time.monotonic()
    with machines(8) as made:
        halls, receiver, observer, lichess, folder = asyncio.run(play(tmp_path, made))
    took = time.monotonic() - began
    wrong = {}
    for table, performance in halls.performances.items():
        truth = performance.truth()
        played = Played(truth.moves, truth.clock_ms, "*")
        file = game_file(folder, int(table), node_of(int(table)))
        found = compare(file.read_text("utf-8"), played)
        if moves_differ(found):
            wrong[table] = moves_differ(found)
    came = Counter(name for name, _ in receiver.came)
    due = {name: sure for table in halls.performances for name, sure in concluded(folder, table)}
    plies = sum(len(each.truth().moves) for each in halls.performances.values())
    figure(
        f"{3 * BOARDS} boards, {plies} plies, {sum(halls.faults.values())} faults: {halls.faults}"
    )
    figure(f"games not exact: {len(wrong)}: {wrong}")
    led = sum(lines_of(hub.log, " leads, epoch ") for hub in halls.hubs)
    figure(f"the lease was taken {led} times; {gaps_in_words(observer)}")
    figure(f"a hub of use again: longest {max(halls.back):.1f} s after the rest between faults")
    twice = sum(came.values()) - len(came)
    figure(f"webhooks: {len(came)} of {len(due)} arrived, {twice} twice")
    strange = [str(body["data"]) for name, body in receiver.came if name not in due]
    missing = [name for name, is_sure in due.items() if is_sure and name not in came]
    again = told_again(lichess.bodies)
    figure(
        f"lichess: {len(lichess.bodies)} pushes, {again.games} games again, {again.rounds} times a"
        f" whole round; of {again.pushes} pushes it had all"
    )
    lacking = sum(lines_of(hub.log, " are missing; ") for hub in halls.hubs)
    never = sum(lines_of(hub.log, " never came") for hub in halls.hubs)
    figure(f"readings that a broker lacked: {lacking} times; that none had: {never}")
    assert not wrong
    assert strange == []
    assert missing == []
    cuts = halls.faults["cut off leader"]
    regular = len(ROUNDS) * (took // ALL_AGAIN)
    assert twice <= AT_ONCE * (led + cuts), "what was on its way when a hub was gone"
    assert again.rounds <= len(ROUNDS) * cuts + regular
    assert again.pushes <= led + cuts + regular, "the one that was on its way when a hub was gone"
    assert p95_of(gaps_of_hubs(observer)) <= 5.0
    assert max(observer.gaps, default=0.0) <= LONGEST_ELECTION


async def fail_often(folder: Path, made: list[Machine]) -> tuple[Halls, Observer]:
    lichess = FakeLichess()
    async with receiving() as receiver, lichess.serving(host=HERE) as url:
        halls = Halls(folder, made, (receiver.port, int(url.rpartition(":")[2])), plies=10)
        async with halls.running(), observed(halls) as observer:
            for _ in range(GAPS):
                await asyncio.sleep(halls.rng.uniform(*SHORT_REST))
                await halls.fail(LEADERS_FAULTS)
    return halls, observer


@pytest.mark.skipif(not may_make_machines(), reason="needs root and network namespaces")
def test_somebody_leads_again_soon(tmp_path: Path, figure: Tell) -> None:
    with machines(8) as made:
        halls, observer = asyncio.run(fail_often(tmp_path, made))
    figure(f"{sum(halls.faults.values())} faults {halls.faults}; {gaps_in_words(observer)}")
    assert p95_of(gaps_of_hubs(observer)) <= 5.0
    assert max(observer.gaps, default=0.0) <= LONGEST_ELECTION
