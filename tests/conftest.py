"""Which tests share a worker: those that play in real time must not starve each other."""

import pytest

REAL_TIME = ("test_end_to_end_", "test_cli_demo", "test_cli_devices", "test_benchmarks")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name.startswith(REAL_TIME):
            item.add_marker(pytest.mark.xdist_group("real time"))
