"""The limit belongs to a process, so each test has one of its own."""

import resource
import subprocess
import sys

SCRIPT = """
import logging, resource, sys
from bridge.daemon.limits import raise_file_limit
logging.basicConfig(format="%(message)s")
soft, hard, boards = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
raise_file_limit(boards)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""
FEW = 64


def raised(soft: int, hard: int, boards: int) -> tuple[int, str]:
    arguments = [sys.executable, "-c", SCRIPT, str(soft), str(hard), str(boards)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return int(done.stdout), done.stderr.strip()


def test_as_many_files_as_the_boards_need() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert hard == resource.RLIM_INFINITY or hard >= 1000
    assert raised(FEW, hard, 100) == (928, "")


def test_what_is_enough_stays() -> None:
    assert raised(500, 500, 10) == (500, "")


def test_too_few_are_said_to_be_too_few() -> None:
    allowed, said = raised(FEW, 300, 100)
    assert allowed == 300
    assert said == (
        "100 boards and 0 clients need 928 open files, only 300 are allowed: "
        "raise the hard limit (ulimit -Hn)"
    )
