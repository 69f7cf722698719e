"""What a HID report descriptor says about an interface (USB HID 1.11, section 6.2.2)."""

from collections.abc import Iterator
from typing import NamedTuple

_LONG_ITEM = 0xFE
_TAG_AND_TYPE = 0xFC
_USAGE_PAGE = 0x04
_REPORT_ID = 0x84
_COLLECTION = 0xA0
_DATA_BYTES = (0, 1, 2, 4)


class Reports(NamedTuple):
    """The reports of an interface.

    ``usage_page`` is that of its first collection, 0 where it names none. ``numbered``: the first
    byte of every report is its number.
    """

    usage_page: int
    numbered: bool


def read_descriptor(descriptor: bytes) -> Reports:
    """Return what is said about the reports; what is damaged or cut short says nothing."""
    usage_page: int | None = None
    latest, numbered = 0, False
    for tag, value in _items(descriptor):
        if tag == _USAGE_PAGE:
            latest = value
        elif tag == _COLLECTION and usage_page is None:
            usage_page = latest
        elif tag == _REPORT_ID:
            numbered = True
    return Reports(usage_page or 0, numbered)


def _items(descriptor: bytes) -> Iterator[tuple[int, int]]:
    """Yield tag and type, and the value, of each short item."""
    offset = 0
    while offset < len(descriptor):
        prefix = descriptor[offset]
        if prefix == _LONG_ITEM:
            size = sum(descriptor[offset + 1 : offset + 2])
            offset += 3 + size
            continue
        end = offset + 1 + _DATA_BYTES[prefix & 3]
        yield prefix & _TAG_AND_TYPE, int.from_bytes(descriptor[offset + 1 : end], "little")
        offset = end
