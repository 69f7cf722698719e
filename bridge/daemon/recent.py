"""The latest lines of the log, for those who look after the hall from a page."""

import logging
from collections import deque
from typing import Literal

from bridge.outputs.controls import LogLine, Role

KEPT = 500
FOR_ARBITERS = {"for_arbiters": True}
"""Given as ``extra`` with what only arbiters may read."""

_OURS = ("bridge", "drivers")


class RecentLog(logging.Handler):
    """Keeps what was logged last, in the words of the log and without its tracebacks."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[tuple[LogLine, bool]] = deque(maxlen=KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record of ours."""
        if record.name.split(".")[0] not in _OURS:
            return
        try:
            line = LogLine(record.created, _level(record.levelno), record.getMessage())
        except (TypeError, ValueError):  # a record whose words do not fit its values
            self.handleError(record)
            return
        self._lines.append((line, getattr(record, "for_arbiters", False)))

    def lines(self, role: Role) -> list[LogLine]:
        """Return the lines that somebody may read, oldest first."""
        return [line for line, secret in list(self._lines) if role == "arbiter" or not secret]


def _level(number: int) -> Literal["info", "warning", "error"]:
    if number >= logging.ERROR:
        return "error"
    return "warning" if number >= logging.WARNING else "info"
