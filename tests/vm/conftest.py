"""These tests need a machine of their own, ``make test-vm``; elsewhere they are left out.

There, not even what they import needs to be installed.
"""

from pathlib import Path

INSIDE = Path("/srv/job/run")
"""Is there where :mod:`testbed.vm` has started this machine."""

collect_ignore_glob = [] if INSIDE.exists() else ["test_vm_*.py"]
