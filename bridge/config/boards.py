"""Which board stands on a table, and how it is reached."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from bridge.config.calibration import CALIBRATION
from bridge.config.devices import (
    ANY_PORT,
    DRIVER,
    OPTIONS,
    check_options,
    check_port,
    info_of,
    port,
)
from bridge.config.kinds import one_of
from bridge.config.lines import check_line
from bridge.config.schema import Reader, Scalar, Section, key
from bridge.core.model import Sensing

DEFAULT_DRIVER = "dgt"


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Which board stands on a table and how it is reached.

    ``calibration`` holds letters of men by their tags. ``options`` may hold secrets, so nothing
    shows them.
    """

    driver: str = field(
        default=DEFAULT_DRIVER,
        metadata=key(DRIVER, "Driver of the board.", example="dgt"),
    )
    port: str = field(
        default=ANY_PORT,
        metadata=key(
            Scalar(
                "auto, /dev/…, or what eboard-bridge discover shows: serial:…, usb:… or ble:…; "
                "also tcp:HOST:PORT, simulated:DRIVER or replay:FILE",
                port,
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
        return info_of(self.driver).cells_tell if self.sensing == "auto" else self.sensing

    @property
    def shares_its_line(self) -> bool:
        """Whether other boards may be on the same line.

        Raises:
            UnknownDriverError: the driver is not installed.
        """
        return info_of(self.driver).shared


def _check_board(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    if "driver" in nodes and "driver" not in values:
        return
    info = info_of(values.get("driver", DEFAULT_DRIVER))
    if info.sensing == "nothing":
        what = f"driver {info.name} reads a clock and no board"
        reader.report(nodes["driver"], what, "write it under the table's 'clock'")
    if "options" in values or "options" not in nodes:
        check_options(info, values.get("options", {}), nodes, reader)
    if "port" in values:
        check_port(info, values["port"], nodes, reader)
    if nodes.keys() & {"port", "unit"} <= values.keys():
        where = values.get("port", ANY_PORT)
        known = "" if where == ANY_PORT else where
        check_line(info, known, values.get("unit"), nodes, reader)


BOARD = Section(BoardSettings, "the keys of a board, as in {driver: dgt, port: auto}", _check_board)
