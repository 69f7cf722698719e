"""``python -m tests.fuzzing TARGET [-max_total_time=60 ...]``: one target, with atheris.

The bytes follow what the code does with them; options are those of libFuzzer. It ends with an
error, and leaves the input in a file, at the first exception, at 20 s for one input, and at 1 GB.
Inputs that reached something new are kept in ``.fuzzing``, and the next run begins with them.
"""

import logging
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["bridge", "drivers"], enable_loader_override=False):
    from tests.fuzzing.all import targets

KEPT = Path(__file__).resolve().parents[2] / ".fuzzing"
LIMITS = ("-timeout=20", "-rss_limit_mb=1000", "-print_final_stats=1")


def main() -> None:
    """Feed the target until the options say that it is enough."""
    target = targets()[sys.argv[1]]
    logging.disable(logging.CRITICAL)
    folder = KEPT / sys.argv[1]
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (folder / f"seed-{number}").write_bytes(seed)
    limits = (*LIMITS, f"-max_len={target.longest}")
    atheris.Setup([sys.argv[0], str(folder), *limits, *sys.argv[2:]], target.feed)
    atheris.Fuzz()


main()
