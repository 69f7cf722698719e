"""The codec of one ChessUp board."""

import math
from collections.abc import Callable

import chess

from drivers import nordic_uart
from drivers.boards.chessup import protocol
from drivers.boards.chessup.protocol import (
    ASK_INFORMATION,
    ASK_OCCUPANCY,
    ASK_STATE,
    LONGEST,
    MOVE_SEEN,
    PLAY_OVER_THE_BOARD,
    PROMOTED,
    PROMOTION_SEEN,
)
from drivers.cells import moved, promotes
from drivers.codec import DriverInfo, Fingerprint, GattSettings, Outgoing
from drivers.events import (
    EMPTY,
    UNKNOWN_CELLS,
    UNNAMED,
    UNREADABLE,
    BoardMove,
    Event,
    Identity,
    Snapshot,
    Touch,
)
from drivers.framing import FramedCodec, Framer
from drivers.pacing import Pacer

PACE = 0.02
"""Seconds between two writes; no limit is published, one notification takes about as long."""

STATE_EVERY = 5.0
"""Seconds between two questions for the board's game: its squares are checked, and it is alive."""

OCCUPANCY_PATIENCE = 10.0
"""Seconds without sensed squares after which they are asked for again."""


class ChessUp(FramedCodec):
    """A ChessUp or ChessUp 2, which reports moves that are legal in its own game.

    An illegal move is never reported, so the sensed squares are asked for besides. A man who has
    not been lifted is called what the board's game says stands there; one who was put down is ``?``
    until that game goes on. Every move and every promotion is acknowledged each time it comes, and
    told once: what is not acknowledged is repeated until the board drops the link. The setting that
    begins a game, without which no move is reported, is sent only to a board on which nobody has
    moved, or on which all men stand where a game begins; so a link that comes back in the middle of
    a game leaves it alone.

    Its game always begins as usual, so other beginnings, Chess960 among them, can only be followed
    by occupancy (``sensing`` of the configuration).
    """

    info = DriverInfo(
        name="chessup",
        title="ChessUp, ChessUp 2",
        transports=("ble",),
        gatt=GattSettings(
            notify=(nordic_uart.NOTIFY,),
            write=nordic_uart.WRITE,
            mtu=247,
        ),
        fingerprint=Fingerprint(ble_names=("ChessUp*",), ble_services=(nordic_uart.SERVICE,)),
        sensing="judged moves",
        has_clock=False,
        longest_message=LONGEST,
        silence_limit=12.0,
        evidence="real captures",
        tested=("games by radio", "recordings"),
        sources="a recorded game of a ChessUp 2; the maker's sample; three open implementations",
    )
    commands = ("new game",)

    def __init__(self) -> None:
        super().__init__(Framer(protocol.measure, longest=LONGEST))
        self._pacer = Pacer(PACE)
        self._letters = UNKNOWN_CELLS
        self._cells = UNKNOWN_CELLS
        self._occupied: chess.Bitboard | None = None
        self._occupied_at = -math.inf
        self._senses_asked = False
        self._last = ""
        self._playing = False
        self._decoders: dict[int, Callable[[bytes, float], list[Event]]] = {
            protocol.MOVE: self._move,
            protocol.PROMOTION: self._promotion,
            protocol.STATE: self._state,
            protocol.OCCUPANCY: self._occupancy,
            protocol.UNDONE: self._undone,
            protocol.LOADED: self._loaded,
            protocol.TOUCHED: _touched,
            protocol.RELEASED: _released,
            protocol.INFORMATION: _information,
        }

    def greet(self, *, at: float) -> None:
        """Ask what the board's game is; what follows depends on that."""
        self._pacer.every(STATE_EVERY, ASK_STATE, at=at)
        self._pacer.say(ASK_INFORMATION)

    def poll(self, *, at: float) -> Outgoing:
        """Return what is due to be sent, acknowledgements first."""
        return self._pacer.next(at)

    def _decode(self, message: bytes, at: float) -> list[Event]:
        decode = self._decoders.get(message[0])
        return [] if decode is None else decode(message, at)

    def _command(self, _name: str) -> None:
        """Queue ``new game``: the board forgets its game and begins another."""
        self._begin()

    def _begin(self) -> None:
        self._playing = True
        self._pacer.say(PLAY_OVER_THE_BOARD)
        self._pacer.say(ASK_STATE)

    def _move(self, frame: bytes, at: float) -> list[Event]:
        self._pacer.say(MOVE_SEEN, first=True)
        origin, target = protocol.squares_of(frame)
        uci = chess.Move(origin, target).uci()
        if self._last.startswith(uci):
            return []
        self._last = uci
        if self._letters[origin] == EMPTY:
            self._pacer.say(ASK_STATE)  # its game went on unseen
        else:
            # What a pawn has become is told later.
            becomes = UNNAMED if promotes(self._letters, origin, target) else None
            self._name(moved(self._letters, origin, target, becomes=becomes))
        return [BoardMove(at=at, uci=uci, verdict="legal"), *self._shown(at)]

    def _promotion(self, frame: bytes, at: float) -> list[Event]:
        """Complete the move that came before it; its square holds the new man from now on."""
        self._pacer.say(PROMOTION_SEEN, first=True)
        if len(self._last) != len("e7e8"):
            return []
        letter = PROMOTED[frame[1]]
        square = chess.parse_square(self._last[2:])
        self._last += letter
        man = letter.upper() if square >= chess.A8 else letter
        self._name(self._letters[:square] + man + self._letters[square + 1 :])
        return [BoardMove(at=at, uci=self._last, verdict="legal"), *self._shown(at)]

    def _state(self, frame: bytes, at: float) -> list[Event]:
        letters = protocol.letters_of(frame)
        if letters != self._letters:
            self._last = ""  # the same move may be made again in another position
            self._name(letters)
        beginning = protocol.is_beginning(frame)
        if (beginning and not self._playing) or (
            not beginning and self._occupied == protocol.START_SQUARES
        ):
            self._begin()
        if not self._senses_asked or at - self._occupied_at > OCCUPANCY_PATIENCE:
            self._senses_asked = True  # squares that came unasked may be the last ones that come
            self._pacer.say(ASK_OCCUPANCY)
        return self._shown(at)

    def _occupancy(self, frame: bytes, at: float) -> list[Event]:
        known, self._occupied = self._occupied is not None, protocol.occupied(frame)
        self._occupied_at = at
        if known:
            self._cells = protocol.sensed(self._cells, self._occupied)
        else:
            self._name(self._letters)
        return self._shown(at)

    def _undone(self, frame: bytes, at: float) -> list[Event]:
        del frame  # it does not say which move
        self._last = ""
        self._pacer.say(ASK_STATE)
        return [BoardMove(at=at, uci="", verdict="undone")]

    def _loaded(self, frame: bytes, at: float) -> list[Event]:
        del frame, at
        self._last = ""
        self._pacer.say(ASK_STATE)
        return []

    def _name(self, letters: str) -> None:
        """Take over what the board's game says, of the squares on which men are sensed."""
        self._letters = self._cells = letters
        if self._occupied is not None:
            self._cells = protocol.sensed(letters, self._occupied)

    def _shown(self, at: float) -> list[Event]:
        return [] if UNREADABLE in self._letters else [Snapshot(at=at, cells=self._cells)]


def _touched(frame: bytes, at: float) -> list[Event]:
    return [Touch(at=at, square=frame[1])]


def _released(frame: bytes, at: float) -> list[Event]:
    del frame
    return [Touch(at=at, square=None)]


def _information(frame: bytes, at: float) -> list[Event]:
    """Bytes 2 to 4 are the version, 8 to 11 the serial number; how the maker writes it is unknown.

    The two boards that were recorded agree with one open implementation about that.
    """
    return [
        Identity(at=at, field="serial", value=frame[8:12].hex()),
        Identity(at=at, field="version", value=".".join(str(byte) for byte in frame[2:5])),
        Identity(at=at, field="hardware", value=str(frame[15])),
    ]
