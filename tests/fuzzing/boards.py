"""Codecs, which take what a line says; each comes with what a simulated board of its kind said."""

from functools import partial
from importlib.metadata import entry_points
from itertools import pairwise

import msgspec

from drivers.catalogue import all_drivers
from drivers.codec import Codec
from drivers.events import Event, Noise
from drivers.transports.simulated import GROUP, Device
from tests.fuzzing.target import Target

HEAD = 8
"""Bytes of an input that say where the rest is cut, and how long the pauses are."""
OPTIONS = {"dgt_bus": {"units": "1025 1026"}}
PACKETS = {"cpp"}
"""Each piece of the radio is a message of these; there is no other way to cut."""
SEED_BYTES, SEED_SECONDS, STEP = 1500, 30.0, 0.1

_encode = msgspec.json.encode
_decode = msgspec.json.Decoder[Event](Event).decode


def targets() -> dict[str, Target]:
    """Return a target for each driver."""
    return {
        f"codec-{name}": Target(partial(_feed, codec), partial(_seeds, name, codec))
        for name, codec in all_drivers().items()
    }


def _made(codec: type[Codec]) -> Codec:
    made = codec(**OPTIONS.get(codec.info.name, {}))
    made.greet(at=0.0)
    return made


def _feed(codec: type[Codec], data: bytes) -> None:
    head, stream = data[:HEAD], data[HEAD:]
    cuts = [0, *sorted(byte * len(stream) // 256 for byte in head), len(stream)]
    pieces = [stream[start:end] for start, end in pairwise(cuts)]
    if codec.info.name not in PACKETS:
        assert _told(codec, pieces) == _told(codec, [stream]), "other cuts, other events"
    _lives(codec, pieces, head)


def _told(codec: type[Codec], pieces: list[bytes]) -> tuple[list[Event], str]:
    """Return what pieces that come at once give, and all noise."""
    decoder = _made(codec)
    events: list[Event] = []
    for piece in pieces:
        events += decoder.receive(piece, at=1.0)
    noise = " ".join(event.data for event in events if isinstance(event, Noise))
    return [event for event in events if not isinstance(event, Noise)], noise


def _lives(codec: type[Codec], pieces: list[bytes], pauses: bytes) -> None:
    """Let pieces come with pauses, and the host speak meanwhile."""
    decoder, at = _made(codec), 0.0
    for piece, pause in zip(pieces, [*pauses, 255], strict=False):
        at += pause**2 / 5000
        told = decoder.receive(piece, at=at)
        assert decoder.buffered <= codec.info.longest_message
        assert [_decode(_encode(event)) for event in told] == told, "the journal changes events"
        sent = decoder.poll(at=at).data
        assert len(decoder.shown(sent)) == len(sent)


def _seeds(name: str, codec: type[Codec]) -> list[bytes]:
    (entry,) = entry_points(group=GROUP, name=name)
    said = _said(codec, entry.load()(1))
    cuts = bytes(range(0, 256, 256 // HEAD))
    return [cuts + said[start : start + SEED_BYTES] for start in (0, len(said) // 2)]


def _said(codec: type[Codec], device: Device) -> bytes:
    """Return what a board says to a host in its first seconds."""
    decoder, said, at = _made(codec), b"", 0.0
    while at < SEED_SECONDS and len(said) < 3 * SEED_BYTES:
        at += STEP
        if asked := decoder.poll(at=at).data:
            device.receive(asked, at=at)
        came = device.poll(at=at).data
        said += came
        decoder.receive(came, at=at)
    return said
