"""What ``doctor --live`` says of a daemon that runs: it is asked itself."""

import time
from collections.abc import Iterator
from pathlib import Path

from bridge import __version__
from bridge.cli.findings import Finding
from bridge.config import Config
from bridge.daemon.status import PATIENCE, Status, ask
from bridge.store.errors import JournalBusyError
from bridge.store.journal import locked

WORST_LAG = 0.1
"""Seconds that the event loop may be late; boards are read more often than that."""
FILES_LEFT = 0.8
"""Part of the files that may be open before it is said."""

_DAEMON = "daemon"


def living(config: Config, file: Path) -> list[Finding]:
    """Return what the daemon of a configuration *file* says of itself, or why it says nothing."""
    try:
        status = ask(config.data.folder)
    except (FileNotFoundError, ConnectionRefusedError):
        return [_silent(config, file)]
    except PermissionError:
        remedy = f"ask as its user: sudo -u USER, who owns {config.data.folder}"
        text = "it is another user's, and was not asked"
        return [Finding(state="unknown", subject=_DAEMON, text=text, remedy=remedy)]
    except ConnectionAbortedError:
        text = "it runs, and gives no answer that this version can read"
        remedy = "systemctl restart eboard-bridge, between two rounds if it was updated"
        return [Finding(state="mend", subject=_DAEMON, text=text, remedy=remedy)]
    except OSError:
        text = f"it runs, and does not answer within {PATIENCE:g} s"
        remedy = "systemctl restart eboard-bridge; games go on where they were"
        return [Finding(state="mend", subject=_DAEMON, text=text, remedy=remedy)]
    return list(_findings(status))


def _silent(config: Config, file: Path) -> Finding:
    if _is_held(config):
        text = "something has the journal and serves nobody yet: it restores games, or stands by"
        return Finding(state="warn", subject=_DAEMON, text=text, remedy="ask again in a minute")
    text = "it does not run on this configuration"
    remedy = f"eboard-bridge run {file}, or systemctl start eboard-bridge"
    return Finding(state="mend", subject=_DAEMON, text=text, remedy=remedy)


def _is_held(config: Config) -> bool:
    if not config.data.journal.exists():
        return False
    try:
        with locked(config.data.journal):
            return False
    except JournalBusyError:
        return True


def _findings(status: Status) -> Iterator[Finding]:
    yield _version(status)
    yield from (
        Finding(state="mend", subject="trouble", text=text, remedy="see docs/monitoring.md")
        for text in status.troubles
    )
    yield from _links(status)
    yield from _outputs(status)
    yield _loop(status)
    yield _files(status)


def _version(status: Status) -> Finding:
    since = time.strftime("%F %T", time.localtime(status.since))
    text = f"runs as process {status.pid} since {since}"
    if status.version == __version__:
        return Finding(state="good", subject=_DAEMON, text=text)
    text += f", and is version {status.version}; {__version__} is installed"
    return Finding(state="warn", subject=_DAEMON, text=text, remedy="restart it between two rounds")


def _links(status: Status) -> Iterator[Finding]:
    live = sum(link.state == "live" for link in status.links)
    yield Finding(
        state="good" if live else "warn",
        subject="links",
        text=f"{live} of {len(status.links)} are live",
    )
    for link in status.links:
        if link.state != "live":
            subject = f"table {link.table}" + (" clock" if link.device == "clock" else "")
            text = f"{link.state or 'not opened yet'}: {link.detail}".removesuffix(": ")
            yield Finding(state="warn", subject=subject, text=text, remedy="docs/boards.md")


def _outputs(status: Status) -> Iterator[Finding]:
    text = f"{status.unwritten} readings wait for the disk"
    yield Finding(state="good", subject="journal", text=text)
    for report in status.outputs:
        text = f"{report.delivered} delivered, {report.waiting} wait, {report.failed} tries failed"
        if report.trouble:
            yield Finding(state="mend", subject=report.name, text=f"{report.trouble} ({text})")
        else:
            yield Finding(state="good", subject=report.name, text=text)


def _loop(status: Status) -> Finding:
    text = f"late by {1000 * status.lag:.0f} ms at worst in the last minute"
    if status.lag <= WORST_LAG:
        return Finding(state="good", subject="event loop", text=text)
    remedy = "see what else takes the processor: top"
    return Finding(state="warn", subject="event loop", text=text, remedy=remedy)


def _files(status: Status) -> Finding:
    text = f"{status.files} of {status.most_files}"
    if status.files <= FILES_LEFT * status.most_files:
        return Finding(state="good", subject="open files", text=text)
    remedy = f"LimitNOFILE={2 * status.most_files} in the service"
    return Finding(state="warn", subject="open files", text=text, remedy=remedy)
