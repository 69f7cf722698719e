"""Who sits at which table: the games of a round, by their board numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.config.events import NO_GROUP, GroupSettings
from bridge.config.pairings import PairingFile
from bridge.config.players import UNKNOWN_PLAYER, Player
from bridge.config.problems import ConfigError, Problem
from bridge.config.settings import Config
from bridge.config.tables import TableSettings
from bridge.pairings import Pairing, Person, Register

_UNKNOWN = "?"


@dataclass(frozen=True)
class _Part:
    """The tables that get their players in one go: of a group of its own, or all others.

    ``where`` is the place of its settings in the configuration, in words.
    """

    where: str
    group: GroupSettings | None
    pairings: PairingFile
    people: PairingFile | None
    round: str
    tables: tuple[TableSettings, ...]


def seated(config: Config, file: Path) -> Config:
    """Return *config* with the players of its pairing files; *file* names it in messages.

    Raises:
        ConfigError: with everything in which they do not fit together.
    """
    problems: list[Problem] = []
    tables = {table.table: table for table in config.tables}
    event, groups = config.event, {group.group: group for group in config.groups}
    for part in _parts(config):
        try:
            round_ = _round(part, file)
            found = _seated_part(config, part, round_)
        except ConfigError as error:
            problems += error.problems
            continue
        tables |= {table.table: table for table in found}
        if part.group is None:
            event = replace(event, round=round_)
        else:
            groups[part.group.group] = replace(part.group, round=round_)
    if problems:
        raise ConfigError(problems)
    return replace(
        config, event=event, groups=tuple(groups.values()), tables=tuple(tables.values())
    )


def _parts(config: Config) -> Iterator[_Part]:
    """Yield those that have pairings and tables."""
    event = config.event
    apart = [group for group in config.groups if group.is_apart]
    for group in (None, *apart):
        own = group or NO_GROUP
        pairings = own.pairings or event.pairings
        tables = tuple(
            table
            for table in config.tables
            if (config.group(table) if config.group(table) in apart else None) is group
        )
        if pairings is not None and tables:
            yield _Part(
                where="event" if group is None else f"group {group.group}",
                group=group,
                pairings=pairings,
                people=own.players or event.players,
                round=own.round or event.round,
                tables=tables,
            )


def _seated_part(config: Config, part: _Part, round_: str) -> list[TableSettings]:
    games = {game.board: game for game in part.pairings.content.of_round(round_)}
    problems = _problems(part, games)
    if problems:
        raise ConfigError(problems)
    register = Register(() if part.people is None else part.people.content.players)
    return [
        _seated(config, table, games[board], register)
        for table in part.tables
        if (board := board_of(table)) in games
    ]


def board_of(table: TableSettings) -> int | None:
    """Return the board number of a table: its own, else its name if that is a number."""
    if table.number is not None:
        return table.number
    return int(table.table) if table.table.isascii() and table.table.isdigit() else None


def _round(part: _Part, file: Path) -> str:
    """Return the round that is played: as configured, else the only one of the file."""
    pairings, configured = part.pairings, part.round
    known = pairings.content.rounds
    if configured == _UNKNOWN and len(known) > 1:
        what = f"{pairings.path} has the rounds {', '.join(known)}"
        remedy = f"write which is played under '{part.where}: round'"
        raise ConfigError([Problem(file=file, what=what, remedy=remedy)])
    found = known[0] if configured == _UNKNOWN and known else configured
    if not pairings.content.of_round(found):
        has = f"of round {found}, only of {', '.join(known)}" if known else "at all"
        remedy = f"export the round, or correct '{part.where}: round' in {file}"
        raise ConfigError(
            [Problem(file=pairings.path, what=f"there are no games {has}", remedy=remedy)]
        )
    return found


def _problems(part: _Part, games: dict[int, Pairing]) -> list[Problem]:
    problems = []
    path = part.pairings.path
    first: dict[int, str] = {}
    for table in part.tables:
        board = board_of(table)
        if board not in games:
            continue
        line = games[board].line
        other = first.setdefault(board, table.table)
        if other != table.table:
            what = f"board {board} is that of tables {other} and {table.table}"
            remedy = "give one of them another number"
            problems.append(Problem(file=path, line=line, what=what, remedy=remedy))
        if (table.white, table.black) != (UNKNOWN_PLAYER, UNKNOWN_PLAYER):
            what = f"board {board} has players here, and table {table.table} in the configuration"
            remedy = "delete 'white' and 'black' of the table"
            problems.append(Problem(file=path, line=line, what=what, remedy=remedy))
    return problems


def _seated(
    config: Config, table: TableSettings, game: Pairing, register: Register
) -> TableSettings:
    is_timed = config.time_control(table) != _UNKNOWN
    return replace(
        table,
        number=game.board,
        white=_player(register.completed(game.white)),
        black=_player(register.completed(game.black)),
        time_control=table.time_control if is_timed else game.time_control or None,
        start_fen=table.start_fen or game.start_fen,
        chess960=table.chess960 or game.chess960,
    )


def _player(person: Person) -> Player:
    return Player(
        name=person.name,
        title=person.title,
        elo=person.elo,
        fide_id=person.fide_id,
        team=person.team,
        federation=person.federation,
    )
