"""Alerts against the truth of a stream: which were true, which were not, and what none told.

Pure. Only ``critical`` and ``warning`` count: those call the arbiter to the table. What is true is
said by :mod:`benchmarks.alerts_truth`. All times are stream seconds.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from benchmarks.alerts_truth import CALLS_FOR_ILLEGAL, Happened, Shown
from benchmarks.judge import Failure, TrueIllegal, Truth
from bridge.core.model import AlertRaised, Fact

GRAVE = ("critical", "warning")
ILLEGAL_MOVE = "an illegal move"
"""Stands in counts for all codes that tell one."""


@dataclass
class AlertTally:
    """What was counted and measured over some streams; delays in seconds.

    ``spoilt``: games with a false alert; one cause may raise several.
    ``after_press``: from the press that completed an illegal move to its alert; ``after_report``:
    from the line that first showed the press.
    """

    streams: int = 0
    failed: int = 0
    games: int = 0
    plies: int = 0
    illegal: int = 0
    spoilt: int = 0
    true: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    after_press: "array[float]" = field(default_factory=lambda: array("d"))
    after_report: "array[float]" = field(default_factory=lambda: array("d"))
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: "AlertTally") -> None:
        """Count *other* in."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, int):
                setattr(self, each.name, mine + theirs)
            elif isinstance(mine, Counter):
                mine.update(theirs)
            else:
                mine.extend(theirs)


def judge_alerts(truth: Truth, shown: Shown, facts: Sequence[Fact]) -> AlertTally:
    """Return which alerts of *facts* were true and which false, and what no alert told."""
    tally = AlertTally(streams=1, games=len(truth.games))
    starts = [game.started for game in truth.games]
    of_game: list[list[AlertRaised]] = [[] for _ in starts]
    for fact in facts:
        if isinstance(fact, AlertRaised) and fact.severity in GRAVE:
            of_game[max(0, bisect_right(starts, fact.at) - 1)].append(fact)
    for number, (game, alerts) in enumerate(zip(truth.games, of_game, strict=True), start=1):
        tally.plies += len(game.moves)
        case = _Case(truth.stream, number, Happened(game, shown, facts), tally)
        tally.spoilt += sum(not case.judge(alert) for alert in alerts) > 0
        case.look_for_missing(alerts)
    return tally


@dataclass
class _Case:
    """A game whose alerts are judged, and where they are counted."""

    stream: str
    number: int
    happened: Happened
    tally: AlertTally

    def judge(self, alert: AlertRaised) -> bool:
        """Count an alert, and note what went on when it was false; return whether it was true."""
        if self.happened.says(alert):
            self.tally.true[alert.code] += 1
            return True
        self.tally.false[alert.code] += 1
        self.tally.causes.update((alert.code, each) for each in self.happened.causes(alert.at))
        said = " ".join(filter(None, (alert.code, alert.reason)))
        self._fails("false alert", alert.at, "-", f"{said}: {alert.text}")
        return False

    def look_for_missing(self, alerts: Sequence[AlertRaised]) -> None:
        """Count what happened and was not told, and how long it took where it was."""
        for illegal in self.happened.game.illegal:
            self.tally.illegal += 1
            calls = [
                alert.at
                for alert in alerts
                if alert.code in CALLS_FOR_ILLEGAL and self.happened.tells(illegal, alert)
            ]
            if calls:
                self._measure(illegal, min(calls))
            else:
                self.tally.missed[ILLEGAL_MOVE] += 1
                self._fails("missed", illegal.press, f"{illegal.uci} {illegal.reason}", "-")
        raised = {alert.code for alert in alerts}
        for code, at in self.happened.ends.items():
            if code not in raised:
                self.tally.missed[code] += 1
                self._fails("missed", at, code, "-")

    def _measure(self, illegal: TrueIllegal, at: float) -> None:
        self.tally.after_press.append(at - illegal.press)
        reported = self.happened.reported(illegal.press)
        if reported is not None and reported <= at:
            self.tally.after_report.append(at - reported)

    def _fails(self, what: str, at: float, expected: str, got: str) -> None:
        ply = bisect_right(self.happened.rests, at)
        how = ", ".join(self.happened.causes(at))
        failure = Failure(self.stream, self.number, what, ply, at, expected, got, how)
        self.tally.failures.append(failure)
