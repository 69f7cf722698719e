"""What the boards are as USB devices."""

from testbed.vm.gadget import Gadget

DGT = 0x045B, 0x81FE


def dgt() -> Gadget:
    """Return a USB serial port like that of a DGT board."""
    return Gadget("acm.board", ids=DGT, serial="31234")
