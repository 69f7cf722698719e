"""How right and how early the alerts are that call an arbiter to a table.

``python -m benchmarks.alerts`` plays sessions at simulated tables, or takes the streams of a folder
as :mod:`benchmarks.inference` does, lets the real table fold them, and judges every alert that is
``critical`` or a ``warning`` by what happened.
"""

import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median

import msgspec

from benchmarks.alerts_judge import ILLEGAL_MOVE, AlertTally, judge_alerts
from benchmarks.alerts_truth import read_shown
from benchmarks.inference import Source, in_processes, parser_of, say_asked, sources_of
from benchmarks.inference_tables import Group, failures, quantile
from benchmarks.judge import Failure, Truth
from benchmarks.report import Report
from bridge.cli.frame import complain
from bridge.config.rulesets import names, rule_set
from bridge.core.model import Fact, GameEnded, Reading, TableSetup
from bridge.core.stream import AFTERTIME, StreamReader
from bridge.core.table import Table

COUNT = 100
"""Sessions of each profile on each board, if nobody says how many."""
AIMS = {"club": 100, "chaos": 10}
"""Over so many games at most one alert may be false, by profile."""

AlertTallies = dict[Group, AlertTally]


def examine(source: Source, *, rules: str = "fide_std") -> tuple[Group, AlertTally]:
    """Judge the alerts of one stream under the rule set of that name."""
    lines, truth = source.load()
    group = Group(truth.profile, truth.board)
    try:
        facts = list(fold(lines, truth, rules=rules))
    except Exception:  # noqa: BLE001 - top of the task: a table that raises is a result
        complain(f"{truth.stream}:\n{traceback.format_exc()}")
        why = traceback.format_exc().rstrip().splitlines()[-1]
        return group, AlertTally(
            streams=1, failed=1, failures=[Failure(truth.stream, 0, "stream", 0, 0.0, "-", why, "")]
        )
    return group, judge_alerts(truth, read_shown(lines), facts)


def fold(lines: Iterable[str | bytes], truth: Truth, *, rules: str) -> Iterator[Fact]:
    """Yield all facts of a stream; the table is told rules and time control besides."""
    reader, table, at = StreamReader(truth.stream), Table(truth.stream), 0.0
    played_by = msgspec.to_builtins(rule_set(rules))

    def set_up(last: Reading, game: int) -> Reading:
        setup = msgspec.structs.replace(
            reader.setup(game) or table.setup,
            time_control=truth.games[game - 1].time_control,
            rules=played_by,
        )
        return msgspec.structs.replace(last, payload=setup)

    for reading in (reading for line in lines for reading in reader.read(line)):
        at = reading.at
        is_setup = isinstance(reading.payload, TableSetup)
        facts = table.apply(set_up(reading, 1) if is_setup else reading)
        yield from facts
        ended = next((fact.game for fact in facts if isinstance(fact, GameEnded)), None)
        if ended is not None and ended < len(truth.games):
            yield from table.apply(set_up(reading, ended + 1))
    yield from table.tick(at + AFTERTIME)


def examine_all(sources: Sequence[Source], *, jobs: int, rules: str) -> AlertTallies:
    """Judge all streams in *jobs* processes."""
    tallies: AlertTallies = {}
    for group, tally in in_processes(partial(examine, rules=rules), sources, jobs=jobs):
        tallies.setdefault(group, AlertTally()).add(tally)
    return dict(sorted(tallies.items(), key=lambda item: item[0].order))


# --- tables --------------------------------------------------------------------------------------


def overview(tallies: Mapping[Group, AlertTally]) -> Report:
    """Return the table of figures by profile and board."""
    columns = [_figures(group, tally) for group, tally in tallies.items()]
    return Report(
        "Alerts that call the arbiter, and what happened",
        ("what", *map(" ".join, tallies)),
        [(what, *(column[what] for column in columns)) for what in columns[0]],
        (
            "After the press: from the press that completed an illegal move to its alert.",
            "After the report: from the line of the stream that first showed that press.",
        ),
    )


def _figures(group: Group, tally: AlertTally) -> dict[str, str]:
    false = tally.false.total()
    over = AIMS.get(group.profile, 100)
    missed = tally.missed[ILLEGAL_MOVE]
    return {
        "streams / games / plies": f"{tally.streams} / {tally.games} / {tally.plies}",
        "streams that could not be followed": str(tally.failed),
        "alerts, true / false": f"{tally.true.total()} / {false}",
        "false alerts in so many games": f"{over * false / max(1, tally.games):.2f} in {over}",
        "games with a false alert": str(tally.spoilt),
        "illegal moves, told / missed": f"{tally.illegal - missed} / {missed}",
        "other things missed": str(tally.missed.total() - missed),
        "after the press, median / p95 (s)": _delays(tally.after_press),
        "after the report, median / p95 (s)": _delays(tally.after_report),
    }


def _delays(samples: Sequence[float]) -> str:
    if not samples:
        return "-"
    return f"{median(samples):.2f} / {quantile(samples, 0.95):.2f}"


def by_code(tallies: Mapping[Group, AlertTally]) -> Report:
    """Return the table of true, false and missed alerts by their code."""
    counts = [(tally.true, tally.false, tally.missed) for tally in tallies.values()]
    codes = sorted({code for each in counts for count in each for code in count})
    return Report(
        "True / false / missed, by code",
        ("code", *map(" ".join, tallies)),
        [(code, *(" / ".join(str(c[code]) for c in each) for each in counts)) for code in codes],
    )


def causes(tallies: Mapping[Group, AlertTally]) -> Report:
    """Return the table of what went on when false alerts came, the commonest first."""
    found = [tally.causes for tally in tallies.values()]
    total = sum(found, Counter[tuple[str, str]]())
    return Report(
        "False alerts, by what went on",
        ("code", "what went on", *map(" ".join, tallies)),
        [(*cause, *(str(each[cause]) for each in found)) for cause, _ in total.most_common()],
        ("What touched the ply in progress or the two before it; an alert may have several.",),
    )


def main(arguments: list[str] | None = None) -> int:
    """Judge the alerts of the streams that were asked for and print the tables."""
    parser = parser_of("benchmarks.alerts", str(__doc__), count=COUNT)
    parser.set_defaults(profiles=list(AIMS))
    parser.add_argument("--rules", choices=names(), default="fide_std", help="default: fide_std")
    options = parser.parse_args(arguments)
    tallies = examine_all(sources_of(options, parser), jobs=options.jobs, rules=options.rules)
    say_asked("benchmarks.alerts", arguments)
    for table in (overview, by_code, causes):
        table(tallies).show()
    if options.worst:
        failures(tallies, most=options.worst).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
