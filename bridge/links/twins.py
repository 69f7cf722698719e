"""One board seen over two ways, and two boards that say the same number."""

from collections.abc import Iterable
from dataclasses import replace

from bridge.links.claims import Place, place_of, tells_boards_apart
from bridge.links.probing import Found, NotABoard


def once_each(answers: Iterable[Found | NotABoard]) -> list[Found | NotABoard]:
    """Leave out boards that an earlier answer has already, and tell twins apart.

    Equal serial numbers are one board seen over two ways, unless it is plugged into two USB
    sockets or two serial ports of the machine itself, or has two Bluetooth addresses: then they are
    two boards, which no number tells apart.
    """
    kept: list[Found | NotABoard] = []
    known: dict[tuple[str, str], int] = {}
    for answer in answers:
        serial = _number(answer)
        place = None if serial is None else known.setdefault(serial, len(kept))
        if place is None or place == len(kept):
            kept.append(answer)
            continue
        first = kept[place]
        if not (isinstance(first, Found) and isinstance(answer, Found)):  # pragma: no cover
            continue  # only boards have numbers
        if _apart(first, answer):
            kept[place] = replace(first, twins=_with(first.twins, answer.address))
            kept.append(replace(answer, twins=_with(answer.twins, first.address)))
        elif first.address != answer.address:
            kept[place] = replace(first, also_at=_with(first.also_at, answer.address))
    return kept


def _apart(one: Found, other: Found) -> bool:
    """Whether both are connected in a way that a board has only one of."""
    here, there = _place(one), _place(other)
    return here is not None and there is not None and here[0] == there[0] and here != there


def _place(found: Found) -> Place | None:
    return place_of(found.address) if found.socket is None else ("socket", found.socket)


def _number(answer: Found | NotABoard) -> tuple[str, str] | None:
    """Return what tells a board from all others; boards that never got a number have none."""
    if isinstance(answer, NotABoard) or not answer.serials:
        return None
    serial = answer.serials[-1]
    return (answer.driver, serial) if tells_boards_apart(serial) else None


def _with(addresses: tuple[str, ...], address: str) -> tuple[str, ...]:
    return addresses if address in addresses else (*addresses, address)
