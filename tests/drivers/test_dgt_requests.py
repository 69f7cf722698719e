"""What is sent to a board, and when; time is a number here."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from drivers.boards.dgt import Dgt
from drivers.boards.dgt.protocol import LOG_LENGTH, Message
from drivers.codec import NOTHING
from drivers.errors import UnknownCommandError
from drivers.events import Event, Noise, Notice, Snapshot, SquareChange
from tests.drivers.dgt_streams import (
    E2_EMPTY,
    LOG,
    NO_CLOCK,
    SERIAL,
    START,
    TICK,
    WITHOUT_E2,
    dump,
    message,
)

Sent = list[tuple[float, str]]
Answers = dict[str, bytes]

READING = {"41", "42", "45", "46", "47", "49", "4b", "4c", "4d", "55"}
WORKING: Answers = {"41": NO_CLOCK, "42": START, "45": SERIAL}
GREETING = ["4b", "42", "45", "41", "4d", "55", "46", "47", "4b"]


class Line:
    """A codec at one end, a board that answers 50 ms later at the other."""

    def __init__(self, answers: Answers) -> None:
        self.codec = Dgt()
        self.answers = answers
        self.at = 0.0
        self.events: list[Event] = []

    def hears(self, data: bytes, at: float) -> None:
        self.at = at
        self.events += self.codec.receive(data, at=at)

    def sends(self, until: float) -> Sent:
        """Return what is sent before *until*, polling only when asked to or after input."""
        sent: Sent = []
        while True:
            data, wake_at = self.codec.poll(at=self.at)
            if data:
                assert len(data) == 1 or data[0] == 0x2B
                sent.append((round(self.at, 3), data.hex()))
            answer = self.answers.get(data.hex())
            if answer is not None:
                self.hears(answer, self.at + 0.05)
                continue
            assert wake_at > self.at
            if wake_at >= until:
                self.at = until
                return sent
            self.at = wake_at

    def codes(self, until: float) -> list[str]:
        return [code for _, code in self.sends(until)]


@pytest.fixture
def greeted() -> Callable[[Answers], Line]:
    def greet(answers: Answers) -> Line:
        line = Line(answers)
        line.codec.greet(at=0.0)
        line.sends(1.0)
        line.events.clear()
        return line

    return greet


def test_nothing_is_sent_before_the_greeting() -> None:
    codec = Dgt()
    assert codec.poll(at=0.0) == NOTHING
    codec.receive(TICK, at=0.0)
    codec.receive(TICK, at=100.0)
    assert codec.poll(at=200.0) == NOTHING


def test_the_greeting_is_paced() -> None:
    line = Line({})
    line.codec.greet(at=0.0)
    assert line.sends(1.0) == [(round(0.1 * n, 3), code) for n, code in enumerate(GREETING)]


def test_only_reading_commands_are_ever_sent_unasked(greeted: Callable[[Answers], Line]) -> None:
    for answers in ({}, WORKING, WORKING | {"42": START[:50] + b"\xff"}):
        assert set(greeted(answers).codes(120.0)) <= READING


def test_a_quiet_board_is_kept_alive_and_checked(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    sent = line.sends(31.5)
    times = [0.9, *(at for at, _ in sent)]
    assert max(b - a for a, b in pairwise(times)) < Dgt.info.silence_limit
    assert {code for _, code in sent} == {"41", "42", "45"}
    assert [at for at, code in sent if code == "42"] == [pytest.approx(30.15)]
    clock = [at for at, code in sent if code == "41"]
    assert all(b - a == pytest.approx(4.05) for a, b in pairwise(clock))


def test_proof_of_life_comes_within_the_silence_limit(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    line.sends(60.0)
    heard = [event.at for event in line.events]
    assert max(b - a for a, b in pairwise(heard)) < Dgt.info.silence_limit


def test_a_running_clock_needs_no_questions(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    sent: list[str] = []
    for second in range(2, 20):
        line.hears(TICK, float(second))
        sent += line.codes(second + 1.0)
    assert sent == []


def test_a_burst_of_changes_is_checked_once_it_has_ended(
    greeted: Callable[[Answers], Line],
) -> None:
    line = greeted(WORKING | {"42": WITHOUT_E2})
    sent: Sent = []
    for at in (1.1, 1.3, 1.5, 1.7):
        line.hears(E2_EMPTY, at)
        sent += line.sends(at + 0.2)
    assert sent == []
    assert line.sends(2.3) == [(2.0, "42")]


def test_endless_changes_are_still_checked(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    sent: Sent = []
    for tick in range(12, 400):
        line.hears(E2_EMPTY, tick / 10)
        sent += line.sends(tick / 10 + 0.1)
    assert [at for at, code in sent if code == "42"] == [pytest.approx(30.15)]


def test_a_change_while_a_dump_is_asked_for_is_checked_too(
    greeted: Callable[[Answers], Line],
) -> None:
    line = greeted({})
    line.sends(3.9)
    line.hears(START, 3.95)
    line.hears(E2_EMPTY, 4.2)
    (first,) = [at for at, code in line.sends(4.55) if code == "42"]
    assert first == pytest.approx(4.5)
    line.hears(E2_EMPTY, 4.6)
    line.hears(START, 4.7)
    assert [at for at, code in line.sends(5.0) if code == "42"] == [pytest.approx(4.9)]


def test_doubt_asks_for_a_dump(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    line.hears(b"\x8e\x00\xff", 1.5)
    assert isinstance(line.events[-1], Noise)
    assert line.sends(2.0) == [(1.8, "42")]
    assert isinstance(line.events[-1], Snapshot)


def test_an_answer_that_does_not_come_is_asked_for_again(
    greeted: Callable[[Answers], Line],
) -> None:
    line = greeted({"41": NO_CLOCK})
    line.hears(START, 1.0)
    line.hears(E2_EMPTY, 1.0)
    assert [at for at, code in line.sends(8.0) if code == "42"] == [
        pytest.approx(1.3),
        pytest.approx(4.3),
        pytest.approx(7.3),
    ]


def test_a_board_that_comes_back_is_told_to_report_again(
    greeted: Callable[[Answers], Line],
) -> None:
    line = greeted({})
    line.hears(TICK, 1.0)
    line.sends(9.0)
    line.answers = WORKING
    line.hears(SERIAL, 9.0)
    assert line.codes(9.4)[:3] == ["4b", "42", "41"]


def test_an_unreported_change_makes_the_board_report_again(
    greeted: Callable[[Answers], Line],
) -> None:
    line = greeted(WORKING)
    line.answers = WORKING | {"42": dump("." * 64)}
    line.hears(dump("." * 64), 1.5)
    assert isinstance(line.events[-1], Notice)
    assert line.codes(1.9) == ["4b", "42", "41"]
    assert isinstance(line.events[-1], Snapshot)


def test_a_dump_that_runs_ahead_of_the_reports_proves_nothing(
    greeted: Callable[[Answers], Line],
) -> None:
    line = greeted(WORKING | {"42": WITHOUT_E2})
    line.hears(E2_EMPTY, 1.5)
    line.hears(START, 1.6)
    assert isinstance(line.events[-1], Notice)
    assert line.codes(1.85) == ["42"]


def test_while_a_log_arrives_nothing_is_sent(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    line.codec.command("log")
    assert line.sends(1.5) == [(1.0, "49")]
    log = message(Message.EE_MOVES, bytes(LOG_LENGTH - 4) + b"\x6b")
    for begin in range(0, LOG_LENGTH - 96, 96):
        line.hears(log[begin : begin + 96], 1.5 + begin / 960)
        assert line.sends(line.at + 0.05) == []
    line.hears(log[-(LOG_LENGTH % 96 or 96) :], 9.9)
    assert line.events[-1].at == 9.9
    assert line.codes(10.5) == ["41", "42"]


def test_a_log_nobody_asked_for_is_waited_for_and_not_longer(
    greeted: Callable[[Answers], Line],
) -> None:
    line = greeted(WORKING)
    line.hears(message(Message.EE_MOVES, bytes(7936))[:50], 1.2)
    assert line.sends(16.0) == []
    assert line.sends(16.35)[0] == (16.2, "45")


def test_a_log_that_does_not_come_is_given_up(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    line.codec.command("log")
    assert line.sends(15.9) == [(1.0, "49")]
    assert line.sends(17.0)[0] == (16.0, "45")


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        *(("dump", "42"), ("clock", "41"), ("battery", "4c"), ("log", "49")),
        *(("beep", "2b04030b0400"), ("end clock display", "2b03030300")),
    ],
)
def test_what_may_be_asked(greeted: Callable[[Answers], Line], name: str, sent: str) -> None:
    line = greeted(WORKING)
    line.codec.command(name)
    line.codec.command(name)
    assert line.sends(1.2) == [(1.0, sent)]


@pytest.mark.parametrize("name", ["boot loader", "draughts", "leds", ""])
def test_harmful_commands_do_not_exist(name: str) -> None:
    with pytest.raises(UnknownCommandError, match="dump, clock, battery, log"):
        Dgt().command(name)


def test_one_clock_question_at_a_time(greeted: Callable[[Answers], Line]) -> None:
    line = greeted({})
    line.hears(TICK, 1.0)
    line.codec.command("clock")
    line.codec.command("end clock display")
    assert [code for code in line.codes(3.9) if code in ("41", "2b03030300")] == ["41"]
    line.hears(TICK, 3.9)
    assert "2b03030300" in line.codes(4.3)


def test_a_change_counts_as_life(greeted: Callable[[Answers], Line]) -> None:
    line = greeted(WORKING)
    line.hears(E2_EMPTY, 1.5)
    assert isinstance(line.events[-1], SquareChange)
    line.hears(LOG, 1.6)
    assert [code for at, code in line.sends(3.5) if code == "45"] == []
