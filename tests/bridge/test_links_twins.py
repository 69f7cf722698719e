"""Boards that are seen twice, and boards that say the same number."""

from pathlib import Path

import pytest

from bridge.links import claims
from bridge.links.discovery import refuse_twins
from bridge.links.probing import Found, NotABoard
from bridge.links.twins import once_each
from drivers.errors import PortBusyError


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


def test_twins_on_the_radio_are_told_apart() -> None:
    boards = once_each([at("ble:AA:BB:CC:00:00:01"), at("ble:AA:BB:CC:00:00:02"), at("a", "1-1")])
    first, second = boards
    assert isinstance(first, Found)
    assert isinstance(second, Found)
    assert first.twins == ("ble:AA:BB:CC:00:00:02",)
    assert second.twins == ("ble:AA:BB:CC:00:00:01",)
    assert first.also_at == ("a",), "which of the two has the cable nobody knows"
    assert once_each([at("ble:AA:BB:CC:00:00:01")] * 2) == [at("ble:AA:BB:CC:00:00:01")]


def test_twins_at_serial_ports_of_the_machine_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "TTYS", tmp_path)
    for port in ("ttyS0", "ttyS1"):
        (tmp_path / port / "device").mkdir(parents=True)
    first, second = once_each([at("serial:/dev/ttyS0"), at("serial:/dev/ttyS1")])
    assert isinstance(first, Found)
    assert isinstance(second, Found)
    assert (first.twins, second.twins) == (("serial:/dev/ttyS1",), ("serial:/dev/ttyS0",))


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


def test_a_table_is_given_no_board_that_has_a_twin() -> None:
    first = once_each([at("a", "1-1"), at("b", "1-2")])[0]
    assert isinstance(first, Found)
    refuse_twins(at("c", "1-3"), "30123")
    with pytest.raises(PortBusyError, match=r"boards at a and b say that they are 30123: write"):
        refuse_twins(first, "30123")
