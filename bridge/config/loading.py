"""From the text of a configuration file to a checked :class:`Config`."""

import re
from pathlib import Path

import yaml

from bridge.config.problems import ConfigError, Problem, UnreadableError
from bridge.config.schema import Reader, is_empty
from bridge.config.settings import ROOT, Config

_BEGIN = "begin with 'tables:'; check-config --example prints an example"


def load(path: Path) -> Config:
    """Read and check a configuration file.

    Raises:
        UnreadableError: the file cannot be read at all.
        ConfigError: with all problems of the file at once.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        what = error.strerror or str(error)
        remedy = "name a configuration file that you may read"
        raise UnreadableError([Problem(file=path, what=what, remedy=remedy)]) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        problem = Problem(
            file=path,
            line=before.count(b"\n") + 1,
            column=error.start - before.rfind(b"\n"),
            what=f"byte 0x{error.object[error.start]:02x} is not UTF-8",
            remedy="save the file as UTF-8",
        )
        raise ConfigError([problem]) from error
    return parse(text, path)


def parse(text: str, file: Path) -> Config:
    """Check the text of a configuration; *file* names it in messages and anchors its folders.

    Raises:
        ConfigError: with all problems of the text at once.
    """
    reader = Reader(file)
    config: Config = ROOT.read(compose(text, file), "", reader)
    if reader.problems:
        raise ConfigError(sorted(reader.problems, key=lambda p: (p.line or 0, p.column or 0)))
    return config.anchored(file.absolute().parent)


def compose(text: str, file: Path, if_empty: str = _BEGIN) -> yaml.Node:
    """Return the document's root node; what YAML itself refuses ends the search for more.

    ``if_empty`` is the remedy for a text in which nothing stands.

    Raises:
        ConfigError: the text is not YAML, or empty.
    """
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
