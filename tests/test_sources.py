"""Sources are parsed whatever is collected meanwhile."""

import ast
import gc
from pathlib import Path

from tests.sources import syntax_tree


class Reported:
    """Garbage that is told of in a traceback when it is collected, and so has lines parsed."""

    def __init__(self) -> None:
        self.own_cycle = self

    def __del__(self) -> None:
        ast.parse("(1)")


def test_a_source_is_parsed_while_garbage_is_reported() -> None:
    thresholds = gc.get_threshold()
    gc.set_threshold(50)
    try:
        for _ in range(20):
            Reported()
            assert syntax_tree(Path(__file__)).body
            assert gc.isenabled()
    finally:
        gc.set_threshold(*thresholds)
