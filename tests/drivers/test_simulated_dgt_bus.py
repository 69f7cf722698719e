"""The boards' side of a row: examples of the protocol, and what goes wrong on a shared wire."""

import chess
import pytest

from drivers.boards.dgt.bus_framing import EVERYBODY, BusFramer, Reply, bus_command
from drivers.boards.dgt.protocol import BusCommand, BusMessage, Command
from drivers.simulated.dgt import Mode
from drivers.simulated.dgt_bus import RESTART_TAKES, START_TAG_TAKES, DgtRow
from tests.drivers.dgt_streams import START
from tests.drivers.rows import still_board

PAWN = chess.Piece.from_symbol("P")


class Host:
    """Sends commands to a row and hears what comes back, in virtual time."""

    def __init__(self, *addresses: int, seed: int = 0) -> None:
        self.row = DgtRow([still_board(address) for address in addresses], seed=seed)
        self.at = 1.0
        self.row.poll(at=self.at)
        for address in addresses:
            self.asks(BusCommand.SEND_CHANGES, address)

    def sends(self, data: bytes, *, waits: float = 0.2) -> bytes:
        """Return what comes within some time after *data*."""
        self.row.wake()
        self.row.receive(data, at=self.at)
        end, said = self.at + waits, b""
        while self.at < end:
            self.at = min(self.at + 0.001, end)
            said += self.row.poll(at=self.at).data
        return said

    def asks(self, command: BusCommand, address: int = 1025, *, waits: float = 0.2) -> list[Reply]:
        pieces = BusFramer().feed(self.sends(bus_command(command, address), waits=waits), 0.0)
        return [piece for piece in pieces if isinstance(piece, Reply)]


def test_the_answers_of_one_board() -> None:
    host = Host(1025, 1026)
    assert host.sends(bytes.fromhex("8a080113")).hex() == "870006080116"
    assert host.asks(BusCommand.SEND_VERSION) == [Reply(BusMessage.VERSION, 1025, b"\x03\x01")]
    assert host.asks(BusCommand.SEND_BRD) == [Reply(BusMessage.BRD_DUMP, 1025, START[3:])]
    clock = bytes.fromhex("20050320050308")
    assert host.asks(BusCommand.SEND_CLK) == [Reply(BusMessage.BWTIME, 1025, clock)]
    assert host.sends(bus_command(BusCommand.SEND_CHANGES, 1025)).hex() == "850006080114"
    assert host.asks(BusCommand.SEND_CHANGES, 1030) == []
    assert host.sends(bytes.fromhex("83080100")) == b"", "a wrong checksum"
    assert host.asks(BusCommand.END_BUSMODE) == [], "rows never leave bus mode"


def test_changes_are_told_once_and_again_when_asked() -> None:
    host = Host(1025)
    board = host.row.boards[0].board
    board.lift(chess.E2, at=host.at)
    board.put(chess.E4, PAWN, at=host.at)
    host.sends(b"", waits=0.3)
    (told,) = host.asks(BusCommand.SEND_CHANGES)
    assert sorted(told.data[1::2]) == [0x24, 0x34]
    assert host.asks(BusCommand.REPEAT_CHANGES) == [told]
    assert host.asks(BusCommand.SEND_CHANGES) == [Reply(BusMessage.UPDATE, 1025, b"")]
    assert host.asks(BusCommand.REPEAT_CHANGES) == [Reply(BusMessage.UPDATE, 1025, b"")]


def test_a_start_tag_and_all_that_was_delivered_since() -> None:
    host = Host(1025)
    assert host.sends(bus_command(BusCommand.SET_START_GAME, 1025), waits=START_TAG_TAKES) == b""
    assert host.sends(b"").hex() == "880006080117"
    (before,) = host.asks(BusCommand.SEND_FROM_START)
    (changes,) = host.asks(BusCommand.SEND_CHANGES)
    (after,) = host.asks(BusCommand.SEND_FROM_START)
    assert before.data != after.data == changes.data
    assert (len(after.data), after.data[0]) == (65, 0x7B)


