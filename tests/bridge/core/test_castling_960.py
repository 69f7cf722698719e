"""Castling of Chess960: king and rook go in any order, often to squares that the other one left."""

from collections.abc import Iterator
from itertools import permutations

import pytest

from bridge.core.model import MoveSettled, TableSetup
from tests.bridge.core.dialogue import TableTalk

POSITIONS = [
    ("7k/pp6/8/8/8/8/PP6/RK6 w A - 0 1", "b1a1"),
    ("7k/pp6/8/8/8/8/PP6/R3K2R w AH - 0 1", "e1a1"),
    ("7k/pp6/8/8/8/8/PP6/1R3K1R w HB - 0 1", "f1h1"),
    ("7k/pp6/8/8/8/8/PP6/1R3K1R w HB - 0 1", "f1b1"),
    ("7k/pp6/8/8/8/8/PP6/5KR1 w G - 0 1", "f1g1"),
    ("7k/pp6/8/8/8/8/PP6/2K4R w H - 0 1", "c1h1"),
    ("7k/pp6/8/8/8/8/PP6/RK4R1 w AG - 0 1", "b1g1"),
]
LIFTED, PUT = ("king lifted", "rook lifted"), ("king put", "rook put")
PRESSED = 0.6


def manners(castling: str) -> Iterator[tuple[str, ...]]:
    """Yield the orders in which hands can castle: nobody is put where the other one stands."""
    king, rook, goes = castling[:2], castling[2:], landing(castling)
    for order in permutations(LIFTED + PUT):
        at = {step: number for number, step in enumerate(order)}
        if any(at[up] > at[down] for up, down in zip(LIFTED, PUT, strict=True)):
            continue
        if goes[0] == rook and at["king put"] < at["rook lifted"]:
            continue
        if goes[1] == king and at["rook put"] < at["king lifted"]:
            continue
        yield order


def landing(castling: str) -> tuple[str, str]:
    return ("g1", "f1") if castling[2] > castling[0] else ("c1", "d1")


SCENES = [(fen, castling, order) for fen, castling in POSITIONS for order in manners(castling)]


@pytest.mark.parametrize("apart", [0.3, 1.5])
@pytest.mark.parametrize(("fen", "castling", "order"), SCENES)
def test_castling_is_told_as_soon_as_it_is_pressed(
    fen: str, castling: str, order: tuple[str, ...], apart: float
) -> None:
    table = TableTalk(TableSetup(start_fen=fen, chess960=True))
    table.shows(0.0).clock(0.5, 300, 300, "left")
    king, rook = landing(castling)
    steps: dict[str, dict[str, str]] = {
        "king lifted": {"without": castling[:2]},
        "rook lifted": {"without": castling[2:]},
        "king put": {"white_king": king},
        "rook put": {"white_rook": rook},
    }
    at = 5.0
    for step in order:
        table.sees(at, **steps[step])
        at += apart
    pressed = at - apart + PRESSED
    table.clock(pressed, 300, 300, "right").ticks(pressed + 0.1).ticks(pressed + 4.0)
    told = [fact for fact in table.facts if isinstance(fact, MoveSettled)]
    assert [fact.uci for fact in told] == [castling]
    assert told[0].at == pytest.approx(pressed, abs=0.05)
