"""What the boards are as USB devices."""

from drivers.boards.chessnut.protocol import REPORT_LENGTH
from testbed.virtual_usb import BOARD
from testbed.vm.gadget import Gadget

CHESSNUT = 0x2D80, 0x8001
DGT = 0x045B, 0x81FE


def chessnut(*, socket: int = 0) -> Gadget:
    """Return a USB HID device like a Chessnut board; one report is one packet here."""
    settings = {
        "report_length": str(REPORT_LENGTH).encode(),
        "report_desc": BOARD,
        "protocol": b"0",
        "subclass": b"0",
    }
    return Gadget("hid.board", ids=CHESSNUT, serial="CN123", settings=settings, socket=socket)


def dgt() -> Gadget:
    """Return a USB serial port like that of a DGT board."""
    return Gadget("acm.board", ids=DGT, serial="31234")
