"""Which link holds which board: by the device it is plugged into, and by its serial number."""

import re
from collections import defaultdict
from pathlib import Path

from drivers.errors import PortBusyError

TTYS = Path("/sys/class/tty")
_SOCKET = re.compile(r"\d+-\d+(\.\d+)*")
_BUILT_IN = re.compile(r"tty(S|AMA)\d+")
_RADIO_ADDRESS = re.compile(r"[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}")
Place = tuple[str, str]


class Claims:
    """No board is served twice, also when it is seen under two names or over two ways.

    A claim is a word such as ``device /dev/ttyACM0`` or ``dgt 30123``; its holder is the name of
    a link. Serial numbers without a digit other than 0 are those of boards that never got one, and
    boards in two USB sockets, at two serial ports of the machine itself, or with two Bluetooth
    addresses, are two, whatever number they say.
    """

    def __init__(self) -> None:
        self._holders: dict[str, str] = {}
        self._held: defaultdict[str, set[str]] = defaultdict(set)
        self._places: dict[str, Place | None] = {}

    def take_port(self, holder: str, address: str) -> None:
        """Claim what *address* leads to now.

        Raises:
            PortBusyError: another link has it.
        """
        device = _device(address)
        for word in _ports(address, device):
            self._take(holder, word, f"{address}: this port")
        self._places[holder] = _place(address, device)

    def take_board(self, holder: str, driver: str, serial: str) -> bool:
        """Claim the board that said it has this serial number; return whether another says so too.

        Raises:
            PortBusyError: another link has it: the board is connected twice.
        """
        if not tells_boards_apart(serial):
            return False
        claim = f"{driver} {serial}"
        first = self._holders.get(claim, holder)
        here, there = self._places.get(holder), self._places.get(first)
        if first != holder and here and there and here[0] == there[0] and here != there:
            claim += f" in {here[0]} {here[1]}"
        self._take(holder, claim, f"board {serial}")
        return first != holder

    def port_holder(self, address: str) -> str | None:
        """Return who has this port, under its name or under what it leads to now."""
        words = _ports(address, _device(address))
        holders = [self._holders[word] for word in words if word in self._holders]
        return holders[0] if holders else None

    def board_holder(self, driver: str, serial: str) -> str | None:
        """Return who has the board with this serial number."""
        return self._holders.get(f"{driver} {serial}")

    def release(self, holder: str) -> None:
        """Give back everything *holder* has."""
        for claim in self._held.pop(holder, ()):
            del self._holders[claim]
        self._places.pop(holder, None)

    def _take(self, holder: str, claim: str, what: str) -> None:
        first = self._holders.setdefault(claim, holder)
        if first != holder:
            raise PortBusyError(f"{what} is served by {first} already")
        self._held[holder].add(claim)


def tells_boards_apart(serial: str) -> bool:
    """Whether *serial* is a number of its own; boards that never got one say zeros."""
    return bool(serial.strip("0 ?"))


def _device(address: str) -> Path | None:
    """Return what a serial port's name leads to now; hundreds of links may ask at once."""
    kind, _, rest = address.partition(":")
    return Path(rest.partition("?")[0]).resolve() if kind == "serial" else None


def _ports(address: str, device: Path | None) -> list[str]:
    """Return the words for a port: its name, and the *device* that it leads to now.

    A port that is not there yet is known by its name alone, and keeps it when it appears.
    """
    kind, _, rest = address.partition(":")
    place = rest.partition("?")[0]
    if device is None:
        return [f"{kind} {place}"]
    return list(dict.fromkeys((f"device {place}", f"device {device}")))


def place_of(address: str) -> Place | None:
    """Return what tells the board at *address* from others that are reached in the same way.

    That is the USB socket that it is in now, as Linux names it (``1-1.4``), a serial port of the
    machine itself, or where it is on the radio.
    """
    return _place(address, _device(address))


def _place(address: str, device: Path | None) -> Place | None:
    kind, _, rest = address.partition(":")
    place = rest.partition("?")[0]
    if kind == "ble":
        return ("radio", place.upper()) if _RADIO_ADDRESS.fullmatch(place) else None
    if device is not None:
        return _place_of_tty(device.name)
    return ("socket", place) if kind == "usb" and _SOCKET.fullmatch(place) else None


def _place_of_tty(name: str) -> Place | None:
    device = TTYS / name / "device"
    sockets = [part for part in device.resolve().parts if _SOCKET.fullmatch(part)]
    if sockets:
        return "socket", sockets[-1]
    return ("port", name) if _BUILT_IN.fullmatch(name) and device.exists() else None
