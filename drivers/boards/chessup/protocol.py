"""The frames of ChessUp boards, in both directions.

The first byte of a frame tells what it is and how long; there is no checksum, so a frame is
believed when its fields can be what they should be. Facts: a recorded game of a ChessUp 2, the
maker's own sample, and three open implementations.
"""

from collections.abc import Callable

import chess

from drivers.cells import START_CELLS
from drivers.events import EMPTY, UNNAMED
from drivers.framing import MORE

# Board to host.
MOVE = 0xA3
PROMOTION = 0x97
STATE = 0x67
TOUCHED = 0xB8
RELEASED = 0xBB
UNDONE = 0xBD
OCCUPANCY = 0xFD
AT_START = 0xB0
LOADED = 0xB1
CHARGING = 0x33
INFORMATION = 0xB2
ACKNOWLEDGEMENTS = (0x22, 0x23, 0x24)

LENGTHS: dict[int, int] = {
    MOVE: 6,
    PROMOTION: 2,
    STATE: 73,
    TOUCHED: 3,
    RELEASED: 1,
    UNDONE: 1,
    OCCUPANCY: 10,
    AT_START: 2,
    LOADED: 1,
    CHARGING: 2,
    INFORMATION: 16,
    **dict.fromkeys(ACKNOWLEDGEMENTS, 1),
}
"""Some implementations read a 17th byte behind the information; the two recorded had none."""

LONGEST = max(LENGTHS.values())

MOVE_MARK = 0x35
"""Second byte of a move; the same in all 90 recorded ones, so it is sent but not asked for."""

PIECE_CODES: dict[int, str] = {
    **dict(enumerate("PRNBQK")),
    **dict(enumerate("prnbqk", start=8)),
    0x40: EMPTY,
}
CODE_OF_PIECE: dict[str, int] = {letter: code for code, letter in PIECE_CODES.items()}
PROMOTED: dict[int, str] = {1: "r", 2: "n", 3: "b", 4: "q"}

# Host to board.
ASK_STATE = b"\x67"
ASK_INFORMATION = b"\xb2"
ASK_OCCUPANCY = b"\x50"
MOVE_SEEN = b"\x21"
PROMOTION_SEEN = b"\x23"
PLAY_OVER_THE_BOARD = bytes.fromhex("b9 05 00 01 00 00 01 00 00 00 00 00")
"""Mode 5 with two people: without it the board reports no move. It begins a new game."""

START_SQUARES = chess.Board().occupied
_MEN = 32


_POSSIBLE: dict[int, Callable[[bytes], bool]] = {
    MOVE: lambda frame: max(frame[2:]) < 8,
    PROMOTION: lambda frame: frame[1] in PROMOTED,
    STATE: lambda frame: PIECE_CODES.keys() >= set(frame[1:65]) and max(frame[65:70]) <= 1,
    TOUCHED: lambda frame: frame[1] < 64 and frame[2] in PIECE_CODES,
    OCCUPANCY: lambda frame: (
        frame[1] == OCCUPANCY and int.from_bytes(frame[2:]).bit_count() <= _MEN
    ),
    CHARGING: lambda frame: frame[1] <= 1,
}
"""Whether the fields of a frame can be what they should be."""


def measure(buffer: bytes) -> tuple[int, str]:
    """Say what stands at the beginning of *buffer*."""
    length = LENGTHS.get(buffer[0])
    if length is None:
        return 1, "no frame begins here"
    if len(buffer) < length:
        return MORE
    possible = _POSSIBLE.get(buffer[0])
    if possible is not None and not possible(buffer[:length]):
        return 1, "fields that cannot be"
    return length, ""


def squares_of(frame: bytes) -> tuple[chess.Square, chess.Square]:
    """Return from where to where the man of a move frame went."""
    from_file, from_rank, to_file, to_rank = frame[2:]
    return chess.square(from_file, from_rank), chess.square(to_file, to_rank)


def move_frame(move: chess.Move) -> bytes:
    """Return the frame that reports *move*, without what it promotes to."""
    squares = (move.from_square, move.to_square)
    where = [part(square) for square in squares for part in (chess.square_file, chess.square_rank)]
    return bytes((MOVE, MOVE_MARK, *where))


def letters_of(frame: bytes) -> str:
    """Return the 64 cells of a state frame; the board infers them from its game."""
    return "".join(PIECE_CODES[code] for code in frame[1:65])


def state_frame(board: chess.Board) -> bytes:
    """Return the frame that tells a game's position.

    How the square for a capture en passant is written is not known: it is told as absent.
    """
    pieces = [board.piece_at(square) for square in chess.SQUARES]
    letters = [piece.symbol() if piece else EMPTY for piece in pieces]
    rights = [
        has_right(colour)
        for colour in chess.COLORS
        for has_right in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    ]
    counts = board.halfmove_clock & 0xFF, board.fullmove_number & 0xFF
    codes = [CODE_OF_PIECE[letter] for letter in letters]
    return bytes((STATE, *codes, board.turn == chess.BLACK, *rights, 0, *counts))


def is_beginning(frame: bytes) -> bool:
    """Whether a state frame shows a game in which nobody has moved."""
    return letters_of(frame) == START_CELLS and frame[65] == 0


def occupied(frame: bytes) -> chess.Bitboard:
    """Return the occupied squares of an occupancy frame: rank 8 comes first, bit 0 is file a."""
    return int.from_bytes(frame[2:])


def occupancy_of(squares: chess.Bitboard) -> bytes:
    """Return the frame that tells these occupied squares."""
    return bytes((OCCUPANCY, OCCUPANCY)) + squares.to_bytes(8)


def sensed(cells: str, squares: chess.Bitboard) -> str:
    """Return *cells* with men on the occupied squares alone; one that was not there is ``?``."""
    return "".join(
        (letter if letter != EMPTY else UNNAMED) if squares >> square & 1 else EMPTY
        for square, letter in enumerate(cells)
    )
