"""What stands in the files: a game, the index of a round, the tournament."""

import re
from typing import Literal

import chess
import msgspec

from bridge.core.model import Result, TableSetup
from bridge.core.scoresheet.pgn import DECIDED, printable, used_seconds
from bridge.core.scoresheet.plies import Ply
from bridge.core.scoresheet.record import GameRecord

NORMAL_CHESS = 518
"""The usual start position among the 960; readers take any other number for Chess960."""
_DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)", re.ASCII)
_FIDE_ID = re.compile(r"[1-9][0-9]{0,8}")
_UNKNOWN = {"", "?", "-"}

Outcome = Literal["WHITEWIN", "BLACKWIN", "DRAW", "NOTPLAYED"]
_OUTCOMES: dict[Result, Outcome] = {"1-0": "WHITEWIN", "0-1": "BLACKWIN", "1/2-1/2": "DRAW"}


class Clock(msgspec.Struct, frozen=True):
    """Seconds left at ``time`` (ms since 1970), and whether the clock ran."""

    white: int
    black: int
    run: bool
    time: int


class Game(msgspec.Struct, frozen=True, rename="camel"):
    """``game-G.json``. ``first_move`` is in ms since 1970, 0 before it was made."""

    live: bool
    serial_nr: str
    first_move: int
    chess960: int
    result: Outcome | None
    comment: str | None
    clock: Clock | None
    moves: list[str]


class Person(msgspec.Struct, frozen=True):
    """A player. One reader rejects a round in which ``fideid`` is no integer."""

    fname: str | None
    mname: str | None
    lname: str
    title: str | None
    federation: str | None
    gender: str | None
    fideid: int | None


class Pairing(msgspec.Struct, frozen=True):
    """A game in the index; here the result is that of PGN. A player nobody knows is ``None``."""

    white: Person | None
    black: Person | None
    result: str
    live: bool


class Index(msgspec.Struct, frozen=True):
    """``index.json`` of a round; ``date`` is ``YYYY-MM-DD`` where it is known."""

    date: str | msgspec.UnsetType
    pairings: list[Pairing]


class Round(msgspec.Struct, frozen=True):
    """How many games a round has, and of how many the moves are there."""

    count: int
    live: int


class Tournament(msgspec.Struct, frozen=True):
    """``tournament.json``; ``timecontrol`` is for people, in whatever form."""

    id: str
    name: str
    location: str
    country: str
    website: str | None
    rules: str
    chess960: str
    timecontrol: str
    rounds: list[Round]
    eboards: list[str]


# --- a game -------------------------------------------------------------------------------------


def game(record: GameRecord, *, serial: str) -> Game:
    """Return the file of a game as far as it has come; ``serial`` names its board.

    A position that is none of the 960 cannot be told: then there is a comment, and no moves.
    """
    number = _start_number(record)
    return Game(
        live=record.ended_by is None,
        serial_nr=serial,
        first_move=_milliseconds(record.plies[0].wall) if record.plies else 0,
        chess960=NORMAL_CHESS if number is None else number,
        result=_outcome(record),
        comment=" ".join(_remarks(record, number)) or None,
        clock=_clock(record),
        moves=[] if number is None else moves(record),
    )


def moves(record: GameRecord) -> list[str]:
    """Return the moves, each with the mover's remaining seconds and those he used.

    Of ``Nf3 5390+41`` what is not known is left out, as in files of LiveChess. Like there, illegal
    moves that stand are moves; nothing can follow where moves are missing.
    """
    end = _known_plies(record)
    return [
        _move(ply, used)
        for ply, used in zip(record.plies[:end], used_seconds(record), strict=False)
    ]


def _move(ply: Ply, used: int | None) -> str:
    if ply.clk_ms is None:
        return ply.san
    return f"{ply.san} {ply.clk_ms // 1000}{f'+{used}' if used else ''}"


def _known_plies(record: GameRecord) -> int:
    return min((adoption.ply for adoption in record.adoptions), default=len(record.plies))


def _start_number(record: GameRecord) -> int | None:
    return chess.Board(record.fen, chess960=True).chess960_pos()


def _outcome(record: GameRecord) -> Outcome | None:
    """Return the result; a game that ended with none and without a move was not played."""
    if record.ended_by is not None and record.result == "*" and not record.plies:
        return "NOTPLAYED"
    return _OUTCOMES.get(record.result)


def _remarks(record: GameRecord, number: int | None) -> list[str]:
    """Return what else must be known of the game, in sentences."""
    if number is None:
        said = [f"Played from {record.fen}."]
    else:
        end = _known_plies(record)
        said = [
            f"{ply.numbered} is illegal and stands." for ply in record.plies[:end] if ply.stands
        ]
        if record.adoptions:
            said.append("From here on moves are missing.")
    if record.result != "*" and record.result not in _OUTCOMES:
        said.append(f"{DECIDED} {record.result}.")
    return said


def _clock(record: GameRecord) -> Clock | None:
    clock = record.clock
    if clock is None or record.ended_by is not None:
        return None
    return Clock(
        white=clock.white_ms // 1000,
        black=clock.black_ms // 1000,
        run=clock.running,
        time=_milliseconds(clock.wall),
    )


def _milliseconds(wall: float) -> int:
    return int(wall * 1000)


# --- a round ------------------------------------------------------------------------------------


def pairing(setup: TableSetup, record: GameRecord | None) -> Pairing:
    """Return a table's place in the index; ``record`` is its game, if that has begun."""
    result = "*" if record is None else record.result
    return Pairing(
        white=_person(setup.white, "White", setup.tags),
        black=_person(setup.black, "Black", setup.tags),
        result=result if result in _OUTCOMES else "*",
        live=record is None or record.ended_by is None,
    )


NOBODY = Pairing(white=None, black=None, result="*", live=False)
"""A place of which nothing is known any more; those behind it keep theirs."""


def index(date: str, pairings: list[Pairing]) -> Index:
    """Return the index of a round; ``date`` is that of PGN."""
    day = _DATE.fullmatch(date)
    return Index(date="-".join(day.groups()) if day else msgspec.UNSET, pairings=pairings)


def _person(name: str, side: str, tags: dict[str, str]) -> Person | None:
    """Return a player; names are ``Family, Given`` in PGN and in the configuration."""
    family, _, given = (_one_line(part) for part in _one_line(name).partition(","))
    if family in _UNKNOWN:
        return None
    title, number = tags.get(f"{side}Title", ""), tags.get(f"{side}FideId", "")
    return Person(
        fname=given or None,
        mname=None,
        lname=family,
        title=None if title in _UNKNOWN else _one_line(title),
        federation=tags.get(f"{side}Fed"),
        gender=None,
        fideid=int(number) if _FIDE_ID.fullmatch(number) else None,
    )


def _one_line(text: str) -> str:
    return " ".join(printable(text).split())


# --- the tournament -----------------------------------------------------------------------------


def tournament(setup: TableSetup, counts: list[int], eboards: list[str]) -> Tournament:
    """Return the tournament; ``counts`` are the games of each round from the first on."""
    name = _one_line(setup.event)
    return Tournament(
        id=name,
        name=name,
        location=_one_line(setup.site),
        country="",
        website=None,
        rules="STANDARD",
        chess960="STANDARD",
        timecontrol=setup.time_control,
        rounds=[Round(count=count, live=count) for count in counts],
        eboards=eboards,
    )
