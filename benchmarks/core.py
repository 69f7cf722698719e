"""What one message costs from bytes to facts, without the journal in between."""

import time
from collections import defaultdict
from collections.abc import Sequence

from benchmarks.report import Report, Spread, spread, times
from benchmarks.wire import simulated_game
from bridge.core.model import Fact, MoveSettled, Payload, Reading, TableSetup
from bridge.core.table import Table
from bridge.daemon.interpreter import sparing_what_is_there
from bridge.links.news import News
from drivers.boards.dgt import Dgt
from drivers.boards.dgt.protocol import Message
from drivers.simulated import games
from drivers.simulated.hands import BLITZ, Style

CHANGE = "field update that settles no move"
SETTLES = "any step that settles a move"
CLOCK = "clock reading that settles none"
DUMP = "board dump that settles none"
DEADLINE = "deadline that settles none"
OTHER = "other message"
KINDS = (CHANGE, SETTLES, CLOCK, DUMP, DEADLINE)
_MESSAGES: dict[int, str] = {
    Message.FIELD_UPDATE: CHANGE,
    Message.BWTIME: CLOCK,
    Message.BOARD_DUMP: DUMP,
}
STYLES: dict[str, Style] = {"unhurried": Style(), "blitz": BLITZ}

Samples = dict[str, list[float]]


def measure(*, yard: float, names: Sequence[str] = (), seeds: int = 4) -> Report:
    """Play the games *names* (all, if none) in each style *seeds* times."""
    samples: Samples = defaultdict(list)
    played = told = 0
    for name in names or games.names():
        for style in STYLES.values():
            for seed in range(seeds):
                messages = simulated_game(name, seed=seed, style=style)
                with sparing_what_is_there():  # as the daemon does
                    follow(messages, samples)
                played += 1
                told += len(messages)
    rows = [_row(kind, spread(samples[kind]), yard) for kind in KINDS if samples[kind]]
    return Report(
        f"Core: codec, news filter and table, {played} simulated games, "
        "microseconds of processor time a step",
        ("what", "count", "median", "p99", "worst", "median / json.loads of 100 bytes"),
        rows,
        [_all_told(samples, told)],
    )


def follow(messages: Sequence[tuple[float, bytes]], samples: Samples) -> list[Fact]:
    """Take one game through a new codec and table; add what each step took (us) to *samples*.

    Deadlines are answered when they come, as the daemon does; most moves settle in one.
    """
    codec, news, table = Dgt(), News(), Table("1")
    told = table.apply(_reading(1, 0.0, TableSetup()))
    seq = 1
    for at, message in messages:
        while table.wake_at <= at:
            start = time.thread_time_ns()
            facts = table.tick(table.wake_at)
            took = time.thread_time_ns() - start
            samples[_kind(DEADLINE, facts)].append(took / 1000)
            told += facts
        facts = []
        start = time.thread_time_ns()
        for event in codec.receive(message, at=at):
            if news.is_new(event):
                seq += 1
                facts += table.apply(_reading(seq, at, event))
        took = time.thread_time_ns() - start
        samples[_kind(_MESSAGES.get(message[0], OTHER), facts)].append(took / 1000)
        told += facts
    return told


def _reading(seq: int, at: float, payload: Payload) -> Reading:
    return Reading(table="1", link="table 1", seq=seq, at=at, wall=at, payload=payload)


def _kind(cause: str, facts: Sequence[Fact]) -> str:
    return SETTLES if any(isinstance(fact, MoveSettled) for fact in facts) else cause


def _all_told(samples: Samples, messages: int) -> str:
    """Say what one of the *messages* costs with all steps that follow from it."""
    spent = sum(map(sum, samples.values()))
    return f"All steps together, deadlines too: {spent / messages:.0f} us for each message."


def _row(kind: str, took: Spread, yard: float) -> tuple[str, ...]:
    numbers = (f"{value:.1f}" for value in (took.median, took.p99, took.worst))
    return (kind, f"{took.count}", *numbers, times(took.median / 1e6, yard))
