"""Files that are whole at every moment, also for who reads them while they change."""

import contextlib
import os
from pathlib import Path


def replace_file(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Put a file in place of another; who opens it sees all of the old or all of the new.

    Its name is durable only after :func:`sync_folder`, its content only where *durable* is set:
    waiting for the disk is not worth it for what is written again at once. One writer at a time.

    Raises:
        OSError: it cannot be written; the old file is still there.
    """
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with draft.open("wb") as file:
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


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
