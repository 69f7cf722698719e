"""The readings that a capture file holds: recorded bytes through the codec, as on the day."""

from collections.abc import Iterable, Iterator

import chess

from bridge.core.model import LinkChange, Payload, Reading, TableSetup
from drivers.capture import Capture
from drivers.cells import cells_of
from drivers.codec import Codec
from drivers.events import BoardLog, Event, Noise, Presence, Snapshot

AFTERTIME = 60.0
STEP = 0.1
"""What a board of a row has kept for long takes its time, step by step after the last byte (s)."""

STORED_EVERY = 2.0
"""Seconds between two positions of a game that a board has stored, which tells no times."""


def units_of(capture: Capture, codec: type[Codec]) -> list[str | None]:
    """Return the boards that *capture* tells of, as they come; only a shared line has several.

    A board alone on its line has no name.
    """
    if not codec.info.shared:
        return [None]
    told = (payload for _, payload in _heard(capture, codec) if not isinstance(payload, LinkChange))
    return list(dict.fromkeys(event.unit for event in told if event.unit is not None))


def readings_of(
    capture: Capture, codec: type[Codec], *, table: str, unit: str | None = None
) -> Iterator[Reading]:
    """Yield the readings of *capture*; the table is set up from its header.

    What was lost and opened again gets a new codec, so half a message is never inherited. Of a
    shared line only the board *unit* is read, which gives the table its board number.
    """
    link = capture.name if unit is None else f"{capture.name}, unit {unit}"
    for seq, (at, payload) in enumerate(_payloads(capture, codec, unit), start=1):
        yield Reading(table=table, link=link, seq=seq, at=at, wall=at, payload=payload)


def stored_games(capture: Capture, codec: type[Codec]) -> Iterator[list[str]]:
    """Yield the games that the board had stored and was asked for, each as the cells of positions.

    Other logs of boards are not for following.
    """
    for _, payload in _heard(capture, codec):
        if isinstance(payload, BoardLog):
            positions = [cells for entry in payload.entries if (cells := _cells_of(entry))]
            if positions:
                yield positions


def readings_of_stored(
    positions: Iterable[str], codec: type[Codec], *, table: str, link: str
) -> Iterator[Reading]:
    """Yield the readings of a game that was stored, as if each position had rested."""
    setup = TableSetup(has_clock=False, sensing=codec.info.cells_tell)
    payloads: list[Payload] = [setup, LinkChange(state="live")]
    payloads += [Snapshot(at=STORED_EVERY * n, cells=cells) for n, cells in enumerate(positions)]
    for seq, payload in enumerate(payloads, start=1):
        at = payload.at if isinstance(payload, Snapshot) else 0.0
        yield Reading(table=table, link=link, seq=seq, at=at, wall=at, payload=payload)


def _cells_of(entry: str) -> str | None:
    """Return the cells of a piece placement as in FEN; None if *entry* is something else."""
    try:
        board = chess.BaseBoard(entry)
    except ValueError:
        return None
    return cells_of(board)


def _payloads(
    capture: Capture, codec: type[Codec], unit: str | None
) -> Iterator[tuple[float, Payload]]:
    yield (
        0.0,
        TableSetup(
            board=int(unit) if unit is not None and unit.isdecimal() else None,
            start_fen=capture.start,
            has_clock=capture.has_clock,
            sensing=codec.info.cells_tell,
        ),
    )
    for at, payload in _heard(capture, codec):
        if isinstance(payload, LinkChange) or payload.unit == unit:
            yield at, payload


def _heard(capture: Capture, codec: type[Codec]) -> Iterator[tuple[float, Event | LinkChange]]:
    """Yield what was told and when it came; the presence of boards is no reading."""
    decoder = codec()
    at = 0.0
    for record in capture.records:
        at = record.t
        if record.direction == "<":
            for event in decoder.receive(record.data, at=at):
                if not isinstance(event, Presence):
                    yield at, event
        elif record.direction == "!" and record.text == "lost":
            decoder = _after_a_loss(decoder, at)
            yield at, LinkChange(state="lost", detail="the capture says so")
        elif record.direction == "!" and record.text == "opened":
            decoder = _after_a_loss(decoder, at)
            yield at, LinkChange(state="live")
    for step in range(1, round(AFTERTIME / STEP) if codec.info.shared else 0):
        for event in decoder.receive(b"", at=at + step * STEP):
            if not isinstance(event, Noise):
                yield event.at, event


def _after_a_loss(decoder: Codec, at: float) -> Codec:
    """Return the codec that hears the line from now on: that of a row outlives a loss."""
    if not decoder.info.shared:
        return type(decoder)()
    decoder.greet(at=at)
    return decoder
