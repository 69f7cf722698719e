"""``doctor``: what on this machine would keep boards from being read, and how to mend it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, NO, Commands, say, say_marked

if TYPE_CHECKING:
    from bridge.cli.findings import Finding

_MARKS = {
    "good": ("ok", "green"),
    "warn": ("consider", "yellow"),
    "mend": ("MEND", "bold red"),
    "unknown": ("unknown", "dim"),
}
_MARK_WIDTH = 10


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "doctor",
        run,
        summary="examine this machine: ports, rights, time, disk",
        description="Examines the machine and says for each finding how to mend it. Changes "
        "nothing. Ends with 1 if something must be mended; what could not be examined is said "
        "and does not count.",
        examples=["doctor", "doctor --config hall.yaml"],
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="examine the data folder, journal and ports of this configuration too",
    )


def run(args: argparse.Namespace) -> int:
    """Examine the machine and print the findings."""
    from bridge.cli.examination import examine
    from bridge.cli.findings import Machine

    config = None
    if args.config is not None:
        from bridge.config import load

        config = load(args.config)
    findings = examine(Machine(), config)
    width = max(len(finding.subject) for finding in findings)
    for finding in findings:
        _show(finding, width)
    mend = sum(finding.state == "mend" for finding in findings)
    warnings = sum(finding.state == "warn" for finding in findings)
    say(f"{mend} to mend, {warnings} to consider")
    return NO if mend else DONE


def _show(finding: "Finding", width: int) -> None:
    mark, style = _MARKS[finding.state]
    text = f"{finding.subject:{width}}  {finding.text}"
    if finding.remedy:
        text += f"\n{'':{_MARK_WIDTH + width}}  → {finding.remedy}"
    say_marked(f"{mark:{_MARK_WIDTH}}", style, text)
