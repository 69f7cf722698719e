"""Real recordings and games that lie beside the project, read in place and never copied."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(name: str) -> Path:
    """Return the path of a shared file, or skip the test with the reason.

    Where ``EBOARD_BRIDGE_REQUIRE_SHARED`` is set, a missing file is a failure instead.
    """
    path = SHARED / name
    if path.exists():
        return path
    if os.environ.get("EBOARD_BRIDGE_REQUIRE_SHARED"):
        pytest.fail(f"{name} must be present here: it is missing beside the project")
    pytest.skip(f"{name} is not present beside the project (../shared)")
