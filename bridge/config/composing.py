"""From YAML text to checked values, with what YAML itself refuses said as a problem."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from bridge.config.problems import ConfigError, Problem
from bridge.config.schema import Reader, Section, is_empty


def read(text: str, section: Section, file: Path, if_empty: str | None = None) -> Any:
    """Return what *section* makes of the text; *file* names it in messages.

    ``if_empty`` is the remedy for a text in which nothing stands, by default to write a *section*.

    Raises:
        ConfigError: with all problems of the text at once.
    """
    reader = Reader(file)
    value = section.read(_compose(text, file, if_empty or f"write {section.expects}"), "", reader)
    if reader.problems:
        raise ConfigError(sorted(reader.problems, key=partial(_place, file)))
    return value


def _place(file: Path, problem: Problem) -> tuple[str, int, int]:
    """Return where a problem comes among the others: those of other files last."""
    other = "" if problem.file == file else str(problem.file)
    return other, problem.line or 0, problem.column or 0


def _compose(text: str, file: Path, if_empty: str) -> yaml.Node:
    """Return the document's root node; what YAML itself refuses ends the search for more."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise ConfigError(_tabs(text, file) or [_refused(error, file)]) from error
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        problem = Problem(
            file=file,
            line=before.count("\n") + 1,
            column=error.position - before.rfind("\n"),
            what=f"the character U+{error.character:04X} cannot stand in YAML",
            remedy="delete it",
        )
        raise ConfigError([problem]) from error
    except RecursionError as error:
        problem = Problem(file=file, what="nested too deeply", remedy="see config/example.yaml")
        raise ConfigError([problem]) from error
    if root is None or is_empty(root):
        raise ConfigError([Problem(file=file, what="the file is empty", remedy=if_empty)])
    return root


def _tabs(text: str, file: Path) -> list[Problem]:
    """Return a problem for each line that is indented by a tab, which YAML cannot read."""
    return [
        Problem(
            file=file,
            line=number,
            column=len(indent[1]) + 1,
            what="a tab in the indentation",
            remedy="replace it by spaces",
        )
        for number, line in enumerate(text.splitlines(), 1)
        if (indent := re.match(r"( *)\t", line))
    ]


def _refused(error: yaml.MarkedYAMLError, file: Path) -> Problem:
    mark = error.problem_mark or error.context_mark
    what = " ".join(filter(None, (error.context, error.problem)))
    return Problem(
        file=file,
        line=None if mark is None else mark.line + 1,
        column=None if mark is None else mark.column + 1,
        what=f"not YAML: {what}",
        remedy="check indentation, colons and quotes at this place and just above",
    )
