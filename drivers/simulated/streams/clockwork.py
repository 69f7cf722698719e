"""A clock and the hands on it."""

from collections.abc import Sequence

from drivers.events import Side
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.streams.profile import Tempo
from drivers.simulated.streams.world import ClockAct, ClockPressed, ClockStarted, ClockStopped


def time_control(tempo: Tempo, acts: Sequence[ClockAct], turn: Side) -> TimeControl:
    """Return the control of *tempo*, with more time where *acts* would let a flag fall."""
    base = tempo.base
    while True:
        control = TimeControl(base=base, increment=tempo.increment)
        if not flag_falls(acts, Clock(control, turn=turn)):
            return control
        base += tempo.base


def flag_falls(acts: Sequence[ClockAct], clock: Clock) -> bool:
    """Say whether a flag falls on *clock* when *acts* are done to it."""
    for act in acts:
        do(act, clock)
        face = clock.reading(at=act.at)
        if face.left_flag or face.right_flag:
            return True
    return False


def do(act: ClockAct, clock: Clock) -> bool:
    """Do *act* to *clock*; return whether it was a press that had an effect."""
    match act:
        case ClockPressed(at=at, side=side):
            return clock.press(side, at=at)
        case ClockStarted(at=at, side=side):
            clock.turn = side
            clock.start(at=at)
        case ClockStopped(at=at):
            clock.stop(at=at)
    return False
