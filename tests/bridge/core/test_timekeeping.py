"""How often the players pressed between two readings of the clock."""

import chess
import pytest

from bridge.core.timekeeping import LAST_SEEN, ClockBook, Press
from drivers.events import ClockReading, Side

WHITE, BLACK = chess.WHITE, chess.BLACK


class Book(ClockBook):
    """A clock that is read once a second; White sits left, and each press adds *adds* seconds."""

    def __init__(self, adds: int = 10) -> None:
        super().__init__()
        self.white_side = "left"
        self.adds = adds
        self.at = 0.0
        self.left = self.right = 300

    def reads(
        self, left: int, right: int, turn: Side, *, run: bool = True, after: float = 1.0
    ) -> list[Press]:
        """Take a reading so many seconds *after* the last one, with the seconds of both sides."""
        self.at += after
        self.left, self.right = left, right
        reading = ClockReading(
            at=self.at, left_ms=left * 1000, right_ms=right * 1000, running=run, turn=turn
        )
        return [press for each in self.believed(reading) for press in self.take(each)]

    def presses_seen(self, count: int) -> "Book":
        """Let the players press in turn, White first; each press is told at once."""
        self.reads(self.left, self.right, "left")
        for number in range(count):
            if number % 2:
                self.reads(self.left, self.right + self.adds, "left", after=0.1)
            else:
                self.reads(self.left + self.adds, self.right, "right", after=0.1)
        return self


def who(presses: list[Press]) -> list[chess.Color]:
    return [press.colour for press in presses]


def test_three_presses_show_in_what_they_added() -> None:
    book = Book().presses_seen(2)
    presses = book.reads(book.left + 19, book.right + 10, "right")
    assert who(presses) == [WHITE, BLACK, WHITE]
    assert [press.estimated for press in presses] == [True, True, False]
    assert presses[-1].ms == book.left * 1000


def test_four_presses_show_in_what_they_added() -> None:
    book = Book().presses_seen(2)
    presses = book.reads(book.left + 19, book.right + 20, "left")
    assert who(presses) == [WHITE, BLACK, WHITE, BLACK]
    assert [press.first for press in presses] == [False] * 4


@pytest.mark.parametrize(
    ("adds", "left", "right", "turn", "presses"),
    [
        (2, 3, 2, "right", [WHITE, BLACK, WHITE]),
        (2, 1, 0, "right", [WHITE]),
        (10, 9, 10, "left", [WHITE, BLACK]),
        (10, 9, 0, "right", [WHITE]),
        (1, 1, 1, "right", [WHITE]),  # too little to be told from what is rounded off
        (10, 59, 50, "right", [WHITE]),  # so many presses take longer than a second
    ],
)
def test_what_the_times_tell(
    adds: int, left: int, right: int, turn: Side, presses: list[chess.Color]
) -> None:
    book = Book(adds).presses_seen(4)
    assert who(book.reads(book.left + left, book.right + right, turn)) == presses


@pytest.mark.parametrize("adds", [2, 3, 5, 30])
def test_the_increment_is_known_though_time_ran_before_every_press(adds: int) -> None:
    """A clock that is read once a second shows a second less, as each player used some of it."""
    book = Book(adds)
    book.reads(book.left, book.right, "left")
    for _ in range(4):
        book.reads(book.left + adds - 1, book.right, "right")
        book.reads(book.left, book.right + adds - 1, "left")
    presses = book.reads(book.left + adds, book.right + adds, "left", after=1.2)
    assert who(presses) == [WHITE, BLACK]


def test_a_second_that_a_press_adds_is_too_little_to_count_by() -> None:
    """Of some presses the whole second shows, though one has run since the reading before."""
    book = Book(1)
    book.reads(book.left, book.right, "left")
    for _ in range(3):
        book.reads(book.left + 1, book.right, "right")
        book.reads(book.left, book.right, "left")
        book.reads(book.left, book.right, "right")
        book.reads(book.left, book.right, "left")
    assert not book.shows_presses


def test_an_increment_is_learned_before_presses_are_counted_by_it() -> None:
    book = Book().presses_seen(1)
    assert who(book.reads(book.left + 10, book.right + 19, "left")) == [BLACK]


def test_time_given_while_the_clock_stands_tells_of_no_press() -> None:
    book = Book().presses_seen(4)
    book.reads(book.left, book.right, "left", run=False)
    assert book.reads(book.left, book.right + 20, "left") == []


