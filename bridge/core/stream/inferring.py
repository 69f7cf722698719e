"""A whole board stream through a table."""

from collections.abc import Iterable, Iterator

from bridge.core.model import Reading
from bridge.core.stream.output import OutputWriter
from bridge.core.stream.reading import StreamReader
from bridge.core.stream.setups import Setups
from bridge.core.table import Table

AFTERTIME = 10.0
"""Silence that is assumed after the last line, so that what rests may still settle (s)."""


def infer(lines: Iterable[str | bytes], *, name: str, writer: OutputWriter) -> Iterator[str]:
    """Yield the engine output of a board stream, line by line.

    Raises:
        StreamError: a malformed line.
    """
    reader, table = StreamReader(name), Table(name)
    setups = Setups(reader, table)
    last: Reading | None = None
    for line in lines:
        for reading in reader.read(line):
            last = reading
            facts = table.apply(reading)
            yield from writer.lines(facts)
            yield from writer.lines(setups.follow(reading, facts))
    if last is not None:
        yield from writer.lines(table.end(last.at + AFTERTIME))
