"""One table: a fold of its readings into facts."""

from bridge.core.table.fold import Table

__all__ = ["Table"]
