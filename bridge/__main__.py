"""``python -m bridge`` is ``eboard-bridge``."""

import sys

from bridge.cli import main

sys.exit(main())
