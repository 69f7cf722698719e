"""The files of an event: who plays whom, and who the players are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bridge.config.problems import Problem
from bridge.config.schema import INVALID, Reader, Scalar
from bridge.pairings import PairingError, Pairings, Trouble, read_pairings

_REMEDY = "write the name of a file that may be read"


@dataclass(frozen=True, kw_only=True)
class PairingFile:
    """A file and what it says."""

    path: Path
    content: Pairings

    @property
    def notes(self) -> list[Problem]:
        """What was put right in reading it, or should be known of it."""
        return [problem_in(self.path, note) for note in self.content.notes]


def problem_in(file: Path, trouble: Trouble) -> Problem:
    """Return what is wrong with a file, with its name."""
    return Problem(
        file=file,
        line=trouble.line,
        column=trouble.column,
        what=trouble.what,
        remedy=trouble.remedy,
    )


def read_file(path: Path) -> PairingFile:
    """Read a pairing file.

    Raises:
        PairingError: with everything that is wrong with it.
        OSError: it cannot be read.
    """
    return PairingFile(path=path, content=read_pairings(path.read_bytes()))


class _PairingFileKind(Scalar):
    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return the file, which lies beside the configuration, with what it says."""
        path = super().read(node, name, reader)
        if path is INVALID:
            return INVALID
        file = reader.file.parent / path.expanduser()
        try:
            return read_file(file)
        except PairingError as error:
            reader.problems += [problem_in(file, trouble) for trouble in error.troubles]
        except OSError as error:
            reader.report(node, f"'{name}' is '{path}': {error.strerror}", _REMEDY)
        return INVALID


PAIRINGS = _PairingFileKind("a file, relative to this one", Path)
