"""What of a scan are tags, and what only noise of antennas that have none above them."""

from collections.abc import Iterator

from drivers.boards.certabo.protocol import MOST_ZEROS, TAG_BYTES, TAG_NUMBERS

MOST_TAGS = 256
"""So many tags are remembered, more than seven sets of men; the oldest are forgotten first."""


class Sieve:
    """Lets through what was proven to be a tag, at once wherever it is read.

    Empty squares read random bytes that differ from scan to scan, real tags read the same every
    time. So forty bits that the same square reads twice running are a tag. Recorded scans have
    noise on up to 17 empty squares.
    """

    def __init__(self) -> None:
        self._before: list[bytes | None] = []
        self._proven: dict[bytes, None] = {}

    def take(self, numbers: bytes) -> tuple[str | None, ...] | None:
        """Return the tags of the 64 squares, a1 first, in hexadecimal.

        None: it is the first scan, and nothing is proven yet.
        """
        scan = list(_tags(numbers))
        before, self._before = self._before, scan
        if not before:
            return None
        for tag, last in zip(scan, before, strict=True):
            if tag is not None and tag == last:
                self._proven.pop(tag, None)
                self._proven[tag] = None
        for tag in list(self._proven)[:-MOST_TAGS]:
            del self._proven[tag]
        return tuple([tag.hex() if tag and tag in self._proven else None for tag in scan])


def _tags(numbers: bytes) -> Iterator[bytes | None]:
    """Yield what each square has read, a1 first; ``None`` where it cannot be a tag."""
    row = 8 * TAG_BYTES
    for rank in range(TAG_NUMBERS - row, -row, -row):
        for place in range(rank, rank + row, TAG_BYTES):
            tag = numbers[place : place + TAG_BYTES]
            yield tag if tag.count(0) <= MOST_ZEROS else None
