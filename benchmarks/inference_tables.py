"""What was judged, as tables: figures by profile and board, by phenomenon, and single failures."""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple, Protocol

from benchmarks.judge import Failure, Tally
from benchmarks.report import Report

PROFILES = ("clean", "club", "chaos")
"""The usual ones, in the order of their difficulty; others come behind, by name."""
GRAVITY = (
    "stream",
    "move",
    "result",
    "illegal missed",
    "missed",
    "false alert",
    "corrected",
    "open move",
    "slow",
)
"""Kinds of failures, what matters most first."""

BIG_HALL = 1000 * 5
"""Lines a second of 1,000 boards that each tell something five times a second."""

Figures = dict[str, float | None]


class Group(NamedTuple):
    """Streams that are counted together."""

    profile: str
    board: str

    @property
    def order(self) -> tuple[int, str, str]:
        """Where the group stands in a table."""
        known = self.profile in PROFILES
        return PROFILES.index(self.profile) if known else len(PROFILES), *self


def quantile(samples: Sequence[float], share: float) -> float | None:
    """Return the smallest sample that at least *share* of all do not exceed."""
    if not samples:
        return None
    return sorted(samples)[max(0, math.ceil(share * len(samples)) - 1)]


def _middle(samples: Sequence[float]) -> float | None:
    return median(samples) if samples else None


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def figures(tally: Tally) -> Figures:
    """Return every figure of the tables by its name; ``None`` where there was nothing to count.

    Shares are of 1, delays in seconds, costs in microseconds of processor time.
    """
    found: Figures = {
        "streams": tally.streams,
        "failed streams": tally.failed,
        "games": tally.games,
        "exact games": tally.exact,
        "exact share": _share(tally.exact, tally.games),
        "determinable games": tally.determinable,
        "exact determinable games": tally.determinable_exact,
        "exact determinable share": _share(tally.determinable_exact, tally.determinable),
        "plies": tally.plies,
        "ply precision": _share(tally.matched, tally.standing),
        "ply recall": _share(tally.matched, tally.plies),
        "wrong moves published": tally.settled_wrong,
        "wrong moves published per 1000 plies": _share(1000 * tally.settled_wrong, tally.plies),
        "determinable wrong": tally.determinable_wrong,
        "determinable wrong per 1000 plies": _share(
            1000 * tally.determinable_wrong, tally.determinable_plies
        ),
        "illegal moves": tally.illegal,
        "illegal alerts": tally.alerts,
        "illegal precision": _share(tally.illegal_found, tally.alerts),
        "illegal recall": _share(tally.illegal_found, tally.illegal),
        "determinable illegal moves": tally.determinable_illegal,
        "determinable illegal recall": _share(
            tally.determinable_illegal_found, tally.determinable_illegal
        ),
        "results": tally.results,
        "results right": tally.results_right,
        "results wrong": tally.results_wrong,
        "results missing": tally.results_missing,
        "results right share": _share(tally.results_right, tally.results),
        "determinable results": tally.determinable_results,
        "determinable results right share": _share(
            tally.determinable_results_right, tally.determinable_results
        ),
    }
    for name, samples in (
        ("after rest", tally.after_rest),
        ("determinable after rest", tally.determinable_after_rest),
        ("after evidence", tally.after_evidence),
        ("provisional after rest", tally.provisional_after_rest),
        ("settling reading us", tally.settling_us),
        ("other reading us", tally.other_us),
        ("line us", tally.line_us),
    ):
        found[f"{name} median"] = _middle(samples)
        found[f"{name} p95"] = quantile(samples, 0.95)
        found[f"{name} p99"] = quantile(samples, 0.99)
        found[f"{name} worst"] = max(samples, default=None)
    mean = _share(sum(tally.line_us), len(tally.line_us))
    found["cores of a big hall"] = None if mean is None else mean * BIG_HALL / 1e6
    return found


