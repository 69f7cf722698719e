"""What goes wrong between the pieces and the stream, drawn for a world that is known already.

Nothing of the world depends on it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import chess

from drivers.simulated.streams.players import how_many
from drivers.simulated.streams.profile import Sensing
from drivers.simulated.streams.sensor import Fault, Pause
from drivers.simulated.streams.world import Change, PlayedGame, World

FLICKERING = (0.1, 0.4)
DEAD_FOR = (20.0, 300.0)
MISREAD_FOR = (1.0, 30.0)
MISSED_FOR = (0.4, 1.5)
LOST_FOR = (3.0, 40.0)
UNSEEN = 4
LONGEST_LOSS = 300.0
DEAD_SQUARE = "dead square"
FLICKER = "flicker"
MISREAD = "misread"

_TAKEN_FOR = {
    "p": "bn",
    "n": "bp",
    "b": "np",
    "r": "qn",
    "q": "kb",
    "k": "qb",
}
"""Which pieces one is read as. Resonance frequencies of neighbours lie close together."""


@dataclass(frozen=True, kw_only=True)
class Troubles:
    """All that is wrong with the sensors and the link during a stream."""

    faults: tuple[Fault, ...] = ()
    missed: tuple[Pause, ...] = ()
    lost: tuple[Pause, ...] = ()


def draw_troubles(world: World, sensing: Sensing, rng: Random) -> Troubles:
    """Draw what goes wrong while the games of *world* are played."""
    changes = world.changes
    faults: list[Fault] = []
    missed: list[Pause] = []
    lost: list[Pause] = []
    ended = -1.0
    for game in world.games:
        for _ in range(how_many(sensing.flicker, rng)):
            faults += _flicker(game, rng)
        for _ in range(how_many(sensing.misread, rng)):
            faults += _misread(game, changes, rng)
        for _ in range(how_many(sensing.dead_while, rng)):
            begin = rng.uniform(game.started, game.ended)
            faults.append(_dead(rng, begin, begin + rng.uniform(*DEAD_FOR)))
        if rng.random() < sensing.dead:
            faults.append(_dead(rng, rng.choice((ended, game.started)), game.ended))
        for _ in range(how_many(sensing.missed_scan, rng)):
            begin = rng.uniform(game.started, game.ended)
            missed.append(Pause(begin=begin, end=begin + rng.uniform(*MISSED_FOR)))
        for _ in range(how_many(sensing.link_loss, rng)):
            lost += _loss(game, rng)
        ended = game.ended
    return Troubles(faults=tuple(faults), missed=tuple(missed), lost=_apart(lost))


def _flicker(game: PlayedGame, rng: Random) -> Iterator[Fault]:
    ply = rng.choice(game.plies)
    square = rng.choice(list(ply.after.piece_map()))
    begin = rng.uniform(ply.thinking_since, ply.rest + 1.0)
    yield Fault(
        name=FLICKER,
        square=game.on_board(square),
        begin=begin,
        end=begin + rng.uniform(*FLICKERING),
        reads=None,
    )


def _misread(game: PlayedGame, changes: Sequence[Change], rng: Random) -> Iterator[Fault]:
    """A piece reads as another of its colour, for as long as it stands there at most."""
    ply = rng.choice(game.plies)
    square, piece = rng.choice(list(ply.after.piece_map().items()))
    letter = rng.choice(_TAKEN_FOR[piece.symbol().lower()])
    on_board = game.on_board(square)
    begin = ply.rest + rng.uniform(0.0, 1.0)
    moved = (c.at for c in changes if c.square == on_board and c.at > begin)
    yield Fault(
        name=MISREAD,
        square=on_board,
        begin=begin,
        end=min(begin + rng.uniform(*MISREAD_FOR), next(moved, math.inf)),
        reads=letter.upper() if piece.color == chess.WHITE else letter,
    )


def _dead(rng: Random, begin: float, end: float) -> Fault:
    square = rng.choice(chess.SQUARES)
    return Fault(name=DEAD_SQUARE, square=square, begin=begin, end=end, reads=None)


def _loss(game: PlayedGame, rng: Random) -> Iterator[Pause]:
    """A loss that begins after some ply and hides up to :data:`UNSEEN` plies."""
    after = rng.randrange(len(game.plies))
    hidden = rng.randint(0, UNSEEN)
    begin = game.plies[after].rest + rng.uniform(0.5, 3.0)
    last = min(after + hidden, len(game.plies) - 1)
    end = max(begin + rng.uniform(*LOST_FOR) / (1 + hidden), game.plies[last].rest + 0.3)
    if last + 1 < len(game.plies):
        next_rest = game.plies[last + 1].rest
        end = min(end, (game.plies[last].rest + next_rest) / 2) if next_rest < end else end
    if begin + 1.0 < end < begin + LONGEST_LOSS:
        yield Pause(begin=begin, end=end)


def _apart(losses: list[Pause]) -> tuple[Pause, ...]:
    """Return *losses* in order without those that begin before another is well over."""
    apart: list[Pause] = []
    for loss in sorted(losses, key=lambda loss: loss.begin):
        if not apart or loss.begin > apart[-1].end + 2.0:
            apart.append(loss)
    return tuple(apart)
