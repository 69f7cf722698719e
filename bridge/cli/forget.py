"""``forget``: a person's name is taken out of what was recorded."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, NO, CannotError, Commands, say

if TYPE_CHECKING:
    from bridge.config import Config
    from bridge.store.forgetting import Name

SHORTEST = 3
"""Letters of a name; shorter ones are words of their own in texts."""
_JSON = re.compile(r"""["':,{}\s]+|\b[fml]name\b|\bnull\b""")
_OLD = ("*.damaged-*", "*.before-*")


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "forget",
        run,
        summary="take a person's name out of what was recorded",
        description="Takes a name out of the journal and of what waits to be sent, while "
        "eboard-bridge does not run. Title, rating, number and team of a player go with it; moves, "
        "times and results stay, and so do names of arbiters under their orders. Then names the "
        "files in which the name still is and that a person has to deal with, and ends with 1 if "
        "there are any. What was sent to others and copied elsewhere is out of reach.",
        examples=["forget hall.yaml 'Kramer, Anna'"],
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument("name", metavar="NAME", help="as in the pairings: family name, given name")


def run(args: argparse.Namespace) -> int:
    """Forget the name."""
    from bridge.config import load
    from bridge.store.errors import OutboxError
    from bridge.store.forgetting import Name, forget_in_journal, forget_in_outbox

    if sum(letter.isalpha() for letter in args.name) < SHORTEST:
        raise CannotError("give the whole name, as 'Kramer, Anna'")
    config, name = load(args.config), Name(args.name)
    readings = forget_in_journal(config.data.journal, name)
    try:
        entries = forget_in_outbox(config.data.outbox, name)
    except OutboxError as error:
        raise CannotError(str(error)) from error
    say(f"{readings} readings of the journal and {entries} messages that wait are without it now")
    left = [*_still_named(config, args.config, name), *_old(config)]
    for line in left:
        say(line)
    return NO if left else DONE


def _still_named(config: "Config", file: Path, name: "Name") -> Iterator[str]:
    pairings = [config.event.pairings, *(group.pairings for group in config.groups)]
    for path in (file, *(each.path for each in pairings if each is not None)):
        if _names(path, name):
            yield f"{path}: the name is in it; change it, or it is recorded again"
    if _names(config.accounts, name):
        yield f"{config.accounts}: there is such an account; eboard-bridge account remove"
    folders = [config.pgn.folder, *([config.cloud.folder] if config.cloud else [])]
    for path in sorted(path for folder in folders for path in folder.rglob("*.*")):
        if _names(path, name):
            yield f"{path}: the name is in it; the next start writes it anew, or delete it"


def _names(path: Path, name: "Name") -> bool:
    if not path.is_file():
        return False
    text = path.read_bytes().decode(errors="replace")
    # Cloud files have given and family name apart.
    return name.is_in(text) or name.is_in(_JSON.sub(" ", text))


def _old(config: "Config") -> Iterator[str]:
    for pattern in _OLD:
        for path in sorted(config.data.folder.glob(pattern)):
            yield f"{path}: an older file that was not looked at; delete it"
