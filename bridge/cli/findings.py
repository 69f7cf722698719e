"""What an examination of ``doctor`` looks at, and what it finds."""

import os
import pwd
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

State = Literal["good", "warn", "mend", "unknown"]

RULES_FILE = "/etc/udev/rules.d/70-eboard-bridge.rules"
INSTALL_RULES = (
    f"python -m drivers.catalogue udev | sudo tee {RULES_FILE}, then sudo udevadm control --reload "
    "&& sudo udevadm trigger"
)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one examination found; ``remedy`` is empty where nothing needs to be done."""

    state: State
    subject: str
    text: str
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class Machine:
    """What is examined: the file tree below ``root`` and the user who runs us."""

    root: Path = Path("/")
    uid: int = field(default_factory=os.geteuid)
    gids: frozenset[int] = field(default_factory=lambda: frozenset((os.getegid(), *os.getgroups())))

    @property
    def user(self) -> str:
        """The user's name, or number where it has none."""
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:
            return str(self.uid)


def text_of(file: Path) -> str:
    """Return what is in a file, empty where it went away or may not be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
