"""USB devices that Linux itself plays, at sockets of its own (``dummy_hcd``): needs root."""

import os
import subprocess
import tty
from collections.abc import Mapping
from pathlib import Path

from drivers.transports.simulated import Device
from testbed.vm.carried import Carried

GADGETS = Path("/sys/kernel/config/usb_gadget")
SOCKETS = 2
_ENGLISH = "strings/0x409"


class Gadget:
    """A device with one function, such as ``hid.board`` or ``acm.board``, out of its socket.

    ``node`` is the device's own end of it, and exists while it is plugged in.
    """

    def __init__(
        self,
        function: str,
        *,
        ids: tuple[int, int],
        serial: str,
        settings: Mapping[str, bytes] | None = None,
        socket: int = 0,
    ) -> None:
        subprocess.run(["modprobe", "dummy_hcd", f"num={SOCKETS}"], check=True)
        subprocess.run(["modprobe", "libcomposite"], check=True)
        self._socket = f"dummy_udc.{socket}"
        self._folder = folder = GADGETS / f"board{socket}"
        self._function = folder / "functions" / function
        self._configuration = folder / "configs/c.1"
        for made in (folder, folder / _ENGLISH, self._function, self._configuration):
            made.mkdir()
        (folder / "idVendor").write_text(f"{ids[0]:#06x}")
        (folder / "idProduct").write_text(f"{ids[1]:#06x}")
        (folder / _ENGLISH / "manufacturer").write_text("Maker")
        (folder / _ENGLISH / "product").write_text("Chess board")
        (folder / _ENGLISH / "serialnumber").write_text(serial)
        for name, value in (settings or {}).items():
            (self._function / name).write_bytes(value)
        (self._configuration / function).symlink_to(self._function)

    @property
    def node(self) -> str:
        if self._function.name.startswith("acm."):
            return f"/dev/ttyGS{(self._function / 'port_num').read_text().strip()}"
        return "/dev/hidg" + (self._function / "dev").read_text().strip().partition(":")[2]

    def plug(self) -> None:
        (self._folder / "UDC").write_text(self._socket)

    def unplug(self) -> None:
        (self._folder / "UDC").write_text("\n")

    def __enter__(self) -> "Gadget":
        return self

    def __exit__(self, *_: object) -> None:
        """Take it apart; unplugged it must be before."""
        (self._configuration / self._function.name).unlink()
        for made in (self._configuration, self._function, self._folder / _ENGLISH, self._folder):
            made.rmdir()


class Plugged(Carried):
    """A simulated board in a gadget. It goes on whether it is plugged in or not."""

    def __init__(self, gadget: Gadget, device: Device, *, report: int = 0) -> None:
        super().__init__(device, report=report)
        self._gadget = gadget

    def plug(self) -> None:
        self._gadget.plug()
        fd = os.open(self._gadget.node, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        if os.isatty(fd):
            tty.setraw(fd)
        self.attach(fd)

    def unplug(self) -> None:
        """Leave the socket at once, also in the middle of a message."""
        fd = self.detach()
        self._gadget.unplug()
        # Before, a terminal would wait for the host to read what was written.
        os.close(fd)

    def close(self) -> None:
        """Leave the socket for good and let the board rest."""
        if self.attached:
            self.unplug()
        super().close()
