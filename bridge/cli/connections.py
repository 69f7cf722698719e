"""What ``doctor`` says of the ways to boards: udev rules, USB, Bluetooth, and who disturbs them."""

import asyncio
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from bridge.cli.findings import INSTALL_RULES, RULES_FILE, Finding, Machine, State, text_of
from bridge.config import ANY_PORT, Config
from drivers.catalogue import all_drivers, udev_rules
from drivers.codec import DriverInfo
from drivers.errors import DriverError

FASTEST_LATENCY_MS = 1
LISTEN_SECONDS = 2.0

BOARDS_AN_ADAPTER = 10
"""So many boards are back within 8 s on one adapter (docs/benchmarks.md)."""

_RULES_FOLDERS = ("etc", "run", "usr/lib", "lib")
_RULES_NAME = Path(RULES_FILE).name


def connections(machine: Machine, config: Config | None) -> list[Finding]:
    """Return all findings; with a configuration, what its tables do not need is not asked for."""
    wanted = wanted_kinds(config)
    grave: State = "warn" if config is None else "mend"
    return [
        rules(machine),
        modem_manager(machine),
        *latency(machine),
        *(usb(machine, grave) if "usb" in wanted else ()),
        *([bluetooth(grave, _radio_boards(config))] if "ble" in wanted else ()),
    ]


def wanted_kinds(config: Config | None) -> set[str]:
    """Return the transports that the tables need, all there are without a configuration."""
    drivers = all_drivers()
    if config is None:
        return {kind for driver in drivers.values() for kind in driver.info.transports}
    kinds: set[str] = set()
    for table in config.tables:
        if table.board.port == ANY_PORT:
            kinds.update(drivers[table.board.driver].info.transports)
        if table.own_clock is not None and table.own_clock.port == ANY_PORT:
            kinds.update(drivers[table.own_clock.driver].info.transports)
        kinds.update(port.partition(":")[0] for port in table.ports if port != ANY_PORT)
    return kinds


def _radio_boards(config: Config | None) -> int:
    """Count the boards and clocks that are named as ones on the radio."""
    tables = () if config is None else config.tables
    return len({port for table in tables for port in table.ports if port.startswith("ble:")})


def rules(machine: Machine) -> Finding:
    """Whether the udev rules are there, and those of the drivers that are installed."""
    subject = "udev rules"
    for file in _rules_files(machine):
        if file.name == _RULES_NAME:
            if text_of(file) == udev_rules().strip():
                return Finding(state="good", subject=subject, text=f"{file} is up to date")
            return Finding(
                state="warn",
                subject=subject,
                text=f"{file} is not that of the drivers which are installed now",
                remedy=INSTALL_RULES,
            )
    return Finding(
        state="warn",
        subject=subject,
        text="not installed: boards may not be opened, and others may disturb them",
        remedy=INSTALL_RULES,
    )


def _rules_files(machine: Machine) -> Iterator[Path]:
    for folder in _RULES_FOLDERS:
        yield from sorted((machine.root / folder / "udev/rules.d").glob("*eboard*.rules"))


def modem_manager(machine: Machine) -> Finding:
    """ModemManager probes new ports with ``AT``; the ``T`` sets a DGT board to draughts."""
    subject = "ModemManager"
    commands = list((machine.root / "proc").glob("[0-9]*/comm"))
    if not commands:
        return Finding(state="unknown", subject=subject, text="no process can be seen here")
    if not any(text_of(command) == subject for command in commands):
        return Finding(state="good", subject=subject, text="not running")
    for file in _rules_files(machine):
        if "ID_MM_DEVICE_IGNORE" in text_of(file):
            return Finding(state="good", subject=subject, text=f"kept off boards by {file}")
    return Finding(
        state="mend",
        subject=subject,
        text="running; it sends bytes to every new port, one of which sets DGT boards to draughts",
        remedy=f"sudo systemctl disable --now ModemManager, or: {INSTALL_RULES}",
    )