def test_nobody_pressed_a_clock_that_stood_and_was_set_anew() -> None:
    book = Book().presses_seen(4)
    book.reads(66, 148, "left", run=False)
    book.reads(66, 148, "left", run=False)
    assert book.reads(300, 298, "right") == []
    assert who(book.reads(298, 301, "left")) == [BLACK]


def test_nobody_pressed_a_clock_that_ran_and_is_set_anew_and_stands() -> None:
    book = Book().presses_seen(4)
    book.reads(9, 240, "left")
    assert book.reads(182, 182, "right", run=False) == []
    assert book.reads(182, 182, "right", run=False) == []


def test_a_reading_from_before_a_press_that_is_told_after_it_turns_nothing_back() -> None:
    book = Book(adds=2).presses_seen(4)
    at, left, right = book.at, book.left, book.right

    def reads(after: float, left: int, right: int, turn: Side) -> list[Press]:
        reading = ClockReading(
            at=at + after, left_ms=left * 1000, right_ms=right * 1000, running=True, turn=turn
        )
        return [press for each in book.believed(reading) for press in book.take(each)]

    assert who(reads(2.0, left, right, "right")) == [WHITE]
    assert reads(2.01, left - 2, right, "left") == []
    assert reads(2.03, left - 2, right, "left") == []  # though it is told twice
    assert reads(2.2, left, right - 1, "right") == []
    assert who(reads(4.0, left, right, "left")) == [BLACK]


def test_another_game_may_have_another_increment() -> None:
    book = Book().presses_seen(4)
    book.forget()
    book.reads(300, 300, "left")
    assert who(book.reads(320, 309, "right")) == [WHITE]


def test_the_increment_is_that_of_the_last_presses() -> None:
    """The clock was set otherwise while nobody told that another game begins."""
    book = Book(5).presses_seen(6)
    book.adds = 2
    book.presses_seen(LAST_SEEN)
    book.at += 10.0
    presses = book.reads(book.left - 4, book.right + 1, "left")  # 11 s passed
    assert who(presses) == [WHITE, BLACK, WHITE, BLACK]
    assert [press.counted for press in presses] == [True] * 4


@pytest.mark.parametrize(
    ("learned", "seconds", "added", "counted"),
    [
        (2, 10.0, (1, 10), True),  # one press each in ten seconds
        (2, 10.0, (1, 14), False),  # a time was set
        (0, 10.0, (1, 10), False),  # the increment is not known
        (0, 1.0, (9, 10), True),  # there was no time for more
    ],
)
def test_presses_are_counted_where_the_increment_is_known_or_there_was_no_time(
    learned: int, seconds: float, added: tuple[int, int], counted: bool
) -> None:
    book = Book().presses_seen(learned)
    book.reads(book.left, book.right, "left")
    book.at += seconds - 1.0
    presses = book.reads(book.left + added[0], book.right + added[1], "left")
    assert [press.counted for press in presses] == [counted] * 2


def test_a_clock_has_run_no_longer_than_its_time_fell_though_a_reading_was_missed() -> None:
    book = Book()
    book.reads(300, 300, "left")
    book.at += 1.2
    book.reads(298, 300, "right")
    turned = book.at
    book.reads(298, 299, "left")
    assert not book.may_have_run_for(BLACK, turned - 1.1)
    assert book.may_have_run_for(BLACK, turned - 0.9)
    assert book.may_have_run_for(BLACK, turned + 0.5)


@pytest.mark.parametrize(
    ("left", "right", "run", "known"),
    [
        (299, 420, True, 420),  # two minutes are given, and the clock is started
        (300, 420, False, 420),
        (300, 415, True, 300),  # a clock may show so for a moment
        (300, 3900, False, 300),  # an hour is given to nobody
        (420, 420, False, 300),
    ],
)
def test_minutes_given_to_one_player_as_the_clock_stood_are_believed_at_once(
    *, left: int, right: int, run: bool, known: int
) -> None:
    book = Book()
    book.reads(300, 300, "left", run=False)
    assert book.reads(left, right, "left", run=run) == []
    assert book.remaining(BLACK) == known * 1000


def test_a_clock_that_runs_is_not_believed_to_show_more_minutes_at_once() -> None:
    book = Book()
    book.reads(300, 300, "left")
    book.reads(299, 420, "left")
    assert book.remaining(BLACK) == 300_000
