"""The long versions, for ``make soak``: they take hours, and print figures for the page.

``docs/reliability.md`` has the figures of the last run.
"""

import os
from collections.abc import Callable

import pytest

collect_ignore_glob = [] if os.environ.get("EBOARD_BRIDGE_SOAK") else ["test_soak_*.py"]

_FIGURES = pytest.StashKey[list[str]]()

Tell = Callable[[str], None]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_FIGURES] = []


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Tell:
    """Take a figure of this test, in words; all are printed at the end of the run."""
    figures = request.config.stash[_FIGURES]

    def tell(text: str) -> None:
        figures.append(f"{request.node.name}: {text}")

    return tell


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    figures = terminalreporter.config.stash[_FIGURES]
    if figures:
        terminalreporter.section("figures")
        for line in figures:
            terminalreporter.write_line(line)