def test_a_ping_of_everybody_is_answered_once_by_those_who_heed_it() -> None:
    host = Host(1025, 1026, 1027)
    host.asks(BusCommand.IGNORE_NEXT_BUS_PING, 1026)
    answers = host.asks(BusCommand.PING, EVERYBODY, waits=1.3)
    assert sorted(reply.address for reply in answers) == [1025, 1027]
    assert len(host.asks(BusCommand.PING, EVERYBODY, waits=1.3)) == 3
    assert host.asks(BusCommand.SEND_CHANGES, EVERYBODY) == []


def test_answers_that_overlap_are_lost() -> None:
    host = Host(*range(1, 60), seed=3)
    answers = host.asks(BusCommand.PING, EVERYBODY, waits=1.3)
    assert host.row.collisions > 5
    assert len(answers) < 59 - host.row.collisions / 2
    assert len({reply.address for reply in answers}) == len(answers)


def test_what_is_left_of_a_longer_answer_follows_a_shorter_one() -> None:
    row = DgtRow([still_board(1)])
    row.poll(at=1.0)
    row._say(1.0, b"\x80\x01\x02\x03")
    row._say(1.002, b"\x90\x01\x02\x03\x04\x05")
    said = row.poll(at=1.1).data
    assert len(said) == 4 + 3, "what overlaps is heard once, and is neither"
    assert (said[0], said[-2:]) == (0x80, b"\x04\x05")
    row._say(2.0, b"\x80\x01\x02\x03")
    row._say(2.0, b"\x90")
    assert len(row.poll(at=2.1).data) == 4
    assert row.collisions == 2
    row._say(3.0, b"\x80")
    row._say(3.1, b"\x90")
    assert row.poll(at=3.2).data == b"\x80\x90"


def test_bytes_take_their_time() -> None:
    """4 bytes out and 70 back are 77 ms at 9600 baud."""
    host = Host(1025)
    command = bus_command(BusCommand.SEND_BRD, 1025)
    said = host.sends(command, waits=0.074)
    assert 0 < len(said) < 70
    assert len(said + host.sends(b"", waits=0.01)) == 70


def test_a_single_board_byte_throws_everybody_out_and_a_bus_command_brings_them_back() -> None:
    host = Host(1025, 1026)
    modes = [row_board.board for row_board in host.row.boards]
    said = host.sends(bytes([Command.SEND_UPDATE_NICE, Command.SEND_VERSION]))
    assert [board.mode for board in modes] == [Mode.UPDATE_NICE] * 2
    assert host.row.collisions >= 1
    assert said, "they answer all at once"
    assert host.asks(BusCommand.PING) == [], "the first one only brings them back"
    assert [board.mode for board in modes] == [Mode.BUS] * 2
    assert len(host.asks(BusCommand.PING)) == 1


def test_dead_boards_and_short_circuits() -> None:
    host = Host(1025, 1026)
    host.row.boards[0].dead = True
    assert host.asks(BusCommand.PING) == []
    assert len(host.asks(BusCommand.PING, 1026)) == 1
    host.row.short = True
    assert host.asks(BusCommand.PING, 1026) == []
    host.row.short = False
    host.row.boards[0].dead = False
    assert len(host.asks(BusCommand.PING)) == 1


@pytest.mark.parametrize("address", [1025, EVERYBODY])
def test_a_reset_is_like_a_power_cut(address: int) -> None:
    host = Host(1025)
    host.row.boards[0].board.lift(chess.E2, at=host.at)
    host.sends(b"", waits=0.3)
    assert host.asks(BusCommand.RESET, address) == []
    assert host.asks(BusCommand.PING) == []
    host.sends(b"", waits=RESTART_TAKES)
    (changes,) = host.asks(BusCommand.SEND_CHANGES)
    assert changes.data[:4].hex() == "7f7f7f6a"
    assert len(changes.data) == 4 + 2 * 31
