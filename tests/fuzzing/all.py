"""Everything that is fed with made-up bytes."""

from tests.fuzzing import boards, files, journals, servers
from tests.fuzzing.target import Target


def targets() -> dict[str, Target]:
    """Return all targets by name."""
    return boards.targets() | files.targets() | servers.targets() | journals.targets()
