"""Games as pages and programs are told of them; ``openapi.yaml`` describes the same."""

import datetime
from collections.abc import Sequence
from typing import Any, Literal

import chess
import msgspec

from bridge.core.model import Colour, Result, TableSetup
from bridge.core.scoresheet.record import GameRecord

State = Literal["waiting", "playing", "ended", "adjourned"]

CLOCK_JUMP_MS = 1000
"""A time that is so many ms off what a page works out by itself is told at once."""

_Message = dict[str, Any]


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A player; what is not known is empty or ``None``."""

    name: str
    title: str = ""
    rating: int | None = None
    federation: str = ""
    team: str = ""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A settled move and the position after it; ``clock_ms`` is its player's time then."""

    uci: str
    san: str
    fen: str
    clock_ms: int | None = None
    estimated: bool = False


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """Both times as they were read; ``at`` is when, in ms of Unix time."""

    white_ms: int
    black_ms: int
    running: Colour | None
    at: int


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game as far as it may be told; ``game`` is 0 where none has begun at the table.

    ``section``: the group of the event whose games are kept apart, empty where there is none.
    """

    table: str
    section: str
    game: int
    board: int | None
    white: Player
    black: Player
    start_fen: str
    chess960: bool
    time_control: str
    result: Result
    fen: str
    ply: int
    plies: tuple[Move, ...]
    last_uci: str | None
    last_san: str | None
    clocks: Clocks | None
    state: State
    started: str | None


_TOLD_APART = {"clocks", "fen", "last_san", "last_uci", "plies", "ply", "result", "state"}
"""What messages tell of a game that goes on."""
_OF_THE_WHOLE = [name for name in Game.__struct_fields__ if name not in _TOLD_APART]


def game_of(record: GameRecord) -> Game:
    """Return the game of a record."""
    last = record.plies[-1] if record.plies else None
    return Game(
        table=record.table,
        game=record.game,
        fen=record.position(len(record.plies)),
        ply=len(record.plies),
        plies=tuple(_moves(record)),
        last_uci=None if last is None else last.uci,
        last_san=None if last is None else last.san,
        clocks=clocks_of(record),
        state=_state(record),
        started=_iso(record.started),
        result=record.result,
        **_setting(record.setup, record.fen),
    )


def awaited(table: str, setup: TableSetup) -> Game:
    """Return what is known of a table at which no game has begun."""
    return Game(
        table=table,
        game=0,
        fen=setup.start_fen or chess.STARTING_FEN,
        ply=0,
        plies=(),
        last_uci=None,
        last_san=None,
        clocks=None,
        state="waiting",
        started=None,
        result="*",
        **_setting(setup, setup.start_fen or chess.STARTING_FEN),
    )


def clocks_of(record: GameRecord) -> Clocks | None:
    """Return what the clock of a game shows; it runs for nobody when the game is over."""
    clock = record.clock
    if clock is None:
        return None
    running = clock.running and record.ended_by is None
    return Clocks(
        white_ms=clock.white_ms,
        black_ms=clock.black_ms,
        running=clock.turn if running else None,
        at=round(clock.wall * 1000),
    )


def present(records: Sequence[GameRecord]) -> GameRecord | None:
    """Return the game to show of those of a table, oldest first, ``None`` if there is none.

    An empty sheet after a game of the same players and round is a board that was set up again: the
    game before it stays until a move is made.
    """
    if not records:
        return None
    last = records[-1]
    for record in reversed(records):
        if not _same_pairing(record.setup, last.setup):
            break
        if record.plies:
            return record
    return last


def changes(told: Game, game: Game) -> list[_Message]:
    """Return what to tell who knows *told* so that he knows *game*."""
    if _head(told) != _head(game) or not _goes_on(told, game):
        return [{"type": "game", "game": game}]
    first = len(told.plies)
    if first and told.plies[-1] != game.plies[first - 1]:
        first -= 1
    messages = [_ply(game, number) for number in range(first + 1, len(game.plies) + 1)]
    if game.state == "ended" != told.state:
        messages.append({"type": "end", "result": game.result, "clocks": game.clocks})
    elif not messages and _is_news(told.clocks, game.clocks):
        messages.append({"type": "clock", "clocks": game.clocks})
    return messages


def brief(game: Game) -> _Message:
    """Return a game without its moves."""
    fields = msgspec.structs.asdict(game)
    del fields["plies"]
    return fields


# --- of records -------------------------------------------------------------------------------


def _setting(setup: TableSetup, fen: str) -> dict[str, Any]:
    return {
        "section": setup.section,
        "board": setup.board,
        "white": _player(setup.white, setup.tags, "White"),
        "black": _player(setup.black, setup.tags, "Black"),
        "start_fen": fen,
        "chess960": setup.chess960,
        "time_control": setup.time_control,
    }


def _player(name: str, tags: dict[str, str], side: str) -> Player:
    elo = tags.get(f"{side}Elo", "")
    return Player(
        name=name,
        title=tags.get(f"{side}Title", ""),
        rating=int(elo) if elo.isascii() and elo.isdigit() else None,
        federation=tags.get(f"{side}Fed", ""),
        team=tags.get(f"{side}Team", ""),
    )


def _moves(record: GameRecord) -> list[Move]:
    adopted = {adoption.ply: adoption.fen for adoption in record.adoptions}
    return [
        Move(
            uci=ply.uci,
            san=ply.san,
            fen=adopted.get(number, ply.fen_after),
            clock_ms=ply.clk_ms,
            estimated=ply.estimated,
        )
        for number, ply in enumerate(record.plies, start=1)
    ]


def _state(record: GameRecord) -> State:
    if record.ended_by is not None:
        return "ended"
    if record.adjourned:
        return "adjourned"
    return "playing" if record.plies else "waiting"


def _iso(wall: float) -> str:
    moment = datetime.datetime.fromtimestamp(wall, datetime.UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _same_pairing(one: TableSetup, other: TableSetup) -> bool:
    return (one.round, one.white, one.black) == (other.round, other.white, other.black)


# --- what has changed -------------------------------------------------------------------------


def _head(game: Game) -> tuple[object, ...]:
    """Return what only a whole game tells anew."""
    return game.state == "adjourned", *(getattr(game, name) for name in _OF_THE_WHOLE)


def _goes_on(told: Game, game: Game) -> bool:
    """Whether *game* is *told* with more moves, the time of its last one, or an end."""
    if told.state == "ended" and (game.state, game.result) != (told.state, told.result):
        return False
    count = len(told.plies)
    if not count:
        return bool(game.plies) or told.fen == game.fen
    if count > len(game.plies) or told.plies[: count - 1] != game.plies[: count - 1]:
        return False
    last, now = told.plies[-1], game.plies[count - 1]
    return (last.uci, last.san, last.fen) == (now.uci, now.san, now.fen)


def _ply(game: Game, number: int) -> _Message:
    ply = game.plies[number - 1]
    return {
        "type": "ply",
        "game": game.game,
        "ply": number,
        **msgspec.structs.asdict(ply),
        "clocks": game.clocks,
    }


def _is_news(told: Clocks | None, now: Clocks | None) -> bool:
    """Whether a clock has to be told although nothing else is."""
    if told is None or now is None:
        return told is not now
    if told.running != now.running:
        return True
    passed = now.at - told.at
    white = told.white_ms - (passed if told.running == "white" else 0)
    black = told.black_ms - (passed if told.running == "black" else 0)
    return max(abs(white - now.white_ms), abs(black - now.black_ms)) > CLOCK_JUMP_MS
