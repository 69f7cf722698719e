"""The examinations of ``doctor``: each looks at one thing and says what it found.

Nothing is changed, and nothing is claimed that was not seen: where this machine does not let
itself be examined, the finding is ``unknown``.
"""

import ctypes
import grp
import importlib.util
import os
import platform
import resource
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from bridge import __version__
from bridge.cli.brokers import brokers
from bridge.cli.connections import connections
from bridge.cli.findings import INSTALL_RULES, Finding, Machine
from bridge.cli.frame import counted
from bridge.cli.receivers import receivers
from bridge.config import CaptureLimits, Config
from bridge.daemon.limits import FILES_A_BOARD, FILES_BESIDE
from bridge.store import schema as store
from bridge.store.errors import JournalError, JournalTooNewError

SERIAL_PORTS = ("ttyACM*", "ttyUSB*", "rfcomm*", "ttyAMA*")
PORT_GROUPS = ("dialout", "uucp")
"""Groups that own serial ports: Debian and Fedora, Arch."""

LEAST_FREE_MB = 200

_MB = 1_000_000
_UNSYNCHRONISED = 5
"""TIME_ERROR, what adjtimex(2) returns for a clock that nobody keeps right."""


def examine(machine: Machine, config: Config | None) -> list[Finding]:
    """Return all findings; those about data and tables need a configuration."""
    ports = serial_ports(machine, config)
    findings = [
        versions(),
        serial_library(),
        user(machine),
        *rights(ports),
        group(machine, ports),
        *connections(machine, config),
        time_kept(machine, adjtimex),
    ]
    if config is None:
        return [
            *findings,
            Finding(
                state="unknown",
                subject="configuration",
                text="none given, so data folder, journal and tables were not examined",
                remedy="eboard-bridge doctor --config FILE",
            ),
        ]
    return [
        *findings,
        data_rights(config.data.folder),
        disk_space(config.data.folder, config.data.captures),
        journal(config.data.journal),
        open_files(len(config.tables), resource.getrlimit(resource.RLIMIT_NOFILE)[1]),
        *receivers(config),
        *brokers(config),
    ]


def versions() -> Finding:
    """What to write into a report of a problem."""
    text = f"{__version__} on Python {platform.python_version()}, {platform.platform(terse=True)}"
    return Finding(state="good", subject="eboard-bridge", text=text)


def serial_library(module: str = "serial") -> Finding:
    """Whether serial ports can be opened at all."""
    if importlib.util.find_spec(module) is not None:
        return Finding(state="good", subject="pyserial", text="installed")
    return Finding(
        state="mend",
        subject="pyserial",
        text="not installed: no serial or USB board can be read",
        remedy="pip install 'eboard-bridge[serial]'",
    )


def user(machine: Machine) -> Finding:
    """Root passes the locks that keep two programs off one port."""
    if machine.uid != 0:
        return Finding(state="good", subject="user", text=machine.user)
    return Finding(
        state="warn",
        subject="user",
        text="root, whom the locks on ports do not stop: two programs could read one board",
        remedy=f"run as an ordinary user of the group {PORT_GROUPS[0]}",
    )


def serial_ports(machine: Machine, config: Config | None) -> list[Path]:
    """Return the ports that are there and those that the configuration names, sorted."""
    dev = machine.root / "dev"
    ports = {port for pattern in SERIAL_PORTS for port in dev.glob(pattern)}
    if config is not None:
        addresses = [port.partition(":") for table in config.tables for port in table.ports]
        named = (Path(path.partition("?")[0]) for kind, _, path in addresses if kind == "serial")
        ports.update(path for path in named if path.resolve() not in ports)
        for pattern in config.ports:
            ports.update(machine.root.glob(pattern.lstrip("/")))
    return sorted(ports)


def rights(ports: Iterable[Path]) -> list[Finding]:
    """Whether each port may be read and written; one finding where there is no port."""
    findings = [_right(port) for port in ports]
    none = Finding(
        state="warn",
        subject="ports",
        text="no serial port is there",
        remedy="plug a board in and switch it on; dmesg shows whether the cable carries data",
    )
    return findings or [none]


def _right(port: Path) -> Finding:
    subject = f"port {port.name}"
    try:
        owner = _group_name(port.stat().st_gid)
    except OSError as error:
        return Finding(
            state="mend",
            subject=subject,
            text=f"{port}: {error.strerror}",
            remedy="plug the board in and switch it on, or correct the configuration",
        )
    if _may_use(port):
        return Finding(state="good", subject=subject, text=f"{port} may be read and written")
    return Finding(
        state="mend",
        subject=subject,
        text=f"{port} may not be opened; it belongs to the group {owner}",
        remedy=f"join the group {owner}, or install the udev rules: {INSTALL_RULES}",
    )


def _may_use(port: Path) -> bool:
    return os.access(port, os.R_OK | os.W_OK, effective_ids=True)


