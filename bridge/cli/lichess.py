"""``lichess``: what is pushed to Lichess, what it made of it, and a broadcast to begin with."""

import argparse
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bridge.cli.export import games_of
from bridge.cli.frame import (
    DONE,
    NO,
    CannotError,
    Commands,
    complain,
    counted,
    say,
    say_table,
)
from bridge.cli.outbox import with_outbox

if TYPE_CHECKING:
    from bridge.config import Config, LichessSettings
    from bridge.core.scoresheet.record import GameRecord
    from bridge.outputs.lichess.api import LichessApi, MyRound
    from bridge.outputs.lichess.games import Game
    from bridge.outputs.lichess.states import BoardState
    from bridge.store.outbox import Outbox

_T = TypeVar("_T")


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "lichess",
        run,
        summary="say what goes to Lichess and what became of it, or make a broadcast there",
        description="check: shows the games as they are pushed, with what Lichess has of each, and "
        "what is wrong; sends nothing, unless --ask makes it ask Lichess whether token and round "
        "are right. Ends with 1 if something is wrong. rounds: lists the rounds that the token may "
        "push to. create: makes a broadcast named like the event, and says what to write into the "
        "configuration. reset: deletes all games of a round on Lichess, to be pushed anew: the "
        "only way to take moves back there.",
        examples=[
            "lichess check hall.yaml",
            "lichess check hall.yaml --ask --pgn -",
            "lichess rounds hall.yaml",
            "lichess create hall.yaml",
            "lichess reset hall.yaml --round 3",
        ],
    )
    parser.add_argument("action", choices=("check", "rounds", "create", "reset"), help="what to do")
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help="the token, if not the configured one"
    )
    parser.add_argument("--round", metavar="ROUND", help="reset: which round of the event")
    parser.add_argument(
        "--hub", metavar="NAME", help="reset: what this hub is called; by default, its host name"
    )
    parser.add_argument("--ask", action="store_true", help="check: ask Lichess too")
    parser.add_argument(
        "--pgn", type=Path, metavar="OUT", help="check: write what is pushed; - is standard output"
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    from bridge.config import LichessSettings, load

    config = load(args.config)
    settings = config.lichess
    if settings is None and args.action in {"check", "reset"}:
        raise CannotError(
            f"{args.config} has no section 'lichess'; docs/lichess.md tells what to write"
        )
    # Who makes a broadcast has none to name yet.
    settings = settings or LichessSettings()
    if args.token_file is not None:
        settings = replace(settings, token_file=args.token_file)
    if args.action == "check":
        return _check(config, settings, args.config, ask=args.ask, out=args.pgn)
    if args.action == "rounds":
        return _show_rounds(_ask(settings, _my_rounds))
    if args.action == "reset":
        return _reset(config, settings, args.round, args.hub)
    return _create(config, settings, args.config)


# --- check ----------------------------------------------------------------------------------------


def _check(
    config: "Config", settings: "LichessSettings", file: Path, *, ask: bool, out: Path | None
) -> int:
    from bridge.outputs.lichess.games import round_games
    from bridge.outputs.lichess.queue import empty_records, with_planned

    setups = [(table.table, config.setup(table)) for table in config.tables]
    games = round_games(with_planned(_records(config), empty_records(setups)))
    problems = list(_problems(settings, games))
    _show_games(config, settings, games)
    if out is not None:
        _write(games, out)
    if ask:
        rounds = _ask(settings, _my_rounds)
        problems += _problems_there(settings, {game.round for game in games}, rounds)
    for problem in problems:
        say(problem)
    say(f"{file}: {counted(len(problems), 'problem') if problems else 'no problems'}")
    return NO if problems else DONE


def _records(config: "Config") -> "Iterator[GameRecord]":
    """Fold the journal, if there is one yet; a delay is not looked at."""
    from bridge.store.rows import table_names

    journal = config.data.journal
    for table in table_names(journal) if journal.is_file() else ():
        yield from games_of(journal, table)


def _show_games(config: "Config", settings: "LichessSettings", games: "Iterable[Game]") -> None:
    from bridge.outputs.lichess.states import key_of

    states = _states(config)
    say_table(
        ("round", "board", "table", "white", "black", "plies", "time control", "on Lichess"),
        [
            (
                game.round,
                "" if game.board is None else str(game.board),
                game.table,
                tags.get("White", "?"),
                tags.get("Black", "?"),
                str(game.plies),
                tags.get("TimeControl", "?"),
                _in_words(states.get(key_of(settings, game))),
            )
            for game in games
            for tags in [dict(game.tags)]
        ],
    )


def _states(config: "Config") -> "dict[str, BoardState]":
    """Return what Lichess made of each game, as the daemon noted it."""
    import msgspec

    from bridge.outputs.lichess.round_pusher import OUTPUT
    from bridge.outputs.lichess.states import STATE_NOTE, BoardState
    from bridge.store.errors import OutboxError
    from bridge.store.outbox import read_notes

    if not config.data.outbox.is_file():
        return {}
    try:
        notes = read_notes(config.data.outbox, OUTPUT)
    except OutboxError as error:
        raise CannotError(str(error)) from error
    return {
        name.removeprefix(STATE_NOTE): msgspec.json.decode(value, type=BoardState)
        for name, value in notes.items()
        if name.startswith(STATE_NOTE)
    }


def _in_words(state: "BoardState | None") -> str:
    import time

    if state is None:
        return "not yet"
    when = time.strftime("%d.%m. %H:%M", time.localtime(state.at))
    return f"{state.plies} plies, {when}{f': {state.trouble}' if state.trouble else ''}"


def _problems(settings: "LichessSettings", games: "Iterable[Game]") -> Iterator[str]:
    from bridge.outputs.lichess.api import RefusedError, token_of

    try:
        token_of(settings)
    except RefusedError as error:
        yield str(error)
    file = settings.token_file
    if file is not None and file.is_file() and file.stat().st_mode & 0o077:
        yield f"others may read {file}: chmod 600 {file}"
    for game in games:
        if game.trouble:
            yield f"round {game.round}, table {game.table}: {game.trouble}"


def _write(games: "Iterable[Game]", out: Path) -> None:
    text = "".join(game.pgn for game in games if not game.trouble)
    if out == Path("-"):
        say(text.rstrip("\n"))
    else:
        out.write_text(text, encoding="utf-8", newline="\n")


# --- Lichess --------------------------------------------------------------------------------------


def _ask(settings: "LichessSettings", question: "Callable[[LichessApi], Awaitable[_T]]") -> _T:
    import asyncio

    from bridge.outputs.lichess.api import LichessApi, LichessError, token_of

    async def ask() -> _T:
        async with LichessApi(settings.server, partial(token_of, settings)) as api:
            return await question(api)

    try:
        return asyncio.run(ask())
    except LichessError as error:
        raise CannotError(str(error)) from error


async def _my_rounds(api: "LichessApi") -> "list[MyRound]":
    return await api.my_rounds()


def _problems_there(
    settings: "LichessSettings", names: Iterable[str], rounds: "Iterable[MyRound]"
) -> Iterator[str]:
    """Yield what keeps the token from pushing to the rounds that are played."""
    from bridge.outputs.lichess.rounds import round_title

    writeable = {each.round.id: each.study.writeable for each in rounds}
    of_tournament = {
        each.round.name: each.round.id for each in rounds if each.tour.id == settings.tournament
    }
    for name in sorted(names):
        found = settings.rounds.get(name) or of_tournament.get(round_title(name))
        if found is None and settings.tournament is not None:
            say(f"round {name}: '{round_title(name)}' will be created in {settings.tournament}")
        elif found is None:
            yield f"round {name} is not under 'lichess: rounds'"
        elif found not in writeable:
            yield f"round {name}: the token's account takes no part in {found}"
        elif not writeable[found]:
            yield f"round {name}: the token's account may not write to {found}"
        else:
            say(f"round {name}: {found} takes pushes")


def _show_rounds(rounds: "list[MyRound]") -> int:
    say_table(
        ("round", "name", "broadcast", "name", "pushes"),
        [
            (
                each.round.id,
                each.round.name,
                each.tour.id,
                each.tour.name,
                "yes" if each.study.writeable else "no",
            )
            for each in rounds
        ],
    )
    return DONE if rounds else NO


def _create(config: "Config", settings: "LichessSettings", file: Path) -> int:
    from bridge.outputs.lichess.games import lichess_time_control

    event = config.event
    if len(event.name) < len("A 1"):
        raise CannotError(f"{file}: write the name of the event, under 'event: name'")
    form = {
        "name": event.name[:80],
        "info.location": event.site[:80] if event.site != "?" else "",
        "info.tc": (lichess_time_control(event.time_control) or "")[:80],
    }
    filled = {name: value for name, value in form.items() if value}
    made = _ask(settings, lambda api: api.create_tournament(filled))
    complain(f"made: {made.url}")
    say(f"lichess:\n  tournament: {made.id}")
    return DONE


def _reset(
    config: "Config", settings: "LichessSettings", round_name: str | None, hub: str | None
) -> int:
    """Delete a round's games on Lichess, and let the outbox forget that it has them."""
    from bridge.outputs.lichess.round_pusher import OUTPUT, order_note
    from bridge.outputs.lichess.rounds import round_id, target
    from bridge.outputs.lichess.states import STATE_NOTE

    if round_name is None:
        raise CannotError("reset needs --round: the round of the event whose games are deleted")

    def empty(outbox: "Outbox") -> str:
        notes = outbox.notes(OUTPUT)

        async def reset(api: "LichessApi") -> str:
            where = await round_id(round_name, settings, notes, api)
            await api.reset(where)
            return where

        where = _ask(settings, reset)
        begins = f"{STATE_NOTE}{target(settings, round_name)}:"
        keys = [note.removeprefix(STATE_NOTE) for note in notes if note.startswith(begins)]
        outbox.forget(OUTPUT, keys)
        outbox.put(OUTPUT, {}, notes={order_note(settings, round_name): "[]"})
        return where

    where = with_outbox(config, hub, empty)
    say(
        f"round {round_name}: {where} is empty; start eboard-bridge again, or send it SIGHUP, "
        "to push it"
    )
    return DONE
