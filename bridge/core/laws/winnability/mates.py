"""Placements of a few men that would be mate, the others staying where they are.

A placement is an aim for the search of a helpmate, nothing more: whether the men can get there
is found by playing the moves.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import chess

from bridge.core.laws.winnability.budget import Budget
from bridge.core.laws.winnability.routes import (
    FAR,
    Distances,
    attacks,
    distances,
    ground,
    promotions,
)

KING_SQUARES = 6
"""How many squares for the mated king are looked at, the nearest first; corners come besides."""
ATTACKERS = 5
"""How many men are looked at as the one that gives mate."""
OF_A_SQUARE = 2
"""How many mates are taken for one square of the mated king."""
PLACED = 60
CANDIDATES = 40
"""How many placements are looked at, and how many of them tried out, for one square."""
CANDIDATES_OF_POSITION = 4
"""How many placements cost as much as a position."""
OPEN_SQUARES = 2
"""How many flights further men may have to close."""
STEPS_ASIDE = 8
"""How many squares are looked at for the only man who could still help the mated king."""
FEW = 3
"""Up to so many men of the mated side two of them may close flights: with more there are simpler
mates, and too many to look through."""
_STRENGTH = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
_EDGE = chess.BB_BACKRANKS | chess.BB_FILE_A | chess.BB_FILE_H


class Place(NamedTuple):
    """Where the man now on ``square`` is wanted, and as what."""

    square: chess.Square
    kind: chess.PieceType
    target: chess.Square


class Mate(NamedTuple):
    """A mate to aim at; ``attacker`` moves last, ``mated`` begins with the king."""

    attacker: Place
    helpers: tuple[Place, ...]
    mated: tuple[Place, ...]


class Scene:
    """The men of a position, and how far each of them has to each square."""

    def __init__(self, board: chess.Board, side: chess.Color, budget: Budget) -> None:
        self.board = board
        self.budget = budget
        self.side = side
        self.king = chess.lsb(board.kings & board.occupied_co[side])
        self.target = chess.lsb(board.kings & board.occupied_co[not side])
        self.grounds = {colour: ground(board, colour) for colour in chess.COLORS}
        self._ways: dict[chess.Square, Distances] = {}

    def ways(self, square: chess.Square) -> Distances:
        """Return the distances of the man on *square*; a pawn's are of the queen it becomes."""
        if square not in self._ways:
            colour = bool(self.board.color_at(square))
            over = self.grounds[colour]
            starts = [(square, 0)]
            if chess.BB_SQUARES[square] & self.board.pawns:
                starts = promotions(self.board, square, colour, over)
            self._ways[square] = distances(self.kind(square), over, starts)
        return self._ways[square]

    def kind(self, square: chess.Square) -> chess.PieceType:
        """Return what the man on *square* is or will be."""
        kind = self.board.piece_type_at(square)
        return chess.QUEEN if kind is None or kind == chess.PAWN else kind

    @cached_property
    def attackers(self) -> tuple[chess.Square, ...]:
        """The men that may give mate, the strongest first; a pawn counts by its way to go."""
        men: list[tuple[int, chess.Square]] = []
        own = self.board.occupied_co[self.side] & ~self.board.kings
        for square in chess.scan_forward(own):
            if not chess.BB_SQUARES[square] & self.board.pawns:
                men.append((_STRENGTH.index(self.kind(square)), square))
            elif there := promotions(self.board, square, self.side, self.grounds[self.side]):
                men.append((there[0][1] + 1, square))
        return tuple(square for _, square in sorted(men))


def mates(scene: Scene) -> Iterator[Mate]:
    """Yield mates to aim at, a few for each square of the mated king, the nearest square first."""
    for square in _king_squares(scene):
        if scene.budget.left <= 0:
            break
        settings = [
            setting
            for attacker in scene.attackers[:ATTACKERS]
            for setting in _settings(scene, square, attacker)
        ]
        yield from _verified(scene, settings, _bare_blows) or _verified(
            scene, settings, _blows_with_others
        )