# A row: what it says, then how it is written; {names} are those of the figures.
_ROWS = (
    ("streams", "{streams:.0f}"),
    ("… that could not be followed", "{failed streams:.0f}"),
    ("games", "{games:.0f}"),
    ("games exactly right", "{exact games:.0f} = {exact share:.1%}"),
    (
        "… of those that are determinable",
        "{exact determinable games:.0f}/{determinable games:.0f} = {exact determinable share:.1%}",
    ),
    ("plies", "{plies:.0f}"),
    ("ply precision / recall", "{ply precision:.3%} / {ply recall:.3%}"),
    (
        "wrong moves ever published, per 1,000 plies",
        "{wrong moves published:.0f} = {wrong moves published per 1000 plies:.2f}",
    ),
    (
        "… in determinable games",
        "{determinable wrong:.0f} = {determinable wrong per 1000 plies:.2f}",
    ),
    (
        "published after rest, median / p95 / p99 (s)",
        "{after rest median:.2f} / {after rest p95:.2f} / {after rest p99:.2f}",
    ),
    (
        "… in determinable games, median / p95 (s)",
        "{determinable after rest median:.2f} / {determinable after rest p95:.2f}",
    ),
    (
        "published after the evidence, median / p95 (s)",
        "{after evidence median:.3f} / {after evidence p95:.3f}",
    ),
    (
        "provisional after rest, median / p95 (s)",
        "{provisional after rest median:.2f} / {provisional after rest p95:.2f}",
    ),
    ("illegal moves found (recall)", "{illegal recall:.1%} of {illegal moves:.0f}"),
    (
        "… found in determinable games",
        "{determinable illegal recall:.1%} of {determinable illegal moves:.0f}",
    ),
    ("illegal alerts right (precision)", "{illegal precision:.1%} of {illegal alerts:.0f}"),
    (
        "results right / wrong / missing",
        "{results right:.0f} / {results wrong:.0f} / {results missing:.0f}",
    ),
    (
        "… right in determinable games",
        "{determinable results right share:.1%} of {determinable results:.0f}",
    ),
    *(
        (
            f"{what}, median / p99 / worst (us)",
            f"{{{name} median:.0f}} / {{{name} p99:.0f}} / {{{name} worst:.0f}}",
        )
        for what, name in (
            ("table: reading that settles a move", "settling reading us"),
            ("table: any other reading", "other reading us"),
            ("whole line, text to text", "line us"),
        )
    ),
    ("1,000 boards, 5 lines a second each, text to text (cores)", "{cores of a big hall:.2f}"),
)


class _Written(float):
    """A figure in a row, ``-`` where there is none."""

    def __format__(self, spec: str) -> str:
        return "-" if math.isnan(self) else super().__format__(spec)


def overview(tallies: Mapping[Group, Tally]) -> Report:
    """Return the table of figures by profile and board."""
    written = [
        {
            name: _Written("nan" if value is None else value)
            for name, value in figures(tally).items()
        }
        for tally in tallies.values()
    ]
    return Report(
        "Inference: board streams and what was found in them",
        ("what", *map(" ".join, tallies)),
        [(what, *(form.format_map(each) for each in written)) for what, form in _ROWS],
        (
            "After rest: from the last man's coming to rest to the move's last publication.",
            "After the evidence: from the first sign of the press or the reply in the stream.",
        ),
    )


def phenomena(tallies: Mapping[Group, Tally]) -> Report:
    """Return the table of plies by what touched them."""
    names = {how for tally in tallies.values() for how in tally.touched}

    def harm(how: str) -> tuple[int, int]:
        found = [tally.touched[how] for tally in tallies.values() if how in tally.touched]
        return sum(each.first for each in found), sum(each.bad for each in found)

    ordered = sorted(sorted(names), key=harm, reverse=True)
    return Report(
        "Plies wrong or missing, of those that each phenomenon touched",
        ("phenomenon", *map(" ".join, tallies)),
        [(how, *(_touched(how, tally) for tally in tallies.values())) for how in ordered],
        ("In brackets: how many of them were the first wrong ply of their game.",),
    )


def _touched(how: str, tally: Tally) -> str:
    touched = tally.touched.get(how)
    if touched is None:
        return "-"
    share = f"{touched.bad / touched.plies:.1%}"
    return f"{touched.bad}/{touched.plies} = {share} ({touched.first})"


class Failing(Protocol):
    """Whatever collects failures."""

    failures: list[Failure]


def failures(tallies: Mapping[Group, Failing], *, most: int) -> Report:
    """Return the table of the *most* gravest single failures."""
    found = [(group, failure) for group, tally in tallies.items() for failure in tally.failures]
    found.sort(key=lambda each: (GRAVITY.index(each[1].what), each[0].order))
    return Report(
        f"Failures: {min(most, len(found))} of {len(found)}",
        ("group", "stream", "game", "what", "ply", "t", "expected", "got", "how"),
        [_failure(group, failure) for group, failure in found[:most]],
    )


def _failure(group: Group, failure: Failure) -> tuple[str, ...]:
    return (
        " ".join(group),
        failure.stream,
        str(failure.game),
        failure.what,
        str(failure.ply),
        f"{failure.t:.2f}",
        failure.expected,
        failure.got,
        failure.how,
    )
