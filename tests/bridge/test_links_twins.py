"""Boards that are seen twice, and boards that say the same number."""

import pytest

from bridge.links.probing import Found, NotABoard
from bridge.links.twins import once_each


def at(address: str, socket: str | None = None, serial: str | None = "30123") -> Found:
    return Found(address=address, driver="dgt", serial=serial, socket=socket)


def test_twins_are_told_apart() -> None:
    nobody = NotABoard(address="n", reason="none")
    first, other, second = once_each([at("a", "1-1"), nobody, at("b", "1-2")])
    assert other is nobody
    assert isinstance(first, Found)
    assert isinstance(second, Found)
    text = "has the same serial number as the board at {}: tell them apart by 'port'"
    assert (first.remarks, second.remarks) == (text.format("b"), text.format("a"))
    assert (first.twins, second.twins) == (("b",), ("a",))
    assert not at("a", "1-1").twins


@pytest.mark.parametrize("socket", [None, "1-1"])
def test_one_board_seen_over_two_ways_is_one(socket: str | None) -> None:
    (board,) = once_each([at("a", "1-1"), at("b", socket), at("b", socket)])
    assert isinstance(board, Found)
    assert board.remarks == "also at b"


def test_one_address_is_listed_once() -> None:
    assert once_each([at("a"), at("a")]) == [at("a")]


@pytest.mark.parametrize("serial", [None, "00000", "?????", "0 0"])
def test_boards_that_never_got_a_number_are_no_twins(serial: str | None) -> None:
    boards = [at("a", "1-1", serial), at("b", "1-2", serial)]
    assert once_each(boards) == boards
