"""``node``: the boards of one hall, told to the hub of an event."""

import argparse
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, CannotError, Commands
from bridge.cli.run import until_signal

if TYPE_CHECKING:
    from bridge.config import Config, ScaleSettings


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "node",
        run,
        summary="keep the boards of one hall for a hub elsewhere",
        description="Keeps the links of the tables that the configuration gives this node, and a "
        "journal of its own, and tells the brokers of 'scale' what the boards say. Goes on for "
        "hours without the network, and catches up in order. The same configuration may be on "
        "all machines of the event; docs/scale-out.md says how.",
        examples=["node event.yaml", "node event.yaml --name north"],
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument(
        "--name", help="which of the nodes this machine is; by default, its own host name"
    )


def run(args: argparse.Namespace) -> int:
    """Run until a signal comes."""
    import asyncio

    from bridge.cli.logs import set_up_log
    from bridge.config import load
    from bridge.store.errors import JournalError, OutboxError

    config = load(args.config)
    scale = scale_of(config)
    set_up_log(config.log.level, quiet=False, form=config.log.format)
    from bridge.scale.connection import ScaleError
    from bridge.scale.node import Node

    try:
        node = Node(config, scale, own_name(args.name), file=args.config)
        asyncio.run(until_signal(node.run))
    except (JournalError, OutboxError, ScaleError) as error:
        raise CannotError(str(error)) from error
    return DONE


def own_name(given: str | None) -> str:
    """Return what this machine is called in the event."""
    return given or socket.gethostname().partition(".")[0].lower()


def scale_of(config: "Config") -> "ScaleSettings":
    """Return how the machines of the event find each other.

    Raises:
        CannotError: the configuration does not say, or a package is missing.
    """
    if config.scale is None:
        raise CannotError("the configuration has no 'scale': see docs/scale-out.md")
    try:
        import nats  # noqa: F401 - to see whether it is there
    except ModuleNotFoundError as error:
        raise CannotError("nats-py is missing: pip install 'eboard-bridge[scale]'") from error
    return config.scale
