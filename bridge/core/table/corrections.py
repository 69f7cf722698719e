"""Whether what the configuration says anew is the game that is on, written better."""

import difflib
from typing import Literal

import msgspec

from bridge.core.model import TableSetup

_ALIKE = 0.75
"""Similarity from which one name is the other, misspelt: letters that agree, of all."""
_UNKNOWN = ("", "?")


def corrected(game: TableSetup, now: TableSetup) -> TableSetup | None:
    """Return the set-up of a *game* with the names of *now*; ``None`` if it is another game.

    It is the same game if the round is the same and on both sides sits who sat there: the FIDE
    ids agree, or the names are alike where one is missing, or nobody was known. What it is played
    by stays, and so does the day on which it was begun, unless somebody wrote another.
    """
    if game.round != now.round or not (_sits("White", game, now) and _sits("Black", game, now)):
        return None
    return msgspec.structs.replace(
        game,
        event=now.event,
        site=now.site,
        date=game.date if now.undated else now.date,
        board=now.board,
        white=now.white,
        black=now.black,
        tags=now.tags,
    )


def played_alike(one: TableSetup, other: TableSetup) -> bool:
    """Whether both say the same of what a game is begun with and keeps."""
    return _play(one) == _play(other)


def _play(setup: TableSetup) -> tuple[object, ...]:
    return (
        setup.start_fen,
        setup.chess960,
        setup.orientation,
        setup.time_control,
        setup.two_hands,
    )


def _sits(side: Literal["White", "Black"], game: TableSetup, now: TableSetup) -> bool:
    """Whether the player of a side is the one who sat there."""
    was, becomes = (game.white, now.white) if side == "White" else (game.black, now.black)
    if was in _UNKNOWN:
        return True
    ids = game.tags.get(f"{side}FideId"), now.tags.get(f"{side}FideId")
    if None not in ids:
        return ids[0] == ids[1]
    return difflib.SequenceMatcher(None, was.casefold(), becomes.casefold()).ratio() >= _ALIKE