def _verified(
    scene: Scene,
    settings: list["_Setting"],
    blows: Callable[["_Setting"], Iterator[Mate]],
) -> list[Mate]:
    """Return the mates among the first candidates, those first that need the fewest moves."""
    placed = (mate for setting in settings for mate in blows(setting))
    found = [(_plies(scene, mate), mate) for mate in islice(placed, PLACED)]
    scene.budget.spend(len(found) // CANDIDATES_OF_POSITION)
    tried = (_unhindered(scene, mate) for _, mate in sorted(found)[:CANDIDATES])
    return list(islice((mate for mate in tried if mate is not None), OF_A_SQUARE))


def _king_squares(scene: Scene) -> list[chess.Square]:
    """Return where the king may be mated: edges, the nearest first, then corners."""
    ways = scene.ways(scene.target)
    edge = [square for square in chess.scan_forward(_EDGE) if ways[square] < FAR]
    edge.sort(key=lambda square: ways[square])
    corners = [s for s in edge[KING_SQUARES:] if chess.BB_SQUARES[s] & chess.BB_CORNERS]
    return edge[:KING_SQUARES] + corners or [scene.target]


class _Setting(NamedTuple):
    """A mate being put together: where the kings stand, and what else does not move.

    ``flights`` are those that neither the king nor the men that stay take.
    """

    scene: Scene
    square: chess.Square
    attacker: chess.Square
    king: chess.Square
    rest: chess.BaseBoard
    flights: chess.Bitboard


def _settings(scene: Scene, square: chess.Square, attacker: chess.Square) -> Iterator[_Setting]:
    rest = scene.board.copy(stack=False)
    for moving in (scene.target, scene.king, attacker):
        rest.remove_piece_at(moving)
    flights = chess.BB_KING_ATTACKS[square] & ~rest.occupied_co[not scene.side]
    for flight in chess.scan_forward(flights):
        if rest.is_attacked_by(scene.side, flight):
            flights &= ~chess.BB_SQUARES[flight]
    for king in _own_king_squares(scene, square, rest.occupied):
        left = flights & ~chess.BB_KING_ATTACKS[king]
        yield _Setting(scene, square, attacker, king, rest, left)


def _own_king_squares(
    scene: Scene, square: chess.Square, occupied: chess.Bitboard
) -> Iterator[chess.Square]:
    near = chess.BB_KING_ATTACKS[square] | chess.BB_SQUARES[square]
    ways = scene.ways(scene.king)
    if not near & chess.BB_SQUARES[scene.king]:
        yield scene.king
    ring = 0
    for flight in chess.scan_forward(near):
        ring |= chess.BB_KING_ATTACKS[flight]
    for king in chess.scan_forward(ring & ~near & ~occupied):
        if king != scene.king and ways[king] < FAR:
            yield king


def _blows(setting: _Setting, most: int) -> Iterator[tuple[Place, chess.Bitboard]]:
    """Yield whence the attacker gives check and what flights are left, *most* of them."""
    scene, square, rest = setting.scene, setting.square, setting.rest
    kind = scene.kind(setting.attacker)
    ways = scene.ways(setting.attacker)
    king = chess.BB_SQUARES[setting.king]
    occupied = rest.occupied | king
    own = rest.occupied_co[scene.side] | king
    near = chess.BB_KING_ATTACKS[square] & ~chess.BB_KING_ATTACKS[setting.king]
    checking = attacks(kind, square, occupied)
    for target in chess.scan_forward(checking & ~own):
        attacked = attacks(kind, target, occupied)
        # it must come from where it did not give check already
        if ways[target] == FAR or not attacked & ~checking & ~own & ~chess.BB_SQUARES[square]:
            continue
        left = setting.flights & ~attacked & ~chess.BB_SQUARES[target]
        if chess.BB_SQUARES[target] & near and not rest.is_attacked_by(scene.side, target):
            left |= chess.BB_SQUARES[target]  # the king would take it
        if chess.popcount(left) <= most:
            yield Place(setting.attacker, kind, target), left


def _bare_blows(setting: _Setting) -> Iterator[Mate]:
    """Yield mates with the attacker and its king alone."""
    for attacker, _ in _blows(setting, 0):
        yield Mate(attacker, _own_king(setting), _mated_king(setting))


def _blows_with_others(setting: _Setting) -> Iterator[Mate]:
    """Yield mates in which further men close the flights."""
    scene = setting.scene
    others = chess.popcount(scene.board.occupied_co[not scene.side]) - 1
    for attacker, left in _blows(setting, OPEN_SQUARES):
        for helper in _helpers(setting, attacker, left):
            yield Mate(attacker, (helper, *_own_king(setting)), _mated_king(setting))
        if (others > FEW and left & (left - 1)) or left & chess.BB_SQUARES[attacker.target]:
            continue
        for shields in _shields(scene, list(chess.scan_forward(left))):
            yield Mate(attacker, _own_king(setting), _mated_king(setting) + shields)


def _own_king(setting: _Setting) -> tuple[Place, ...]:
    if setting.king == setting.scene.king:
        return ()
    return (Place(setting.scene.king, chess.KING, setting.king),)


def _mated_king(setting: _Setting) -> tuple[Place, ...]:
    return (Place(setting.scene.target, chess.KING, setting.square),)


def _helpers(setting: _Setting, attacker: Place, left: chess.Bitboard) -> Iterator[Place]:
    """Yield men of the mating side that attack all that is left, and from where."""
    scene = setting.scene
    taken = chess.BB_SQUARES[setting.king] | chess.BB_SQUARES[setting.square]
    taken |= setting.rest.occupied | chess.BB_SQUARES[attacker.target]
    if not left:
        return
    first = chess.lsb(left)
    for man in scene.attackers[: ATTACKERS + 1]:
        if man == setting.attacker:
            continue
        kind, ways = scene.kind(man), scene.ways(man)
        around = taken & ~chess.BB_SQUARES[man]
        for square in chess.scan_forward(attacks(kind, first, around) & ~around):
            if ways[square] < FAR and not left & ~attacks(kind, square, around):
                yield Place(man, kind, square)


def _shields(scene: Scene, flights: list[chess.Square]) -> Iterator[tuple[Place, ...]]:
    """Yield men of the mated side that come to stand on the flights themselves."""
    if not flights:
        yield ()
        return
    for others in _shields(scene, flights[1:]):
        used = [place.square for place in others]
        men = scene.board.occupied_co[not scene.side] & ~scene.board.kings
        for man in chess.scan_forward(men):
            pawn = bool(chess.BB_SQUARES[man] & scene.board.pawns)
            place = Place(man, chess.PAWN if pawn else scene.kind(man), flights[0])
            if man not in used and way(scene, place) < FAR:
                yield (place, *others)


def way(scene: Scene, place: Place) -> int:
    """Return how many moves bring a man to its place; a pawn that stays one goes straight."""
    if place.kind != chess.PAWN:
        return scene.ways(place.square)[place.target]
    step = 8 if scene.board.color_at(place.square) else -8
    ahead = range(place.square, 56 if step > 0 else 7, step)
    for moves, square in enumerate(ahead):
        if square == place.target:
            return moves
        if chess.BB_SQUARES[square + step] & scene.board.pawns:
            break
    return FAR


def _plies(scene: Scene, mate: Mate) -> int:
    """Return how long it takes if nothing comes between."""
    mating = max(1, way(scene, mate.attacker)) + sum(way(scene, p) for p in mate.helpers)
    mated = sum(way(scene, place) for place in mate.mated)
    return max(2 * mating - 1, 2 * mated + 1)


def is_mate(scene: Scene, mate: Mate) -> bool:
    """Return whether it is mate with the men placed so and the others where they are."""
    board = _placed(scene, mate)
    return board is not None and not board.was_into_check() and board.is_checkmate()


def _placed(scene: Scene, mate: Mate) -> chess.Board | None:
    """Return the board with the men placed so, ``None`` if men of one side are in the way."""
    board = scene.board.copy(stack=False)
    placed = [(place, scene.side) for place in (mate.attacker, *mate.helpers)]
    placed += [(place, not scene.side) for place in mate.mated]
    for place, _ in placed:
        board.remove_piece_at(place.square)
    for place, colour in placed:
        if board.color_at(place.target) == colour:
            return None
        board.set_piece_at(place.target, chess.Piece(place.kind, colour))
    board.turn = not scene.side
    board.ep_square = None
    board.castling_rights = 0
    return board


def _unhindered(scene: Scene, mate: Mate) -> Mate | None:
    """Return *mate*, or that in which the only man who could prevent it has stepped aside."""
    board = _placed(scene, mate)
    if board is None or board.was_into_check() or not board.is_check():
        return None
    saviours = {move.from_square for move in board.generate_legal_moves()}
    if not saviours:
        return mate
    man = saviours.pop()
    kind = scene.board.piece_type_at(man)
    if saviours or kind is None or any(man == place.target for place in mate.mated):
        return None
    aside = scene.board.copy(stack=False)
    aside.turn = not scene.side
    steps = aside.generate_pseudo_legal_moves(chess.BB_SQUARES[man])
    for move in islice((step for step in steps if not step.promotion), STEPS_ASIDE):
        other = mate._replace(mated=(*mate.mated, Place(man, kind, move.to_square)))
        if is_mate(scene, other):
            return other
    return None
