"""The DGT3000 gateway: every message, which side runs, and a game timed by a clock of its own."""

import json

import pytest

from drivers.boards.dgt3000_gateway import Dgt3000Gateway
from drivers.boards.dgt3000_gateway.gateway import ASK_TIMES
from drivers.events import Button, ClockFault, ClockReading, Event, Noise, Notice, Side
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt3000_gateway import ClockGateway
from tests.clocks_apart import times_every_move
from tests.conversations import Conversation

FIVE_MINUTES = 300


def message(kind: str, **data: object) -> bytes:
    return json.dumps({"type": kind, "timestamp": 5, "data": data}, separators=(",", ":")).encode()


def update(left: int, right: int) -> bytes:
    parts: dict[str, object] = {}
    for side, seconds in (("left", left), ("right", right)):
        parts[f"{side}Hours"] = seconds // 3600
        parts[f"{side}Minutes"] = seconds // 60 % 60
        parts[f"{side}Seconds"] = seconds % 60
    return message("timeUpdate", **parts)


def lever(side: Side) -> bytes:
    return message("buttonEvent", button=f"lever_{side}", buttonCode=64, isRepeat=False)


def reading(events: list[Event]) -> tuple[int, int, bool, Side | None]:
    (event,) = events
    assert isinstance(event, ClockReading)
    return event.left_ms // 1000, event.right_ms // 1000, event.running, event.turn


@pytest.mark.usefixtures("unmeasured")
def test_blanks_are_no_noise_wherever_they_are_cut() -> None:
    said = b"- {" + b"- - " * 200 + update(300, 300)
    noise = []
    for cut in range(len(said)):
        codec = Dgt3000Gateway()
        told = codec.receive(said[:cut], at=1.0) + codec.receive(said[cut:], at=1.0)
        noise.append(" ".join(event.data for event in told if isinstance(event, Noise)))
    assert set(noise) == {noise[0]}
    assert noise[0].startswith("2d 7b")


def test_the_documented_answer_is_read() -> None:
    said = (
        b'{"type":"command_response","id":"7","status":"success","result":{"leftHours":0,'
        b'"leftMinutes":5,"leftSeconds":0,"rightHours":1,"rightMinutes":5,"rightSeconds":9}}'
    )
    assert Dgt3000Gateway().receive(said, at=1.0) == [
        ClockReading(at=1.0, left_ms=300_000, right_ms=3_909_000, running=False, turn=None)
    ]


def test_a_time_that_decreases_runs_until_it_stands() -> None:
    codec = Dgt3000Gateway()
    assert reading(codec.receive(update(300, 300), at=0.0)) == (300, 300, False, None)
    assert reading(codec.receive(update(299, 300), at=1.0)) == (299, 300, True, "left")
    assert reading(codec.receive(update(299, 300), at=3.0)) == (299, 300, True, "left")
    assert reading(codec.receive(update(299, 300), at=3.5)) == (299, 300, False, "left")
    assert reading(codec.receive(update(299, 298), at=9.0)) == (299, 298, True, "right")


def test_the_lever_says_whose_time_runs_before_it_decreases() -> None:
    codec = Dgt3000Gateway()
    codec.receive(update(300, 300), at=0.0)
    codec.receive(update(300, 299), at=1.0)
    assert codec.receive(lever("right"), at=1.5) == []
    assert codec.poll(at=1.5).data == ASK_TIMES
    assert reading(codec.receive(update(300, 301), at=1.6)) == (300, 301, True, "left")
    codec.receive(lever("left"), at=2.0)
    assert reading(codec.receive(update(300, 301), at=2.1)) == (300, 301, True, "right")


def test_a_clock_that_was_set_anew_does_not_run_by_that() -> None:
    codec = Dgt3000Gateway()
    codec.receive(update(300, 300), at=0.0)
    assert reading(codec.receive(update(180, 180), at=1.0)) == (180, 180, False, None)
    assert reading(codec.receive(update(5400, 5400), at=2.0)) == (5400, 5400, False, None)


