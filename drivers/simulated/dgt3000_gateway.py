"""A DGT3000 behind its gateway: the gateway's side of the wire.

Messages in :mod:`drivers.boards.dgt3000_gateway.messages`. While a time runs an update comes with
every new second; that none comes while both stand is our guess. The clock may be pressed, stopped
and exchanged by whoever has it; the gateway looks at it whenever it is polled.
"""

import json
import math
from random import Random

from drivers.codec import Outgoing
from drivers.events import Side
from drivers.simulated.clock import Clock, Face, other
from drivers.simulated.line import Faults, Line

BAUD = 100_000
"""A radio carries about as much."""

LEVER_CODE = 64


class ClockGateway:
    """A gateway with *clock* on its cable; time is that of the caller."""

    def __init__(self, clock: Clock, *, faults: Faults | None = None, seed: int = 0) -> None:
        self.clock = clock
        self.faults = faults or Faults()
        self._line = Line(self.faults, Random(seed), baud=BAUD)
        self._told = clock.reading(at=0.0)
        self._connected = True

    def press(self, side: Side, *, at: float) -> None:
        """Press the lever on *side*."""
        self.advance(at=at)
        self.clock.press(side, at=at)
        self.advance(at=at)

    def button(self, name: str, *, at: float) -> None:
        """Press another button."""
        self._say("buttonEvent", at, {"button": name, "buttonCode": 1, "isRepeat": False})

    def unplug(self, *, at: float) -> None:
        """Pull the clock's cable out of the gateway."""
        self._connected = False
        self._say("connectionStatus", at, {"connected": False, "configured": False})

    def plug(self, *, at: float) -> None:
        """Put it back."""
        self._connected = True
        self._say("connectionStatus", at, {"connected": True, "configured": True})

    def receive(self, data: bytes, *, at: float) -> None:
        """Take one command."""
        self.advance(at=at)
        if self.faults.disconnected:
            return
        command = json.loads(data)
        answer: dict[str, object] = {"type": "command_response", "id": command.get("id", "")}
        if command.get("command") == "getTime" and self._connected:
            answer |= {"status": "success", "result": _times(self.clock.reading(at=at))}
        else:
            trouble = {"errorCode": 1, "errorMessage": "not possible now"}
            answer |= {"status": "error", "data": trouble}
        self._send(answer, at)

    def poll(self, *, at: float) -> Outgoing:
        """Go on to time *at*; return what was sent until then and when to poll again."""
        self.advance(at=at)
        data, line_at = self._line.poll(at=at)
        return Outgoing(data, min(line_at, self._changes_at(at)))

    def advance(self, *, at: float) -> None:
        """Tell the lever and the times if they have changed by time *at*."""
        face, told = self.clock.reading(at=at), self._told
        if not self._connected:
            return
        self._told = face
        if face.turn != told.turn:
            data = {"button": f"lever_{other(face.turn)}", "buttonCode": LEVER_CODE}
            self._say("buttonEvent", at, data | {"isRepeat": False, "repeatCount": 0})
        if _times(face) != _times(told):
            self._say("timeUpdate", at, _times(face))

    def _changes_at(self, at: float) -> float:
        return self.clock.next_change(at=at) if self._connected else math.inf

    def _say(self, kind: str, at: float, data: dict[str, object]) -> None:
        self._send({"type": kind, "timestamp": round(at * 1000), "data": data}, at)

    def _send(self, message: dict[str, object], at: float) -> None:
        self._line.send(json.dumps(message, separators=(",", ":")).encode(), at=at)


def _times(face: Face) -> dict[str, object]:
    sides = {"left": face.left_s, "right": face.right_s}
    return {
        f"{side}{unit}": value
        for side, seconds in sides.items()
        for unit, value in (
            ("Hours", seconds // 3600),
            ("Minutes", seconds // 60 % 60),
            ("Seconds", seconds % 60),
        )
    }
