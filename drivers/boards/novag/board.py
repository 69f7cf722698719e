"""The codec of one Novag Citrine."""

from drivers.boards.novag import lines
from drivers.boards.novag.clock import Clock
from drivers.codec import DriverInfo, Fingerprint, LineSettings, Outgoing
from drivers.events import BoardMove, Event, Identity, Noise, Snapshot
from drivers.framing import FramedCodec, Framer
from drivers.pacing import Pacer

END_OF_LINE = b"\r\n"
IDENTIFY = b"I\r\n"
REPORT_MOVES = b"X ON\r\n"
REFEREE = b"U ON\r\n"
ASK_POSITION = b"P\r\n"
ASK_CLOCK = b"C\r\n"
NEW_GAME = b"N\r\n"

PACE = 0.15
"""Seconds between two commands: of those less than 0.1 s apart some are lost."""

PATIENCE = 1.0
"""Seconds in which a line has to be complete."""

CLOCK_EVERY = 1.0
POSITION_EVERY = 3.0
"""Times that stand tell nothing, so the position is what shows that the unit is alive."""
MODES_EVERY = 20.0
"""Seconds after which the modes are set again: a unit that lost its power forgot them."""


class Novag(FramedCodec):
    """A Citrine as referee: it checks moves, tells them, and does not play itself.

    Squares and moves are those of the unit's own game, so an illegal move is never seen. No
    command but the question for the times is sent before it has answered that: other boards
    take letters for commands, and this one harms none that is known.
    """

    info = DriverInfo(
        name="novag",
        title="Novag Citrine",
        transports=("serial",),
        line=LineSettings(baud=57600),
        fingerprint=Fingerprint(),
        sensing="judged moves",
        has_clock=True,
        longest_message=lines.LONGEST,
        silence_limit=8.0,
        evidence="two sources",
        tested=("games by serial",),
        sources="the maker's description; lines printed by users; one open implementation",
    )
    commands = ("new game",)

    def __init__(self) -> None:
        super().__init__(Framer(lines.measure, longest=lines.LONGEST, patience=PATIENCE))
        self._pacer = Pacer(PACE)
        self._position = lines.PositionReader()
        self._clock = Clock()
        self._white_seconds: int | None = None
        self._known = False

    def greet(self, *, at: float) -> None:
        """Ask for the times, after an end to what somebody else may have begun to say."""
        self._pacer.say(END_OF_LINE)
        self._pacer.every(CLOCK_EVERY, ASK_CLOCK, at=at)

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        """Return what the lines say that *data* completes."""
        events = super().receive(data, at=at)
        if self._known and any(isinstance(event, Noise) for event in events):
            self._pacer.say(ASK_POSITION)  # it may have been a move
        return events

    def poll(self, *, at: float) -> Outgoing:
        """Return the command that is due."""
        return self._pacer.next(at)

    def _command(self, _name: str) -> None:
        """Queue ``new game``: the unit forgets its game and begins another."""
        self._pacer.say(NEW_GAME)

    def _decode(self, message: bytes, at: float) -> list[Event]:
        line = message.decode("ascii").rstrip("\r\n")
        if self._position.takes(line):
            cells = self._position.whole()
            return [Snapshot(at=at, cells=cells)] if cells else []
        if move := lines.move_of(line):
            self._pacer.say(ASK_POSITION)
            undone, uci = move
            return [BoardMove(at=at, uci=uci, verdict="undone" if undone else "legal")]
        if line.strip() == "New Game":
            self._pacer.say(ASK_POSITION)
            return []
        if name := lines.identity_of(line):
            return [Identity(at=at, field="version", value=name)]
        if times := lines.seconds_of(line):
            return self._times(line, times, at)
        if not line.strip():
            return []
        return [Noise(at=at, data=message.hex(" "), why="no such line")]

    def _begin(self, at: float) -> None:
        if not self._known:
            self._known = True
            self._pacer.say(IDENTIFY)
            self._pacer.every(MODES_EVERY, REPORT_MOVES, at=at)
            self._pacer.every(MODES_EVERY, REFEREE, at=at)
            self._pacer.every(POSITION_EVERY, ASK_POSITION, at=at)

    def _times(self, line: str, times: list[int], at: float) -> list[Event]:
        """Take White's and Black's time, which come in one line or in two."""
        if line.startswith("Clock"):
            self._white_seconds = times.pop(0)
        if self._white_seconds is None or not times:
            return []
        white, self._white_seconds = self._white_seconds, None
        self._begin(at)
        return self._clock.take(white, times[0], at=at)
