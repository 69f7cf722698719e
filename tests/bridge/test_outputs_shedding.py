"""Clients that do not read go before they fill the memory, and others stay."""

import pytest

from bridge.outputs import shedding
from bridge.outputs.shedding import STUCK_AFTER, Shedder


class Line:
    """A connection for which so many bytes wait."""

    def __init__(self, size: int) -> None:
        self.size = size

    def get_write_buffer_size(self) -> int:
        return self.size

    def abort(self) -> None:
        self.size = 0


def test_who_takes_nothing_for_a_while_is_cut_off() -> None:
    shedder, deaf, slow, idle = Shedder(), Line(100), Line(100), Line(0)
    lines = [deaf, slow, idle]
    assert shedder.look(lines, 0.0) == []
    slow.size = 99
    assert shedder.look(lines, STUCK_AFTER - 1) == []
    deaf.size = 200  # more was sent, and nothing taken
    assert shedder.look(lines, STUCK_AFTER) == [deaf]


def test_who_takes_all_in_between_begins_anew() -> None:
    shedder, line = Shedder(), Line(100)
    shedder.look([line], 0.0)
    line.size = 0
    shedder.look([line], 10.0)
    line.size = 100
    assert shedder.look([line], 20.0) == []
    assert shedder.look([line], STUCK_AFTER + 10) == []
    assert shedder.look([line], STUCK_AFTER + 20) == [line]


def test_where_too_much_waits_those_with_most_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shedding, "MOST_WAITING", 250)
    shedder, lines = Shedder(), [Line(100), Line(180), Line(50), Line(90)]
    assert shedder.look(lines, 0.0) == [lines[1]]
    assert shedder.look([], 1.0) == []
