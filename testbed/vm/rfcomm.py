"""A board on classic Bluetooth: two virtual adapters in reach of each other. Needs root.

``btvirt`` of Debian's ``bluez-test-tools`` plays both, the kernel does the rest.
"""

import asyncio
import os
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from drivers.transports.simulated import Device
from testbed.vm.carried import Carried
from testbed.vm.radio import MODULES

CHANNEL = 1
"""Of the serial port profile; DGT boards have theirs there."""


@contextmanager
def two_adapters() -> Iterator[str]:
    """Have adapters ``hci0`` and ``hci1``; yields the address of the second, the board's."""
    subprocess.run(["modprobe", "--all", *MODULES], check=True)
    players = subprocess.Popen(["btvirt", "-l2"], stdout=subprocess.DEVNULL)
    try:
        subprocess.run(["udevadm", "settle"], check=True)
        subprocess.run(["systemctl", "restart", "bluetooth"], check=True)
        for command in ("hci0 up", "hci1 up", "hci1 pscan"):
            subprocess.run(["hciconfig", *command.split()], check=True)
        told = subprocess.run(["hciconfig", "hci1"], check=True, capture_output=True, text=True)
        found = re.search(r"(?:[0-9A-F]{2}:){5}[0-9A-F]{2}", told.stdout)
        assert found, told.stdout
        yield found[0]
    finally:
        subprocess.run(["systemctl", "stop", "bluetooth"], check=True)
        players.terminate()
        players.wait()


class SerialPortProfile(Carried):
    """A board that takes one connection at a time, while it is switched on."""

    def __init__(self, address: str, device: Device) -> None:
        super().__init__(device)
        self._address = address
        self._door: socket.socket | None = None

    def switch_on(self) -> None:
        door = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_STREAM, socket.BTPROTO_RFCOMM)
        door.bind((self._address, CHANNEL))
        door.listen(1)
        door.setblocking(False)
        self._door = door
        asyncio.get_running_loop().add_reader(door, self._accept)

    def switch_off(self) -> None:
        """Go away, also in the middle of a message."""
        if self._door is not None:
            asyncio.get_running_loop().remove_reader(self._door)
            self._door.close()
            self._door = None
        if self.attached:
            os.close(self.detach())

    def close(self) -> None:
        self.switch_off()
        super().close()

    def _accept(self) -> None:
        assert self._door is not None
        connection, _ = self._door.accept()
        connection.setblocking(False)
        if self.attached:
            connection.close()
        else:
            self.attach(connection.detach())
