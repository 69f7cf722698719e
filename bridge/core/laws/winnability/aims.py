"""What a search for a helpmate goes towards: some men of each side to their places."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import chess

from bridge.core.laws.winnability.mates import Mate, Place, Scene, way
from bridge.core.laws.winnability.routes import (
    FAR,
    Distances,
    Ground,
    attacks,
    distances,
    pawn_distances,
    promotions,
)


class Wanted(NamedTuple):
    """Where a man of an aim stands now, and whether it is still a pawn."""

    square: chess.Square
    pawn: bool

    def after(self, move: chess.Move) -> "Wanted":
        """Return where it stands after *move*."""
        if move.from_square != self.square:
            return self
        return Wanted(move.to_square, self.pawn and not move.promotion)


class Aim(NamedTuple):
    """Men that are wanted elsewhere, and how far each of them has from every square.

    The first ``own`` of ``men`` are of ``side``. ``queens`` are the distances of each
    man, ``pawns`` those while it is a pawn. At ``mate`` one more move gives it; a ``step`` is done
    when the men of ``side`` are there. ``becomes``: what a pawn is promoted to on the way.
    """

    kind: Literal["mate", "step"]
    side: chess.Color
    own: int
    men: tuple[Wanted, ...]
    queens: tuple[Distances, ...]
    pawns: tuple[Distances, ...]
    becomes: chess.PieceType = chess.QUEEN

    def moves(self, men: tuple[Wanted, ...]) -> tuple[int, int]:
        """Return the moves that the aiming side and the other one need, mating included."""
        needed = [
            (pawns if man.pawn else queens)[man.square]
            for man, queens, pawns in zip(men, self.queens, self.pawns, strict=True)
        ]
        return sum(needed[: self.own]) + (self.kind == "mate"), sum(needed[self.own :])

    def moves_after(
        self, men: tuple[Wanted, ...], needed: tuple[int, int], move: chess.Move
    ) -> tuple[int, int]:
        """Return the moves needed after *move* of one of *men*, of whom there were *needed*."""
        index = next(i for i, man in enumerate(men) if man.square == move.from_square)
        man, queens, pawns = men[index], self.queens[index], self.pawns[index]
        was = (pawns if man.pawn else queens)[man.square]
        now = (pawns if man.pawn and not move.promotion else queens)[move.to_square]
        mating, mated = needed
        if index < self.own:
            return mating + now - was, mated
        return mating, mated + now - was

    def plies(self, turn: chess.Color, moves: tuple[int, int]) -> int:
        """Return how many plies are at least needed with *turn* to move; the side moves last."""
        mating, mated = moves
        if turn == self.side:
            return max(2 * mating - 1, 2 * mated + 1)
        return max(2 * mating, 2 * mated)


def mate_aim(scene: Scene, mate: Mate) -> Aim:
    """Return the aim of bringing all men to where the attacker gives mate with its next move."""
    places = (mate.attacker, *mate.helpers, *mate.mated)
    queens = [_before(scene, mate), *(_to(scene, place) for place in places[1:])]
    return Aim(
        "mate",
        scene.side,
        1 + len(mate.helpers),
        _men(scene, places),
        tuple(queens),
        tuple(_as_pawn(scene, place, ways) for place, ways in zip(places, queens, strict=True)),
    )


def steps(scene: Scene) -> Iterator[Aim]:
    """Yield what may open a position that has no mate yet: captures and promotions, nearest first.

    A pawn that is stuck can also take a man that comes to it. Light pieces alone mate with the help
    of an enemy man beside the king: before all, a pawn becomes one that can stand there.
    """
    board = scene.board
    if not board.occupied_co[scene.side] & (board.pawns | board.rooks | board.queens):
        yield from _enemy_knights(scene)
    found: list[tuple[int, Place, Place | None]] = []
    for man in chess.scan_forward(board.occupied_co[scene.side]):
        if chess.BB_SQUARES[man] & board.pawns:
            found += _pawn_steps(scene, man)
        else:
            kind, ways = scene.kind(man), scene.ways(man)
            for victim in chess.scan_forward(scene.grounds[scene.side].enemy):
                if ways[victim] < FAR:
                    found.append((2 * ways[victim], Place(man, kind, victim), None))
    for _, taker, comer in sorted(found, key=lambda step: step[0]):
        yield _step(scene, taker, comer)


def _enemy_knights(scene: Scene) -> Iterator[Aim]:
    """Yield the promotions of enemy pawns to a knight, nearest first."""
    enemy, board = not scene.side, scene.board
    found = [
        (moves, Place(pawn, chess.KNIGHT, target))
        for pawn in chess.scan_forward(board.pawns & board.occupied_co[enemy])
        for target, moves in promotions(board, pawn, enemy, scene.grounds[enemy])
    ]
    for _, place in sorted(found):
        yield _step(scene, place, None)._replace(side=enemy, becomes=chess.KNIGHT)


def _pawn_steps(scene: Scene, pawn: chess.Square) -> Iterator[tuple[int, Place, Place | None]]:
    over = scene.grounds[scene.side]
    for target, moves in promotions(scene.board, pawn, scene.side, over):
        yield 2 * moves, Place(pawn, chess.QUEEN, target), None
    for target in chess.scan_forward(chess.BB_PAWN_ATTACKS[scene.side][pawn]):
        place = Place(pawn, chess.PAWN, target)
        if chess.BB_SQUARES[target] & over.enemy:
            yield 2, place, None
            continue
        for man in chess.scan_forward(over.enemy):
            stays = chess.BB_SQUARES[man] & scene.board.pawns
            victim = Place(man, chess.PAWN if stays else scene.kind(man), target)
            moves = way(scene, victim)
            if moves < FAR:
                yield 2 * moves + 1, place, victim


def _step(scene: Scene, taker: Place, victim: Place | None) -> Aim:
    places = (taker,) if victim is None else (taker, victim)
    queens = [_to(scene, place) for place in places]
    if taker.kind == chess.PAWN:
        pawns = [[1] * 64]
        pawns[0][taker.target] = 0
        queens[0] = [FAR] * 64
    else:
        pawns = [_as_pawn(scene, taker, queens[0])]
    pawns += [
        _as_pawn(scene, place, queen) for place, queen in zip(places[1:], queens[1:], strict=True)
    ]
    return Aim("step", scene.side, 1, _men(scene, places), tuple(queens), tuple(pawns))


def _men(scene: Scene, places: Iterable[Place]) -> tuple[Wanted, ...]:
    pawns = scene.board.pawns
    return tuple(Wanted(p.square, bool(chess.BB_SQUARES[p.square] & pawns)) for p in places)


def _before(scene: Scene, mate: Mate) -> Distances:
    """Return the attacker's distances to where its next move is the mate, and not check already."""
    kind, target = mate.attacker.kind, mate.attacker.target
    occupied = scene.board.occupied
    for place in (mate.attacker, *mate.helpers, *mate.mated):
        occupied &= ~chess.BB_SQUARES[place.square]
    for place in (*mate.helpers, *mate.mated):
        occupied |= chess.BB_SQUARES[place.target]
    king = chess.BB_SQUARES[mate.mated[0].target]
    ready = [
        (square, 0)
        for square in chess.scan_forward(attacks(kind, target, occupied) & ~occupied)
        if not attacks(kind, square, occupied) & king
    ]
    return distances(kind, _over(scene, mate.attacker), ready)


def _to(scene: Scene, place: Place) -> Distances:
    return distances(place.kind, _over(scene, place), [(place.target, 0)])


def _over(scene: Scene, place: Place) -> Ground:
    """Return what a man moves over when it has left its square."""
    over = scene.grounds[bool(scene.board.color_at(place.square))]
    return over._replace(leaving=over.leaving & ~chess.BB_SQUARES[place.square])


def _as_pawn(scene: Scene, place: Place, queen: Distances) -> Distances:
    """Return the distances while it is a pawn: to its place as a queen, or straight on as a pawn.

    What is no pawn has the *queen* distances alone.
    """
    if not chess.BB_SQUARES[place.square] & scene.board.pawns:
        return queen
    colour = bool(scene.board.color_at(place.square))
    if place.kind != chess.PAWN:
        return pawn_distances(scene.board, colour, scene.grounds[colour], queen)
    found = [FAR] * 64
    back = -8 if colour else 8
    for moves, square in enumerate(range(place.target, 64 if back > 0 else -1, back)):
        found[square] = moves
    return found
