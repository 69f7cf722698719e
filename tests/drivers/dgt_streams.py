"""DGT messages built from their layouts, for tests of the codec."""

from drivers.boards.dgt.protocol import CODE_OF_PIECE, HEADER, Message, index_of_square

START_CELLS = "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr"


def message(message_id: int, payload: bytes) -> bytes:
    """Return a whole message with its length in two halves of seven bits."""
    length = HEADER + len(payload)
    return bytes([message_id, length >> 7, length & 0x7F]) + payload


def dump(cells: str) -> bytes:
    """Return the dump of a board that shows *cells* (a1 first)."""
    codes = [0] * 64
    for square, piece in enumerate(cells):
        codes[index_of_square(square)] = CODE_OF_PIECE[piece]
    return message(Message.BOARD_DUMP, bytes(codes))


E2_EMPTY = bytes.fromhex("8e00053400")
E4_PAWN = bytes.fromhex("8e00052401")
START = dump(START_CELLS)
SERIAL = message(Message.SERIALNR, b"12345")
NO_CLOCK = bytes.fromhex("8d000a00000000000020")
TICK = bytes.fromhex("8d000a20030220030109")
LOG = message(Message.EE_MOVES, bytes.fromhex("6f40345124712955 6b"))
EVERY_KIND = (
    START,
    E2_EMPTY,
    E4_PAWN,
    TICK,
    NO_CLOCK,
    LOG,
    SERIAL,
    message(Message.SERIALNR, b"00137 1.0"),
    message(Message.BUSADRES, b"\x08\x01"),
    message(Message.TRADEMARK, b"A board\r\n" * 20),
    message(Message.VERSION, b"\x03\x01"),
    message(Message.HARDWARE_VERSION, b"\x01\x00"),
    message(Message.BATTERY_STATUS, bytes([88, 1, 30, 1, 30, 0, 0, 0, 2])),
    message(Message.LONG_SERIALNR, b"3000147740"),
    message(Message.BOARD_DUMP_50W, bytes(50)),
    message(Message.PEGASUS_LOCK_STATE, b"\x00"),
)
WITHOUT_E2 = dump(START_CELLS[:12] + "." + START_CELLS[13:])
