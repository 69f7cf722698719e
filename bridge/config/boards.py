"""Which board stands on a table, and how it is reached."""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from bridge.config.kinds import one_of
from bridge.config.schema import Scalar, key
from bridge.core.model import Sensing
from drivers.errors import UnknownDriverError

ANY_PORT = "auto"
"""The port of a table whose board is found by asking all of them."""

_ADDRESS = re.compile(r"serial:/.+|tcp:[^\s/]+:[0-9]{1,5}|replay:.+")


def _port(text: str) -> str:
    """Return the transport's address, so that one port has one spelling."""
    address = f"serial:{text}" if text.startswith("/") else text
    if text == ANY_PORT or _ADDRESS.fullmatch(address):
        return address
    raise ValueError


@cache
def _driver(text: str) -> str:
    from drivers.catalogue import driver  # loads all of them

    try:
        driver(text)
    except UnknownDriverError as error:
        _, _, hint = str(error).partition("; ")
        raise ValueError(hint) from None
    return text


@cache
def _driver_tells(name: str) -> Sensing:
    from drivers.catalogue import driver  # loads all of them

    return driver(name).info.cells_tell


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Which board stands on a table and how it is reached."""

    driver: str = field(
        default="dgt",
        metadata=key(
            Scalar("the name of an installed driver", _driver),
            "Driver of the board.",
            example="dgt",
        ),
    )
    port: str = field(
        default=ANY_PORT,
        metadata=key(
            Scalar("auto, /dev/…, serial:/dev/…, tcp:HOST:PORT or replay:FILE", _port),
            "Where the board is plugged in; auto asks at all ports.",
            example="auto",
            unique="port",
        ),
    )
    serial: str | None = field(
        default=None,
        metadata=key(
            Scalar("the number that eboard-bridge discover shows", str),
            "Serial number of the board, to tell boards apart wherever they are plugged in.",
            example='"12345"',
            unique="serial number",
        ),
    )
    sensing: Sensing | Literal["auto"] = field(
        default="auto",
        metadata=key(
            one_of("auto", "identity", "colour", "occupancy"),
            "What the board knows of a piece: its kind, its colour, or that it is there; auto is "
            "what the driver says, and a module that speaks like another board may know less.",
            example="auto",
        ),
    )

    @property
    def tells(self) -> Sensing:
        """What is known of a man on this board.

        Raises:
            UnknownDriverError: the driver is not installed.
        """
        return _driver_tells(self.driver) if self.sensing == "auto" else self.sensing
