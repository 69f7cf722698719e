"""What every codec promises, whatever its family."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from drivers.codec import Codec
from drivers.events import Event
from drivers.promises import hear, said
from tests.conversations import without_noise


@dataclass(frozen=True)
class Family:
    """A codec, and messages of every kind that its boards send.

    ``again``: so many of the last events are told again where the messages come once more.
    """

    codec: type[Codec]
    messages: Sequence[bytes]
    again: int = 1

    @property
    def stream(self) -> bytes:
        return b"".join(self.messages)

    def events(self, *chunks: bytes) -> list[Event]:
        return hear(self.codec(), chunks)

    def said(self, *chunks: bytes) -> tuple[list[Event], str]:
        """Return the events, and all bytes that were told as noise."""
        return said(self.events(*chunks))


def keeps_any_cut(family: Family, data: bytes, cuts: Sequence[int]) -> None:
    at = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    assert family.said(*(data[a:b] for a, b in pairwise(at))) == family.said(data)


def keeps_single_bytes(family: Family) -> None:
    singles = [bytes([byte]) for byte in family.stream]
    assert family.said(*singles) == family.said(family.stream)


def keeps_a_lost_byte(family: Family) -> None:
    expected = without_noise(family.events(family.stream))[-family.again :]
    for lost in range(len(family.stream)):
        damaged = family.stream[:lost] + family.stream[lost + 1 :]
        events = without_noise(family.events(damaged, family.stream))
        assert events[-family.again :] == expected, lost


def keeps_noise(family: Family, noise: bytes) -> None:
    expected = without_noise(family.events(family.stream))[-family.again :]
    flood = family.stream * 2
    assert without_noise(family.events(noise, flood))[-family.again :] == expected
