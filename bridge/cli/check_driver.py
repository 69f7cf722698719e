"""``check-driver``: what every driver promises, tried on what its boards have said."""

import argparse
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, NO, CannotError, Commands, say
from bridge.cli.options import add_option_argument, options_of

if TYPE_CHECKING:
    from drivers.capture import Capture
    from drivers.codec import Codec
    from drivers.promises import Finding


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "check-driver",
        run,
        summary="try on captures what every driver promises",
        description="For authors of drivers. Examines the declaration, runs what the captures' "
        "boards said through the codec whole, in pieces, with lost bytes and among noise, and "
        "compares the moves that are found with those of each header. Ends with 1 if a promise "
        "is broken.",
        examples=["check-driver acme acme.capture", "check-driver dgt *.capture"],
    )
    parser.add_argument("driver", metavar="DRIVER", help="the driver's name")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="capture files")
    add_option_argument(parser, driver_known=True)


def run(args: argparse.Namespace) -> int:
    """Try everything, and print a line for each promise."""
    from drivers.capture import parse
    from drivers.catalogue import driver
    from drivers.promises import problems_of

    codec = driver(args.driver)
    options = options_of(args.option, args.driver).get(args.driver, {})
    captures = [parse(file.read_bytes(), name=str(file)) for file in dict.fromkeys(args.files)]
    for capture in captures:
        if capture.driver != args.driver:
            raise CannotError(f"{capture.name} is a capture of driver {capture.driver}")
    kept = True
    problems = problems_of(codec.info)
    kept &= _say(args.driver, "declares what is needed", "; ".join(problems))
    for capture in captures:
        for finding in _findings(capture, codec, options):
            kept &= _say(capture.name, *finding)
    if not captures:
        say("no capture was given, so nothing was decoded: 'eboard-bridge record' makes them")
    return DONE if kept else NO


def _findings(
    capture: "Capture", codec: "type[Codec]", options: Mapping[str, str]
) -> "Iterator[Finding]":
    from bridge.cli.replay import difference
    from drivers.promises import Finding, tried

    reads = [record.data for record in capture.records if record.direction == "<"]
    broken = False
    for finding in tried(partial(codec, **options), reads):
        broken |= bool(finding.broken)
        yield finding
    if capture.played or capture.played_uci:
        # A codec that raises would end the replay, and has been told of.
        yield Finding("finds the moves of the header", "" if broken else difference(capture) or "")


def _say(what: str, promise: str, broken: str) -> bool:
    say(f"{'no' if broken else 'ok':4}{what}: {promise}" + (f": {broken}" if broken else ""))
    return not broken
