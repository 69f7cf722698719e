"""The board's own log, tag by tag."""

import pytest

from drivers.boards.dgt.log import read_log


@pytest.mark.parametrize(
    ("hexadecimal", "entry"),
    [
        ("40 34", "e2 empty"),
        ("41 24", "e4 P"),
        ("5c 03", "d8 q (within 250 ms)"),
        ("4d 1b", "d5 1/2-1/2"),
        ("4e 1b", "d5 1-0"),
        ("4f 1b", "d5 0-1"),
        ("60 05 59", "right clock 0:05:59"),
        ("79 59 59", "left clock 9:59:59"),
        ("6a", "power-up"),
        ("6c", "pieces on the four outer rows"),
        ("6d", "empty board"),
        ("6e", "log read"),
        ("6f", "start position"),
        ("7a", "start position, board turned"),
        ("7b", "start of game"),
        ("7c", "board restarted itself"),
    ],
)
def test_a_tag_is_one_entry(hexadecimal: str, entry: str) -> None:
    assert read_log(bytes.fromhex(hexadecimal + "6b")) == ((entry,), True)


def test_fill_bytes_say_nothing() -> None:
    assert read_log(bytes.fromhex("00 7f 7f 7d 7e 6a 7f 6b")) == (("power-up",), True)


def test_nothing_behind_the_end_is_read() -> None:
    assert read_log(bytes.fromhex("6a 6b 6f")) == (("power-up",), True)


def test_the_ring_may_begin_inside_a_tag() -> None:
    assert read_log(bytes.fromhex("29 35 6f 6b")) == (("start position",), True)


def test_a_byte_that_begins_no_tag_is_told_where_it_stands() -> None:
    entries, complete = read_log(bytes.fromhex("6f 12 40 34 70 99 00 6b"))
    assert entries == (
        "start position",
        "unreadable 0x12",
        "e2 empty",
        "unreadable 0x70",
        "unreadable 0x99",
    )
    assert complete


def test_a_log_without_its_end_is_not_complete() -> None:
    assert read_log(bytes.fromhex("6f 40")) == (("start position", "unreadable 0x40"), False)
    assert read_log(b"") == ((), False)
