"""Who sits at which table: the games of a round, by their board numbers."""

from dataclasses import replace
from pathlib import Path

from bridge.config.pairings import PairingFile
from bridge.config.players import UNKNOWN_PLAYER, Player
from bridge.config.problems import ConfigError, Problem
from bridge.config.settings import Config
from bridge.config.tables import TableSettings
from bridge.pairings import Pairing, Person, Register

_UNKNOWN = "?"


def seated(config: Config, file: Path) -> Config:
    """Return *config* with the players of its pairing file; *file* names it in messages.

    Raises:
        ConfigError: with everything in which the two do not fit together.
    """
    pairings = config.event.pairings
    if pairings is None:
        return config
    round_ = _round(config, pairings, file)
    games = {game.board: game for game in pairings.content.of_round(round_)}
    problems = _problems(config, games, pairings.path)
    if problems:
        raise ConfigError(problems)
    people = config.event.players
    register = Register(() if people is None else people.content.players)
    tables = tuple(
        _seated(config, table, games[board], register)
        if (board := board_of(table)) in games
        else table
        for table in config.tables
    )
    return replace(config, event=replace(config.event, round=round_), tables=tables)


def board_of(table: TableSettings) -> int | None:
    """Return the board number of a table: its own, else its name if that is a number."""
    if table.number is not None:
        return table.number
    return int(table.table) if table.table.isascii() and table.table.isdigit() else None


def _round(config: Config, pairings: PairingFile, file: Path) -> str:
    """Return the round that is played: as configured, else the only one of the file."""
    configured, known = config.event.round, pairings.content.rounds
    if configured == _UNKNOWN and len(known) > 1:
        what = f"{pairings.path} has the rounds {', '.join(known)}"
        remedy = "write which is played under 'event: round'"
        raise ConfigError([Problem(file=file, what=what, remedy=remedy)])
    found = known[0] if configured == _UNKNOWN and known else configured
    if not pairings.content.of_round(found):
        has = f"of round {found}, only of {', '.join(known)}" if known else "at all"
        remedy = f"export the round, or correct 'event: round' in {file}"
        raise ConfigError(
            [Problem(file=pairings.path, what=f"there are no games {has}", remedy=remedy)]
        )
    return found


def _problems(config: Config, games: dict[int, Pairing], path: Path) -> list[Problem]:
    problems = []
    first: dict[int, str] = {}
    for table in config.tables:
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
    )
