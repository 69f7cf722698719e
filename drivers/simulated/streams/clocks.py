"""What the stream shows of the clock: read once a second, told when it differs.

A press is not reported as such, unless the board tells it at once; it shows in the next reading.
Whole seconds by physical side (protocol sheet of DGT boards, section 9).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from drivers.simulated.clock import Clock, Face, TimeControl
from drivers.simulated.streams.clockwork import do
from drivers.simulated.streams.sensor import Pause
from drivers.simulated.streams.world import ClockAct, ClockPressed, ClockSet


@dataclass(frozen=True, kw_only=True)
class Reader:
    """Reads the clock every *period* seconds from *offset* on, and *at_once* when pressed.

    *latency*: from reading to line.
    """

    period: float
    offset: float
    latency: float
    at_once: bool


@dataclass(frozen=True, kw_only=True)
class Told:
    """The stream shows *face* at time *at*; the press made at *shows_press* shows by it."""

    at: float
    face: Face
    shows_press: float | None


def clock_lines(
    acts: Sequence[ClockAct], lost: Sequence[Pause], reader: Reader, *, until: float
) -> list[Told]:
    """Return what is told of a clock to which *acts* are done, in the order of the times.

    Nothing is told while the link is *lost*; the first reading after it always is.
    """
    clock = Clock(TimeControl(base=0))
    told: list[Told] = []
    pending = sorted(acts, key=lambda act: act.at)
    pressed: float | None = None
    face: Face | None = None
    done = 0
    for at in _readings(pending, reader, until):
        while done < len(pending) and pending[done].at <= at:
            act = pending[done]
            if isinstance(act, ClockSet):
                clock = Clock(act.control, turn=act.turn)
            elif do(act, clock):
                pressed = act.at
            done += 1
        line_at = at + reader.latency
        if any(pause.contains(line_at) for pause in lost):
            face = None
            continue
        now = clock.reading(at=at)
        if now == face:
            continue
        before = face or (told[-1].face if told else None)
        turned = before is not None and before.turn != now.turn
        told.append(Told(at=line_at, face=now, shows_press=pressed if turned else None))
        face = now
    return told


def _readings(acts: Sequence[ClockAct], reader: Reader, until: float) -> Iterator[float]:
    """Yield the times at which the clock is read."""
    count = max(0, math.floor((until - reader.offset) / reader.period)) + 1
    times = {reader.offset + n * reader.period for n in range(count)}
    if reader.at_once:
        times |= {act.at for act in acts if isinstance(act, ClockPressed)}
    yield from sorted(times)
