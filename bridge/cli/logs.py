"""The log on standard error: lines for people, or JSON for programs."""

import logging
import os
import re
import sys
import threading
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Literal

import msgspec

from bridge.cli.frame import shown

MOST_WAITING = 10_000
"""Lines that wait for whoever reads the log; what comes then is left out."""
LAST_WRITE_SECONDS = 2.0
"""How long the end waits for a reader that takes nothing."""

_TABLE = re.compile(r"table (.+?): ")


def set_up_log(level: str, *, quiet: bool, form: Literal["text", "json"] = "text") -> None:
    """Write the log to standard error; with *quiet*, only what is serious."""
    handler = Beside(sys.stderr.fileno())
    handler.setFormatter(JsonLines() if form == "json" else Lines())
    handler.setLevel(logging.ERROR if quiet else logging.NOTSET)  # the page shows the rest
    logging.basicConfig(level=level.upper(), handlers=[handler])


class Beside(logging.Handler):
    """Writes lines to *fd* in a thread of its own: a reader that takes nothing stops no game."""

    def __init__(self, fd: int) -> None:
        super().__init__()
        self._fd = fd
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._left_out = 0
        self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record, or leave it out where too many wait."""
        if self._waiting.qsize() >= MOST_WAITING:
            self._left_out += 1
            return
        try:
            text = self.format(record)
        except Exception:  # noqa: BLE001 - as every handler does: a mistake in a message
            self.handleError(record)
            return
        if self._left_out:
            said = f"{self._left_out} lines are left out here: nobody took them"
            note = logging.makeLogRecord({"levelname": "WARNING", "name": __name__, "msg": said})
            text, self._left_out = f"{self.format(note)}\n{text}", 0
        self._waiting.put(f"{text}\n".encode(errors="backslashreplace"))

    def close(self) -> None:
        """Write what waits, if somebody takes it."""
        self._waiting.put(None)
        self._thread.join(LAST_WRITE_SECONDS)
        super().close()

    def _write_all(self) -> None:
        while (left := self._waiting.get()) is not None:
            try:
                while left:
                    left = left[os.write(self._fd, left) :]
            except OSError:  # there is nobody to tell it
                continue


class Lines(logging.Formatter):
    """Lines for people; a message that has several is set in, and commands no terminal.

    So what boards and clients say cannot look like a line of ours.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name in logging
        """Return the line of a record, without its traceback."""
        record.message = shown(record.message).replace("\n", "\n    ")
        return super().formatMessage(record)


class JsonLines(logging.Formatter):
    """One object a line, whatever is in a message: ``docs/monitoring.md`` lists its keys."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        message = record.getMessage()
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message,
        }
        table = _TABLE.match(message)
        if table is not None:
            said["table"] = table[1]
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(said).decode()
