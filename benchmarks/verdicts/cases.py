"""Reading a file of cases; its head says what the keys mean."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import chess
import yaml

from benchmarks.verdicts.rules import Rules


class CaseFileError(Exception):
    """The file cannot be read as cases; the message says why."""


class Case(NamedTuple):
    """One case: ``given`` are all its keys, ``expect`` what must come out, by key."""

    id: str
    group: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]

    def start(self) -> chess.Board:
        """Return the position of ``fen``."""
        return chess.Board(self.given["fen"], chess960=bool(self.given.get("chess960")))

    def board(self) -> chess.Board:
        """Return the position after ``moves``."""
        board = self.start()
        for uci in self.given.get("moves", ()):
            board.push(board.parse_uci(uci))
        return board


Answer = Callable[[Case, Rules], Any]
"""What comes out, in the shape in which a case expects it."""


def load(file: Path) -> list[Case]:
    """Return the cases of a file, in its order.

    Raises:
        CaseFileError: the file is not there, not YAML or not in the format of cases.
    """
    try:
        content = yaml.safe_load(file.read_bytes())
    except OSError as error:
        raise CaseFileError(f"{file}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CaseFileError(f"{file}: not YAML: {error}") from error
    try:
        cases = [
            Case(str(c["id"]), str(c["group"]), c, dict(c["expect"])) for c in content["cases"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise CaseFileError(f"{file}: 'cases' must list id, group and expect ({error})") from error
    if not cases:
        raise CaseFileError(f"{file}: no cases")
    return cases
