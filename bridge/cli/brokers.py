"""What ``doctor`` says of the brokers that join several halls."""

import asyncio
import importlib.util
from collections.abc import Iterator

from bridge.cli.findings import Finding
from bridge.cli.node import own_name
from bridge.config import Config

_WRONG_CLOCK = 2.0
"""Seconds from which on a clock is worth a word; games are timed right all the same."""


def brokers(config: Config, *, library: str = "nats") -> Iterator[Finding]:
    """Tell of each broker whether this machine may use it, and how its clock differs."""
    if config.scale is None:
        return
    if importlib.util.find_spec(library) is None:
        yield Finding(
            state="mend",
            subject="nats-py",
            text="not installed: no broker can be reached",
            remedy="pip install 'eboard-bridge[scale]'",
        )
        return
    from bridge.scale.checkup import check_up
    from bridge.scale.connection import ScaleError

    try:
        found = asyncio.run(check_up(config.scale, own_name(None)))
    except ScaleError as error:
        remedy = "docs/scale-out.md says what each file holds"
        yield Finding(state="mend", subject="brokers", text=str(error), remedy=remedy)
        return
    for each in found:
        subject = f"broker {each.server.partition('//')[2]}"
        if each.trouble:
            remedy = "docs/scale-out.md says what it needs"
            yield Finding(state="mend", subject=subject, text=each.trouble, remedy=remedy)
        elif each.ahead is None:
            yield Finding(state="warn", subject=subject, text="is there, but no hub leads")
        else:
            yield Finding(state="good", subject=subject, text="is there, and a hub leads")
    yield from _clock([each.ahead for each in found if each.ahead is not None])


def _clock(ahead: list[float]) -> Iterator[Finding]:
    if ahead and abs(ahead[0]) > _WRONG_CLOCK:
        way = "ahead of" if ahead[0] > 0 else "behind"
        yield Finding(
            state="warn",
            subject="clock",
            text=f"{abs(ahead[0]):.0f} s {way} that of the hub that leads",
            remedy="let it be set by NTP; games are timed right all the same",
        )
