"""The readings that a capture file holds: recorded bytes through the codec, as on the day."""

from collections.abc import Iterator

from bridge.core.model import LinkChange, Payload, Reading, TableSetup
from drivers.capture import Capture
from drivers.codec import Codec


def readings_of(capture: Capture, codec: type[Codec], *, table: str) -> Iterator[Reading]:
    """Yield the readings of *capture*; the table is set up from its header.

    What was lost and opened again gets a new codec, so half a message is never inherited.
    """
    for seq, (at, payload) in enumerate(_payloads(capture, codec), start=1):
        yield Reading(table=table, link=capture.name, seq=seq, at=at, wall=at, payload=payload)


def _payloads(capture: Capture, codec: type[Codec]) -> Iterator[tuple[float, Payload]]:
    decoder = codec()
    yield (
        0.0,
        TableSetup(
            start_fen=capture.start,
            has_clock=capture.has_clock,
            sensing=codec.info.cells_tell,
        ),
    )
    for record in capture.records:
        if record.direction == "<":
            for event in decoder.receive(record.data, at=record.t):
                yield record.t, event
        elif record.direction == "!" and record.text == "lost":
            decoder = codec()
            yield record.t, LinkChange(state="lost", detail="the capture says so")
        elif record.direction == "!" and record.text == "opened":
            decoder = codec()
            yield record.t, LinkChange(state="live")
