"""A whole session at one table as a board stream (``board-stream/1``) and the truth beside it."""

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import chess
import chess.pgn

from drivers.simulated.streams.clocks import Reader, Told, clock_lines
from drivers.simulated.streams.faults import draw_troubles
from drivers.simulated.streams.proceedings import Proceedings
from drivers.simulated.streams.profile import Clocks, Profile, Sensing
from drivers.simulated.streams.sensor import BoardKind, Electronics, Pause, Seen, sense
from drivers.simulated.streams.truth import Truth
from drivers.simulated.streams.world import PlayedGame, World

AFTERTIME = 3.0
"""The stream goes on this long (s) after the last thing that happened."""


def play_session(
    games: Sequence[chess.pgn.Game],
    profile: Profile,
    *,
    board: BoardKind,
    seed: int,
    name: str | None = None,
) -> tuple[list[str], dict[str, Any]]:
    """Play *games* one after another on one board.

    The hands follow from *seed* and *profile* alone, so that both kinds of *board* watch the
    same hands. *name* is what the stream is called, the profile, board and seed by default.

    Returns:
        the lines of the board stream without line ends, and the truth (``board-truth/1``).

    Raises:
        ValueError: there is no game, or one without a move.
    """
    if not games or any(game.next() is None for game in games):
        raise ValueError("a session needs a game, and each game a move")
    world = World(profile.hands, Random(f"{seed} world"))
    proceedings = Proceedings(world, profile, Random(f"{seed} people"))
    for game in games:
        proceedings.hold(game)
    proceedings.close()
    rng = Random(f"{seed} electronics")
    electronics = _electronics(profile.sensing, board, rng)
    reader = _reader(profile.clocks, rng)
    troubles = draw_troubles(world, profile.sensing, rng)
    found, seen = sense(world.found, world.changes, troubles.faults, troubles.missed, electronics)
    told = clock_lines(world.acts, troubles.lost, reader, until=world.now + AFTERTIME)
    stream = name or f"{profile.name}-{board}-{seed}"
    meta = {
        "t": 0.0,
        "kind": "meta",
        "format": "board-stream/1",
        "stream": stream,
        "board": board,
        "scan_hz": electronics.scan_hz,
        "clock": True,
        "games": [_told_before(game) for game in world.games],
    }
    shown, lines = _on_the_wire(found, seen, troubles.lost)
    merged = heapq.merge(lines, map(_clock_line, told), key=lambda line: line["t"])
    truth = Truth(shown, told, troubles, board)
    return [json.dumps(line, separators=(",", ":")) for line in (meta, *merged)], {
        "format": "board-truth/1",
        "stream": stream,
        "profile": profile.name,
        "board": board,
        "seed": seed,
        "games": [truth.of(game) for game in world.games],
    }


def _electronics(sensing: Sensing, kind: BoardKind, rng: Random) -> Electronics:
    scan_hz = round(rng.uniform(*sensing.scan_hz), 1)
    batched = rng.random() < sensing.batched
    event_driven = rng.random() < sensing.event_driven
    return Electronics(
        kind=kind,
        scan_hz=0.0 if event_driven else scan_hz,
        offset=rng.uniform(0.0, 1 / scan_hz),
        batched=batched,
        latency=rng.uniform(*sensing.latency),
    )


def _reader(clocks: Clocks, rng: Random) -> Reader:
    period = rng.uniform(*clocks.period)
    return Reader(
        period=period,
        offset=rng.uniform(0.0, period),
        latency=rng.uniform(*clocks.latency),
        at_once=rng.random() < clocks.at_once,
    )


def _told_before(game: PlayedGame) -> dict[str, str]:
    """Return what a configuration file would say of *game*."""
    if game.variant == "from_position":
        return {"variant": game.variant, "start_fen": game.start.fen()}
    return {"variant": game.variant}


def _on_the_wire(
    found: Mapping[chess.Square, str], seen: Iterable[Seen], lost: Sequence[Pause]
) -> tuple[list[Seen], list[dict[str, Any]]]:
    """Return what of *seen* the stream shows, and its lines, with the link down where *lost*."""
    believed = dict(found)
    shown: list[Seen] = []
    lines: list[dict[str, Any]] = [_snapshot(0.0, found)]
    waiting = list(lost)
    down: dict[chess.Square, str] | None = None
    events: list[tuple[float, int, Seen | None]] = [(change.at, 1, change) for change in seen]
    for pause in waiting:
        events += [(pause.begin, 0, None), (pause.end, 2, None)]
    for at, _, change in sorted(events, key=lambda event: event[:2]):
        if change is not None:
            _believe(believed, change)
            if down is None:
                shown.append(change)
                lines.append(_field(change))
        elif down is None:
            down = dict(believed)
            lines.append({"t": round(at, 3), "kind": "link", "state": "down"})
        else:
            shown += _differences(at, down, believed)
            lines.append({"t": round(at, 3), "kind": "link", "state": "up"})
            lines.append(_snapshot(at, believed))
            down = None
    return shown, lines


def _believe(believed: dict[chess.Square, str], change: Seen) -> None:
    if change.letter is None:
        believed.pop(change.square, None)
    else:
        believed[change.square] = change.letter


def _differences(
    at: float, before: Mapping[chess.Square, str], now: Mapping[chess.Square, str]
) -> Iterator[Seen]:
    for square in chess.SQUARES:
        if before.get(square) != now.get(square):
            yield Seen(at=at, square=square, letter=now.get(square))


def _field(change: Seen) -> dict[str, Any]:
    return {
        "t": round(change.at, 3),
        "kind": "field",
        "square": chess.square_name(change.square),
        "piece": change.letter,
    }


def _snapshot(at: float, letters: Mapping[chess.Square, str]) -> dict[str, Any]:
    rows = []
    for rank in reversed(range(8)):
        row, empty = "", 0
        for file in range(8):
            letter = letters.get(chess.square(file, rank))
            if letter is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return {"t": round(at, 3), "kind": "snapshot", "board": "/".join(rows)}


def _clock_line(told: Told) -> dict[str, Any]:
    return {
        "t": round(told.at, 3),
        "kind": "clock",
        "left": told.face.left_s,
        "right": told.face.right_s,
        "turn": told.face.turn,
        "run": told.face.running,
    }
