"""The group of clock computations."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.verdicts.cases import Case
from benchmarks.verdicts.rules import Rules
from benchmarks.verdicts.sense import Words
from bridge.core.laws.clocks.attendance import lost_by_absence
from bridge.core.laws.clocks.checks import addition, counter_mismatch
from bridge.core.laws.clocks.flags import Meaning, both_flags, completed_moves, flag_means
from bridge.core.laws.clocks.modes import play
from bridge.core.laws.clocks.penalties import after_illegal_move, illegal_move, wrong_claim
from bridge.core.laws.clocks.periods import carried_over
from bridge.core.laws.clocks.quickplay import quickplay_bar
from bridge.core.laws.clocks.recording import recording_duty
from bridge.core.laws.clocks.redistribution import Floor, redistributed, share_of_used
from bridge.core.laws.clocks.times import Times
from bridge.core.laws.rulesets import rate_of_play
from bridge.core.model import Colour
from bridge.core.timecontrol import Period

MINUTE = 60

Given = Mapping[str, Any]
Answers = dict[str, Any]


def clock(case: Case, rules: Rules) -> Answers:
    """Answer the kind of computation that the case asks for; an unknown kind has no answers."""
    given = case.given["clock"]
    kind = _KINDS.get(given["kind"])
    return {} if kind is None else kind(given, rules)


def _carry_over(given: Given, _: Rules) -> Answers:
    return {"remaining_s": carried_over(given["saved_s"], Period(given["next_period_s"]))}


def _delay(given: Given, _: Rules) -> Answers:
    course = play(given["main_s"], given["moves_s"], "delay", given["delay_s"])
    return {"remaining_s": course.remaining, "flag": course.flag_at is not None}


def _bronstein(given: Given, _: Rules) -> Answers:
    course = play(given["main_s"], given["moves_s"], "bronstein", given["delay_s"])
    return {"remaining_s": course.remaining, "flag": course.flag_at is not None}


def _increment(given: Given, _: Rules) -> Answers:
    increment = given["increment_s"]
    start = given["start_s"] + (increment if given.get("added_before_first_move") else 0)
    course = play(start, given["moves_s"], "increment", increment)
    return {"remaining_s": course.remaining, "flag": course.flag_at is not None}


def _redistribution(given: Given, rules: Rules) -> Answers:
    error, found = given["error_at_move"], given["found_after_move"]
    answers: Answers = {}
    for colour in ("white", "black"):
        used = given[f"used_{colour}_min"]
        share = share_of_used(used, error_at_move=error, found_after_move=found)
        answers[f"used_{colour}_min"] = answers[f"used_{colour}_min_exact"] = share
        if "control_min" in given:
            floor = _floor(rules, given["control_move"] - error)
            times = redistributed(
                used * MINUTE,
                given["control_min"] * MINUTE,
                floor,
                error_at_move=error,
                found_after_move=found,
            )
            answers[f"remaining_{colour}_min_exact"] = times.remaining / MINUTE
            answers[f"remaining_{colour}_min_after_floor"] = times.suggested / MINUTE
            answers |= {"floor_min": floor.suggested, "floor_reason": Words(floor.reason)}
    return answers


def _floor(rules: Rules, moves: int) -> Floor:
    return Floor(rules.values.floor_minutes, rules.values.floor_minutes_a_move, moves)


def _wrong_draw_claim(given: Given, rules: Rules) -> Answers:
    times = Times(given["claimant_remaining_s"], given.get("opponent_remaining_s", 0))
    result = wrong_claim(
        times,
        "white",
        minutes=rules.values.wrong_claim_minutes,
        clock=rules.values.wrong_claim_clock,
    )
    return {
        "claimant_remaining_s": result.times.white,
        "opponent_remaining_s": result.times.black,
        "flag": result.loses is not None,
        "result": Words(result.text),
    }


def _illegal_move_penalty(given: Given, rules: Rules) -> Words:
    values = rules.values
    count = given["count_of_player"]
    result = illegal_move(
        count,
        minutes=values.illegal_move_minutes,
        loses_at=values.illegal_moves_that_lose,
        unwinnable=values.unwinnable_illegal_loss,
    )
    return Words(result.text)


def _increment_after_illegal_move(given: Given, rules: Rules) -> Answers:
    times = after_illegal_move(
        Times(given["offender_shown_s"], given.get("opponent_shown_s", 0)),
        "white",
        minutes=rules.values.illegal_move_minutes,
        increment=given["increment_s"],
        rule=rules.values.increment_after_illegal_move,
    )
    return {"suggest_offender_s": times.white, "suggest_opponent_s": times.black}


def _both_flags(given: Given, rules: Rules) -> Words:
    first = given["first_known"]
    known: Colour | None = "white" if first is True else first or None
    last = str(given["period"]).startswith("last")
    follows = both_flags(first=known, last_period=last, rule=rules.values.both_flags)
    return Words("loss on time" if follows == "first_flag_decides" else follows)


def _both_absent(given: Given, _: Rules) -> Answers:
    arrives = {
        name: float(seconds)
        for name, seconds in re.findall(r"(white|black) after (\d+) s", given["arrives"])
    }
    lost = lost_by_absence(arrives["white"], arrives["black"])
    return {"white_loses_s": lost.white, "black_loses_s": lost.black}


_MEANS: dict[Meaning, str] = {
    "game_over": "the result stands",
    "period_met": "no loss: the requirement of the period was met",
    "overstepped": "loss on time",
}


def _control_move_pressed(given: Given, _: Rules) -> Words:
    ended = bool(given.get("ended_game"))
    completed = completed_moves(given["moves_made"], pressed=given["pressed"], ended_game=ended)
    means = flag_means(game_over=ended, completed=completed, control_move=given["control_move"])
    return Words(_MEANS[means])


_DUTY = {
    "must_record": "must record",
    "may_stop": "may stop recording",
    "exempt_for_period": "exempt for the rest of the period",
    "need_not": "need not record",
}


def _recording_duty(given: Given, rules: Rules) -> Words:
    values = rules.values
    duty = recording_duty(
        given["remaining_s"],
        given["increment_s"],
        players_record=values.players_record,
        below=values.record_exempt_below,
        increment_below=values.record_exempt_increment_below,
        lasts=values.record_exempt_for,
        was_exempt=bool(given.get("was_exempt")),
    )
    return Words(_DUTY[duty])


def _classify(given: Given, _: Rules) -> Answers:
    return {"rate": rate_of_play(given["base_min"] * MINUTE, given["increment_s"])}


def _quickplay_claim(given: Given, _: Rules) -> Answers:
    bar = quickplay_bar(
        given["remaining_s"],
        given["increment_s"],
        announced=given["guidelines_announced"],
        rate=given.get("rate", "standard"),
    )
    return {"claim_possible": bar is None, "why": bar}


_ADDITION_ALERTS = {"not_added": "TIME_NOT_ADDED", "added_twice": "TIME_ADDED_TWICE"}


def _time_not_added(given: Given, _: Rules) -> Answers:
    found = addition(
        given["before_press_s"],
        given["after_press_s"],
        given["increment_s"],
        tolerance=given["tolerance_s"],
    )
    return {"alert": _ADDITION_ALERTS.get(found)}


def _move_count(given: Given, _: Rules) -> Answers:
    mismatch = counter_mismatch(
        given["recorded_completed"], given["clock_counter"], given["control_move"]
    )
    # The catalogue gives MOVE_COUNT_MISMATCH visibility class A.
    hidden = mismatch is not None
    return {"alert": "MOVE_COUNT_MISMATCH" if mismatch else None, "hide_from_players": hidden}


def _wrong_clock_setting_floor(given: Given, rules: Rules) -> Answers:
    floor = _floor(rules, given["moves_to_control"])
    return {"classic_floor_min": list(floor.readings), "suggest_min": floor.suggested}


_KINDS: dict[str, Callable[[Given, Rules], Any]] = {
    "carry_over": _carry_over,
    "delay": _delay,
    "bronstein": _bronstein,
    "increment": _increment,
    "redistribution": _redistribution,
    "wrong_draw_claim": _wrong_draw_claim,
    "illegal_move_penalty": _illegal_move_penalty,
    "increment_after_illegal_move": _increment_after_illegal_move,
    "both_flags": _both_flags,
    "both_absent": _both_absent,
    "control_move_pressed": _control_move_pressed,
    "recording_duty": _recording_duty,
    "classify": _classify,
    "quickplay_claim": _quickplay_claim,
    "time_not_added": _time_not_added,
    "move_count": _move_count,
    "wrong_clock_setting_floor": _wrong_clock_setting_floor,
}
