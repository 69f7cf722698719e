"""Files that are whole at every moment, also for who reads them while they change."""

import contextlib
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


def replace_file(
    path: Path, content: bytes, *, durable: bool = True, private: bool = False
) -> None:
    """Put a file in place of another; who opens it sees all of the old or all of the new.

    A *private* one is for its owner alone.

    Its name is durable only after :func:`sync_folder`, its content only where *durable* is set:
    waiting for the disk is not worth it for what is written again at once. One writer at a time.

    Raises:
        OSError: it cannot be written; the old file is still there.
    """
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with os.fdopen(begin(draft, 0o600 if private else 0o666), "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        # Half a draft is of no use and takes the space that may be missing.
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def begin(draft: Path, mode: int) -> int:
    """Return the descriptor of a new file, which is nobody else's and no link to another.

    What stands there was left by a run that was killed, or laid there by somebody else.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        return os.open(draft, flags, mode)
    except FileExistsError:
        draft.unlink()
        return os.open(draft, flags, mode)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, as far as they are missing, with durable names.

    Else all that is synced below it could go with its name when the power does.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in reversed(missing):
        sync_folder(each.parent)


class Content(NamedTuple):
    """What a file has to hold. Only what is final waits for the disk.

    A game in progress is in the journal, and is written from it again after a power cut.
    """

    text: bytes
    is_final: bool


class WrittenFiles:
    """Knows what files hold, and writes only what has changed."""

    def __init__(self) -> None:
        self._written: dict[Path, bytes] = {}  # digests: the texts of an event are much

    def __contains__(self, path: Path) -> bool:
        """Say whether the file is known to be there."""
        return path in self._written

    def write(self, folder: Path, files: Mapping[str, Content]) -> None:
        """Write files of *folder*, in the order given, as far as they are to hold something else.

        Raises:
            OSError: one could not be written, and those behind it were not.
        """
        changed = {
            path: file
            for name, file in files.items()
            if self._known(path := folder / name) != _digest(file.text)
        }
        if not changed:
            return
        if not folder.is_dir():
            make_folder(folder)
        for path, file in changed.items():
            replace_file(path, file.text, durable=file.is_final)
            self._written[path] = _digest(file.text)
        if any(file.is_final for file in changed.values()):
            sync_folder(folder)

    def _known(self, path: Path) -> bytes | None:
        """Return the digest of what the file holds; after a restart most are right already."""
        if path not in self._written:
            try:
                self._written[path] = _digest(path.read_bytes())
            except FileNotFoundError:
                return None
        return self._written[path]


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).digest()
