"""What every codec promises, tried on what a board said: cut, damaged, and among noise.

Nothing here is random, so a promise that is broken is broken every time.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from drivers.codec import Codec, DriverInfo
from drivers.events import ClockReading, Event, Noise, RawTags, Snapshot, SquareChange

MakeCodec = Callable[[], Codec]

PIECES = (1, 2, 3, 5, 7, 20, 64)
"""Lengths of reads; 20 bytes are a notification of the oldest radios, 64 a packet of USB."""

MOST_LOST = 100
"""Places at which a byte is lost; in a longer stream they lie further apart."""

MOST_BYTES = 8_000
"""Bytes of a board's words that are tried; a scanning board says so much in seconds."""

LIKE = 100
"""Bytes of noise that resembles what the board said."""

NOISES = (b"\0" * 300, b"\xff" * 300, bytes(range(256)), bytes(range(255, -1, -1)))

AT, LATER = 1.0, 3600.0
POLLED_FOR = 600.0
MOST_SENT = 256
"""Messages that a codec may have to say without time going by."""


class Finding(NamedTuple):
    """A promise in words, and how it was broken; empty where it was kept."""

    promise: str
    broken: str


class _BrokenError(Exception):
    """A promise was broken while something else was tried."""


def problems_of(info: DriverInfo) -> list[str]:
    """Return what is wrong with a declaration; empty if nothing is."""
    needs = {
        "serial": ("line", info.line),
        "tcp": ("line", info.line),
        "usb": ("hid", info.hid),
        "ble": ("gatt", info.gatt),
    }
    problems = [
        f"transport {transport} needs '{name}'"
        for transport, (name, settings) in needs.items()
        if transport in info.transports and settings is None
    ]
    known = info.fingerprint
    if not info.transports:
        problems.append("there are no 'transports'")
    if "usb" in info.transports and not known.usb_ids:
        problems.append("a USB board is found by 'usb_ids' of its fingerprint: there are none")
    if "ble" in info.transports and not (known.ble_names or known.ble_services):
        problems.append("a radio board is found by 'ble_names' or 'ble_services': there are none")
    if info.longest_message < 1:
        problems.append("'longest_message' is no number of bytes")
    if not info.silence_limit > 0:
        problems.append("'silence_limit' is no number of seconds")
    return problems


def tried(make: MakeCodec, reads: Sequence[bytes]) -> Iterator[Finding]:
    """Yield each promise as it was kept by codecs of *make*.

    Args:
        make: makes a codec, as for a new connection.
        reads: what a board said, read by read.
    """
    heard = _at_most(reads, MOST_BYTES)
    trials: dict[str, Callable[[MakeCodec, Sequence[bytes]], str]] = {
        "understands what the board said": _understands,
        "gives the same however the bytes are cut": _keeps_cuts,
        "after a lost byte finds the same again": _keeps_a_lost_byte,
        "leaves noise behind, and says so": _keeps_noise,
        "says what to send, and when to ask again": _polls,
    }
    for promise, trial in trials.items():
        try:
            yield Finding(promise, trial(make, heard))
        except _BrokenError as error:
            yield Finding(promise, str(error))


def hear(codec: Codec, chunks: Sequence[bytes]) -> list[Event]:
    """Return what *codec* makes of *chunks*, all of which come at one time.

    Raises:
        _BrokenError: it raised something, or holds back too much.
    """
    longest = codec.info.longest_message
    events: list[Event] = []
    for chunk in chunks:
        events += _received(codec, chunk, AT)
        if codec.buffered > longest:
            raise _BrokenError(f"holds back {codec.buffered} bytes, 'longest_message' is {longest}")
    if codec.info.shared:  # what boards of a row have kept is told one thing after another
        events += _received(codec, b"", LATER)
    return events


def _received(codec: Codec, chunk: bytes, at: float) -> list[Event]:
    try:
        return codec.receive(chunk, at=at)
    except Exception as error:
        # Whatever it is, it must not be raised.
        what = f"{type(error).__name__}: {error}"
        raise _BrokenError(f"'receive' raises {what}, at {chunk[:40].hex(' ')}") from error


