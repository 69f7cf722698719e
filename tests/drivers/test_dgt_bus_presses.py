"""Presses that a board of a row writes down before it has read every square of the move."""

import pytest

from drivers.boards.dgt import DgtBus
from drivers.boards.dgt.bus_presses import HELD
from drivers.events import ClockReading, Event, SquareChange
from tests.drivers.test_dgt_bus import DUMP, NO_CHANGES, PING, STOPPED, changes

PRESS = "71 29 55"
"""The left side, White, has stopped at 1:29:55."""

SLIDES = "40 3d 44 2b"
"""A white bishop is lifted from f1 and read on d3."""
GOES_ON = "54 22 50 2b"
"""Quickly, one behind the other: it is read on c4, and d3 is empty."""


@pytest.fixture
def codec() -> DgtBus:
    codec = DgtBus()
    codec.receive(PING + DUMP + STOPPED + NO_CHANGES, at=1.0)
    return codec


def in_words(events: list[Event]) -> str:
    words = []
    for event in events:
        match event:
            case SquareChange(square=square, piece=piece):
                words.append(f"{'abcdefgh'[square % 8]}{square // 8 + 1}{piece}")
            case ClockReading():
                words.append("press")
            case _:
                pass
    return " ".join(words)


def told(codec: DgtBus, tags: str, at: float, seconds: float) -> str:
    """What follows from a packet of changes in the *seconds* behind it, as long as none comes."""
    events = codec.receive(changes(tags), at=at)
    for step in range(1, int(seconds / 0.05)):
        events += codec.receive(b"", at=at + 0.05 * step)
    return in_words(events)


@pytest.mark.parametrize(
    ("tags", "words"),
    [
        (f"{SLIDES} {PRESS} {GOES_ON}", "f1. d3B c4B d3. press"),
        # A man in the air, of whoever: a knight takes on e7.
        (f"40 3e 40 0c {PRESS} 53 0c", "g1. e7. e7N press"),
        # A man that was in the air for long, and one that rested where it slid on.
        (f"40 34 {PRESS} 41 24", "e2. e4P press"),
        (f"40 34 41 2c {PRESS} 41 24 50 2c", "e2. e3P e4P e3. press"),
        (f"40 34 41 2c {PRESS} 40 2c 51 24", "e2. e3P e3. e4P press"),
        # The opponent takes the man that was put down: in passing, and where it stands.
        (f"40 34 41 24 {PRESS} 50 24 57 2c", "e2. e4P press e4. e3p"),
        (f"40 34 41 24 {PRESS} 50 24 40 0c", "e2. e4P press e4. e7."),
        (f"40 34 41 24 {PRESS} 50 24", "e2. e4P press e4."),
        # With men of both in the air nobody knows who moved, but for what comes quickly.
        (f"40 3e 40 0c {PRESS} 43 0c", "g1. e7. press e7N"),
        # A man of the kind that was taken may be the opponent's next one.
        (f"40 3e 40 0c 43 0c {PRESS} 47 1c", "g1. e7. e7N press e5p"),
        # The opponent's men, however quick, and what comes behind them.
        (f"40 34 41 24 {PRESS} 50 0c 51 1c", "e2. e4P press e7. e5P"),
        # A change of the mover's men that did not come quickly: he adjusts one.
        (f"40 34 41 24 {PRESS} 40 3e 43 3e", "e2. e4P press g1. g1N"),
        # Nothing is known of who moved.
        (f"{PRESS} 50 0c", "press e7."),
    ],
)
def test_what_was_read_late_is_told_before_the_press(codec: DgtBus, tags: str, words: str) -> None:
    events = codec.receive(changes(tags), at=2.0)
    for step in range(1, 30):
        events += codec.receive(NO_CHANGES if step == 8 else b"", at=2.0 + 0.05 * step)
    assert in_words(events) == words


def test_a_press_that_comes_last_waits_for_the_next_visit(codec: DgtBus) -> None:
    assert told(codec, f"{SLIDES} {PRESS}", 2.0, 0.5) == "f1. d3B"
    assert told(codec, GOES_ON, 2.5, 0.5) == "c4B d3. press"


def test_a_visit_before_all_squares_were_read_is_not_enough(codec: DgtBus) -> None:
    assert told(codec, f"{SLIDES} {PRESS}", 2.0, 0.2) == "f1. d3B"
    assert in_words(codec.receive(NO_CHANGES, at=2.2)) == ""
    assert told(codec, GOES_ON, 2.4, 0.5) == "c4B d3. press"


def test_it_waits_no_longer_than_for_a_visit_without_news(codec: DgtBus) -> None:
    assert told(codec, f"40 34 41 24 {PRESS}", 2.0, 0.4) == "e2. e4P"
    assert in_words(codec.receive(NO_CHANGES, at=2.4)) == "press"


def test_it_waits_not_for_ever_where_no_visit_comes(codec: DgtBus) -> None:
    assert told(codec, f"{SLIDES} {PRESS}", 2.0, HELD + 0.1) == "f1. d3B press"
    assert told(codec, GOES_ON, 3.2, 0.5) == "c4B d3."
