"""Readers of cloud files, as strict as those of the world: what they take, they take as typed.

The shapes are those that Lichess declares (lila, modules/relay/src/main/DgtJson.scala): a value of
another type makes it reject the whole file.
"""

import re
from pathlib import Path
from typing import Literal

import chess
import msgspec

MOVE = re.compile(r"(?P<san>\S+)(?: (?P<clock>\d+)?(?:\+(?P<used>\d+))?)?")


class Person(msgspec.Struct):
    fname: str | None
    mname: str | None
    lname: str | None
    title: str | None
    federation: str | None
    gender: str | None
    fideid: int | None = None

    @property
    def name(self) -> str:
        """First, middle, last: how Lichess and others write it."""
        return " ".join(part for part in (self.fname, self.mname, self.lname) if part)


class Pairing(msgspec.Struct):
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    live: bool
    white: Person | None = None
    black: Person | None = None


class Index(msgspec.Struct):
    pairings: list[Pairing]
    date: str | None = None


class Clock(msgspec.Struct):
    time: int
    white: int | None = None
    black: int | None = None
    run: bool | None = None


class Game(msgspec.Struct, rename="camel"):
    live: bool
    serial_nr: str
    first_move: int
    chess960: int
    moves: list[str]
    result: Literal["WHITEWIN", "BLACKWIN", "DRAW", "NOTPLAYED"] | None = None
    comment: str | None = None
    clock: Clock | None = None

    @property
    def sans(self) -> list[str]:
        return [self._part(move, "san") or "" for move in self.moves]

    @property
    def clocks(self) -> list[int | None]:
        """Seconds left on the mover's clock."""
        parts = [self._part(move, "clock") for move in self.moves]
        return [None if part is None else int(part) for part in parts]

    @property
    def used(self) -> list[int | None]:
        parts = [self._part(move, "used") for move in self.moves]
        return [None if part is None else int(part) for part in parts]

    @staticmethod
    def _part(move: str, name: str) -> str | None:
        match = MOVE.fullmatch(move)
        assert match is not None, move
        return match[name]

    def board(self) -> chess.Board:
        """Return the start position: any number but that of normal chess means Chess960."""
        if self.chess960 == 518:
            return chess.Board()
        return chess.Board.from_chess960_pos(self.chess960)

    def replayed(self) -> chess.Board:
        board = self.board()
        for san in self.sans:
            board.push_san(san)
        return board


class Round(msgspec.Struct):
    count: int
    live: int


class Tournament(msgspec.Struct):
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


def read_tournament(root: Path) -> Tournament:
    return msgspec.json.decode((root / "tournament.json").read_bytes(), type=Tournament)


def read_index(root: Path, number: int = 1) -> Index:
    return msgspec.json.decode((root / f"round-{number}/index.json").read_bytes(), type=Index)


def read_game(root: Path, number: int = 1, round_: int = 1) -> Game | None:
    """Return a game, ``None`` if it has no file: a server answers 404."""
    try:
        text = (root / f"round-{round_}/game-{number}.json").read_bytes()
    except FileNotFoundError:
        return None
    return msgspec.json.decode(text, type=Game)
