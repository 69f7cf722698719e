"""How a link does, beside what it says."""

from bridge.core.model import LinkChange
from bridge.links.pulse import WINDOW, Pulse
from drivers.events import Battery, Event, Noise, Snapshot

EMPTY = "." * 64


def felt(*things: Event | LinkChange) -> tuple[Pulse, list[Event | LinkChange]]:
    passed: list[Event | LinkChange] = []
    pulse = Pulse("1", "board", passed.append)
    for thing in things:
        pulse(thing)
    return pulse, passed


def test_everything_is_passed_on() -> None:
    things = (
        LinkChange(state="live"),
        Snapshot(at=1.0, cells=EMPTY),
        Noise(at=2.0, data="ff", why="no message"),
    )
    assert tuple(felt(*things)[1]) == things


def test_a_link_that_has_not_spoken_is_known_to_be_silent() -> None:
    health = felt()[0].health(5.0)
    assert (health.table, health.device) == ("1", "board")
    assert (health.state, health.detail, health.silent, health.battery) == (None, "", None, None)


def test_state_silence_and_battery_are_the_last_ones() -> None:
    battery = Battery(at=3.0, percent=40, charging=True)
    pulse, _ = felt(
        Snapshot(at=1.0, cells=EMPTY),
        Battery(at=2.0, percent=41, charging=False),
        battery,
        LinkChange(state="stale", detail="nothing valid for 3 s"),
        Noise(at=6.0, data="ff", why="no message"),
    )
    health = pulse.health(7.0)
    assert (health.state, health.detail) == ("stale", "nothing valid for 3 s")
    assert (health.silent, health.battery) == (4.0, battery)


def test_a_time_that_has_not_come_yet_is_no_silence() -> None:
    assert felt(Snapshot(at=2.0, cells=EMPTY))[0].health(1.9).silent == 0.0


def test_noise_is_that_of_the_last_minute() -> None:
    pulse, _ = felt(
        Noise(at=0.5, data="ffff", why="no message"),
        Noise(at=0.9, data="ff ff ff", why="no message"),
        Noise(at=30.0, data="ff", why="no message"),
    )
    assert [pulse.health(at).noise for at in (31.0, WINDOW - 0.1, WINDOW + 1.0)] == [6, 6, 1]
    assert pulse.health(2.0 * WINDOW).noise == 0


def test_noise_without_end_takes_no_more_memory() -> None:
    pulse, _ = felt(*(Noise(at=n / 2, data="ff", why="no message") for n in range(1000)))
    assert pulse.health(499.5).noise == 2 * WINDOW
    assert len(pulse._noise) <= WINDOW + 1
