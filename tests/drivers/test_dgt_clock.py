"""What a clock's messages say when several follow each other."""

from drivers.boards.dgt import Dgt
from drivers.events import ClockFault, ClockReading, Event, Notice


def said(*messages: str) -> list[Event]:
    codec = Dgt()
    return [
        event
        for second, hexadecimal in enumerate(messages)
        for event in codec.receive(bytes.fromhex("8d000a" + hexadecimal), at=float(second))
    ]


NONE = "00000000000020"
NULL = "00000000000000"
TIME = "00300000300008"


def test_a_fault_that_goes_on_is_told_once() -> None:
    assert said(NONE, NONE, NONE) == [ClockFault(at=0.0, fault="absent")]


def test_a_clock_is_absent_whatever_the_times_say() -> None:
    assert said("0a790001304428") == [ClockFault(at=0.0, fault="absent")]


def test_another_fault_is_news_and_so_is_the_same_one_after_a_time() -> None:
    faults = said(NONE, NULL, NULL, TIME, NULL, "006a0000000008", "006b0000000008")
    assert [getattr(event, "fault", "time") for event in faults] == [
        "absent",
        "null",
        "time",
        "null",
        "invalid",
        "invalid",
    ]


def test_a_time_that_rises_is_passed_on() -> None:
    low, high = said("00000100000109", "09595909595909")
    assert isinstance(low, ClockReading)
    assert isinstance(high, ClockReading)
    assert low.left_ms == 1000
    assert high.left_ms == high.right_ms == (9 * 3600 + 59 * 60 + 59) * 1000


def test_the_lever_decides_and_a_contrary_hint_is_told_once() -> None:
    right, notice, left = said("0030000030000b", "00300000300011")
    assert isinstance(right, ClockReading)
    assert isinstance(left, ClockReading)
    assert (right.turn, left.turn) == ("right", "left")
    assert isinstance(notice, Notice)
    assert "0x0b" in notice.text


def test_a_status_without_a_hint_is_no_contradiction() -> None:
    assert [type(event) for event in said("00300000300001", "00300000300003")] == [
        ClockReading,
        ClockReading,
    ]
