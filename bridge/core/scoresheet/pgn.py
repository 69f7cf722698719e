"""PGN of a scoresheet, strict as the standard's export format asks.

Sources: PGN specification of 1994 (its sections are named where a rule comes from) and the
supplement of 2001 for ``%clk`` and ``%emt``. Times of moves nobody saw pressed carry
``[%clksrc estimated]``, a command of our own that readers pass over. A draw offered with a move
is ``(=)`` in its comment, the sign of the FIDE Laws (8.1.5 and Appendix C).

Illegal moves are not allowed in movetext, only in comments (8.2). So the moves end before an
illegal move that stands, or where moves are missing, and a comment holds all that follows.
"""

import re
import unicodedata
from collections.abc import Iterator

import chess

from bridge.core.scoresheet.plies import Ply
from bridge.core.scoresheet.record import Adoption, GameRecord
from bridge.core.timecontrol import (
    TimeControl,
    TimeControlError,
    parse_time_control,
    pgn_time_control,
)

LINE_LENGTH = 79
"""Longest line of movetext (4.3)."""
DRAW_OFFER = "(=)"
NOT_IN_MAIN_LINE = "Not in the main line:"
"""What begins the comment of all that cannot stand as moves."""
DECIDED = "The arbiter decided"
"""What begins the comment of a result that is none of PGN."""

_TAG_NAME = re.compile(r"[A-Z][A-Za-z]*", re.ASCII)
_UNPRINTABLE = {"Cc", "Cs", "Zl", "Zp"}
_NOT_IN_COMMENTS = str.maketrans("{}[]", "()()", "%")
"""What would end a comment or begin a command or an escaped line (5, 6), and what stands for it."""

SAID_BY_THE_GAME = {"FEN", "PlyCount", "Result", "SetUp", "Termination", "Variant"}
"""Tags that only the game itself may fill."""

TERMINATIONS = {
    "abandoned": "abandoned",
    "adjudication": "adjudication",
    "death": "death",
    "emergency": "emergency",
    "flag": "time forfeit",
    "illegal": "rules infraction",
    "infraction": "rules infraction",
    "time": "time forfeit",
}
"""How a game ended, as facts say it, to the standard's words (9.8.1); all others are normal."""


_RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}


def to_pgn(record: GameRecord, *, live: bool = False) -> str:
    """Return the game as PGN text, with an empty line after the tags and one at the end.

    ``live`` adds what is only true now: WhiteClock and BlackClock, each the last time known.
    """
    tags = "".join(f'[{name} "{escaped(value)}"]\n' for name, value in _tags(record, live=live))
    return f"{tags}\n{_wrapped(_movetext(record))}\n\n"


def is_tag_name(name: str) -> bool:
    """Say whether a tag of this name can be written.

    The standard knows digits and underscores too (8.1); Lichess accepts letters only (source:
    lichess-org/scalachess, format/pgn/Parser.scala).
    """
    return _TAG_NAME.fullmatch(name) is not None


# --- tags ---------------------------------------------------------------------------------------


def _tags(record: GameRecord, *, live: bool) -> Iterator[tuple[str, str]]:
    setup = record.setup
    roster = {
        "Event": setup.event,
        "Site": setup.site,
        "Date": setup.date,
        "Round": setup.round,
        "White": setup.white,
        "Black": setup.black,
        "Result": _result(record),
    }
    yield from roster.items()
    others = {
        name: value
        for name, value in setup.tags.items()
        if is_tag_name(name) and name not in SAID_BY_THE_GAME
    }
    others["TimeControl"] = pgn_time_control(setup.time_control)
    if setup.section:
        others["Section"] = setup.section  # 9.2.3; groups have boards of the same numbers
    others["Termination"] = _termination(record)
    others |= _position_tags(record)
    if setup.board is not None:
        others["Board"] = str(setup.board)
    if record.ended_by is not None:
        others["PlyCount"] = str(main_line_ends(record))
    if live:
        others |= _clock_tags(record)
    for name in sorted(others.keys() - roster.keys()):
        yield name, others[name]


def _termination(record: GameRecord) -> str:
    word = TERMINATIONS.get(record.ended_by or "", "normal")
    if record.result == "*" and word == "normal":
        return "unterminated"
    return word


def _position_tags(record: GameRecord) -> dict[str, str]:
    tags = {}
    if record.setup.chess960:
        tags["Variant"] = "Chess960"
    if record.setup.chess960 or record.fen != chess.STARTING_FEN:
        tags["SetUp"] = "1"
        tags["FEN"] = record.fen
    return tags


