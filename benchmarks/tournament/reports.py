"""What came of a tournament, as tables."""

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.report import Report, spread
from benchmarks.standstill import Stillness
from benchmarks.tournament.daemon import Measured, Sample
from benchmarks.tournament.hall import HallPlayed
from benchmarks.tournament.promises import Broken

MEBIBYTE = 1 << 20


def reports(
    played: HallPlayed, measured: Measured, broken: Broken, rate: float
) -> Iterator[Report]:
    """Yield what went wrong, what was promised, and what it took."""
    hours = (played.ended - played.begun) / 3600
    boards = len(played.games)
    if played.plan:
        kinds = Counter(fault.what for fault in played.plan)
        rows = [(kind, f"{number}") for kind, number in kinds.most_common()]
        yield Report(f"Faults: {len(played.plan)}", ("what", "times"), rows)
    all_hours = hours + measured.stood_still / 3600
    at_speed = f", at {rate * hours / all_hours:.2g} times the speed"
    yield Report(
        f"Promises: {boards} boards, {hours:.2f} hours{at_speed}",
        ("what", "found"),
        [
            ("games, as played", f"{broken.games}, {broken.exact}"),
            ("plies", f"{broken.moves}"),
            ("time stood still for want of cores", f"{100 * (1 - hours / all_hours):.0f} %"),
            ("corrections", f"{broken.corrections}"),
            ("longest that a wrong move stood", f"{broken.longest_wrong:.1f} s"),
            ("players accused of what they did not do", f"{broken.accusations.total()}"),
            ("loop stood still for more than 100 ms", f"{measured.ready.times} times"),
            ("longest that it stood still by itself", _longest(measured.ready)),
            ("longest that the kernel did not wake it", _milliseconds(measured.ready.unwoken)),
            ("garbage was collected for, at most", _milliseconds(measured.ready.collection)),
            ("longest that it stood still before it served", _longest(measured.starting)),
        ],
    )
    yield _standstills("When the loop stood still before it served", measured.starting)
    yield _standstills("When the loop stood still", measured.ready)
    yield Report("The daemon", ("what", "measured"), [*_use(measured.samples), *_stages(measured)])


def _standstills(title: str, stillness: Stillness) -> Report:
    times = ("by itself", "not woken", "with a core", "garbage", "stolen")
    rows = [
        (
            *map(
                _milliseconds,
                (each.seconds, each.unwoken, each.worked, each.garbage, each.stolen),
            ),
            f"{each.paged}",
            f"{each.at:.1f} s: {each.where}",
        )
        for each in stillness.longest
    ]
    return Report(title, (*times, "pages read", "when and where"), rows)


def _longest(stillness: Stillness) -> str:
    return _milliseconds(max((each.seconds for each in stillness.longest), default=0.0))


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.0f} ms"


def _use(samples: Sequence[Sample]) -> Iterator[tuple[str, str]]:
    """Yield what was used since a tenth of the time had passed: until then things are learned."""
    first, last = samples[len(samples) // 10], samples[-1]
    seconds = last.use.at - first.use.at
    cpu = last.use.cpu_seconds - first.use.cpu_seconds
    readings = last.readings - first.readings
    yield "readings a second", f"{readings / seconds:.0f}"
    yield "share of one core", f"{100 * cpu / seconds:.0f} %"
    yield "processor time a reading", f"{1e6 * cpu / max(1, readings):.0f} us"
    waited = last.use.waited_seconds - first.use.waited_seconds
    yield "loop ready, but without a core", f"{100 * waited / seconds:.0f} %"
    sizes = _quarters([sample.use.resident / MEBIBYTE for sample in samples])
    yield "memory at the quarters (MiB)", " ".join(f"{size:.0f}" for size in sizes)
    descriptors = _quarters([sample.descriptors for sample in samples])
    yield "descriptors at the quarters", " ".join(f"{number:.0f}" for number in descriptors)


def _quarters(values: Sequence[float]) -> list[float]:
    """Return five of the values, from a tenth on to the last."""
    first, last = len(values) // 10, len(values) - 1
    return [values[first + (last - first) * quarter // 4] for quarter in range(5)]


def _stages(measured: Measured) -> Iterator[tuple[str, str]]:
    for stage, seconds in measured.stages.items():
        taken = spread(seconds)
        yield (
            f"{stage}, median / p99 / worst",
            f"{1e3 * taken.median:.2f} / {1e3 * taken.p99:.1f} / {1e3 * taken.worst:.0f} ms",
        )
