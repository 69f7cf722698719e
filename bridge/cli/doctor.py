"""``doctor``: what on this machine would keep boards from being read, and how to mend it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, NO, CannotError, Commands, say, say_marked

if TYPE_CHECKING:
    from bridge.cli.findings import Finding
    from bridge.config import Config

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
        examples=["doctor", "doctor --config hall.yaml", "doctor --config hall.yaml --live"],
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="examine the data folder, journal and ports of this configuration too",
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help="ask the eboard-bridge that runs with this configuration, instead of looking around",
    )


def run(args: argparse.Namespace) -> int:
    """Examine the machine and print the findings."""
    from bridge.cli.examination import examine
    from bridge.cli.findings import Machine

    config = None
    if args.config is not None:
        from bridge.config import load

        config = load(args.config)
    findings = _of_the_daemon(config, args.config) if args.live else examine(Machine(), config)
    width = max(len(finding.subject) for finding in findings)
    for finding in findings:
        _show(finding, width)
    mend = sum(finding.state == "mend" for finding in findings)
    warnings = sum(finding.state == "warn" for finding in findings)
    say(f"{mend} to mend, {warnings} to consider")
    return NO if mend else DONE


def _of_the_daemon(config: "Config | None", file: Path) -> "list[Finding]":
    from bridge.cli.living import living

    if config is None:
        raise CannotError("--live needs the configuration with which it runs: --config FILE")
    return living(config, file)


def _show(finding: "Finding", width: int) -> None:
    mark, style = _MARKS[finding.state]
    text = f"{finding.subject:{width}}  {finding.text}"
    if finding.remedy:
        text += f"\n{'':{_MARK_WIDTH + width}}  → {finding.remedy}"
    say_marked(f"{mark:{_MARK_WIDTH}}", style, text)
