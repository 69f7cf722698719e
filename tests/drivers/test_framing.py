"""Cutting a stream where only the family knows its messages, and pacing what is sent."""

import math

from drivers.codec import Outgoing
from drivers.events import Noise
from drivers.framing import MORE, Framer
from drivers.pacing import MOST_WAITING, Pacer


def measure(buffer: bytes) -> tuple[int, str]:
    """Messages are a capital letter, small ones, and a full stop."""
    if not buffer[:1].isupper():
        return 1, "no capital"
    end = buffer.find(b".")
    return (end + 1, "") if end > 0 else MORE


def framer(patience: float = math.inf, pause: float = math.inf) -> Framer:
    return Framer(measure, longest=6, patience=patience, pause=pause)


def test_messages_are_cut_and_what_is_none_is_told_once() -> None:
    assert framer().feed(b"Ab.xyzC.D", 1.0) == [
        b"Ab.",
        Noise(at=1.0, data="78 79 7a", why="no capital"),
        b"C.",
    ]


def test_noise_at_the_end_is_told_at_once() -> None:
    cut = framer()
    assert cut.feed(b"xy", 1.0) == [Noise(at=1.0, data="78 79", why="no capital")]
    assert len(cut) == 0


def test_what_is_longer_than_any_message_is_none() -> None:
    cut = framer()
    (noise,) = cut.feed(b"Abcdefgh", 1.0)
    assert isinstance(noise, Noise)
    assert noise.why == "longer than any message"
    assert len(cut) == 0


def test_what_is_not_completed_in_time_is_given_up() -> None:
    cut = framer(patience=1.0)
    assert cut.feed(b"Ab", 1.0) == []
    assert cut.feed(b"c.", 2.0) == [b"Abc."]
    assert cut.feed(b"Ab", 3.0) == []
    assert cut.feed(b"C.", 4.1) == [
        Noise(at=4.1, data="41 62", why="not completed in time"),
        b"C.",
    ]
    assert cut.feed(b"", 9.0) == []


def test_patience_begins_with_the_message() -> None:
    cut = framer(patience=1.0)
    assert cut.feed(b"A", 1.0) == []
    assert cut.feed(b".B", 2.0) == [b"A."]
    assert cut.feed(b".", 2.9) == [b"B."]


def test_a_pause_ends_a_message_however_long_it_may_take() -> None:
    cut = framer(pause=1.0)
    assert cut.feed(b"A", 1.0) == cut.feed(b"b", 2.0) == []
    assert cut.feed(b".", 3.0) == [b"Ab."]
    cut.feed(b"A", 4.0)
    (noise, message) = cut.feed(b"B.", 5.1)
    assert noise == Noise(at=5.1, data="41", why="not completed in time")
    assert message == b"B."


def test_nothing_is_sent_before_somebody_wants_it() -> None:
    assert Pacer(0.5).next(1.0) == Outgoing(b"", math.inf)


def test_messages_leave_one_by_one_and_not_too_fast() -> None:
    pacer = Pacer(0.5)
    for message in (b"a", b"b", b"a"):
        pacer.say(message)
    pacer.say(b"c", first=True)
    assert pacer.next(1.0) == Outgoing(b"c", 1.5)
    assert pacer.next(1.2) == Outgoing(b"", 1.5)
    assert pacer.next(1.5) == Outgoing(b"a", 2.0)
    assert pacer.next(2.0) == Outgoing(b"b", 2.5)
    assert pacer.next(2.5) == Outgoing(b"", math.inf)


def test_a_board_that_wants_an_answer_all_the_time_fills_no_memory() -> None:
    pacer = Pacer(0.0)
    pacer.say(b"last")
    for _ in range(MOST_WAITING):
        pacer.say(b"ok", first=True)
    pacer.say(b"too late")
    assert [pacer.next(0.0).data for _ in range(MOST_WAITING)] == [b"ok"] * MOST_WAITING
    assert pacer.next(0.0) == Outgoing(b"", math.inf)


def test_questions_fall_due_again_and_wait_for_what_is_queued() -> None:
    pacer = Pacer(0.5)
    pacer.every(2.0, b"how", at=1.0)
    pacer.every(5.0, b"who", at=1.0)
    assert pacer.next(0.0) == Outgoing(b"", 1.0)
    pacer.say(b"now")
    assert [pacer.next(at).data for at in (1.0, 1.5, 2.0, 2.5)] == [b"now", b"how", b"who", b""]
    assert pacer.next(2.6) == Outgoing(b"", 3.5)
    pacer.say(b"how")
    assert pacer.next(3.0).data == b"how"
    assert pacer.next(3.5) == Outgoing(b"", 5.0)
    pacer.no_more(b"how")
    pacer.no_more(b"never asked")
    assert pacer.next(5.0) == Outgoing(b"", 7.0)
