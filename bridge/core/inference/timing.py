"""How long things must last before they mean something (seconds)."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Thresholds of inference; the defaults fit a board that scans in 200 to 250 ms.

    ``scan``: squares that change together are told within this time.
    ``still``: no change for longer than a scan, so that every square was seen once.
    ``shown``: a legal move that stood this long is worth showing as provisional.
    ``rest``: without a running clock, a legal move that stood this long was played.
    ``end``: the same for mate and stalemate, where nobody need press a clock.
    ``glide``: a man that left a square and came to the next one within this time was slid.
    ``sliding``: a slid man may be seen on its next square for so long after the last one.
    ``glance``: the rest after which what may be the reply is one.
    ``carried``: the same where it may be the victim, carried off over a neighbour square.
    ``beside``: how long one must have stood, and after the press, who may be a victim that was put
    down beside his square, where men have no names.
    ``gap``: an unexplained placement this old is searched for longer lines.
    ``verdict``: after a press, how long an unexplained placement must have rested to be a
    completed illegal move (alert catalogue, section 2: at least twice a scan).
    ``correction``: how long after a move settled its last man may still be put right.
    ``in_hand``: the same while a man of the mover is not on the board at all.
    ``in_doubt``: a move that stood so long while the clock ran for the opponent was pressed.
    ``unpressed``: the same where the clock ran for the opponent already before it was made.
    ``forgotten``: a legal move that stood this long was played, though nobody pressed, when the
    board changes at last; so was an answer to an illegal one, even if it does not.
    ``unanswered``: an illegal move that stood this long where nobody presses was made, though
    nobody answers it.
    ``reading``: a running clock is read within this time.
    ``lost``: a board that nothing explains for so long, while men go on moving, is read again.
    ``press_life``: how long a press counts although the board shows no move.
    ``gesture``: how long two kings in the centre mean a result (maker's convention).
    """

    scan: float = 0.02
    still: float = 0.3
    shown: float = 0.2
    rest: float = 4.0
    end: float = 2.0
    glide: float = 0.3
    sliding: float = 1.0
    glance: float = 0.1
    carried: float = 0.8
    beside: float = 1.5
    gap: float = 0.6
    verdict: float = 1.2
    in_doubt: float = 1.0
    unpressed: float = 3.0
    forgotten: float = 12.0
    unanswered: float = 9.0
    reading: float = 1.2
    in_hand: float = 3.0
    correction: float = 3.0
    lost: float = 2.0
    press_life: float = 1.5
    gesture: float = 5.0


def lasted(since: float, until: float) -> float:
    """Return how long something lasted (s), to the microsecond.

    What was awaited for 0.3 s lasts 0.2999... by the difference of its times.
    """
    return round(until - since, 6)
