"""The log on standard error: lines for people, or JSON for programs."""

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Literal

import msgspec

from bridge.cli.frame import shown

_TABLE = re.compile(r"table (.+?): ")


def set_up_log(level: str, *, quiet: bool, form: Literal["text", "json"] = "text") -> None:
    """Write the log to standard error; with *quiet*, only what is serious."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Lines())
    handler.setLevel(logging.ERROR if quiet else logging.NOTSET)  # the page shows the rest
    logging.basicConfig(level=level.upper(), handlers=[handler])


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
