"""Compares the games a hall wrote with the games that were really played."""

import io
import re
from typing import NamedTuple

import chess.pgn

_CLK = re.compile(r"\[%clk (\d+):(\d\d):(\d\d)\]( \[%clksrc estimated\])?")


class Played(NamedTuple):
    """What was really played: UCI moves, the mover's milliseconds after each, the result."""

    moves: tuple[str, ...]
    clock_ms: tuple[int, ...]
    result: str


class Comparison(NamedTuple):
    """``differences`` is empty where the PGN is exact; ``estimated`` counts marked times."""

    plies: int
    estimated: int
    differences: tuple[str, ...]


def compare(pgn: str, played: Played) -> Comparison:
    """Compare the first game in *pgn* with what was played, move by move and time by time."""
    game = chess.pgn.read_game(io.StringIO(pgn))
    if game is None:
        return Comparison(0, 0, ("there is no game in the file",))
    differences = [f"unreadable: {error}" for error in game.errors]
    nodes = list(game.mainline())
    moves = [node.move.uci() for node in nodes]
    differences += _first_difference(moves, list(played.moves))
    times = [_clk(node.comment) for node in nodes]
    estimated = sum(time is not None and time[1] for time in times)
    differences += _wrong_times(times, played.clock_ms)
    if game.headers["Result"] != played.result:
        differences.append(f"result {game.headers['Result']}, not {played.result}")
    return Comparison(len(moves), estimated, tuple(differences))


def _first_difference(found: list[str], played: list[str]) -> list[str]:
    for ply, (one, other) in enumerate(zip(found, played, strict=False), start=1):
        if one != other:
            return [f"ply {ply}: {one} was written, {other} was played"]
    if len(found) != len(played):
        return [f"{len(found)} plies were written, {len(played)} were played"]
    return []


def _wrong_times(times: list[tuple[int, bool] | None], played: tuple[int, ...]) -> list[str]:
    """Return every ply without a time, and every time that is wrong and not marked as estimated."""
    wrong = []
    for ply, (time, ms) in enumerate(zip(times, played, strict=False), start=1):
        if time is None:
            wrong.append(f"ply {ply}: no clock time")
        elif not time[1] and time[0] != ms:
            wrong.append(f"ply {ply}: clock {time[0] // 1000} s was written, {ms // 1000} s shown")
    return wrong


def _clk(comment: str) -> tuple[int, bool] | None:
    found = _CLK.search(comment)
    if found is None:
        return None
    hours, minutes, seconds = int(found[1]), int(found[2]), int(found[3])
    return ((hours * 60 + minutes) * 60 + seconds) * 1000, found[4] is not None
