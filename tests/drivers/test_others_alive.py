"""A healthy device on which nothing happens says something valid within its silence limit."""

from itertools import pairwise

import pytest

from drivers.catalogue import driver
from drivers.events import Noise, Notice
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt3000_gateway import ClockGateway
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.novag import CitrineUnit
from drivers.simulated.squareoff import SquareOffNeoBoard, SquareOffProBoard
from drivers.transports.simulated import Device
from tests.conversations import Conversation, ready

A_WHILE = 120.0
IDLE: dict[str, Device] = {
    "chessup": ready(ChessUpBoard()),
    "dgt3000_gateway": ClockGateway(Clock(TimeControl(base=300))),
    "ichessone": ready(IChessOneBoard()),
    "novag": ready(CitrineUnit(clock=Clock(TimeControl(base=300)))),
    "squareoff": ready(SquareOffProBoard()),
    "squareoff_neo": ready(SquareOffNeoBoard()),
}


@pytest.mark.parametrize(("name", "device"), IDLE.items(), ids=IDLE)
def test_an_idle_device_is_heard_in_time(name: str, device: Device) -> None:
    codec = driver(name)
    events = Conversation(codec(), device).go_on(A_WHILE)
    heard = [event.at for event in events if not isinstance(event, Noise | Notice)]
    gaps = [after - before for before, after in pairwise((0.0, *heard, A_WHILE))]
    assert max(gaps) < codec.info.silence_limit / 1.5
