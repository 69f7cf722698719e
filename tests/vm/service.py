"""The service as docs/install.md tells to install it, under the systemd of this machine."""

import contextlib
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.halls import write_config
from tests.vm.rules import udev_rules

CHECKOUT = Path(__file__).resolve().parents[2]
NAME = "eboard-bridge"
STATE = Path("/var/lib") / NAME
CONFIGURATION = Path("/etc") / NAME
UNITS = Path("/run/systemd/system")
PROGRAM = Path("/opt") / NAME
_SCRIPT = f"""\
#!{PROGRAM}/bin/python
import sys
from bridge.cli import main
sys.exit(main())
"""
_FOLDERS = f"data: {{folder: {STATE}/data}}", f"pgn: {{folder: {STATE}/games}}"


class Unit:
    """The service since it was installed last."""

    def __init__(self) -> None:
        self._since = time.time()

    def shown(self, name: str) -> str:
        """Return a property of it, as ``systemctl show`` names it."""
        return _told("systemctl", "show", "--value", f"--property={name}", NAME).strip()

    def log(self, *words: str) -> list[str]:
        """Return the lines that it, or systemd about it, has logged with all *words*."""
        told = _told("journalctl", f"--unit={NAME}", "--output=cat", f"--since=@{self._since:.3f}")
        return [line for line in told.splitlines() if all(word in line for word in words)]


@contextlib.contextmanager
def installed(boards: Sequence[str], drop_in: str = "") -> Iterator[Unit]:
    """Have the service follow *boards* (their keys in YAML); *drop_in* is added to its unit."""
    _install_program()
    if subprocess.run(["id", NAME], check=False, capture_output=True).returncode:
        groups = "--groups=dialout,bluetooth"
        subprocess.run(["useradd", "--system", "--home-dir", STATE, groups, NAME], check=True)
    CONFIGURATION.mkdir(exist_ok=True)
    write_config(CONFIGURATION, boards, *_FOLDERS)
    file = UNITS / f"{NAME}.service"
    file.write_text((CHECKOUT / "config" / file.name).read_text("utf-8"), "utf-8")
    more = UNITS / f"{file.name}.d" / "test.conf"
    more.parent.mkdir(exist_ok=True)
    more.write_text(drop_in, "utf-8")
    systemctl("daemon-reload")
    with udev_rules():
        unit = Unit()
        systemctl("start", NAME)
        try:
            yield unit
        finally:
            systemctl("stop", NAME)
            systemctl("clean", "--what=state", NAME)


def _install_program() -> None:
    """Make a virtual environment that imports what these tests import."""
    if PROGRAM.exists():
        return
    subprocess.run(["python3", "-m", "venv", "--without-pip", PROGRAM], check=True)
    (site,) = PROGRAM.glob("lib/python*/site-packages")
    (site / "here.pth").write_text(f"/srv/site\n{CHECKOUT}\n", "utf-8")
    script = PROGRAM / "bin" / NAME
    script.write_text(_SCRIPT, "utf-8")
    script.chmod(0o755)


def systemctl(*command: str) -> None:
    subprocess.run(["systemctl", *command], check=True)


def _told(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
