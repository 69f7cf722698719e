"""The illegal moves of players that arbiters have confirmed, in all their games of the event."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from bridge.core.model import Colour, TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.web.archive import Archive

_COLOURS: tuple[Colour, Colour] = ("white", "black")
_TAGS: dict[Colour, Literal["White", "Black"]] = {"white": "White", "black": "Black"}
_UNKNOWN = ("", "?")


class Offences(msgspec.Struct, frozen=True):
    """How many illegal moves of a player are confirmed in one game; ``round`` may be unknown."""

    table: str
    game: int
    round: str
    count: int


def elsewhere(
    record: GameRecord, records: Iterable[GameRecord], archive: Archive
) -> dict[Colour, list[Offences]]:
    """Return by side what is confirmed against the players of *record* in their other games.

    Of a player nothing is known but what the set-up says: his FIDE id, or his name.
    """
    others = [each for each in records if each is not record]
    return {
        colour: [
            Offences(each.table, each.game, each.setup.round, count)
            for each in others
            for seat in _COLOURS
            if _is_same(record.setup, colour, each.setup, seat)
            and (count := archive.offences(each.table, each.game)[seat])
        ]
        for colour in _COLOURS
    }


def _is_same(one: TableSetup, colour: Colour, other: TableSetup, seat: Colour) -> bool:
    ids = one.tags.get(f"{_TAGS[colour]}FideId"), other.tags.get(f"{_TAGS[seat]}FideId")
    if None not in ids:
        return ids[0] == ids[1]
    name = _name(one, colour)
    return name not in _UNKNOWN and name == _name(other, seat)


def _name(setup: TableSetup, colour: Colour) -> str:
    return setup.white if colour == "white" else setup.black
