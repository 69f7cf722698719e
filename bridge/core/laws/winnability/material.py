"""Material with which no placement of the men is a mate: exact, whatever the position.

For each of these the converse holds too: with any other material some placement is a mate.
"""

import chess


def cannot_by_material(board: chess.Board, side: chess.Color) -> str | None:
    """Return in words why *side* has not the material to mate, or ``None`` if it has."""
    own = board.occupied_co[side]
    if own == own & board.kings:
        return "a bare king cannot mate"
    if not board.has_insufficient_material(side):
        return None
    if own & board.knights:
        return "a single knight cannot mate a king that has no men but queens"
    return "no mate is possible with bishops that all stand on squares of one colour"