def _clock_tags(record: GameRecord) -> dict[str, str]:
    tags = {}
    for ply in record.plies:
        if ply.clk_ms is not None:
            tags[f"{ply.colour.capitalize()}Clock"] = clock_text(ply.clk_ms // 1000)
    return tags


def escaped(value: str) -> str:
    """Return a value that stands on one line between quotes; an empty one is unknown."""
    text = " ".join(printable(value).split()) or "?"
    return text.replace("\\", "\\\\").replace('"', '\\"')


def printable(text: str) -> str:
    """Return the text with spaces for what cannot be printed on one line."""
    return "".join(
        " " if unicodedata.category(letter) in _UNPRINTABLE else letter for letter in text
    )


# --- moves --------------------------------------------------------------------------------------


def main_line_ends(record: GameRecord) -> int:
    """Return how many plies from the first on are legal, each from the position before it."""
    breaks = [index for index, ply in enumerate(record.plies) if ply.stands]
    breaks += [adoption.ply for adoption in record.adoptions]
    return min(breaks, default=len(record.plies))


def _movetext(record: GameRecord) -> Iterator[str]:
    """Yield what must not be broken: a move with its number, a comment of commands, the result."""
    end = main_line_ends(record)
    must_number = True
    for ply, seconds in zip(record.plies[:end], used_seconds(record), strict=False):
        yield ply.numbered if must_number or ply.colour == "white" else ply.san
        comment = _comment(ply, seconds)
        if comment:
            yield comment
        must_number = bool(comment)
    if end < len(record.plies) or record.adoptions:
        words = printable(f"{NOT_IN_MAIN_LINE} {' '.join(_told(record, end))}").split()
        yield from f"{{{' '.join(words).translate(_NOT_IN_COMMENTS)}}}".split()
    if _result(record) != record.result:
        yield from f"{{{DECIDED} {record.result}.}}".split()
    yield _result(record)


def _result(record: GameRecord) -> str:
    """Return the result, or none where it is not one of those that PGN knows (8.1.1.7)."""
    return record.result if record.result in _RESULTS else "*"


def _told(record: GameRecord, end: int) -> Iterator[str]:
    """Yield in words what was played after the main line, with all that is known of it.

    Times are no commands here: those speak of the move before the comment.
    """
    adopted = {adoption.ply: adoption for adoption in record.adoptions}
    for count in range(end, len(record.plies) + 1):
        if count in adopted:
            yield _told_adoption(adopted[count])
        if count < len(record.plies):
            yield _told_ply(record.plies[count])


def _told_adoption(adoption: Adoption) -> str:
    return f"Moves are missing: {adoption.reason}. Play goes on from ({adoption.fen})."


def _told_ply(ply: Ply) -> str:
    text = ply.numbered
    if ply.clk_ms is not None:
        text += f" ({clock_text(ply.clk_ms // 1000)}{' estimated' if ply.estimated else ''})"
    if ply.draw_offer:
        text += f" {DRAW_OFFER}"
    if ply.stands:
        text += f" is illegal and stands. Play goes on from ({ply.fen_after})."
    return text


def _comment(ply: Ply, used: int | None) -> str:
    said = []
    if ply.clk_ms is not None:
        said.append(f"[%clk {clock_text(ply.clk_ms // 1000)}]")
        if ply.estimated:
            said.append("[%clksrc estimated]")
        if used is not None:
            said.append(f"[%emt {clock_text(used)}]")
    if ply.draw_offer:
        said.append(DRAW_OFFER)
    return f"{{{' '.join(said)}}}" if said else ""


def used_seconds(record: GameRecord) -> list[int | None]:
    """Return the time used for each ply, where both times and the increment are known.

    Seconds as shown, so that the text agrees with itself. The first move of a side has no time
    before it: whether the clock has added the first increment by then depends on the clock.
    """
    try:
        control = parse_time_control(record.setup.time_control)
    except TimeControlError:
        control = None
    if control is None:
        return [None] * len(record.plies)
    used: list[int | None] = []
    for index, ply in enumerate(record.plies):
        before = record.plies[index - 2] if index >= 2 else None
        used.append(_used(control, index // 2 + 1, before, ply))
    return used


def _used(control: TimeControl, move: int, before: Ply | None, ply: Ply) -> int | None:
    period = control.period_at(ply.colour, move)
    # A sand glass gave the mover what the opponent used: the times alone do not tell.
    if before is None or period is None or period.sandglass:
        return None
    if before.clk_ms is None or ply.clk_ms is None or before.estimated or ply.estimated:
        return None
    seconds = before.clk_ms // 1000 + period.increment - ply.clk_ms // 1000
    return seconds if seconds >= 0 else None


def clock_text(seconds: int) -> str:
    """Return a clock's time as hours, minutes and seconds: ``1:30:57``."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _wrapped(tokens: Iterator[str]) -> str:
    lines = [next(tokens)]
    for token in tokens:
        if len(lines[-1]) + 1 + len(token) <= LINE_LENGTH:
            lines[-1] += f" {token}"
        else:
            lines.append(token)
    return "\n".join(lines)
