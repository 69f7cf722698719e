"""Report descriptors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.transports.hid import Reports, read_descriptor

CASES = {
    "a vendor's page with numbered reports": ("06 00 ff 09 01 a1 01 85 01 75 08 c0", 0xFF00, True),
    "a mouse": ("05 01 09 02 a1 01 09 01 a1 00 c0 c0", 0x0001, False),
    "the page of a field inside is another matter": (
        "05 01 09 02 a1 01 06 00 ff c0",
        0x0001,
        False,
    ),
    "the last page before the collection": ("05 01 06 00 ff a1 01 c0", 0xFF00, False),
    "a page of four bytes": ("07 00 ff 00 00 a1 01 c0", 0xFF00, False),
    "a long item is passed over": ("fe 02 10 85 01 06 00 ff a1 01", 0xFF00, False),
    "a long item that is cut short": ("06 00 ff a1 01 fe", 0xFF00, False),
    "no page": ("a1 01 c0", 0, False),
    "no collection": ("06 00 ff", 0, False),
    "nothing": ("", 0, False),
}


@pytest.mark.parametrize(("descriptor", "usage_page", "numbered"), CASES.values(), ids=CASES)
def test_what_a_descriptor_says(descriptor: str, usage_page: int, numbered: bool) -> None:
    assert read_descriptor(bytes.fromhex(descriptor)) == Reports(usage_page, numbered)


@given(st.binary(max_size=64))
def test_arbitrary_bytes_never_raise(descriptor: bytes) -> None:
    assert read_descriptor(descriptor).usage_page >= 0
