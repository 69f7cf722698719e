"""Which board stands on a table, and how it is reached."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, cast

import yaml

from bridge.config.calibration import CALIBRATION
from bridge.config.kinds import TEXT, one_of
from bridge.config.lines import check_line
from bridge.config.schema import Named, Reader, Scalar, Section, key, key_node
from bridge.core.model import Sensing
from drivers.codec import DriverInfo
from drivers.errors import UnknownDriverError

ANY_PORT = "auto"
"""The port of a table whose board is found by asking all of them."""

DEFAULT_DRIVER = "dgt"

_ADDRESS = re.compile(
    r"serial:/.+|usb:.+|ble:.+|tcp:[^\s/]+:[0-9]{1,5}|simulated:\w+(/[0-9]{1,4})?|replay:.+"
)


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
def _info(name: str) -> DriverInfo:
    from drivers.catalogue import driver  # loads all of them

    return driver(name).info


OPTIONS = Named(TEXT, "names of options with their texts", refuse=lambda _: "")


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Which board stands on a table and how it is reached.

    ``calibration`` holds letters of men by their tags. ``options`` may hold secrets, so nothing
    shows them.
    """

    driver: str = field(
        default=DEFAULT_DRIVER,
        metadata=key(
            Scalar("the name of an installed driver", _driver),
            "Driver of the board.",
            example="dgt",
        ),
    )
    port: str = field(
        default=ANY_PORT,
        metadata=key(
            Scalar(
                "auto, /dev/…, or what eboard-bridge discover shows: serial:…, usb:… or ble:…; "
                "also tcp:HOST:PORT, simulated:DRIVER or replay:FILE",
                _port,
            ),
            "Where the board is plugged in; auto asks at all ports.",
            example="auto",
        ),
    )
    unit: str | None = field(
        default=None,
        metadata=key(
            Scalar("the unit that eboard-bridge discover shows", str),
            "Which board of a line that several boards share, such as a DGT bus address.",
            example='"1025"',
            alone=True,
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
    calibration: Mapping[str, str] = field(
        default_factory=dict,
        metadata=key(
            CALIBRATION,
            "Which men carry which tags, for boards that read tags; without it, they are learned "
            "when the start position stands.",
            example="men.json",
        ),
    )
    options: Mapping[str, str] = field(
        default_factory=dict,
        repr=False,
        metadata=key(
            OPTIONS,
            "What only boards of this driver know; docs/boards.md has every option.",
            example="{}",
        ),
    )

    @property
    def tells(self) -> Sensing:
        """What is known of a man on this board.

        Raises:
            UnknownDriverError: the driver is not installed.
        """
        return _info(self.driver).cells_tell if self.sensing == "auto" else self.sensing

    @property
    def shares_its_line(self) -> bool:
        """Whether other boards may be on the same line.

        Raises:
            UnknownDriverError: the driver is not installed.
        """
        return _info(self.driver).shared


def _check_board(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    if "driver" in nodes and "driver" not in values:
        return
    info = _info(values.get("driver", DEFAULT_DRIVER))
    if "options" in values or "options" not in nodes:
        _check_options(info, values.get("options", {}), nodes, reader)
    if values.get("port", "").startswith("simulated:"):
        _check_simulated(info, values["port"], nodes, reader)
    if nodes.keys() & {"port", "unit"} <= values.keys():
        port = values.get("port", ANY_PORT)
        known = "" if port == ANY_PORT else port
        check_line(info, known, values.get("unit"), nodes, reader)


def _check_options(
    info: DriverInfo, given: Mapping[str, str], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    known = {option.name: option for option in info.options}
    for name in given.keys() - known.keys():
        near = difflib.get_close_matches(name.lower(), known, n=1)
        if near:
            remedy = f"did you mean '{near[0]}'?"
        else:
            remedy = f"known options: {', '.join(known)}" if known else "delete it: there are none"
        node = key_node(cast("yaml.MappingNode", nodes["options"]), name)
        reader.report(node, f"driver {info.name} has no option '{name}'", remedy)
    for option in info.options:
        if option.required and option.name not in given:
            reader.report(
                nodes.get("options", nodes["driver"]),
                f"driver {info.name} needs the option '{option.name}'",
                f"write under 'options' {option.about}",
            )


def _check_simulated(
    info: DriverInfo, port: str, nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    from drivers.catalogue import simulated_boards

    wanted = port.removeprefix("simulated:").partition("/")[0]
    known = simulated_boards()
    if wanted not in known:
        near = difflib.get_close_matches(wanted, known, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known)}"
        reader.report(nodes["port"], f"there is no simulated board '{wanted}'", hint)
    elif wanted != info.name:
        reader.report(
            nodes["port"],
            f"a simulated board '{wanted}' does not speak like driver {info.name}",
            f"write 'driver: {wanted}'",
        )


BOARD = Section(BoardSettings, "keys of a board", _check_board)
