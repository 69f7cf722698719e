"""Which tests share a worker, which are not measured, and what they hear of each other."""

import gc
from collections.abc import Generator, Iterator
from zlib import crc32

import pytest
from hypothesis import settings

from tests.measuring import not_measured

# A busy machine is no fault of the code.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

# These play in real time and must not starve each other.
REAL_TIME = (
    "test_end_to_end_",
    "test_cli_demo",
    "test_cli_devices",
    "test_benchmarks",
    "test_tournament",
)

AT_ONCE = 2
"""So many workers play them."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    for item in filter(_plays_in_real_time, items):
        group = crc32(item.path.name.encode()) % AT_ONCE
        item.add_marker(pytest.mark.xdist_group(f"real time {group}"))
    yield
    # Were they not the first, the other workers would wait for theirs at the end.
    items.sort(key=_plays_in_real_time, reverse=True)


def _plays_in_real_time(item: pytest.Item) -> bool:
    return item.path.name.startswith(REAL_TIME)


@pytest.fixture
def unmeasured() -> Iterator[None]:
    """Keep coverage out of a test."""
    with not_measured():
        yield


@pytest.fixture
def caplog(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What was logged, without what asyncio says when it finds the leavings of earlier tests."""
    gc.collect()
    caplog.clear()
    return caplog
