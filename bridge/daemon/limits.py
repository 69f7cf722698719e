"""Limits of the operating system that many boards run into."""

import logging
import resource
from pathlib import Path

logger = logging.getLogger(__name__)

FILES_A_BOARD = 8
"""pyserial takes five descriptors for an open port; a capture file and spares come on top."""
FILES_BESIDE = 128

_OPEN = Path("/proc/self/fd")


def open_files() -> tuple[int, int]:
    """Return how many files this process has open, and how many it may."""
    return len(list(_OPEN.iterdir())), resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def raise_file_limit(boards: int, *, clients: int = 0) -> None:
    """Allow as many open files as boards and *clients* need, as far as the system lets us."""
    wanted = FILES_BESIDE + FILES_A_BOARD * boards + clients
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        logger.warning(
            "%d boards and %d clients need %d open files, only %d are allowed: "
            "raise the hard limit (ulimit -Hn)",
            boards,
            clients,
            wanted,
            allowed,
        )
