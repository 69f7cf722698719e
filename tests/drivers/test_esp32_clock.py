"""The hobby clock on an ESP32: both times at every press, and a game that is timed by them."""

import pytest

from drivers.boards.esp32_clock import Esp32Clock
from drivers.events import ClockReading, Event, Noise, Side
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.esp32_clock import PressClock
from tests.clocks_apart import times_every_move
from tests.conversations import Conversation


def pressed(player: int, left: int = 300, right: int = 300) -> bytes:
    return f'{{"player_moved":{player},"p1_time_sec":{left},"p2_time_sec":{right}}}'.encode()


def told(events: list[Event]) -> list[tuple[int, int, Side | None]]:
    readings = [event for event in events if isinstance(event, ClockReading)]
    assert len(readings) == len(events)
    assert all(one.running is (one.turn is not None) for one in readings)
    return [(one.left_ms // 1000, one.right_ms // 1000, one.turn) for one in readings]


def test_every_press_tells_both_times_and_whose_time_runs() -> None:
    codec = Esp32Clock()
    assert told(codec.receive(pressed(0), at=0.0)) == [(300, 300, None)]
    first = told(codec.receive(pressed(1, 295), at=5.0))
    assert first == [(295, 300, "left"), (295, 300, "right")]
    assert told(codec.receive(pressed(2, 295, 290), at=15.0)) == [(295, 290, "left")]


def test_a_press_that_was_not_heard_is_known_by_the_next() -> None:
    codec = Esp32Clock()
    codec.receive(pressed(1, 295), at=5.0)
    again = told(codec.receive(pressed(1, 280, 290), at=30.0))
    assert again == [(280, 290, "left"), (280, 290, "right")]


def test_a_side_without_time_has_lost_unless_the_clock_was_set_so() -> None:
    codec = Esp32Clock()
    (unset,) = codec.receive(pressed(0, 0, 0), at=0.0)
    fallen = codec.receive(pressed(2, 9, 0), at=9.0)[-1]
    assert isinstance(unset, ClockReading)
    assert isinstance(fallen, ClockReading)
    assert (unset.left_flag, fallen.left_flag, fallen.right_flag) == (False, False, True)


@pytest.mark.parametrize(
    "damaged",
    [
        b"hello",
        b"{]}",
        b'{"player_moved":1,"p1_time_sec":29',
        pressed(3),
        pressed(1, -5),
        pressed(1, 360_000),
        b'{"player_moved":1,"p1_time_sec":"295","p2_time_sec":300}',
        b'{"temperature":21}',
        b'{"a":"\xff"}',
    ],
)
def test_what_another_device_says_is_noise_and_the_next_press_is_understood(damaged: bytes) -> None:
    events = Esp32Clock().receive(damaged + b"\r\n" + pressed(0), at=1.0)
    assert all(isinstance(event, Noise) for event in events[:-1])
    assert len(events) > 1
    assert isinstance(events[-1], ClockReading)


def test_a_clock_beside_a_board_times_every_move() -> None:
    device = PressClock(Clock(TimeControl(base=300, increment=3)))
    clock = Conversation(Esp32Clock(), device)
    times_every_move(clock, device.clock)
    assert clock.sent == []
