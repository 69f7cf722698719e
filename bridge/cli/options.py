"""``--option``: what only the user of a board knows, such as a key, on the command line."""

import argparse
from collections.abc import Iterable, Mapping

from bridge.cli.frame import CannotError

OfDrivers = dict[str, dict[str, str]]
"""Options by the names of their drivers."""


def add_option_argument(parser: argparse.ArgumentParser, *, driver_known: bool) -> None:
    """Add ``--option``; where the driver is an argument too, it need not be named again."""
    form = "NAME=VALUE" if driver_known else "DRIVER.NAME=VALUE"
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar=form,
        help="an option of boards of a driver, as in a configuration; others on this machine can "
        "see it, so that a secret is better kept in a file",
    )


def options_of(texts: Iterable[str], of: str | None = None) -> OfDrivers:
    """Return the options that *texts* give, those without a driver being *of* that one.

    Raises:
        CannotError: a text, an option or a value is wrong.
        UnknownDriverError: there is no such driver.
    """
    found: OfDrivers = {}
    for text in texts:
        place, equals, value = text.partition("=")
        name, dot, option = place.rpartition(".")
        if not equals or not (dot or of):
            form = "NAME=VALUE" if of else "DRIVER.NAME=VALUE"
            raise CannotError(f"--option {place}: write it as {form}")
        found.setdefault(name or of or "", {})[option] = value
    for name, given in found.items():
        _check(name, given)
    return found


def _check(name: str, given: Mapping[str, str]) -> None:
    from drivers.catalogue import driver
    from drivers.errors import OptionError

    codec = driver(name)
    known = [option.name for option in codec.info.options]
    for option in given:
        if option not in known:
            has = f"has only {', '.join(known)}" if known else "has none"
            raise CannotError(f"driver {name} has no option {option!r}; it {has}")
    try:
        codec(**given)
    except OptionError as error:  # which does not show the value: it may be a secret
        raise CannotError(str(error)) from None
