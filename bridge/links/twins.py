"""One board seen over two ways, and two boards that say the same number."""

from collections.abc import Iterable
from dataclasses import replace

from bridge.links.claims import tells_boards_apart
from bridge.links.probing import Found, NotABoard


def once_each(answers: Iterable[Found | NotABoard]) -> list[Found | NotABoard]:
    """Leave out boards that an earlier answer has already, and tell twins apart.

    Equal serial numbers are one board seen over two ways, unless it is plugged into two USB
    sockets: then they are two boards, which no number tells apart.
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
        if None not in (first.socket, answer.socket) and first.socket != answer.socket:
            kept[place] = _remark(first, _twin(answer.address))
            kept.append(_remark(answer, _twin(first.address)))
        elif first.address != answer.address:
            kept[place] = _remark(first, f"also at {answer.address}")
    return kept


def _number(answer: Found | NotABoard) -> tuple[str, str] | None:
    """Return what tells a board from all others; boards that never got a number have none."""
    if isinstance(answer, NotABoard) or not answer.serials:
        return None
    serial = answer.serials[-1]
    return (answer.driver, serial) if tells_boards_apart(serial) else None


_SAME_NUMBER = "has the same serial number as the board at"


def is_twin(board: Found) -> bool:
    """Whether its serial number does not tell it from another board that is here."""
    return _SAME_NUMBER in board.remark


def _twin(address: str) -> str:
    return f"{_SAME_NUMBER} {address}: tell them apart by 'port'"


def _remark(answer: Found, text: str) -> Found:
    if text in answer.remark:
        return answer
    return replace(answer, remark="; ".join(filter(None, (answer.remark, text))))
