"""Putting a clock right whose setting is found wrong during the game (6.10.2, A.5.1.1)."""

from typing import NamedTuple

from bridge.core.laws.clocks.checks import Setting, setting_mismatch
from bridge.core.laws.clocks.times import Times, shown


class Correction(NamedTuple):
    """What is offered where a setting is wrong.

    ``times`` are what each should have, ``None`` where nothing is to be changed or it cannot be
    computed from the readings alone.
    """

    allowed: bool
    times: Times | None
    text: str


def corrected_setting(
    readings: Times,
    clock: Setting,
    event: Setting,
    moves: tuple[int, int],
    *,
    stands_after: int | None,
    schedule_suffers: bool = False,
) -> Correction | None:
    """Tell what to do about a clock set otherwise than the event, ``None`` if it is set right.

    Args:
        readings: what the clock shows.
        clock: what it is set to.
        event: what it should be set to.
        moves: completed by White and by Black; each has brought what is added for a move.
        stands_after: moves by each from which on the setting stands, ``None`` where it never does.
        schedule_suffers: leaving it would upset the event's schedule, for which A.5.1.1 makes an
            exception.
    """
    wrong = setting_mismatch(clock, event, tolerance=0)
    if not wrong:
        return None
    faults = ", ".join(wrong)
    if stands_after is not None and min(moves) >= stands_after and not schedule_suffers:
        text = (
            f"{faults}; each player has made {stands_after} moves: the setting stands, unless the "
            "schedule of the event suffers"
        )
        return Correction(allowed=False, times=None, text=text)
    times = _should_have(readings, clock, event, moves)
    if times is None:
        text = f"{faults}; set it right; what it gave back depends on the time of every move"
        return Correction(allowed=True, times=None, text=text)
    text = f"{faults}; set it right: White {shown(times.white)}, Black {shown(times.black)}"
    return Correction(allowed=True, times=times, text=text)


def _should_have(
    readings: Times, clock: Setting, event: Setting, moves: tuple[int, int]
) -> Times | None:
    """Return the readings as if the clock had been right, if they tell how many moves brought."""
    adds = [_a_move(setting) for setting in (clock, event)]
    if None in adds:
        return None
    had, should = (extra or 0.0 for extra in adds)
    white, black = moves
    return Times(
        readings.white + event.white - clock.white + white * (should - had),
        readings.black + event.black - clock.black + black * (should - had),
    )


def _a_move(setting: Setting) -> float | None:
    """Return what each move brings; ``None`` where that depends on the time it took."""
    if setting.mode == "plain":
        return 0
    return setting.extra if setting.mode == "increment" else None
