"""What somebody without the rights of root sees."""

import contextlib
import os
from collections.abc import Iterator

NOBODY = 65534


@contextlib.contextmanager
def unprivileged() -> Iterator[None]:
    """Root may do everything, so rights are examined as somebody else where tests run as root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
