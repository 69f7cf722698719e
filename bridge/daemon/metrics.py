"""The figures of a daemon that runs, in Prometheus' text format.

What is counted is counted where it happens, as plain numbers; only whoever asks makes a text of it.
No figure names a player. ``docs/monitoring.md`` lists all of them.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from bridge.core.audience import is_silent
from bridge.core.model import AlertRaised, Fact, LinkState, MovesCorrected, MoveSettled
from bridge.daemon.hall import Stage
from bridge.links.pulse import Link
from bridge.outputs.tally import Report

LOOK_EVERY = 0.5
"""Seconds between two looks at how late the event loop is."""
MINUTE = 60.0

_BUCKETS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
_STATES: tuple[LinkState, ...] = get_args(LinkState)


class Metrics:
    """Counts what happens from now on, and tells it."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        stages = Histogram(
            "eboard_stage_seconds",
            "How long a reading takes: to be durable (journal), understood (fold), told (publish).",
            ["stage"],
            registry=self._registry,
            buckets=_BUCKETS,
        )
        self._stages = {stage: stages.labels(stage).observe for stage in get_args(Stage)}
        self._lag = Histogram(
            "eboard_event_loop_lag_seconds",
            "How late the event loop is.",
            registry=self._registry,
            buckets=_BUCKETS,
        )
        self._late = deque[float](maxlen=round(MINUTE / LOOK_EVERY))
        self._facts = Counter[tuple[str, str]]()
        self._moves = Counter[str]()
        self._corrections = Counter[str]()
        self._alerts = Counter[tuple[str, str]]()

    def measured(self, stage: Stage, seconds: float) -> None:
        """Take how long a stage of one reading took."""
        self._stages[stage](seconds)

    def tell(self, fact: Fact) -> None:
        """Count a fact."""
        self._facts[fact.table, type(fact).__name__] += 1
        match fact:
            case MoveSettled():
                self._moves[fact.table] += 1
            case MovesCorrected():
                self._corrections[fact.table] += 1
            case AlertRaised() if not is_silent(fact):
                self._alerts[fact.table, fact.severity] += 1
            case _:
                pass

    async def watch_lag(self) -> None:
        """Look at how late the event loop is until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK_EVERY
            await asyncio.sleep(LOOK_EVERY)
            late = max(0.0, loop.time() - due)
            self._lag.observe(late)
            self._late.append(late)

    @property
    def worst_lag(self) -> float:
        """How late the event loop was at worst in the last minute (s)."""
        return max(self._late, default=0.0)

    async def text(
        self,
        *,
        now: float,
        links: Sequence[Link],
        readings: Mapping[str, int],
        unwritten: int,
        reports: Sequence[Report],
    ) -> tuple[bytes, str]:
        """Return all figures at journal time *now*, and the content type of that text.

        It is half a megabyte for 500 tables, so the loop goes on while it is made.

        Args:
            now: journal time.
            links: the links that run.
            readings: how many were folded, by table.
            unwritten: how many readings wait for the disk.
            reports: how each output does.
        """
        counted = _Counted(
            {**readings}, {**self._moves}, {**self._corrections}, {**self._facts}, {**self._alerts}
        )
        body = await asyncio.to_thread(
            self._text, counted, now=now, links=[*links], unwritten=unwritten, reports=reports
        )
        return body, CONTENT_TYPE_PLAIN_0_0_4

    def _text(
        self,
        counted: "_Counted",
        *,
        now: float,
        links: Sequence[Link],
        unwritten: int,
        reports: Sequence[Report],
    ) -> bytes:
        waiting = GaugeMetricFamily(
            "eboard_journal_waiting", "Readings that wait for the disk.", value=unwritten
        )
        gathered = _Gathered(
            [
                _counter("readings", "Readings that were folded.", counted.readings),
                _counter("moves_settled", "Moves that were settled.", counted.moves),
                _counter("corrections", "Corrections of moves.", counted.corrections),
                _counter("facts", "Facts of each kind.", counted.facts, "fact"),
                _counter("alerts", "Alerts that were raised.", counted.alerts, "severity"),
                waiting,
                *_of_links(links, now),
                *_of_outputs(reports),
            ]
        )
        everything = CollectorRegistry()
        everything.register(gathered)
        return generate_latest(self._registry) + generate_latest(everything)


class _Counted(NamedTuple):
    """What was counted until now, by table."""

    readings: Mapping[str, int]
    moves: Mapping[str, int]
    corrections: Mapping[str, int]
    facts: Mapping[tuple[str, str], int]
    alerts: Mapping[tuple[str, str], int]


class _Gathered(Collector):
    """Figures that were gathered for one answer."""

    def __init__(self, found: Sequence[Metric]) -> None:
        self._found = found

    def collect(self) -> Iterator[Metric]:
        yield from self._found


def _counter(
    name: str, about: str, counts: Mapping[str, int] | Mapping[tuple[str, str], int], *more: str
) -> Metric:
    """Return counts by table, and by what *more* names."""
    family = CounterMetricFamily(f"eboard_{name}", about, labels=("table", *more))
    for key, count in counts.items():
        family.add_metric([key] if isinstance(key, str) else key, count)
    return family


def _of_links(links: Sequence[Link], now: float) -> Iterator[Metric]:
    state = GaugeMetricFamily(
        "eboard_link_state", "1 for the state that a link is in.", labels=("link", "state")
    )
    received = CounterMetricFamily(
        "eboard_link_received_bytes", "Bytes that came.", labels=("link",)
    )
    noise = CounterMetricFamily(
        "eboard_link_noise_bytes", "Bytes that made no message.", labels=("link",)
    )
    silent = GaugeMetricFamily(
        "eboard_link_silent_seconds", "Seconds since the last byte.", labels=("link",)
    )
    for link in links:
        for each in _STATES:
            state.add_metric([link.name, each], link.state == each)
        received.add_metric([link.name], link.received)
        noise.add_metric([link.name], link.noise)
        if link.heard_at is not None:
            silent.add_metric([link.name], max(0.0, now - link.heard_at))
    yield from (state, received, noise, silent)


def _of_outputs(reports: Sequence[Report]) -> Iterator[Metric]:
    label = ("output",)
    delivered = CounterMetricFamily("eboard_output_delivered", "What was delivered.", labels=label)
    failed = CounterMetricFamily("eboard_output_failed", "Attempts that failed.", labels=label)
    waiting = GaugeMetricFamily("eboard_output_waiting", "What waits.", labels=label)
    up = GaugeMetricFamily("eboard_output_up", "Whether it can deliver.", labels=label)
    for each in reports:
        delivered.add_metric([each.name], each.delivered)
        failed.add_metric([each.name], each.failed)
        waiting.add_metric([each.name], each.waiting)
        up.add_metric([each.name], not each.trouble)
    yield from (delivered, failed, waiting, up)
