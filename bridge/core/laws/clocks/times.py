"""The two times of a clock, and words for them."""

from typing import NamedTuple

from bridge.core.model import Colour


def other(colour: Colour) -> Colour:
    """Return the opponent's colour."""
    return "black" if colour == "white" else "white"


class Times(NamedTuple):
    """Seconds of White and of Black: what they have left, or used, or shall get."""

    white: float
    black: float

    def of(self, colour: Colour) -> float:
        """Return the seconds of one side."""
        return self.white if colour == "white" else self.black

    def plus(self, colour: Colour, seconds: float) -> "Times":
        """Return the times with *seconds* more for one side."""
        if colour == "white":
            return self._replace(white=self.white + seconds)
        return self._replace(black=self.black + seconds)


def shown(seconds: float) -> str:
    """Return a time as a clock shows it, rounded down to whole seconds.

    >>> shown(3725), shown(95.7), shown(-60)
    ('1:02:05', '1:35', '-1:00')
    """
    sign = "-" if seconds < 0 else ""
    minutes, rest = divmod(int(abs(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02}:{rest:02}" if hours else f"{sign}{minutes}:{rest:02}"
