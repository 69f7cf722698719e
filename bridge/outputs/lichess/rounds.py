"""Which round on Lichess a round of the event is; one that is missing is created."""

from collections.abc import Mapping

from bridge.config.lichess import LichessSettings
from bridge.outputs.lichess.api import LichessApi, RefusedError

_UNKNOWN = {"", "?", "-"}


def round_title(name: str) -> str:
    """Return what a round of the event is called on Lichess.

    >>> round_title("3"), round_title("Final")
    ('Round 3', 'Final')
    """
    title = f"Round {name}" if name[:1].isdigit() else name
    return title[:80] if len(title) >= len("R 1") else f"Round {title}"


def target(settings: LichessSettings, name: str) -> str:
    """Return where a round of the event goes, as configured: what is known of Lichess is by it."""
    return settings.rounds.get(name) or f"{settings.tournament}/{name}"


async def round_id(
    name: str, settings: LichessSettings, noted: Mapping[str, str], api: LichessApi
) -> str:
    """Return the id of a round: as configured, as *noted*, as it is called, or of a new one.

    Looking for the name comes first: a creation whose answer was lost is found and not repeated.

    Raises:
        LichessError: it cannot be found out now, or the configuration names none.
    """
    if name in settings.rounds:
        return settings.rounds[name]
    if name.rpartition(" ")[2] in _UNKNOWN:
        raise RefusedError("which round is it? Write 'event: round'")
    if settings.tournament is None:
        raise RefusedError(f"'lichess: rounds' has no round {name}: add it, or a tournament")
    if known := noted.get(note_name(settings, name)):
        return known
    title = round_title(name)
    there = [each for each in await api.rounds(settings.tournament) if each.name == title]
    found = there[0] if there else await api.create_round(settings.tournament, title)
    return found.id


def note_name(settings: LichessSettings, name: str) -> str:
    """Return under what a round's id is noted."""
    return f"round:{target(settings, name)}"
