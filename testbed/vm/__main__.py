"""Run the tests of ``tests/vm`` in the virtual machine: ``python -m testbed.vm [PYTEST…]``.

The arguments are those of pytest. The exit code is that of pytest too, or 125 if the machine
stopped without one; its console is then in the folder of the job.
"""

import fcntl
import sys
import sysconfig
from pathlib import Path

from testbed.vm.image import PYTHON, cache, image
from testbed.vm.machine import run

CHECKOUT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Make what is missing, and run."""
    if sys.version_info[:2] != PYTHON:
        sys.exit("The virtual machine has Python {}.{}, so this needs it too.".format(*PYTHON))
    folder, site = cache(), Path(sysconfig.get_path("platlib"))
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return run(image(), sys.argv[1:], site=site, checkout=CHECKOUT, job=folder / "job")


if __name__ == "__main__":
    sys.exit(main())
