"""The settings belong to a process, so the test has one of its own."""

import subprocess
import sys

SCRIPT = """
import gc, sys
from bridge.daemon.interpreter import sparing_what_is_there, suit_interpreter
suit_interpreter()
print(gc.isenabled(), gc.get_threshold()[0], round(sys.getswitchinterval(), 6))
with sparing_what_is_there():
    print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < 1000)
    class Garbage: ...
    one = Garbage(); one.itself = one; del one
    print(gc.collect() > 0)
print(gc.get_freeze_count())
"""


def test_the_writer_waits_briefly_and_new_garbage_is_collected() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == ["True 20000 0.001", "True True", "True", "0"]
