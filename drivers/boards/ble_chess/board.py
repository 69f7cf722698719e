"""The codec of one board that speaks the Chess Peripheral Protocol."""

import math
from collections.abc import Callable

import chess

from drivers.boards.ble_chess.protocol import (
    FROM_BOARD,
    LONGEST,
    MOVE,
    SERVICE,
    STREAM_FEATURES,
    TO_BOARD,
    after_move,
    cells_of,
    placement_of,
)
from drivers.cells import START_CELLS, can_show, promotes
from drivers.codec import Codec, DriverInfo, Fingerprint, GattSettings, Outgoing
from drivers.events import (
    UNKNOWN_CELLS,
    UNNAMED,
    UNNAMED_BLACK,
    UNNAMED_WHITE,
    UNREADABLE,
    BoardMove,
    Event,
    Noise,
    Notice,
    Snapshot,
)
from drivers.pacing import Pacer

PACE = 0.02
"""Seconds between two writes. None is asked for: the board acknowledges each."""

ANSWER_WITHIN = 3.0
"""Seconds after which a question is asked again."""

ALIVE_EVERY = 15.0
"""Seconds of silence after which the board is asked something that changes nothing."""

UPDATE_NEEDED = (
    "the board speaks an older form of the protocol: its firmware must be updated "
    "(ArduinoBleChess 0.3 or later)"
)
UNNAMED_MEN = (
    "the board does not name its men: it needs 'sensing: occupancy' in the configuration, or "
    "'sensing: colour' where it tells that"
)
DIFFERS = "the board says that what stands on it does not follow from the moves it has seen"
_VAGUE = {UNNAMED, UNNAMED_WHITE, UNNAMED_BLACK}
_ALIVE = "variant standard"
_BEGIN = "begin "
_OLD_WORDS = ("fen", "feature", "telluser")


