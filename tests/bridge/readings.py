"""Readings for tests of what keeps and carries them."""

from collections.abc import Iterable

from bridge.core.model import Reading
from drivers.events import Notice


def reading(seq: int, *, table: str = "1", link: str = "dgt-1", text: str = "") -> Reading:
    return Reading(
        table=table,
        link=link,
        seq=seq,
        at=seq / 10,
        wall=1_790_000_000.0 + seq / 10,
        payload=Notice(at=seq / 10, text=text or f"reading {seq}"),
    )


def run(seqs: Iterable[int], *, table: str = "1", link: str = "dgt-1") -> list[Reading]:
    return [reading(seq, table=table, link=link) for seq in seqs]
