"""``discover``: which boards are there, at which port, and what is wrong with the other ports."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, NO, Commands, complain, say_table

if TYPE_CHECKING:
    from bridge.links.discovery import Found, NotABoard

_NONE = "-"


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "discover",
        run,
        summary="ask at every port which board is there",
        description="Asks at every serial port, or at the given addresses, which board answers, "
        "and says for each other port why it is none. Boards that a running eboard-bridge "
        "serves are reported as busy. Ends with 1 if no board was found.",
        examples=[
            "discover",
            "discover --config hall.yaml",
            "discover /dev/ttyACM0 tcp:10.0.0.7:5000",
        ],
    )
    parser.add_argument(
        "addresses",
        nargs="*",
        metavar="ADDRESS",
        help="ask only here: /dev/…, serial:/dev/…, tcp:HOST:PORT",
    )
    parser.add_argument(
        "--ports",
        action="append",
        default=[],
        metavar="PATTERN",
        help="ask at these ports too, for example '/dev/rfcomm*'",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="ask at the 'ports' of this configuration too"
    )


def run(args: argparse.Namespace) -> int:
    """Ask, and print a line for each port."""
    patterns = list(args.ports)
    if args.config is not None:
        from bridge.config import load

        patterns += load(args.config).ports
    import asyncio

    answers = asyncio.run(_ask(args.addresses, patterns))
    if not answers:
        complain("no serial port is there; plug a board in and switch it on")
        return NO
    from bridge.links.discovery import Found

    say_table(("port", "driver", "serial", "firmware", "remark"), map(_row, answers))
    return DONE if any(isinstance(answer, Found) for answer in answers) else NO


async def _ask(addresses: Sequence[str], patterns: Sequence[str]) -> "Sequence[Found | NotABoard]":
    from bridge.links.claims import Claims
    from bridge.links.discovery import Finder
    from drivers.catalogue import all_drivers

    if addresses:
        import asyncio

        return await asyncio.gather(*map(_ask_at, addresses))
    drivers = list(all_drivers().values())
    finder = Finder(drivers, now=time.monotonic, claims=Claims(), patterns=patterns)
    return await finder.discover()


async def _ask_at(address: str) -> "Found | NotABoard":
    """Ask with one driver after the other, since they must not disturb each other."""
    from bridge.links.discovery import Found, NotABoard, probe
    from drivers.catalogue import all_drivers

    if address.startswith("/"):
        address = f"serial:{address}"
    reasons = []
    for driver in all_drivers().values():
        answer = await probe(address, driver, now=time.monotonic)
        if isinstance(answer, Found):
            return answer
        reasons.append(answer.reason)
    return NotABoard(address=address, reason="; ".join(dict.fromkeys(reasons)))


def _row(answer: "Found | NotABoard") -> tuple[str, ...]:
    from bridge.links.discovery import Found

    if not isinstance(answer, Found):
        return (answer.address, _NONE, _NONE, _NONE, answer.reason)
    serials = " / ".join(answer.serials) or _NONE
    return (answer.address, answer.driver, serials, answer.version or _NONE, "")
