"""The settings belong to a process, so the test has one of its own."""

import subprocess
import sys

SCRIPT = """
import gc, sys
from bridge.daemon.interpreter import suit_interpreter
suit_interpreter()
print(gc.isenabled(), gc.get_threshold()[0], round(sys.getswitchinterval(), 6))
"""


def test_the_writer_waits_briefly_and_garbage_is_still_collected() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)
    assert done.stdout.split() == [b"True", b"20000", b"0.001"]