class ChessPeripheral(Codec):
    """A board that tells what stands on it, and leaves judging to the host.

    We are a host that records what happens, legal or not: every move is acknowledged, and a
    promotion without a letter is answered with a queen, since the board wants to be told one.

    A round begins with a position, and the codec knows none but the start. So it begins with
    that. A board on which play is going on answers with what stands there; where it names all
    men, the round is begun again with that very position, so that the board has nothing to
    complain of to the players. Where it does not, it stays out of step with us, and tells every
    change all the same. When all men stand at the start again, the next round begins.

    A message has no end, so it must come in one piece, as notifications do: nothing is ever
    held back.
    """

    info = DriverInfo(
        name="cpp",
        title="Boards with the Chess Peripheral Protocol (ArduinoBleChess, OPENCHESSBOARD)",
        transports=("ble",),
        gatt=GattSettings(notify=(FROM_BOARD,), write=TO_BOARD, response=True, mtu=103),
        fingerprint=Fingerprint(ble_services=(SERVICE,)),
        sensing="identity",
        has_clock=False,
        longest_message=LONGEST,
        silence_limit=2 * ALIVE_EVERY + ANSWER_WITHIN,
        evidence="two sources",
        tested=("games by radio", "games in QEMU"),
        sources="published specification of June 2026; reference library of its author",
    )

    def __init__(self) -> None:
        self._pacer = Pacer(PACE)
        self._asked = ""
        self._ask_again_at = math.inf
        self._alive_at = math.inf
        self._streams = False
        self._round = ""
        """Where the round stands by the moves that were told; empty before it has begun."""
        self._moved = ""
        """The move that was told last in this round."""
        self._fresh = False
        """Whether no move was told since the round began at the start position."""
        self._cells = UNKNOWN_CELLS
        self._told: set[str] = set()
        self._words: dict[str, Callable[[str, float], list[Event] | None]] = {
            "ok": lambda _, at: self._answered(True, at),
            "nok": lambda _, at: self._answered(False, at),
            "sync": self._in_step,
            "unsync": self._out_of_step,
            "unsync_settable": self._out_of_step,
            "unsync_setible": self._out_of_step,  # up to 0.4 it was spelled so
            "state": self._state,
            "move": self._move,
            "err": _says,
            "msg": _says,
            "resign": lambda _, at: _says("resign", at),
            "draw_offer": lambda _, at: _says("draw offer", at),
            "undo_offer": lambda _, at: _says("undo offer", at),
            "moved": lambda *_: [],
        }

    @property
    def buffered(self) -> int:
        """Always 0: a message comes whole or is none."""
        return 0

    def greet(self, *, at: float) -> None:
        """Ask first that every change be told; then a round is begun."""
        self._ask(f"feature {STREAM_FEATURES[0]}", at)

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        """Return what one message says. Never raises."""
        text = data.decode("ascii", "replace").strip("\0\r\n ")
        word, _, rest = text.partition(" ")
        if word in _OLD_WORDS:
            return self._once(UPDATE_NEEDED, at)
        if word in self._words:
            events = self._words[word](rest, at)
            if events is not None:
                self._alive_at = at + ALIVE_EVERY
                return events
        elif word.isidentifier() and text.isascii():
            self._pacer.say(b"err unknown word")
        return [Noise(at=at, data=data.hex(" "), why="no message of the protocol")]

    def poll(self, *, at: float) -> Outgoing:
        """Return the message that is due, or when to ask again."""
        if at >= self._ask_again_at:
            self._ask(self._asked, at)
        elif at >= self._alive_at and not self._asked:
            self._ask(_ALIVE, at)
        data, wake_at = self._pacer.next(at)
        quiet_until = self._ask_again_at if self._asked else self._alive_at
        return Outgoing(data, wake_at if data else min(wake_at, quiet_until))

    def _ask(self, question: str, at: float) -> None:
        """Send what the board has to answer; it is asked one thing at a time."""
        self._asked = question
        self._ask_again_at = at + ANSWER_WITHIN
        self._pacer.say(question.encode("ascii"))

    def _begin(self, cells: str, at: float) -> None:
        self._round, self._moved = cells, ""
        self._fresh = cells == START_CELLS
        side = " w" if self._fresh else ""
        self._ask(f"{_BEGIN}{placement_of(cells)}{side}", at)

    def _answered(self, yes: bool, at: float) -> list[Event]:
        asked, self._asked = self._asked, ""
        word, _, subject = asked.partition(" ")
        if subject == STREAM_FEATURES[0] and not yes:
            self._ask(f"feature {STREAM_FEATURES[1]}", at)
        elif subject in STREAM_FEATURES:
            self._streams = yes
            self._ask("feature side", at)
        elif subject == "side":
            if yes:
                self._pacer.say(b"side ?")
            self._ask(_ALIVE, at)
        elif asked == _ALIVE and not self._round:
            if yes:
                self._pacer.say(b"set_variant standard")
            self._begin(START_CELLS, at)
        elif word == "begin":
            return self._not_begun(asked, yes, at)
        # What was told last still stands: every change of it would have been told.
        return [Snapshot(at=at, cells=self._cells)] if UNREADABLE not in self._cells else []

    def _not_begun(self, asked: str, yes: bool, at: float) -> list[Event]:
        if yes:  # late, and about something that was asked before
            self._asked = asked
            return []
        self._round = ""
        return self._once(UPDATE_NEEDED, at)

    def _in_step(self, position: str, at: float) -> list[Event] | None:
        cells = cells_of(position)
        if cells is None:
            return None
        self._begin_answered()
        self._moved = ""
        if not _VAGUE & set(cells):
            self._round = cells
        return self._show(cells, at)

    def _out_of_step(self, position: str, at: float) -> list[Event] | None:
        cells = cells_of(position)
        if cells is None:
            return None
        at_beginning, self._moved = self._begin_answered(), ""
        events = self._show(cells, at)
        if not at_beginning:
            events.append(Notice(at=at, text=DIFFERS))
        elif self._fresh and not _VAGUE & set(cells):
            self._begin(cells, at)
        return events

    def _begin_answered(self) -> bool:
        """Return whether that is the answer to the beginning of a round."""
        if not self._asked.startswith(_BEGIN):
            return False
        self._asked = ""
        return True

    def _state(self, position: str, at: float) -> list[Event] | None:
        cells = cells_of(position)
        return None if cells is None else self._show(cells, at)

    def _move(self, uci: str, at: float) -> list[Event] | None:
        if not MOVE.fullmatch(uci):
            return None
        if not self._round:
            return self._once(UPDATE_NEEDED, at)
        origin, target = chess.parse_square(uci[:2]), chess.parse_square(uci[2:4])
        asks = len(uci) == 4 and promotes(self._round, origin, target)
        self._pacer.say(f"promote {uci}q".encode() if asks else b"ok", first=True)
        if uci == self._moved:
            return []  # told again, since nobody moves from the same square twice running
        self._moved = uci
        self._round = after_move(self._round, uci)
        self._fresh = False
        events: list[Event] = [BoardMove(at=at, uci=uci, verdict="unjudged")]
        return events if self._streams else events + self._show(self._round, at)

    def _show(self, cells: str, at: float) -> list[Event]:
        """Tell what stands, and begin the next round where all men stand at the start."""
        self._cells = cells
        if self._round and not self._fresh and can_show(cells, START_CELLS):
            self._begin(START_CELLS, at)
        events: list[Event] = [Snapshot(at=at, cells=cells)]
        return events + self._once(UNNAMED_MEN, at) if _VAGUE & set(cells) else events

    def _once(self, text: str, at: float) -> list[Event]:
        if text in self._told:
            return []
        self._told.add(text)
        return [Notice(at=at, text=text)]


def _says(text: str, at: float) -> list[Event]:
    return [Notice(at=at, text=f"the board says: {text}")]
