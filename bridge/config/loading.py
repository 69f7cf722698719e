"""From the text of a configuration file to a checked :class:`Config`."""

from pathlib import Path

from bridge.config.composing import read
from bridge.config.problems import ConfigError, Problem, UnreadableError
from bridge.config.seating import seated
from bridge.config.settings import ROOT, Config

_IF_EMPTY = "begin with 'tables:'; check-config --example prints an example"


def load(path: Path) -> Config:
    """Read and check a configuration file.

    Raises:
        UnreadableError: the file cannot be read at all.
        ConfigError: with all problems of the file at once.
    """
    return parse(text_of(path), path)


def text_of(path: Path) -> str:
    """Return the text of a configuration file.

    Raises:
        UnreadableError: the file cannot be read at all.
        ConfigError: it is not UTF-8.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        what = error.strerror or str(error)
        remedy = "name a configuration file that you may read"
        raise UnreadableError([Problem(file=path, what=what, remedy=remedy)]) from error
    try:
        return content.decode("utf-8-sig")
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


def parse(text: str, file: Path) -> Config:
    """Check the text of a configuration; *file* names it in messages and anchors its folders.

    Raises:
        ConfigError: with all problems of the text at once.
    """
    return seated(plain(text, file), file)


def plain(text: str, file: Path) -> Config:
    """Check the text of a configuration, and leave the tables without the players of its files.

    Raises:
        ConfigError: with all problems of the text at once.
    """
    config: Config = read(text, ROOT, file, _IF_EMPTY)
    return config.anchored(file.absolute().parent)
