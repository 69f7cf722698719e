"""Time controls as the PGN tag TimeControl writes them (PGN specification of 1994, 9.6.1).

Fields stand in order of use, separated by ``:``; the last one repeats. Beyond the specification
three things of practice are understood: an increment on a field with a number of moves (TRF26,
tag 222: ``40/5400+30:1800+30``) and an armageddon game with a field for each colour (TRF26:
``W300-B240``).
"""

import re

import msgspec

from bridge.core.model import Colour

_FIELD = re.compile(r"(?:(\d+)/)?(\d+)(?:\+(\d+))?|\*(\d+)", re.ASCII)
_ARMAGEDDON = re.compile(r"W([^-]+)-B([^-]+)")


class TimeControlError(ValueError):
    """A text that is no time control; the message says which field and what was expected."""


class Period(msgspec.Struct, frozen=True):
    """``seconds`` for ``moves`` moves, or for the rest of the game where ``moves`` is ``None``.

    ``increment``: seconds added with each move. ``sandglass``: what one player uses the other
    one gets.
    """

    seconds: int
    moves: int | None = None
    increment: int = 0
    sandglass: bool = False

    def __str__(self) -> str:
        """Return the field of the tag."""
        if self.sandglass:
            return f"*{self.seconds}"
        moves = "" if self.moves is None else f"{self.moves}/"
        increment = f"+{self.increment}" if self.increment else ""
        return f"{moves}{self.seconds}{increment}"


class TimeControl(msgspec.Struct, frozen=True):
    """The periods of a game; none at all where it is played without a clock.

    ``black`` differs from ``None`` only where Black plays by other periods than White.
    """

    periods: tuple[Period, ...] = ()
    black: tuple[Period, ...] | None = None

    def periods_of(self, colour: Colour) -> tuple[Period, ...]:
        """Return the periods one side plays by."""
        return self.periods if colour == "white" or self.black is None else self.black

    def period_at(self, colour: Colour, move: int) -> Period | None:
        """Return the period in which a side makes its ``move``-th move, counted from 1.

        Counts moves only: a clock may go to its next period earlier, when a time runs out.
        """
        last = None
        for last in self.periods_of(colour):
            if last.moves is None or move <= last.moves:
                break
            move -= last.moves
        return last

    def increment_at(self, colour: Colour, move: int) -> int:
        """Return the seconds that a side gets with its ``move``-th move, 0 without a clock."""
        period = self.period_at(colour, move)
        return 0 if period is None else period.increment

    def __str__(self) -> str:
        """Return the value of the tag."""
        if not self.periods:
            return "-"
        white = ":".join(map(str, self.periods))
        return white if self.black is None else f"W{white}-B{':'.join(map(str, self.black))}"


def parse_time_control(text: str) -> TimeControl | None:
    """Read the value of a TimeControl tag; ``None`` for ``?``, which is unknown.

    Raises:
        TimeControlError: the text is none of the forms of the specification.

    >>> str(parse_time_control("40/5400+30:1800+30"))
    '40/5400+30:1800+30'
    """
    text = text.strip()
    if text == "?":
        return None
    if text == "-":
        return TimeControl()
    if armageddon := _ARMAGEDDON.fullmatch(text):
        white, black = (_periods(side, text) for side in armageddon.groups())
        return TimeControl(white, black)
    return TimeControl(_periods(text, text))


def pgn_time_control(text: str) -> str:
    """Return a time control as a PGN tag: ``?`` where PGN has no words for it.

    It has none for free text, and none for times that differ between the players (TRF26 has).

    >>> pgn_time_control("40/5400+30:1800+30"), pgn_time_control("W300-B240")
    ('40/5400+30:1800+30', '?')
    """
    try:
        control = parse_time_control(text)
    except TimeControlError:
        return "?"
    return "?" if control is None or control.black is not None else str(control)


def _periods(fields: str, text: str) -> tuple[Period, ...]:
    periods = tuple(_period(field, text) for field in fields.split(":"))
    for period in periods[:-1]:
        if period.moves is None:
            raise TimeControlError(f'time control "{text}": "{period}" can only stand last')
    return periods


def _period(field: str, text: str) -> Period:
    match = _FIELD.fullmatch(field)
    if match is None:
        raise TimeControlError(
            f'time control "{text}": "{field}" is not understood; write seconds, moves/seconds,'
            ' seconds+increment or *seconds, as in "40/5400+30:1800+30"'
        )
    moves, seconds, increment, sandglass = match.groups()
    if sandglass is not None:
        return Period(int(sandglass), sandglass=True)
    if moves is not None and int(moves) == 0:
        raise TimeControlError(f'time control "{text}": "{field}" is a period of no moves')
    return Period(int(seconds), None if moves is None else int(moves), int(increment or 0))
