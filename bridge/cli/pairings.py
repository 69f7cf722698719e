"""``pairings``: what a pairing file says, and what would change with it."""

import argparse
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import CANNOT, DONE, NO, CannotError, Commands, complain, say, say_table

if TYPE_CHECKING:
    from bridge.config import Config, Player, TableSettings
    from bridge.config.pairings import PairingFile
    from bridge.pairings import Pairing, Person


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "pairings",
        run,
        summary="say what a pairing file holds, and what it would change",
        description="Reads pairings from TRF, PGN or CSV and lists everything that is wrong, each "
        "line as FILE:LINE:COLUMN: what is wrong; what to do. Without problems it shows the games, "
        "or who would come to which table of a configuration. Changes nothing.",
        examples=[
            "pairings check round-1.pgn",
            "pairings check open.trf --round 5",
            "pairings check round-2.csv --config hall.yaml --round 2",
        ],
    )
    parser.add_argument("action", choices=("check",), help="what to do")
    parser.add_argument("file", type=Path, metavar="FILE", help="the pairings")
    parser.add_argument(
        "--config", type=Path, metavar="CONFIG", help="show what changes at its tables"
    )
    parser.add_argument("--round", metavar="ROUND", help="the round, instead of the configured one")
    parser.add_argument(
        "--group", metavar="GROUP", help="take them for this group of the configuration"
    )


def run(args: argparse.Namespace) -> int:
    """Check the file."""
    from bridge.config import ConfigError, UnreadableError
    from bridge.config.pairings import problem_in, read_file
    from bridge.pairings import PairingError

    try:
        pairings = read_file(args.file)
        if args.config is None:
            _show(pairings, args.round)
            notes = pairings.notes
        else:
            notes = _compare(pairings, args).notes
    except PairingError as error:
        for trouble in error.troubles:
            say(str(problem_in(args.file, trouble)))
        return NO
    except UnreadableError as error:
        complain(str(error))
        return CANNOT
    except ConfigError as error:
        say(str(error))
        return NO
    for note in notes:
        say(f"note: {note}")
    say(f"{args.file}: no problems")
    return DONE


def _show(pairings: "PairingFile", round_: str | None) -> None:
    content = pairings.content
    games = content.pairings if round_ is None else content.of_round(round_)
    if round_ is not None and not games:
        known = ", ".join(content.rounds) or "none"
        raise CannotError(f"{pairings.path} has no games of round {round_}; it has: {known}")
    if games:
        say_table(("round", "board", "white", "black", "position"), map(_row, games))
    else:
        say_table(("player",), ([_described(person)] for person in content.players))


def _row(game: "Pairing") -> tuple[str, ...]:
    return (
        game.round or "?",
        str(game.board),
        _described(game.white),
        _described(game.black),
        game.start_fen or "",
    )


def _described(person: "Person | Player") -> str:
    """Return a player in one line."""
    number = "" if person.fide_id is None else f"id {person.fide_id}"
    elo = "" if person.elo is None else str(person.elo)
    return " ".join(filter(None, (person.title, person.name, elo, number)))


def _compare(pairings: "PairingFile", args: argparse.Namespace) -> "Config":
    """Show who would come to which table; return the configuration that would be."""
    from bridge.config.loading import plain, text_of
    from bridge.config.seating import board_of, seated

    bare = plain(text_of(args.config), args.config)
    own = _with(bare, pairings, args.round, args.group)
    after, before = seated(own, args.config), _as_it_is(bare, args.config)
    pairs = [
        (old, new)
        for old, new in zip(before.tables, after.tables, strict=True)
        if args.group in (None, new.group)
    ]
    say_table(
        ("table", "board", "white", "black", "change"),
        [
            (
                new.table,
                "" if new.number is None else str(new.number),
                _described(new.white),
                _described(new.black),
                "; ".join(_changes(old, new)),
            )
            for old, new in pairs
        ],
    )
    was, round_ = _round(before, args.group), _round(after, args.group)
    if was != round_:
        say(f"round {round_}, instead of {was}")
    boards = {board_of(new) for _, new in pairs}
    games = pairings.content.of_round(round_)
    rest = [str(game.board) for game in games if game.board not in boards]
    if rest:
        say(f"boards without a table: {', '.join(rest)}")
    return after


def _with(
    config: "Config", pairings: "PairingFile", round_: str | None, group: str | None
) -> "Config":
    """Return *config* with other pairings of the event, or of a group."""
    if group is None:
        event = config.event
        return replace(config, event=replace(event, pairings=pairings, round=round_ or event.round))
    if group not in [each.group for each in config.groups]:
        raise CannotError(f"there is no group {group}")
    groups = (
        replace(each, pairings=pairings, round=round_ or each.round)
        if each.group == group
        else each
        for each in config.groups
    )
    return replace(config, groups=tuple(groups))


def _round(config: "Config", group: str | None) -> str:
    own = (each.round for each in config.groups if each.group == group)
    return next(own, None) or config.event.round


def _as_it_is(bare: "Config", file: Path) -> "Config":
    """Return the configuration with its own pairings; with nobody if they do not fit."""
    from bridge.config import ConfigError
    from bridge.config.seating import seated

    try:
        return seated(bare, file)
    except ConfigError:
        return bare


def _changes(old: "TableSettings", new: "TableSettings") -> Iterable[str]:
    """Return in words what changes at a table."""
    for side, was, becomes in (("White", old.white, new.white), ("Black", old.black, new.black)):
        if was.name != becomes.name:
            yield f"{side} was {was.name}"
        else:
            names = [
                f.name for f in fields(was) if getattr(was, f.name) != getattr(becomes, f.name)
            ]
            if names:
                yield f"{side}: {', '.join(names)}"
    if (old.start_fen, old.chess960) != (new.start_fen, new.chess960):
        yield "the start position"
    if old.time_control != new.time_control:
        yield "the time control"
