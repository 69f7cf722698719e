"""Damaged examples of everything that is read, and nothing raises what it should not."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzzing.all import targets

TARGETS = targets()
TOKENS = (
    *(b"\xff", b"\0", b"\n", b"\r\n", b'"', b"\\ud800", b"null", b"-1", b"1e999", b"9" * 30),
    *(b"[" * 3000, b'{"a":' * 3000, b"\xe2\x80\xa8", b"- " * 50, b"&a *a"),
)
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 20), st.sampled_from(TOKENS) | st.binary(max_size=8)),
    min_size=1,
    max_size=8,
)


def edited(seed: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    """Put something in place of some bytes, at places from 0 to 1."""
    for place, length, new in edits:
        start = int(place * len(seed))
        seed = seed[:start] + new + seed[start + length :]
    return seed


@pytest.mark.parametrize("name", TARGETS)
def test_good_examples_are_read(name: str) -> None:
    seeds = TARGETS[name].seeds()
    assert all(0 < len(seed) <= TARGETS[name].longest for seed in seeds)
    for seed in seeds:
        TARGETS[name].feed(seed)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.usefixtures("unmeasured")
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_examples_are_read_or_refused(name: str, data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(TARGETS[name].seeds()))
    TARGETS[name].feed(edited(seed, data.draw(EDITS)))