def test_a_flag_falls_on_a_clock_that_has_run() -> None:
    codec = Dgt3000Gateway()
    (unset,) = codec.receive(update(0, 0), at=0.0)
    codec.receive(update(1, 20), at=1.0)
    (fallen,) = codec.receive(update(0, 20), at=2.0)
    assert isinstance(unset, ClockReading)
    assert isinstance(fallen, ClockReading)
    assert (unset.left_flag, fallen.left_flag, fallen.right_flag) == (False, True, False)


def test_buttons_troubles_and_the_loss_of_the_clock_are_told() -> None:
    codec = Dgt3000Gateway()
    failed = b'{"type":"command_response","status":"error","data":{"errorMessage":"no clock"}}'
    said = (
        message("buttonEvent", button="play_pause", buttonCode=4),
        message("connectionStatus", connected=False),
        message("connectionStatus", connected=True),
        failed,
        failed,
        message("error", errorCode=3),
        b'{"type":"command_response","status":"success"}',
        b"\r\n",
    )
    assert codec.receive(b"".join(said), at=1.0) == [
        Button(at=1.0, button="play_pause"),
        ClockFault(at=1.0, fault="absent", detail="the gateway does not reach the clock"),
        Notice(at=1.0, text="the clock's gateway: no clock"),
        Notice(at=1.0, text="the clock's gateway: no reason given"),
    ]


@pytest.mark.parametrize(
    "damaged",
    [
        b"hello",
        b"{]}",
        b'{"type":"timeUpdate"}',
        b'{"type":"news","data":{}}',
        update(300, 300).replace(b":5", b":61", 2),
        b'{"type":"buttonEvent","data":{"button":"lever_ri',
        b'{"a":"\xff"}',
    ],
)
def test_what_is_damaged_is_noise_and_the_next_is_understood(damaged: bytes) -> None:
    events = Dgt3000Gateway().receive(damaged + update(300, 300), at=1.0)
    assert isinstance(events[0], Noise)
    assert isinstance(events[-1], ClockReading)


def test_signs_in_a_text_end_no_object() -> None:
    said = message("buttonEvent", button='}\\"{')
    assert Dgt3000Gateway().receive(said, at=1.0) == [Button(at=1.0, button='}\\"{')]


# --- with the simulated gateway -------------------------------------------------------------------


def clock_link(increment: int = 0) -> tuple[ClockGateway, Conversation[ClockGateway]]:
    gateway = ClockGateway(Clock(TimeControl(base=FIVE_MINUTES, increment=increment)))
    return gateway, Conversation(Dgt3000Gateway(), gateway)


def readings(events: list[Event]) -> list[ClockReading]:
    return [event for event in events if isinstance(event, ClockReading)]


def test_a_clock_beside_a_board_times_every_move() -> None:
    gateway, times = clock_link(increment=3)
    times_every_move(times, gateway.clock)


@pytest.mark.parametrize("stop", [True, False])
def test_a_clock_is_known_to_run_or_stand(stop: bool) -> None:
    gateway, link = clock_link()
    gateway.clock.start(at=0.0)
    assert readings(link.go_on(10.0))[-1].running
    if stop:
        gateway.clock.stop(at=10.0)
    assert readings(link.go_on(20.0))[-1].running is not stop
    assert set(link.sent) == {ASK_TIMES}


def test_a_clock_that_is_unplugged_is_absent_until_it_is_back() -> None:
    gateway, link = clock_link()
    link.go_on(5.0)
    gateway.unplug(at=5.0)
    away = link.go_on(10.0)
    assert [type(event) for event in away] == [ClockFault, Notice]
    gateway.plug(at=10.0)
    assert readings(link.go_on(15.0))


def test_other_buttons_are_told() -> None:
    gateway, link = clock_link()
    link.go_on(1.0)
    gateway.button("plus", at=1.0)
    assert [e.button for e in link.go_on(2.0) if isinstance(e, Button)] == ["plus"]


def test_a_gateway_out_of_reach_hears_nothing() -> None:
    gateway, link = clock_link()
    gateway.faults.disconnected = True
    assert link.go_on(10.0) == []
    assert link.sent


def test_a_lever_that_moves_nothing_is_not_told() -> None:
    gateway, _ = clock_link()
    gateway.press("left", at=1.0)
    assert gateway.poll(at=2.0).data == b""
