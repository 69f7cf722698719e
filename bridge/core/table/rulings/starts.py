"""Entries about the start of a round: when it is, and who is there (6.6, 6.7; R-97)."""

import chess

from bridge.core.laws.clocks.times import shown
from bridge.core.model import NotePresence, Ruling, ScheduleStart
from bridge.core.table.attendance import Schedule
from bridge.core.table.rulings.bench import Bench, Decision, Deed, RefusedError


def schedule_start(bench: Bench, _: Ruling, order: ScheduleStart) -> Decision:
    """Take note when the round begins, or to when it is put off.

    Raises:
        RefusedError: the default time is negative.
    """
    minutes = order.default_minutes
    if minutes is None:
        minutes = bench.rules.default_minutes
    if minutes < 0:
        raise RefusedError("the default time is not negative")
    told, attendance = bench.told, bench.attendance
    schedule = Schedule(told.at + order.starts - told.wall, minutes)
    before, noted = attendance.schedule, attendance.noted

    def undo() -> Deed:
        if attendance.schedule != schedule:
            raise RefusedError("the round has begun, or starts at another time by now")
        return Deed("that start does not hold", lambda: attendance.set_up(before, noted))

    away = order.starts - told.wall
    when = f"in {shown(away)}" if away >= 0 else f"began {shown(-away)} ago"
    text = f"the round begins {when}" if away >= 0 else f"the round {when}"
    text += f"; who comes {minutes} minutes later or more loses (6.7.1)"
    return Decision(text, lambda: attendance.set_up(schedule, {}), undo)


def presence(bench: Bench, _: Ruling, order: NotePresence) -> Decision:
    """Take note that a player is there, or is not.

    Raises:
        RefusedError: no start is scheduled, or the game is being played.
    """
    attendance = bench.attendance
    schedule, noted = attendance.schedule, attendance.noted
    if schedule is None:
        raise RefusedError("no start is scheduled, or both players have moved")
    colour: chess.Color = order.colour == "white"

    def undo() -> Deed:
        if attendance.schedule != schedule:
            raise RefusedError("the round has begun, or starts at another time by now")
        return Deed(f"nothing is known of {order.colour}", forget)

    def forget() -> None:
        kept = {each: seen for each, seen in attendance.noted.items() if each != colour}
        attendance.set_up(schedule, kept | {c: noted[c] for c in (colour,) if c in noted})

    def effect() -> None:
        attendance.set_up(schedule, attendance.noted | {colour: order.present})

    return Decision(_said(bench, order, schedule), effect, undo)


def _said(bench: Bench, order: NotePresence, schedule: Schedule) -> str:
    after = bench.told.at - schedule.starts
    if not order.present:
        return f"{order.colour} is absent"
    if after <= 0:
        return f"{order.colour} is there"
    text = f"{order.colour} is there, {shown(after)} after the start"
    if after > 60 * schedule.default_minutes:
        text += f"; the default time of {schedule.default_minutes} minutes is over (6.7.1)"
    return text
