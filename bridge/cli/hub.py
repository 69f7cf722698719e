"""``hub``: all games of an event of several halls."""

import argparse
from pathlib import Path

from bridge.cli.frame import DONE, CannotError, Commands, complain
from bridge.cli.node import own_name, scale_of
from bridge.cli.run import serve


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "hub",
        run,
        summary="follow the boards of all nodes of an event, or stand by for another hub",
        description="Follows what the nodes tell the brokers of 'scale', keeps a journal of all "
        "of it, and writes and serves the games as 'run' does. Started on a second machine, it "
        "stands by, and takes over a few seconds after the first one is gone. A hub that was "
        "taken over ends with exit code 75; start it again, and it stands by.",
        examples=["hub event.yaml", "hub event.yaml --name hub-b"],
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument("--name", help="what this hub is called; by default, its host name")


def run(args: argparse.Namespace) -> int:
    """Run until a signal comes."""
    import asyncio

    from bridge.cli.logs import set_up_log
    from bridge.config import load
    from bridge.daemon.service import Service
    from bridge.store.errors import JournalError, OutboxError

    config = load(args.config)
    scale = scale_of(config)
    set_up_log(config.log.level, quiet=False, form=config.log.format)
    from bridge.scale.connection import ScaleError
    from bridge.scale.hub import Hub

    name = own_name(args.name)
    service = Service(
        config,
        source=lambda config, journal: Hub(config, journal, scale, name),
        file=args.config,
    )
    try:
        asyncio.run(serve(service, file=args.config))
    except (JournalError, OutboxError, ScaleError) as error:
        raise CannotError(str(error)) from error
    if service.journal_note:
        complain(service.journal_note)
    return DONE
