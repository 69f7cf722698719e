"""What people may ask a daemon to do from a page, beside orders at its tables."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal, NamedTuple

Role = Literal["arbiter", "operator"]
BoardKeys = Mapping[str, str]
"""What says which board it is: ``driver``, ``port``, ``serial`` and ``unit`` of a configuration."""


class NotPossibleError(Exception):
    """It cannot be done; the message says why, in words."""


class LogLine(NamedTuple):
    """Something that was logged; ``at`` is Unix time."""

    at: float
    level: Literal["info", "warning", "error"]
    text: str


class Candidate(NamedTuple):
    """A place where a board may be. ``board`` is empty where none answers, or it has a table."""

    address: str
    driver: str
    serial: str
    units: tuple[str, ...]
    remark: str
    board: BoardKeys


class Changed(NamedTuple):
    """The configuration is another one; ``waits`` says in words what needs a restart."""

    waits: tuple[str, ...]


class Controls(NamedTuple):
    """What can be done; what cannot raises :class:`NotPossibleError`.

    ``log`` returns the latest lines, oldest first. ``discover`` asks at all ports. ``rounds``
    returns the round of the event (under "") and of its groups, ``pairing_files`` the names of
    files that may have pairings; ``set_round`` changes the round of a group, and the file where
    one is named. ``boards`` returns by table which board it has, ``set_boards`` changes that.
    ``captures`` yields, as long as it is entered, the capture files of a table as a ZIP archive,
    piece by piece. ``change`` edits the text of the configuration file, of which it is given the
    path; ``pairings`` returns what stands in a file that may have some.
    """

    log: Callable[[Role], list[LogLine]]
    discover: Callable[[], Awaitable[list[Candidate]]]
    rounds: Callable[[], Mapping[str, str]]
    pairing_files: Callable[[], list[str]]
    set_round: Callable[[str, str, str | None], Awaitable[Changed]]
    boards: Callable[[], Mapping[str, BoardKeys]]
    set_boards: Callable[[Mapping[str, BoardKeys]], Awaitable[Changed]]
    captures: Callable[[str], AbstractAsyncContextManager[AsyncIterator[bytes]]]
    change: Callable[[Callable[[str, Path], str]], Awaitable[Changed]]
    pairings: Callable[[str], Awaitable[bytes]]
