"""The fewest exchanges that put men right, and what must happen on a square, in words."""

from collections import deque
from itertools import pairwise
from typing import NamedTuple

import chess

from bridge.core.laws.verdict import EMPTY
from drivers.events import UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE, UNREADABLE

_NAMES = {UNNAMED: "a man", UNNAMED_WHITE: "a white man", UNNAMED_BLACK: "a black man"}


class Exchange(NamedTuple):
    """Two squares whose men are to be exchanged, and what they show; one may be empty."""

    first: chess.Square
    second: chess.Square
    shown: tuple[str, str]


def exchanges(cells: str, wanted: str) -> tuple[list[Exchange], list[chess.Square]]:
    """Return the fewest exchanges that make *cells* more like *wanted*, and what stays wrong.

    A pair that puts two squares right at once goes first, the nearest pair of several; then the
    shortest rounds of three and more. What stays wrong needs a man that stands on no wrong square.
    """
    shown = list(cells)
    found: list[Exchange] = []
    while round_ := _nearest_pair(shown, wanted) or _shortest_round(shown, wanted):
        for first, second in pairwise(round_):
            found.append(Exchange(first, second, (shown[first], shown[second])))
            shown[first], shown[second] = shown[second], shown[first]
    return found, differing_squares("".join(shown), wanted)


def differing_squares(cells: str, wanted: str) -> list[chess.Square]:
    """Return the squares in which two placements differ."""
    return [square for square in chess.SQUARES if cells[square] != wanted[square]]


def _nearest_pair(shown: list[str], wanted: str) -> list[chess.Square]:
    wrong = differing_squares("".join(shown), wanted)
    pairs = [
        [first, second]
        for first in wrong
        for second in wrong
        if first < second and shown[first] == wanted[second] and shown[second] == wanted[first]
    ]
    return min(pairs, key=lambda pair: chess.square_distance(*pair), default=[])


def _shortest_round(shown: list[str], wanted: str) -> list[chess.Square]:
    """Return squares of which each shows what the one before it needs, in a closed round."""
    wrong = differing_squares("".join(shown), wanted)
    rounds = [_round_from(start, wrong, shown, wanted) for start in wrong]
    return min(filter(None, rounds), key=len, default=[])


def _round_from(
    start: chess.Square, wrong: list[chess.Square], shown: list[str], wanted: str
) -> list[chess.Square]:
    waiting, seen = deque([[start]]), {start}
    while waiting:
        path = waiting.popleft()
        if wanted[path[-1]] == shown[start] and len(path) > 1:
            return path
        for square in wrong:
            if square not in seen and shown[square] == wanted[path[-1]]:
                seen.add(square)
                waiting.append([*path, square])
    return []


def exchange_in_words(swap: Exchange) -> str:
    """Return what to do with two squares, in words."""
    first, second = chess.square_name(swap.first), chess.square_name(swap.second)
    if EMPTY not in swap.shown:
        return f"exchange {first} and {second}"
    if swap.shown[0] == EMPTY:
        first, second = second, first
    return f"move {first} to {second}"


def needed(square: chess.Square, wanted: str, shown: str) -> str:
    """Return what must happen on a square, in words."""
    name = chess.square_name(square)
    if shown == UNREADABLE:
        return f"{name} cannot be read"
    if wanted == EMPTY:
        return f"{name} must be empty, not {shown}" if shown.isalpha() else f"{name} must be empty"
    man = _NAMES.get(wanted, wanted)
    return f"{name} needs {man}" if shown == EMPTY else f"{name} needs {man}, not {shown}"
