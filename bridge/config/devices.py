"""What the keys of boards and clocks have in common: the driver, its options and the port."""

import difflib
import re
from collections.abc import Mapping
from functools import cache
from typing import cast

import yaml

from bridge.config.kinds import TEXT
from bridge.config.schema import Named, Reader, Scalar, key_node
from drivers.codec import DriverInfo
from drivers.errors import OptionError, UnknownDriverError

_ADDRESS = re.compile(
    r"serial:/.+|usb:.+|ble:.+|tcp:[^\s/]+:[0-9]{1,5}|simulated:\w+(/[0-9]{1,4})?|replay:.+"
)


_KINDS = {"serial": "serial line", "usb": "USB of its own", "ble": "Bluetooth LE"}
"""What a device needs for the ports that are opened so."""


def address(text: str) -> str:
    """Return the transport's address, so that one port has one spelling.

    Raises:
        ValueError: it is none.
    """
    spelled = f"serial:{text}" if text.startswith("/") else text
    if _ADDRESS.fullmatch(spelled):
        return spelled
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
def info_of(name: str) -> DriverInfo:
    """Return what a driver declares.

    Raises:
        UnknownDriverError: it is not installed.
    """
    from drivers.catalogue import driver  # loads all of them

    return driver(name).info


ANY_PORT = "auto"
"""The port of a device that is found by asking all of them."""


def port(text: str) -> str:
    """Return the transport's address, or ``auto``.

    Raises:
        ValueError: it is neither.
    """
    return text if text == ANY_PORT else address(text)


DRIVER = Scalar("the name of an installed driver", _driver)
OPTIONS = Named(TEXT, "names of options with their texts", refuse=lambda _: "")


def check_options(
    info: DriverInfo, given: Mapping[str, str], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    """Report options that the driver does not have or does not take, and those that it needs."""
    found = len(reader.problems)
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
    if given and len(reader.problems) == found:
        _check_values(info, given, nodes["options"], reader)


def _check_values(
    info: DriverInfo, given: Mapping[str, str], node: yaml.Node, reader: Reader
) -> None:
    from drivers.catalogue import driver

    try:
        driver(info.name)(**given)
    except OptionError as error:  # which does not show the value: it may be a secret
        remedy = "; ".join(f"write under '{option.name}' {option.about}" for option in info.options)
        reader.report(node, str(error), remedy)


def check_port(info: DriverInfo, port: str, nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    """Report a port at which no device of the driver can ever be."""
    kind, _, place = port.partition(":")
    if kind == "simulated":
        _check_simulated(info, place, nodes, reader)
    lacks = {"serial": info.line, "usb": info.hid, "ble": info.gatt}
    if kind in lacks and lacks[kind] is None:
        reader.report(
            nodes["port"],
            f"driver {info.name} has no {_KINDS[kind]}",
            "write another port, or another driver; 'eboard-bridge discover' shows both",
        )


def _check_simulated(
    info: DriverInfo, place: str, nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    """Report a simulated board that there is not, or that speaks otherwise."""
    from drivers.catalogue import simulated_boards

    wanted = place.partition("/")[0]
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
