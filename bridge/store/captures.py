"""The capture files of a table's lines."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from bridge.config import Config


def captures_of(config: Config, table: str, since: float = 0.0) -> Iterator[Path]:
    """Yield those that were written to after *since* (Unix time), in the order of their names."""
    board = next((each.board for each in config.tables if each.table == table), None)
    links = [table, f"{table} clock"]
    if board is not None and board.shares_its_line:
        links.append(f"row {board.port.removeprefix('serial:')}")
    starts = tuple(f"{quote(link, safe='')}@" for link in links)
    for path in sorted(config.data.capture_folder.glob("*.capture")):
        if path.name.startswith(starts) and path.stat().st_mtime >= since:
            yield path
