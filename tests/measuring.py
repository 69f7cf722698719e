"""What coverage is not to measure: it takes tests of many plies five times as long."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def not_measured() -> Iterator[None]:
    """Keep coverage out of what is done here; also a decorator, for tests of many examples.

    ``no_cover`` of pytest-cov does not: in a worker it wakes the measurement it had stopped.
    """
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(trace)
