"""The streams, as a hub makes them.

Of readings nothing is replaced, and a full stream refuses; public facts give way to later ones.
"""

import logging
from dataclasses import replace

import nats.js.errors
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig

from bridge.config import ScaleSettings
from bridge.scale.names import Names

MEBIBYTE = 1024 * 1024
FACTS_MB = 1024
"""Megabytes of public facts: those of a hundred thousand games."""
KEPT_SECONDS = 30 * 86400.0
"""How long readings are kept: longer than any event, so that a new hub can read all of it."""
DUPLICATE_SECONDS = 120.0
"""How long the brokers know what they were told; whoever reads knows it for ever."""

logger = logging.getLogger(__name__)


async def make_streams(stream: JetStreamContext, settings: ScaleSettings) -> None:
    """Make the streams, or change them to what is configured now.

    Raises:
        nats.errors.Error, TimeoutError: the brokers cannot now, or will not.
    """
    names = Names(settings.event)
    readings = StreamConfig(
        name=names.readings_stream,
        subjects=[names.readings],
        storage=StorageType.FILE,
        num_replicas=settings.replicas,
        discard=DiscardPolicy.NEW,
        max_bytes=settings.max_mb * MEBIBYTE,
        max_age=KEPT_SECONDS,
        duplicate_window=DUPLICATE_SECONDS,
    )
    await _make(stream, readings)
    if settings.public_facts:
        facts = replace(
            readings,
            name=names.facts_stream,
            subjects=[names.all_facts],
            discard=DiscardPolicy.OLD,
            max_bytes=FACTS_MB * MEBIBYTE,
        )
        await _make(stream, facts)


async def _make(stream: JetStreamContext, wanted: StreamConfig) -> None:
    name = str(wanted.name)
    try:
        is_now = (await stream.stream_info(name)).config
    except nats.js.errors.NotFoundError:
        await stream.add_stream(wanted)
        logger.info("the stream %s is begun", name)
        return
    if (is_now.num_replicas, is_now.max_bytes) != (wanted.num_replicas, wanted.max_bytes):
        changed = replace(is_now, num_replicas=wanted.num_replicas, max_bytes=wanted.max_bytes)
        await stream.update_stream(changed)
