"""How long things must last before they mean something (seconds)."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Thresholds of inference; the defaults fit a board that scans in 200 to 250 ms.

    ``still``: no change for longer than a scan, so that every square was seen once.
    ``shown``: a legal move that stood this long is worth showing as provisional.
    ``rest``: without a running clock, a legal move that stood this long was played.
    ``end``: the same for mate and stalemate, where nobody need press a clock.
    ``glance``: the rest after which the reply to a move that hardly stood is one.
    ``astray``: a board that was unexplained for so long is not just in the middle of a move.
    ``gap``: an unexplained placement this old is searched for longer lines.
    ``verdict``: after a press, the time before an unexplained placement is a completed
    illegal move (alert catalogue, section 2: settle after press, and at least twice a scan).
    ``correction``: how long after a move settled its last man may still be put right.
    ``press_life``: how long a press counts although the board shows no move.
    ``gesture``: how long two kings in the centre mean a result (maker's convention).
    """

    still: float = 0.3
    shown: float = 0.3
    rest: float = 3.0
    end: float = 2.0
    glance: float = 0.1
    astray: float = 2.0
    gap: float = 0.6
    verdict: float = 1.2
    correction: float = 3.0
    press_life: float = 1.5
    gesture: float = 5.0
