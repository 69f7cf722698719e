"""The udev rules of this project, taken by the udevd that runs here."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

OURS = Path(__file__).resolve().parents[2] / "udev" / "70-eboard-bridge.rules"
PLACE = Path("/run/udev/rules.d") / OURS.name


@contextlib.contextmanager
def udev_rules() -> Iterator[None]:
    """Have udevd follow our rules; in the end it forgets them."""
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    PLACE.write_bytes(OURS.read_bytes())
    _udevadm("control", "--reload")
    try:
        yield
    finally:
        PLACE.unlink()
        _udevadm("control", "--reload")


def settle() -> None:
    """Wait for udevd to have done everything it was told to do."""
    _udevadm("settle")


def properties(node: Path) -> dict[str, str]:
    """Return what udevd knows of a device."""
    told = subprocess.run(
        ["udevadm", "info", "--query=property", f"--name={node}"],
        check=True,
        capture_output=True,
        text=True,
    )
    return dict(line.split("=", 1) for line in told.stdout.splitlines())


def _udevadm(*command: str) -> None:
    subprocess.run(["udevadm", *command], check=True)