def latency(machine: Machine) -> list[Finding]:
    """How long USB adapters hold short answers back (FTDI chips; 16 ms unless told otherwise)."""
    findings = []
    for timer in sorted((machine.root / "sys/bus/usb-serial/devices").glob("*/latency_timer")):
        subject, value = f"latency {timer.parent.name}", text_of(timer)
        if not value.isdecimal():
            findings.append(Finding(state="unknown", subject=subject, text="cannot be read"))
        elif int(value) <= FASTEST_LATENCY_MS:
            findings.append(Finding(state="good", subject=subject, text=f"{value} ms"))
        else:
            findings.append(
                Finding(
                    state="warn",
                    subject=subject,
                    text=f"the adapter holds answers back for up to {value} ms",
                    remedy=f"echo {FASTEST_LATENCY_MS} | sudo tee {timer}",
                )
            )
    return findings


def usb(machine: Machine, grave: State) -> list[Finding]:
    """Whether boards that are USB HID devices can be read, and each that is plugged in.

    ``grave`` is the state of what keeps all of them from being read.
    """
    if importlib.util.find_spec("usb") is None:
        return [
            Finding(
                state=grave,
                subject="pyusb",
                text="not installed: USB boards without a serial port cannot be read",
                remedy="pip install 'eboard-bridge[usb]'",
            )
        ]
    import usb.backend.libusb1

    if usb.backend.libusb1.get_backend() is None:
        return [
            Finding(
                state=grave,
                subject="libusb",
                text="not installed: USB boards without a serial port cannot be read",
                remedy="sudo apt install libusb-1.0-0",
            )
        ]
    return [
        Finding(state="good", subject="pyusb", text="installed, and libusb"),
        *usb_rights(machine),
    ]


def usb_rights(machine: Machine) -> Iterator[Finding]:
    """Tell of each USB HID board whether it may be opened."""
    infos = [driver.info for driver in all_drivers().values() if driver.info.hid is not None]
    for device in sorted((machine.root / "sys/bus/usb/devices").glob("*")):
        ids = text_of(device / "idVendor"), text_of(device / "idProduct")
        title = next((info.title for info in infos if _is_of(info, *ids)), None)
        numbers = text_of(device / "busnum"), text_of(device / "devnum")
        if title is None or not all(number.isdecimal() for number in numbers):
            continue
        bus, number = map(int, numbers)
        node = machine.root / f"dev/bus/usb/{bus:03}/{number:03}"
        subject = f"usb {device.name}"
        if os.access(node, os.R_OK | os.W_OK, effective_ids=True):
            yield Finding(state="good", subject=subject, text=f"{title}: may be opened")
        else:
            yield Finding(
                state="mend",
                subject=subject,
                text=f"{title}: {node} may not be opened",
                remedy=f"install the udev rules and plug the board in again: {INSTALL_RULES}",
            )


def _is_of(info: DriverInfo, vendor: str, product: str) -> bool:
    return any(
        vendor == f"{its_vendor:04x}" and (its_product is None or product == f"{its_product:04x}")
        for its_vendor, its_product in info.fingerprint.usb_ids
    )


def bluetooth(grave: State, boards: int = 0) -> Finding:
    """Whether the radio can be used: adapter there and on, service running, rights.

    ``grave`` is the state of what keeps it from being used. ``boards`` share its adapters.
    """
    subject = "Bluetooth"
    try:
        from drivers.transports.radio import adapters, listen
    except ModuleNotFoundError:
        return Finding(
            state=grave,
            subject=subject,
            text="bleak is not installed: Bluetooth LE boards cannot be read",
            remedy="pip install 'eboard-bridge[ble]'",
        )
    try:
        heard = asyncio.run(listen(LISTEN_SECONDS))
        names = asyncio.run(adapters())
    except DriverError as error:
        what, _, remedy = str(error).removeprefix(f"{subject}: ").partition(": ")
        return Finding(state=grave, subject=subject, text=what, remedy=remedy)
    if boards > BOARDS_AN_ADAPTER * len(names):
        return Finding(
            state="warn",
            subject=subject,
            text=f"{boards} boards share {' and '.join(names)}: they come back slowly",
            remedy=f"plug in another adapter: one for {BOARDS_AN_ADAPTER} boards",
        )
    text = f"works with {' and '.join(names)}, {len(heard)} devices in reach"
    return Finding(state="good", subject=subject, text=text)
