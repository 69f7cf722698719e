"""The project's sources as syntax trees."""

import ast
import gc
from pathlib import Path


def syntax_tree(file: Path) -> ast.Module:
    """Return the tree of *file*, parsed with the garbage collector off.

    ``ast.parse`` of CPython 3.11 fails with a SystemError if anything else is parsed meanwhile
    (https://github.com/python/cpython/issues/106905), and a traceback that is logged while
    garbage is collected is: asyncio reports so a future of a lost bus that nobody awaited.
    """
    is_on = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(file.read_text("utf-8"))
    finally:
        if is_on:
            gc.enable()