def _group_name(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def group(machine: Machine, ports: list[Path]) -> Finding:
    """Whether the user is in the group that owns serial ports."""
    present = [port for port in ports if port.exists()]
    owners = {_group_name(port.stat().st_gid) for port in present}
    known = {entry.gr_name: entry for entry in grp.getgrall()}
    candidates = [name for name in sorted(owners or PORT_GROUPS) if name in known]
    if machine.uid == 0:
        return Finding(state="good", subject="group", text="root needs none")
    if not candidates:
        text = f"there is no group {' or '.join(PORT_GROUPS)} here"
        return Finding(state="unknown", subject="group", text=text)
    missing = [name for name in candidates if known[name].gr_gid not in machine.gids]
    if not missing:
        text = f"{machine.user} is in {', '.join(candidates)}"
        return Finding(state="good", subject="group", text=text)
    if present and all(map(_may_use, present)):
        text = f"{machine.user} is not in {', '.join(missing)}, and may use the ports all the same"
        return Finding(state="good", subject="group", text=text)
    joined = all(machine.user in known[name].gr_mem for name in missing)
    return Finding(
        state="mend",
        subject="group",
        text=f"{machine.user} is not in {', '.join(missing)}" + " in this session" * joined,
        remedy="log out and in again"
        if joined
        else f"sudo usermod -aG {','.join(missing)} {machine.user}, then log out and in again",
    )


def adjtimex() -> int:
    """Return the kernel's opinion of its clock, -1 where it may not be asked (adjtimex(2))."""
    call = getattr(ctypes.CDLL(None), "adjtimex", None)
    # All zero is a question: no mode bit is set. 512 bytes are more than any struct timex.
    return -1 if call is None else int(call(ctypes.create_string_buffer(512)))


def time_kept(machine: Machine, kernel: Callable[[], int]) -> Finding:
    """Whether this machine's clock is kept right; broadcasts carry its time."""
    subject = "time"
    if (machine.root / "run/systemd/timesync/synchronized").exists():
        return Finding(state="good", subject=subject, text="kept right by systemd-timesyncd")
    state = kernel()
    if state < 0:
        return Finding(state="unknown", subject=subject, text="the kernel may not be asked here")
    if state != _UNSYNCHRONISED:
        return Finding(state="good", subject=subject, text="kept right")
    return Finding(
        state="warn",
        subject=subject,
        text="nobody keeps the clock right; times in broadcasts may be wrong",
        remedy="sudo timedatectl set-ntp true, or install chrony",
    )


def data_rights(folder: Path) -> Finding:
    """Whether the data folder can be made and written."""
    place = _existing(folder)
    if not place.is_dir():
        return Finding(
            state="mend",
            subject="data folder",
            text=f"{place} is no folder",
            remedy="move it away, or change 'folder' of 'data' in the configuration",
        )
    if not os.access(place, os.W_OK | os.X_OK, effective_ids=True):
        return Finding(
            state="mend",
            subject="data folder",
            text=f"{place} may not be written",
            remedy=f"change its owner, or 'folder' of 'data' in the configuration ({folder})",
        )
    text = f"{folder} may be written" if place == folder else f"{folder} can be made"
    return Finding(state="good", subject="data folder", text=text)


def disk_space(folder: Path, limits: CaptureLimits) -> Finding:
    """Whether there is room for the journal and for as many captures as may be kept."""
    free = shutil.disk_usage(_existing(folder)).free // _MB
    text = f"{free} MB free"
    remedy = "free some space, or change 'max_mb' of 'captures' in the configuration"
    if free < LEAST_FREE_MB:
        return Finding(state="mend", subject="disk", text=text, remedy=remedy)
    if free < limits.max_mb:
        text = f"{text}, less than the {limits.max_mb} MB that captures may take"
        return Finding(state="warn", subject="disk", text=text, remedy=remedy)
    return Finding(state="good", subject="disk", text=text)


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest thing above it that exists."""
    return next(
        place for place in (folder.absolute(), *folder.absolute().parents) if place.exists()
    )


def journal(database: Path) -> Finding:
    """Whether the journal is whole; nothing in it is changed."""
    subject = "journal"
    if not database.exists():
        return Finding(state="good", subject=subject, text="none yet")
    try:
        damage = store.examine(database)
    except JournalTooNewError as error:
        what, _, remedy = str(error).partition(": ")
        return Finding(state="mend", subject=subject, text=what, remedy=remedy)
    except JournalError as error:
        return Finding(state="unknown", subject=subject, text=str(error))
    if damage is None:
        return Finding(state="good", subject=subject, text=f"{database} is whole")
    return Finding(
        state="mend",
        subject=subject,
        text=f"{database} is damaged: {damage}",
        remedy="copy it away; at the next start a new one is begun and this one set aside",
    )


def open_files(tables: int, limit: int) -> Finding:
    """Whether the hard *limit* of open files is enough; the soft one is raised at start."""
    need = FILES_BESIDE + FILES_A_BOARD * tables
    text = f"{need} are needed for {counted(tables, 'table')}"
    if limit == resource.RLIM_INFINITY or limit >= need:
        return Finding(state="good", subject="open files", text=f"{text}, allowed")
    return Finding(
        state="mend",
        subject="open files",
        text=f"{text}, only {limit} are allowed",
        remedy=f"LimitNOFILE={need} in the service, or {need} as nofile in limits.conf",
    )
