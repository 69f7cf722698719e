"""Proof that a side cannot mate because men that can never move or be taken shut it out.

What men might do is over-approximated: whose turn it is, pins and checks are left out, so that
whatever could happen in a game is found possible here too. Men start fixed and come free only
by a move or capture that those already free make possible; a square that a fixed man attacks is
never open to the other king. By induction over the moves of a game nothing else can happen.
"""

from collections.abc import Sequence

import chess

from bridge.core.laws.winnability.routes import attacks

_ANY = 7
"""A man that a pawn may have become: it goes like queen and knight."""


class _Man:
    """A man and the squares it might come to."""

    __slots__ = ("colour", "kind", "origin", "reach")

    def __init__(self, square: chess.Square, piece: chess.Piece) -> None:
        self.kind: int = piece.piece_type
        self.colour = piece.color
        self.origin = chess.BB_SQUARES[square]
        self.reach = self.origin

    def attacked(self, square: chess.Square, occupied: chess.Bitboard) -> chess.Bitboard:
        if self.kind == chess.PAWN:
            return chess.BB_PAWN_ATTACKS[self.colour][square]
        if self.kind == _ANY:
            free = attacks(chess.QUEEN, square, occupied)
            return free | chess.BB_KNIGHT_ATTACKS[square]
        return attacks(self.kind, square, occupied)

    def all_attacked(self, occupied: chess.Bitboard) -> chess.Bitboard:
        """Return what it might attack from wherever it might stand."""
        found = 0
        for square in chess.scan_forward(self.reach):
            found |= self.attacked(square, occupied)
        return found


class _Mobility:
    """The least set of possibilities closed under the moves of the men, as *side* needs it."""

    def __init__(self, board: chess.Board, side: chess.Color) -> None:
        self.men = [_Man(square, piece) for square, piece in board.piece_map().items()]
        self.fixed = board.occupied
        self.own = [man for man in self.men if man.colour == side]
        while not self.promotes and self._widen():
            pass

    @property
    def promotes(self) -> bool:
        """Whether a pawn of the side may become something else, which proves nothing then."""
        return any(man.kind == _ANY for man in self.own)

    def _widen(self) -> bool:
        """Free what the men now free can free; return whether anything changed."""
        reaches = [man.reach for man in self.men]
        fixed = self.fixed
        for man in self.men:
            self._move(man)
        return fixed != self.fixed or reaches != [man.reach for man in self.men]

    def _move(self, man: _Man) -> None:
        guarded = self._guarded_against(man.colour) if man.kind == chess.KING else 0
        own = self.fixed & self._of(man.colour)
        kings = sum(m.origin for m in self.men if m.kind == chess.KING)
        done = 0
        while waiting := man.reach & ~done:
            square = chess.lsb(waiting)
            done |= chess.BB_SQUARES[square]
            if man.kind == chess.PAWN and chess.BB_SQUARES[square] & chess.BB_BACKRANKS:
                man.kind = _ANY
                done = 0
            if man.kind == chess.PAWN:
                targets = self._pawn_targets(man, square)
            else:
                targets = man.attacked(square, self.fixed)
            # a king that cannot move is never taken; one that can leaves its square
            man.reach |= targets & ~own & ~guarded & ~(self.fixed & kings)
        if man.reach != man.origin:
            self.fixed &= ~man.reach

    def _pawn_targets(self, man: _Man, square: chess.Square) -> chess.Bitboard:
        step = 8 if man.colour else -8
        targets = chess.BB_SQUARES[square + step] & ~self.fixed
        start = chess.BB_RANK_2 if man.colour else chess.BB_RANK_7
        if targets and chess.BB_SQUARES[square] & start:
            targets |= chess.BB_SQUARES[square + 2 * step] & ~self.fixed
        aimed = chess.BB_PAWN_ATTACKS[man.colour][square]
        return targets | aimed & self._takeable(man.colour)

    def _takeable(self, by: chess.Color) -> chess.Bitboard:
        """Return where a pawn of *by* might take something."""
        found = 0
        for man in self.men:
            if man.colour != by and man.kind != chess.KING:
                found |= man.reach
                if man.kind in (chess.PAWN, _ANY):
                    found |= _passed_over(man)
        return found

    def _of(self, colour: chess.Color) -> chess.Bitboard:
        return sum(man.origin for man in self.men if man.colour == colour)

    def _guarded_against(self, colour: chess.Color) -> chess.Bitboard:
        """Return the squares that fixed men will always keep from the king of *colour*."""
        found = 0
        for man in self.men:
            if man.colour != colour and man.origin & self.fixed:
                # lines may be cut by men that come and go: only neighbouring squares are sure
                found |= man.attacked(chess.lsb(man.origin), chess.BB_ALL)
        return found


def _passed_over(man: _Man) -> chess.Bitboard:
    """Return the square on which a pawn may be taken in passing."""
    if man.colour:
        return (man.origin & chess.BB_RANK_2) << 8
    return (man.origin & chess.BB_RANK_7) >> 8


def is_walled_off(board: chess.Board, side: chess.Color) -> bool:
    """Return whether it is proved that *side* can never mate; false proves nothing."""
    if board.clean_castling_rights() or board.has_legal_en_passant():
        return False
    mobility = _Mobility(board, side)
    if mobility.promotes:
        return False
    own = mobility.own
    (king,) = (man for man in own if man.kind == chess.KING)
    (target,) = (m for m in mobility.men if m.colour != side and m.kind == chess.KING)
    attacked = 0
    for man in own:
        if man is not king:
            attacked |= man.all_attacked(mobility.fixed)
    shields = [man.reach for man in mobility.men if man.colour != side and man is not target]
    return not any(
        _might_be_mate(square, attacked, king.reach, shields)
        for square in chess.scan_forward(target.reach & attacked)
    )


def _might_be_mate(
    square: chess.Square,
    attacked: chess.Bitboard,
    king_reach: chess.Bitboard,
    shields: Sequence[chess.Bitboard],
) -> bool:
    """Return whether a king on *square* might be left without a square to go to.

    Each neighbouring square must be attacked, or taken up by a man of the king's own side.
    """
    open_squares = chess.BB_KING_ATTACKS[square] & ~attacked
    if _can_fill(open_squares, shields):
        return True
    near = king_reach & ~chess.BB_KING_ATTACKS[square] & ~chess.BB_SQUARES[square]
    covers = {open_squares & ~chess.BB_KING_ATTACKS[place] for place in chess.scan_forward(near)}
    return any(_can_fill(left, shields) for left in covers)


def _can_fill(squares: chess.Bitboard, shields: Sequence[chess.Bitboard]) -> bool:
    """Return whether each of *squares* can get a man of its own."""
    if not squares:
        return True
    lowest = squares & -squares
    return any(
        _can_fill(squares & ~lowest, [*shields[:i], *shields[i + 1 :]])
        for i, shield in enumerate(shields)
        if shield & lowest
    )
