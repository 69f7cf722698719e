"""The kinds of values that several settings share."""

import datetime
import difflib
import re
from pathlib import Path

from bridge.config.rulesets import names
from bridge.config.schema import Named, Scalar
from bridge.core.timecontrol import TimeControlError, parse_time_control

_TAG_NAME = re.compile(r"[A-Z][A-Za-z]*")

_LARGEST_RATING = 4000

# Tags of which the program itself is sure, and the key that sets them (empty: nobody may).
_TAG_KEYS = {
    "Event": "event: name",
    "Site": "event: site",
    "Date": "event: date",
    "Round": "event: round",
    "White": "white",
    "Black": "black",
    "WhiteTitle": "white: title",
    "BlackTitle": "black: title",
    "WhiteElo": "white: elo",
    "BlackElo": "black: elo",
    "WhiteFideId": "white: fide_id",
    "BlackFideId": "black: fide_id",
    "WhiteTeam": "white: team",
    "BlackTeam": "black: team",
    "Board": "number",
    "TimeControl": "time_control",
    "FEN": "start_fen",
    "SetUp": "start_fen",
    "Variant": "chess960",
    "Result": "",
    "Termination": "",
}


def whole(low: int, high: int) -> Scalar:
    """Return the kind of a whole number; both ends are allowed."""

    def convert(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise ValueError
        return int(text)

    return Scalar(f"a whole number from {low} to {high}", convert)


def one_of(*allowed: str) -> Scalar:
    """Return the kind of one word of several; the nearest is offered for a wrong one."""

    def convert(text: str) -> str:
        if text in allowed:
            return text
        near = difflib.get_close_matches(text.lower(), allowed, n=1)
        raise ValueError(f"did you mean '{near[0]}'?" if near else "")

    return Scalar(f"{', '.join(allowed[:-1])} or {allowed[-1]}", convert)


def _yes_or_no(text: str) -> bool:
    if text.lower() in {"true", "yes", "on"}:
        return True
    if text.lower() in {"false", "no", "off"}:
        return False
    raise ValueError


def _date(text: str) -> str:
    parts = re.fullmatch(r"(\d{4})([-.])(\d\d|\?\?)\2(\d\d|\?\?)", text)
    if parts is None:
        raise ValueError
    year, _, month, day = parts.groups()
    numbers = [1 if part == "??" else int(part) for part in (year, month, day)]
    try:
        datetime.date(*numbers)
    except ValueError:
        raise ValueError("the calendar has no such day") from None
    return f"{year}.{month}.{day}"


def _time_control(text: str) -> str:
    try:
        parse_time_control(text)
    except TimeControlError as error:
        reason, _, _ = str(error).removeprefix(f'time control "{text}": ').partition(";")
        raise ValueError(reason) from None
    return text


def _refuse_tag(name: str) -> str:
    if not _TAG_NAME.fullmatch(name):
        return "a tag name is a capital letter, then letters, as all programs read it"
    if name not in _TAG_KEYS:
        return ""
    if instead := _TAG_KEYS[name]:
        return f"delete it here and use the key '{instead}'"
    return "delete it: the game decides it"


TEXT = Scalar("a text", str)
FOLDER = Scalar("a folder, relative to this file", Path)
FILE = Scalar("a file, relative to this one", Path)
YES_NO = Scalar("true or false", _yes_or_no)
DATE = Scalar("a date like 2026-11-20, unknown parts as ??", _date)
TIME_CONTROL = Scalar(
    "seconds+increment as 5400+30, stages as 40/5400+30:1800+30, or - without clocks",
    _time_control,
)
TAGS = Named(TEXT, "tag names with their texts", _refuse_tag)
RATING = whole(1, _LARGEST_RATING)
RULE_SET = one_of(*names())
