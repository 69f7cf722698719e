"""Figures are what was counted, and a text that Prometheus reads."""

import asyncio
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from bridge.core.model import AlertRaised, Fact, MovesCorrected
from bridge.daemon import metrics
from bridge.daemon.metrics import LOOK_EVERY, Metrics
from bridge.links.keeper import Keeper
from bridge.outputs.tally import Report
from drivers.boards.dgt import Dgt
from tests.bridge.scoresheets import line

PAGE = Path(__file__).resolve().parents[2] / "docs" / "monitoring.md"
COMMON: dict[str, Any] = {"table": "1", "game": 1, "at": 5.0, "wall": 5.0, "evidence": (1, 1)}


def figures(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


class Figures:
    """What *counted* tells, to be asked for by name and labels."""

    def __init__(self, counted: Metrics, **others: Any) -> None:
        known: dict[str, Any] = {"now": 10.0, "links": [], "readings": {}, "unwritten": 0}
        text = counted.text(**{**known, "reports": [], **others})
        body, self.kind = asyncio.run(text)
        self.text = body.decode()
        self.found = figures(self.text)

    def of(self, name: str, **labels: str) -> float | None:
        return self.found.get((f"eboard_{name}", frozenset(labels.items())))


def test_facts_are_counted_by_table() -> None:
    counted = Metrics()
    facts: list[Fact] = [
        *line("e4 e5"),
        MovesCorrected(ply=2, count=1, reason="seen later", **COMMON),
        AlertRaised(code="ILLEGAL_MOVE", severity="warning", text="", **COMMON),
    ]
    for fact in facts:
        counted.tell(fact)
    shown = Figures(counted, readings={"1": 9}, unwritten=3)
    assert shown.of("moves_settled_total", table="1") == 2
    assert shown.of("facts_total", table="1", fact="GameStarted") == 1
    assert shown.of("corrections_total", table="1") == 1
    assert shown.of("alerts_total", table="1", severity="warning") == 1
    assert shown.of("readings_total", table="1") == 9
    assert shown.of("journal_waiting") == 3
    assert shown.kind == "text/plain; version=0.0.4; charset=utf-8"


def test_silent_alerts_are_no_alerts() -> None:
    counted = Metrics()
    counted.tell(AlertRaised(code="TOUCHED", severity="silent", text="", **COMMON))
    assert "eboard_alerts_total{" not in Figures(counted).text


def test_links_tell_their_state_and_bytes() -> None:
    link = Keeper("table 1", "/dev/absent", Dgt, now=lambda: 0.0, deliver=lambda _: None)
    shown = Figures(Metrics(), links=[link])
    assert shown.of("link_state", link="table 1", state="lost") == 1
    assert shown.of("link_silent_seconds", link="table 1") is None
    link.state, link.received, link.noise, link.heard_at = "live", 70, 3, 8.5
    shown = Figures(Metrics(), links=[link])
    assert shown.of("link_state", link="table 1", state="lost") == 0
    assert shown.of("link_state", link="table 1", state="live") == 1
    assert shown.of("link_received_bytes_total", link="table 1") == 70
    assert shown.of("link_noise_bytes_total", link="table 1") == 3
    assert shown.of("link_silent_seconds", link="table 1") == 1.5


def test_outputs_tell_what_they_did() -> None:
    reports = [Report("pgn", 5, 0, 1, ""), Report("webhook club", 0, 4, 9, "Connection refused")]
    shown = Figures(Metrics(), reports=reports)
    assert shown.of("output_delivered_total", output="pgn") == 5
    assert shown.of("output_failed_total", output="webhook club") == 4
    assert shown.of("output_waiting", output="webhook club") == 9
    assert [shown.of("output_up", output=each.name) for each in reports] == [1, 0]
    assert "refused" not in shown.text


def test_stages_and_the_loop_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "LOOK_EVERY", 0.01)
    counted = Metrics()
    counted.measured("fold", 0.002)

    assert counted.worst_lag == 0.0

    async def look() -> None:
        task = asyncio.create_task(counted.watch_lag())
        await asyncio.sleep(0)
        time.sleep(LOOK_EVERY + 0.05)  # noqa: ASYNC251 - this is what is looked for
        async with asyncio.timeout(60):
            while not counted.worst_lag:  # noqa: ASYNC110 - it calls nobody
                await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(look())
    assert counted.worst_lag >= 0.05
    shown = Figures(counted)
    assert shown.of("event_loop_lag_seconds_count")
    assert shown.of("stage_seconds_count", stage="fold") == 1
    assert shown.of("stage_seconds_bucket", stage="fold", le="0.001") == 0
    assert shown.of("stage_seconds_bucket", stage="fold", le="0.003") == 1
    assert shown.of("stage_seconds_count", stage="journal") == 0


def test_the_loop_goes_on_while_figures_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    written_by: set[int] = set()

    def write(registry: Collector) -> bytes:
        written_by.add(threading.get_ident())
        return generate_latest(registry)

    monkeypatch.setattr(metrics, "generate_latest", write)
    assert Figures(Metrics(), unwritten=3).of("journal_waiting") == 3
    assert written_by.isdisjoint({threading.get_ident()})


def test_the_page_lists_every_figure() -> None:
    section = PAGE.read_text("utf-8").split("## The figures")[1]
    listed = set(re.findall(r"^\| `(eboard_\w+)` \|", section, re.MULTILINE))
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", Figures(Metrics()).text, re.MULTILINE))
    assert listed == {name for name in kinds if not name.endswith("_created")}
