"""Times to set when a game ran on after an irregularity, or its clock was defective.

The classic code shares the used time in proportion to the moves and leaves at least five minutes
"or" one minute a move before the control; that can be read both ways, so both are always shown
and the larger is suggested. The current Laws leave it to the arbiter (7.1, 6.10.1), whom the same
figures help.
"""

from typing import NamedTuple

from bridge.core.laws.clocks.times import Times
from bridge.core.model import Colour

MINUTE = 60


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Floor(NamedTuple):
    """The least that must remain, by both readings of the rule; ``None``: the rule is not known.

    ``flat`` and ``a_move`` are minutes, ``moves`` those to the control, ``None`` where there is
    no control.
    """

    flat: int | None
    a_move: int | None
    moves: int | None

    @property
    def by_moves(self) -> int | None:
        """The reading by the number of moves, in minutes."""
        return None if self.a_move is None or self.moves is None else self.a_move * self.moves

    @property
    def readings(self) -> tuple[int, ...]:
        """The readings there are, in minutes, the flat one first."""
        return tuple(minutes for minutes in (self.flat, self.by_moves) if minutes is not None)

    @property
    def suggested(self) -> int:
        """The larger reading in minutes, 0 without any."""
        return max(self.readings, default=0)

    @property
    def reason(self) -> str:
        """Why the suggested reading applies, and what the other one gives."""
        texts = []
        if self.by_moves is not None:
            each = _counted(self.a_move, "minute")
            texts.append(f"{each} for each of the {_counted(self.moves, 'move')} to the control")
        if self.flat is not None:
            texts.append(f"a flat {_counted(self.flat, 'minute')}")
            if self.suggested == self.flat:
                texts.reverse()
        return "; the other reading is ".join(texts) or "no least time is prescribed"


def _counted(number: int | None, noun: str) -> str:
    number = number or 0
    word = _WORDS[number] if number < len(_WORDS) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"


def share_of_used(used: float, *, error_at_move: int, found_after_move: int) -> float:
    """Return the part of a used time that belongs to the moves before the irregularity.

    Both moves are counted by each player. Any unit of time.

    Raises:
        ValueError: the irregularity was not found after it happened.

    >>> share_of_used(90, error_at_move=20, found_after_move=30)
    60.0
    """
    if not 0 <= error_at_move <= found_after_move or not found_after_move:
        raise ValueError(f"found after move {found_after_move}, but happened at {error_at_move}")
    return used * error_at_move / found_after_move


class Share(NamedTuple):
    """One player's times after redistribution, in seconds.

    ``remaining`` is by proportion alone, ``suggested`` with the larger reading of the floor.
    """

    used: float
    remaining: float
    suggested: float


def redistributed(
    used: float, allotted: float, floor: Floor, *, error_at_move: int, found_after_move: int
) -> Share:
    """Share one player's *used* seconds of the *allotted* ones in proportion to the moves.

    Raises:
        ValueError: the irregularity was not found after it happened.
    """
    share = share_of_used(used, error_at_move=error_at_move, found_after_move=found_after_move)
    remaining = allotted - share
    return Share(share, remaining, max(remaining, floor.suggested * MINUTE))


def replaced(times: Times, error: float, wrong: Colour | None, floor: Floor) -> Times:
    """Return the times for the clock that replaces a defective one.

    Args:
        times: last good readings in seconds.
        error: seconds that the defect took; negative where it gave too many.
        wrong: the only dial that erred, if that is proved; else both are changed equally.
        floor: what must remain to a player whose time is changed.
    """
    least = floor.suggested * MINUTE

    def changed(seconds: float, by: float) -> float:
        # The floor protects from a change; it gives nobody time who had less before.
        return max(seconds + by, min(seconds, least)) if by < 0 else seconds + by

    if wrong is None:
        return Times(changed(times.white, error / 2), changed(times.black, error / 2))
    return times.plus(wrong, changed(times.of(wrong), error) - times.of(wrong))
