"""A clock that has a link of its own, beside that of the board."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from bridge.config.devices import (
    ANY_PORT,
    DRIVER,
    OPTIONS,
    check_options,
    check_port,
    info_of,
    port,
)
from bridge.config.kinds import YES_NO
from bridge.config.schema import Either, Reader, Scalar, Section, key


@dataclass(frozen=True, kw_only=True)
class ClockSettings:
    """Which clock stands beside a board, and how it is reached; ``options`` may hold secrets."""

    driver: str = field(
        metadata=key(DRIVER, "Driver of the clock.", example="dgt3000_gateway"),
    )
    port: str = field(
        metadata=key(
            Scalar("auto, /dev/…, serial:…, usb:…, ble:…, tcp:HOST:PORT or replay:FILE", port),
            "Where the clock is connected; auto asks at all ports.",
            example="ble:DGT3000-Gateway",
        ),
    )
    options: Mapping[str, str] = field(
        default_factory=dict,
        repr=False,
        metadata=key(OPTIONS, "What only clocks of this driver know.", example="{}"),
    )


def _check_clock(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    if values.get("port", ANY_PORT) != ANY_PORT:
        reader.claim("port", values["port"], nodes["port"])
    if "driver" not in values:
        return
    info = info_of(values["driver"])
    if not info.has_clock or info.shared:
        what = f"driver {info.name} reads no clock that has a link of its own"
        reader.report(nodes["driver"], what, "write 'clock: true' if it is the board's")
    elif "port" in values:
        check_port(info, values["port"], nodes, reader)
    if "options" in values or "options" not in nodes:
        check_options(info, values.get("options", {}), nodes, reader)


CLOCK = Either(
    YES_NO, Section(ClockSettings, "a mapping with the keys 'driver' and 'port'", _check_clock)
)
