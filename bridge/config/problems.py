"""What is wrong with a configuration file, and where."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing to put right; ``line`` and ``column`` count from 1, ``None``: the whole file."""

    file: Path
    what: str
    remedy: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = "".join(f"{part}:" for part in (self.line, self.column) if part is not None)
        return f"{self.file}:{place} {self.what}; {self.remedy}"


class ConfigError(Exception):
    """The configuration cannot be used; ``problems`` holds everything found, in file order."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class UnreadableError(ConfigError):
    """The file is not there or may not be read."""
