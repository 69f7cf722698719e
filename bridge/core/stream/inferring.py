"""A whole board stream through a table."""

from collections.abc import Iterable, Iterator

import msgspec

from bridge.core.model import Fact, GameEnded, MoveSettled, Reading
from bridge.core.stream.output import OutputWriter
from bridge.core.stream.reading import StreamReader
from bridge.core.table import Table

AFTERTIME = 10.0
"""Silence that is assumed after the last line, so that what rests may still settle (s)."""


def infer(lines: Iterable[str | bytes], *, name: str, writer: OutputWriter) -> Iterator[str]:
    """Yield the engine output of a board stream, line by line.

    Raises:
        StreamError: a malformed line.
    """
    reader, table = StreamReader(name), Table(name)
    last: Reading | None = None
    for line in lines:
        for reading in reader.read(line):
            last = reading
            facts = table.apply(reading)
            yield from writer.lines(facts)
            yield from writer.lines(set_up_next(reader, table, reading, facts))
    if last is not None:
        yield from writer.lines(table.tick(last.at + AFTERTIME))


def set_up_next(
    reader: StreamReader, table: Table, last: Reading, facts: Iterable[Fact]
) -> list[Fact]:
    """Set the table up for the game behind the one that *facts* are of, if the stream says how.

    Its start position may be put up without a result, which then ends the game before it: so it is
    known once that game has a move.
    """
    last_of = max((f.game for f in facts if isinstance(f, GameEnded | MoveSettled)), default=None)
    setup = None if last_of is None else reader.setup(last_of + 1)
    if setup is None or setup == table.setup:
        return []
    return table.apply(msgspec.structs.replace(last, payload=setup))