def said(events: Sequence[Event]) -> tuple[list[Event], str]:
    """Return what *events* tell, and all bytes that were told as noise."""
    noise = " ".join(event.data for event in events if isinstance(event, Noise))
    return [event for event in events if not isinstance(event, Noise)], noise


def _at_most(reads: Sequence[bytes], size: int) -> list[bytes]:
    kept: list[bytes] = []
    for read in reads:
        size -= len(read)
        if size < 0:
            break
        kept.append(read)
    return kept


def _stands(events: Sequence[Event]) -> object:
    """Return the position that was told last; or the times, of a clock by itself."""
    for event in reversed(events):
        match event:
            case Snapshot(cells=cells) | SquareChange(cells=cells):
                return cells
            case RawTags(tags=tags):
                return tags
            case ClockReading(left_ms=left, right_ms=right):
                return left, right
            case _:
                pass
    return None


def _understands(make: MakeCodec, reads: Sequence[bytes]) -> str:
    if _stands(hear(make(), reads)) is None:
        return "no position is told, and no times of a clock"
    return ""


def _keeps_cuts(make: MakeCodec, reads: Sequence[bytes]) -> str:
    if _takes_reads_for_messages(make, reads):
        return ""
    stream = b"".join(reads)
    expected = said(hear(make(), [stream]))
    for size in PIECES:
        pieces = [stream[n : n + size] for n in range(0, len(stream), size)]
        if said(hear(make(), pieces)) != expected:
            return f"in pieces of {size} bytes something else is told than at once"
    return ""


def _takes_reads_for_messages(make: MakeCodec, reads: Sequence[bytes]) -> bool:
    """Whether the codec never waits for more, as where messages have no end of their own."""
    codec = make()
    for read in reads:
        _received(codec, read[:1], AT)
        if codec.buffered:
            return False
    return True


def _keeps_a_lost_byte(make: MakeCodec, reads: Sequence[bytes]) -> str:
    """A row is left out: its codec asks again for what it missed, which nobody answers here."""
    if make().info.shared:
        return ""
    expected = _stands(hear(make(), reads))
    stream = b"".join(reads)
    for lost in range(0, len(stream), max(1, len(stream) // MOST_LOST)):
        if _stands(hear(make(), [*_without(reads, lost), *reads])) != expected:
            return f"where byte {lost} is lost, another position is told at the end"
    return ""


def _without(reads: Sequence[bytes], lost: int) -> Iterator[bytes]:
    for read in reads:
        yield read[:lost] + read[lost + 1 :] if 0 <= lost < len(read) else read
        lost -= len(read)


def _keeps_noise(make: MakeCodec, reads: Sequence[bytes]) -> str:
    expected, told = _stands(hear(make(), reads)), ""
    for noise in (*NOISES, *_like(reads)):
        events = hear(make(), [noise, *reads, *reads])
        if _stands(events) != expected:
            return f"after {noise[:8].hex(' ')} … another position is told at the end"
        told += said(events)[1]
    return "" if told else "nothing is ever told as noise"


def _like(reads: Sequence[bytes]) -> Iterator[bytes]:
    """Yield noise that begins as messages do."""
    first = b"".join(reads)[:LIKE]
    yield first[::-1]
    for size in (1, 2, 3):
        yield first[:size] + b"\0" * LIKE
        yield first[:size] * LIKE


def _polls(make: MakeCodec, reads: Sequence[bytes]) -> str:
    """Let the codec speak into silence."""
    del reads
    codec = make()
    codec.greet(at=0.0)
    at, sent_now = 0.0, 0
    while at < POLLED_FOR:
        data, wake_at = codec.poll(at=at)
        if len(codec.shown(data)) != len(data):
            return "'shown' returns more or fewer bytes than are sent"
        if math.isnan(wake_at) or (not data and wake_at <= at):
            return f"at {at:g} s has nothing to send, and wants to be polled at {wake_at:g} s"
        sent_now = sent_now + 1 if wake_at <= at else 0
        if sent_now > MOST_SENT:
            return f"at {at:g} s is never done sending"
        at = max(at, wake_at)
    return ""
