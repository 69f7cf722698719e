"""Which link holds which board: by the device it is plugged into, and by its serial number."""

from pathlib import Path

from drivers.errors import PortBusyError


class Claims:
    """No board is served twice, also when it is seen under two names or over two ways.

    A claim is a word such as ``device /dev/ttyACM0`` or ``dgt 30123``; its holder is the name of
    a link. Serial numbers without a digit other than 0 are those of boards that never got one.
    """

    def __init__(self) -> None:
        self._holders: dict[str, str] = {}

    def take_port(self, holder: str, address: str) -> None:
        """Claim what *address* leads to now.

        Raises:
            PortBusyError: another link has it.
        """
        for word in _ports(address):
            self._take(holder, word, f"{address}: this port")

    def take_board(self, holder: str, driver: str, serial: str) -> None:
        """Claim the board that said it has this serial number.

        Raises:
            PortBusyError: another link has it: the board is connected twice.
        """
        if serial.strip("0 ?"):
            self._take(holder, f"{driver} {serial}", f"board {serial}")

    def port_holder(self, address: str) -> str | None:
        """Return who has this port, under its name or under what it leads to now."""
        holders = [self._holders[word] for word in _ports(address) if word in self._holders]
        return holders[0] if holders else None

    def board_holder(self, driver: str, serial: str) -> str | None:
        """Return who has the board with this serial number."""
        return self._holders.get(f"{driver} {serial}")

    def release(self, holder: str) -> None:
        """Give back everything *holder* has."""
        self._holders = {claim: who for claim, who in self._holders.items() if who != holder}

    def _take(self, holder: str, claim: str, what: str) -> None:
        first = self._holders.setdefault(claim, holder)
        if first != holder:
            raise PortBusyError(f"{what} is served by {first} already")


def _ports(address: str) -> list[str]:
    """Return the words for a port: its name, and what that leads to now.

    A port that is not there yet is known by its name alone, and keeps it when it appears.
    """
    kind, _, rest = address.partition(":")
    place = rest.partition("?")[0]
    if kind != "serial":
        return [f"{kind} {place}"]
    return list(dict.fromkeys((f"device {place}", f"device {Path(place).resolve()}")))
